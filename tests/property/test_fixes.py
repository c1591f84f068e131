"""On random programs a fix is exactly the intended change, and the second time nothing."""

import ast
import io
import tokenize
import warnings
from collections import Counter

import hypothesmith
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from mending import mend

NUMBERS = st.sampled_from(["8192", "0x2F", "1_500", "404", "500", "0.85", "1e-6", "-40", "3600", "37", "6j"])
NAMES = st.sampled_from(["load", "self.prompt", "len(rows)", "reply.status_code", "width", "é", "LIMIT", "row[4096]"])
ENDS = st.sampled_from(["\n", "\r\n"])
PIECES = st.one_of(
    st.builds("{} > {}".format, NAMES, NUMBERS),
    st.builds("{} == {} or {}".format, NAMES, NUMBERS, NAMES),
    st.builds("wait({}, {})".format, NUMBERS, NUMBERS),
    st.builds("{} * {} + 1".format, NAMES, NUMBERS),
    st.builds("{}[{}:]".format, NAMES, NUMBERS),
    st.builds("{}if {}>{}else 7".format, NUMBERS, NAMES, NUMBERS),
    st.builds("[i for i in range({}) if i > {}]".format, NUMBERS, NUMBERS),
    st.builds("lambda x={}: x > {}".format, NUMBERS, NUMBERS),
    st.builds('f"{{{}!r}} {}"'.format, NUMBERS, NUMBERS),
)
LINES = st.one_of(
    st.builds("x = {}".format, PIECES),
    st.builds("print({}); y = {}  # why".format, PIECES, PIECES),
    st.builds("def f(self, load={}):\n    return {}".format, NUMBERS, PIECES),
    st.builds("class A:\n    rows = ({})\n\n    def g(self):\n        return {}".format, PIECES, PIECES),
    st.builds("if {}:\n\timport os".format, PIECES),
    st.builds("match load:\n    case {} if {}:\n        pass".format, NUMBERS, PIECES),
    st.builds("LOAD_LIMIT = {}".format, NUMBERS),
    st.sampled_from(
        ["import os", "from os.path import *", "", "# load", "@wrap(4096)\ndef h(): ...", "\f", '"""Doc."""']
    ),
)
HEADS = st.sampled_from(
    ["", '"""Doc."""\n', "#!/usr/bin/python\n", "from __future__ import annotations\n", "import os; import re\n"]
)
PROGRAMS = st.builds(
    lambda head, lines, tail, end: (head + "\n".join(lines) + tail).replace("\n", end),
    HEADS,
    st.lists(LINES, max_size=7),
    st.sampled_from(["", "\n", "\n\n  \n"]),
    ENDS,
)


class Inlined(ast.NodeTransformer):
    """Puts the values of constants back in the place of their names."""

    def __init__(self, known: dict[str, ast.expr]) -> None:
        self.known = known

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self.known.get(node.id, node) if isinstance(node.ctx, ast.Load) else node


def with_constants(tree: ast.Module) -> str:
    """A program with the constants inlined that its module binds once: a fix uses those that are there."""
    bound = Counter(
        node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    )
    known: dict[str, ast.expr] = {}
    for item in tree.body:
        match item:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant() as value) if bound[name] == 1:
                known[name] = value
            case _:
                pass
    return ast.unparse(Inlined(known).visit(tree))


def restored(old: ast.Module, new: ast.Module) -> ast.Module:
    """The new tree with its new constants inlined and their definitions and new imports taken out."""
    names = {node.id for node in ast.walk(old) if isinstance(node, ast.Name)}
    known: dict[str, ast.expr] = {}
    body: list[ast.stmt] = []
    before = [ast.dump(item) for item in old.body]
    for item in new.body:
        match item:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name not in names:
                known[name] = value
            case ast.ImportFrom(module="http") if ast.dump(item) not in before:
                pass
            case _:
                body.append(item)
    found = Inlined(known).visit(ast.Module(body=body, type_ignores=[]))
    assert isinstance(found, ast.Module)
    return found


def comments(text: str) -> list[str]:
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return [token.string for token in tokens if token.type == tokenize.COMMENT]


def parsed(text: str) -> ast.Module | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.parse(text)
        except SyntaxError:
            return None


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(PROGRAMS)
@example("LOAD_LIMIT = 8192\nx = load > 8192\n")
def test_a_program_with_named_numbers_is_the_same_program(text: str) -> None:
    old = parsed(text)
    new = mend(text, "VH301").text
    if old is None:
        assert new == text
        return
    tree = ast.parse(new)
    statuses = "HTTPStatus" in new
    assert statuses or with_constants(restored(old, tree)) == with_constants(old)
    assert comments(new) == comments(text)
    assert ("\r\n" in new) == ("\r\n" in text)
    assert new.endswith(("\n", "\r")) == text.endswith(("\n", "\r"))
    assert mend(new, "VH301").text == new


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(hypothesmith.from_grammar(), st.booleans())
def test_any_program_at_all(text: str, unsafe: bool) -> None:  # noqa: FBT001 -- drawn
    result = mend(text, unsafe=unsafe)
    assert (result.text == text) == (not result.applied)
    if result.applied:
        ast.parse(result.text)
        assert mend(result.text, unsafe=unsafe).text == result.text


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=200))
def test_any_text_at_all_never_fails(text: str) -> None:
    mend(text, unsafe=True)
