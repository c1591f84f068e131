"""A text that is read again and again while it is typed is read as if it were met for the first time."""

import ast
from collections.abc import Iterator, Sequence
from functools import partial
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from valhalla_lint.core.parsed import Parsed, Pieces
from valhalla_lint.core.settings import Settings
from valhalla_lint.core.source import Source
from valhalla_lint.facts import joined
from valhalla_lint.facts.index import KINDS, Index
from valhalla_lint.facts.joined import JoinedIndex
from valhalla_lint.facts.module import Module
from valhalla_lint.facts.parse import parse
from valhalla_lint.facts.pieces import read_in_pieces
from valhalla_lint.facts.scopes import JoinedScopes, Scopes

BLOCKS = (
    "import os\nimport sys",
    "x = 1; y = 2",
    "def f(a):\n    return a",
    "@wraps(\n    f\n)\ndef g(a):\n    if a:\n        return 1\n    return 2",
    "class C:\n    x: int = 1\n\n    def m(self): return self.x",
    "if x:\n    y = 1\nelse:\n    y = 2",
    'text = """a\n  b\n"""',
    "z = (1 +\n     2)",
    "w = 1 + \\\n    2",
    "try:\n    f()\nexcept E as e: pass",
    "# a comment\n\n",
    "async def h(): await f()",
    "@d(lambda x: [y for y in x])\nclass D(B, k=lambda: 1):\n    def m(self, a=lambda: 2): a()\n",
    "def i():\n    def j(): global q; q = i\n    class E: k = [j for j in i]\n    return j",
    "match x:\n    case {'a': [1, *r]}: pass",
    "f'{x!r:>{y}}'",
)
LINES = (
    *("", "    pass", "pass", "else:", "    else:", ")", "(", '"""', "\\", "x = 1 \\", "@d", "elif y: pass", "é = 'ü'"),
    *("def k():", "        return 3", "# c \\", "x; y", "    ; z", "\f", "except: pass", "\ty = 1"),
)


WORDS = tuple(map(frozenset, ({"wraps"}, {"os", "self.x"}, {"é"}, {"return"}, {"()"}, {"nowhere"})))

TEXTS = st.lists(st.sampled_from(BLOCKS), min_size=1, max_size=8).map("\n".join)
EDITS = st.tuples(st.integers(0, 40), st.integers(0, 3), st.lists(st.sampled_from(LINES), max_size=3))


def edited(text: str, edit: tuple[int, int, list[str]]) -> str:
    lines = text.split("\n")
    at, gone, new = edit
    at = min(at, len(lines))
    return "\n".join([*lines[:at], *new, *lines[at + gone :]])


def read_while_typed(text: str, edits: list[tuple[int, int, list[str]]]) -> Iterator[tuple[str, Pieces]]:
    """A text as it is, and after each edit, with its pieces."""
    pieces: Pieces | None = None
    for edit in [(0, 0, []), *edits]:
        text = edited(text, edit)
        pieces = read_in_pieces(text, pieces)
        yield text, pieces


def dumped(parsed: Parsed) -> tuple[object, ...]:
    return ast.dump(parsed.tree, include_attributes=True), parsed.problem, parsed.line, parsed.column, parsed.cuts


def by_id(names: Sequence[ast.Name]) -> dict[str, list[ast.Name]]:
    return {name: [node for node in names if node.id == name] for name in {node.id: None for node in names}}


def ids(names: Sequence[ast.Name]) -> Iterator[str]:
    return (node.id for node in names)


def ids_with(letter: str, names: Sequence[ast.Name]) -> Iterator[str]:
    return (name for name in ids(names) if letter in name)


def is_python(text: str) -> bool:
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


@settings(deadline=None)
@given(TEXTS, st.lists(EDITS, max_size=6))
def test_whatever_was_typed_before_the_last_text_is_read_as_by_itself(
    text: str, edits: list[tuple[int, int, list[str]]]
) -> None:
    for typed, pieces in read_while_typed(text, edits):
        assert dumped(pieces.parsed) == dumped(parse(typed))
        assert bool(pieces.parsed.problem) != is_python(typed)
        module, anew = (
            Module(Source("app.py", typed, parsed=parsed), Settings()) for parsed in (pieces.parsed, parse(typed))
        )
        assert [module.mentions(words) for words in WORDS] == [anew.mentions(words) for words in WORDS]


@settings(deadline=None)
@given(TEXTS, st.lists(EDITS, max_size=6), st.sets(st.integers(0, 5)), st.integers(1, 3))
def test_the_index_of_pieces_says_what_that_of_the_whole_tree_says(
    text: str, edits: list[tuple[int, int, list[str]]], unasked: set[int], neighbours: int
) -> None:
    with patch.object(joined, "BUNDLE", neighbours):
        _compare_indices(text, edits, unasked)


def _compare_indices(text: str, edits: list[tuple[int, int, list[str]]], unasked: set[int]) -> None:
    for number, (typed, pieces) in enumerate(read_while_typed(text, edits)):
        parsed = pieces.parsed
        assert dumped(parsed) == dumped(parse(typed))  # which is moved otherwise where there is an index already
        if number in unasked:
            continue
        known, whole = JoinedIndex(parsed.tree, pieces.pieces, parsed.kept), Index(parsed.tree)
        assert known.every() == whole.every()
        assert known.scopes == whole.scopes
        assert [known.own(scope) for scope in whole.scopes] == [whole.own(scope) for scope in whole.scopes]
        assert [known.size(node) for node in whole.order] == [whole.size(node) for node in whole.order]
        assert known.parents == whole.parents
        assert [[*known.nodes(kind)] for kind in KINDS] == [[*whole.nodes(kind)] for kind in KINDS]
        assert known.grouped(ast.Name, by_id) == whole.grouped(ast.Name, by_id)
        assert known.found("ids", ast.Name, ids) == whole.found("ids", ast.Name, ids)
        letter = "xya"[number % 3]  # another context for the same question
        asked = ("ids with a letter", ast.Name, partial(ids_with, letter), letter)
        assert known.found(*asked) == whole.found(*asked)
        scopes, joint = Scopes(whole), JoinedScopes(known, pieces.parsed.kept)
        assert [joint.scope(node) for node in whole.order] == [scopes.scope(node) for node in whole.order]
        assert [joint.bindings(scope) for scope in whole.scopes] == [scopes.bindings(scope) for scope in whole.scopes]


@settings(deadline=None)
@given(TEXTS, st.sampled_from(["x = = 1", "f(", "x = 'a", "def g(a", "print x, y", "    z", ")", "@d("]))
def test_what_is_python_by_itself_stays_what_it_is_beside_what_is_broken(text: str, broken: str) -> None:
    whole = ast.unparse(ast.parse(text))
    found = ast.unparse(parse(f"import a\n{text}\n{broken}\nimport b\n{text}").tree)
    assert found.count(whole) >= 1
    assert found.endswith(whole)


def test_a_change_in_one_body_leaves_the_other_statements_as_they_are() -> None:
    before = "".join(f"def f{n}(a):\n    return a\n\n\n" for n in range(9))
    known = read_in_pieces(before)
    old = known.parsed.tree.body
    new = read_in_pieces(before.replace("def f4(a):", "def f4(a):\n    a += ("), known).parsed
    assert [item for item in old if item in new.tree.body] == [*old[:4], *old[5:]]
    assert [item.lineno for item in new.tree.body][-2:] == [7 * 4 + 2, 8 * 4 + 2]


METHOD = "    def f{n}(a):\n        if a:\n            return {n}\n        x = (\n        return 0\n\n"
BODIES = st.lists(st.tuples(st.integers(0, 2), st.booleans()), max_size=5)


@settings(deadline=None)
@given(st.lists(BODIES, min_size=2, max_size=5))
def test_methods_of_a_broken_class_are_read_as_by_themselves_and_none_twice(
    classes: list[list[tuple[int, bool]]],
) -> None:
    pieces: Pieces | None = None
    for number, body in enumerate(classes):
        methods = "".join(
            METHOD.format(n=n) if broken else METHOD.format(n=n).replace("x = (", "x = ()") for n, broken in body
        )
        text = "\n" * number + f"class A:\n    y = {number} + (\n{methods}"
        pieces = read_in_pieces(text, pieces)
        assert dumped(pieces.parsed) == dumped(parse(text))
        nodes = [node for node in ast.walk(pieces.parsed.tree) if isinstance(node, ast.stmt)]
        assert len(nodes) == len(set(nodes))


def test_a_change_in_a_broken_class_leaves_its_other_methods_as_they_are() -> None:
    before = "class A:\n" + "".join(f"    def f{n}(a):\n        return a + (\n\n" for n in range(9))
    known = read_in_pieces(before)
    (old,) = known.parsed.tree.body
    (new,) = read_in_pieces("x\n" + before.replace("f4(a):", "f4(a, b):"), known).parsed.tree.body[1:]
    assert isinstance(old, ast.ClassDef)
    assert isinstance(new, ast.ClassDef)
    assert [item for item in old.body if item in new.body] == [*old.body[:4], *old.body[5:]]
    assert [item.lineno for item in new.body] == [3 * n + 3 for n in range(9)]


BROKEN = """class A(B):
    @route("/x")
    async def f(self, name):
        text = open(name)
        call(
        for item in text:
            if item
                print item
            elif other:
                total = = 3
                kept = item
        return kept

    def g(self, name
        return name


def last(): return 1
"""


def test_a_definition_with_broken_lines_is_still_that_definition() -> None:
    assert ast.unparse(parse(BROKEN).tree) == ast.unparse(
        ast.parse(
            """class A(B):
    @route("/x")
    async def f(self, name):
        text = open(name)
        for item in text:
            if item:
                print(item)
            elif other:
                kept = item
        return kept

    def g():
        return name


def last(): return 1
"""
        )
    )


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("if x:\n", "if x: pass"),
        ("if x:\n    pass\nelif y\n    z = 1\n", "if x: pass\nelif y: z = 1"),
        ("try:\n    x = 1\n\ny = 2\n", "x = 1\ny = 2"),
        ("try:\n    x = 1\nexcept E as e:\n", "try: x = 1\nexcept E as e: pass"),
        ("try:\n    x = 1\nexcept (E, F), e:\n    y = 2\n", "try: x = 1\nexcept (E, F) as e: y = 2"),
        ("else:\n    x = 1\n", "x = 1"),
        ("    x = 1\n  y = 2\nz = 3\n", "x = 1\ny = 2\nz = 3"),
        ("@app.get(x)\n", "app.get(x)"),
        ("print 'a', b # c\nx = ur'd'\n", "print('a', b)\nx = r'd'"),
        (
            'def f(x):\n    a = """b\n\ndef g():\n    """c"""\n    d = 1\n',
            "def f(x): pass\ndef g():\n    'c'\n    d = 1",
        ),
        ("f(a, b\nx = 1\n", "x = 1"),
        ("f(a,\n  b c,\n  d,\n)\nx = 1\n", "d,\nx = 1"),
        ("match x:\n    case 1:\n        y = = 2\n        z = 3\n", "z = 3"),
    ],
)
def test_what_is_left_of_broken_lines(text: str, left: str) -> None:
    assert ast.unparse(parse(text).tree) == ast.unparse(ast.parse(left))
