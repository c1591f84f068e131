"""What the facts say of names, constants, scopes and broken texts."""

import ast

import pytest

from valhalla_lint.core.settings import Settings
from valhalla_lint.core.source import Source
from valhalla_lint.core.span import Span
from valhalla_lint.facts.calls import calls_to
from valhalla_lint.facts.constants import MISSING
from valhalla_lint.facts.module import Module


def module(text: str, path: str = "src/app.py") -> Module:
    return Module(Source(path, text), Settings())


def last_call(subject: Module) -> ast.Call:
    return max(subject.nodes(ast.Call), key=lambda node: (node.lineno, -node.col_offset))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("import torch\ntorch.load(x)", "torch.load"),
        ("import torch as t\nt.serialization.load(x)", "torch.serialization.load"),
        ("from torch import load as read\nread(x)", "torch.load"),
        ("import os.path\nos.path.join(x)", "os.path.join"),
        ("open(x)", "open"),
        ("def open(x): ...\nopen(x)", None),
        ("import torch\nload = torch.load\nload(x)", "torch.load"),
        ("import torch\ndef f(torch):\n    torch.load(x)", None),
        ("def f():\n    import torch\n    torch.load(x)", "torch.load"),
        ("def f():\n    import torch\ntorch.load(x)", "torch.load"),
        ("a = b\nb = a\na(x)", None),
        ("value.load(x)", None),
        ("class C:\n    open = 1\n    def f(self):\n        open(x)", "open"),
    ],
)
def test_qualified_name(text: str, expected: str | None) -> None:
    subject = module(text)
    assert subject.name(last_call(subject).func) == expected


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("'a' 'b' + 'c'", "abc"),
        ("60 * 60", 3600),
        ("-(1 << 4)", -16),
        ("f'{A}/x'", "base/x"),
        ("['a', ('b', 1)]", ("a", ("b", 1))),
        ("{1, 2}", frozenset({1, 2})),
        ("frozenset(['x'])", frozenset({"x"})),
        ("B", MISSING),
        ("1 / 0", MISSING),
        ("10 ** 10 ** 10", MISSING),
        ("'x' * 10 ** 9", MISSING),
        ("'%s' % A", MISSING),
        ("not A", False),
    ],
)
def test_constant(expression: str, expected: object) -> None:
    subject = module(f"A = 'base'\nB = 1\nB = 2\nvalue = {expression}\n")
    [*_, assignment] = subject.nodes(ast.Assign)
    assert subject.constant(assignment.value) == expected


def test_definition_and_span_count_characters() -> None:
    subject = module("class Übung:\n    def f(self):\n        return 'ß', g(1)\n")
    call = last_call(subject)
    assert subject.definition(call) == "Übung.f"
    assert subject.span(call) == Span(3, 20, 3, 24)
    assert subject.segment(call) == "g(1)"


@pytest.mark.parametrize(
    ("piece", "definition"),
    [
        ("top", ""),
        ("first", "Übung"),
        ("second", "Übung.f"),
        ("third", "Übung.f.inner"),
        ("fourth", "Übung.f"),
        ("fifth", "g"),
        ("default", "g"),
        ("remark", "g"),
        ("last", ""),
    ],
)
def test_the_definition_around_a_place_that_is_no_node(piece: str, definition: str) -> None:
    text = (
        "# top\nclass Übung:\n    # first\n    def f(self):\n        # second\n        def inner():\n"
        "            # third\n            return 1\n        # fourth\n        return inner\n\n\n"
        "def g(a='default'): 'ß'; x = 'fifth'; return x  # remark\n\n\n# last\n"
    )
    line = next(number for number, written in enumerate(text.split("\n"), 1) if piece in written)
    column = text.split("\n")[line - 1].index(piece)
    assert module(text).definition(Span(line, column, line, column + 1)) == definition


def test_decorators_run_in_the_scope_around() -> None:
    subject = module("import a\n@a.b(1)\ndef a(): ...\n")
    assert subject.scopes.scope(last_call(subject)) is subject.tree


def test_every_node_is_indexed_once() -> None:
    text = (
        "@d(1)\nclass C(B, k=v):\n"
        "    def f(self, a: int = 3, *b, **c) -> str:\n        return [x for x in (lambda y: y)(a)]\n"
    )
    subject = module(text)
    skipped = (ast.expr_context, ast.operator, ast.unaryop, ast.boolop, ast.cmpop, ast.Module)
    expected = [node for node in ast.walk(subject.tree) if not isinstance(node, skipped)]
    assert sorted(map(id, subject.index.order)) == sorted(map(id, expected))
    assert all(subject.parent(node) is not None for node in expected)


def test_a_text_that_nests_deeply_is_indexed_in_the_same_order() -> None:
    text = (
        "@d(1)\nclass C(B, k=v):\n    x: int = {**a, 'k': [1, *b]}\n"
        "    def f(self, a=3, /, c: int = 4, *b, e=5, g, **h):\n        with open(a, mode=b) as c, d:\n"
        "            return [x for x in (lambda y, z=1: y)(a) if x[1:2] < 3 != 4]\n"
        "        match a:\n            case C(x, y=1) | {'k': 2, **rest}: a, b = b[c], -a or f'{a!r:>{b}}'\n"
        "try:\n    i = (yield) if j else await k\nexcept E as e: raise F from e\nelse: del a.b\nfinally: x += 1\n"
    )
    deep = "x = " + " + ".join(["1"] * 3_000) + "\n"
    plain, whole = module(text).index, module(deep + text).index
    behind = whole.order[len(module(deep).index.order) :]
    assert [type(node) for node in behind] == [type(node) for node in plain.order]
    assert [type(whole.parents[node]) for node in behind] == [type(plain.parents[node]) for node in plain.order]
    assert [type(scope) for scope in whole.scopes] == [type(scope) for scope in plain.scopes]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("def f(:\n    x = 1\n", "not valid Python"),
        ("x = 1\0\ny = 2\n", "NUL bytes"),
        ("x = '\ud800'\n", "lone surrogates"),
        ("x = " + "-" * 20000 + "1\n", "nested too deeply"),
        ("x = " + "(" * 500 + "1" + ")" * 500 + "\n", "too many nested parentheses"),
    ],
)
def test_a_text_that_is_not_python_says_why(text: str, problem: str) -> None:
    assert problem in module(text).parsed.problem


@pytest.mark.parametrize(
    "text",
    [
        "x = " + " + ".join(["a"] * 5000) + "\n",
        "if a == 0:\n    pass\n" + "".join(f"elif a == {n}:\n    pass\n" for n in range(1, 2001)),
        "x = a" + ".b()" * 3000 + "\n",
        "x = [" + "'item'," * 150_000 + "]\n",
        "\f\nclass A:\n\f\n    x = 1\n",
        "x = 1\r\ny = 2\r\n",
    ],
    ids=["operators", "elifs", "calls", "one-line", "form-feeds", "crlf"],
)
def test_odd_but_valid_texts_are_read_whole(text: str) -> None:
    subject = module(text)
    assert subject.parsed.problem == ""
    assert subject.index.order
    for node in subject.index.order:
        assert subject.constant(node) is not None or isinstance(node, ast.Constant)


def test_a_broken_file_is_read_statement_by_statement() -> None:
    text = "print 'old'\ndef f(a='x'):\n    token = 'abc'\n    call(\n        key='def',\n    )\n    else if\n"
    subject = module(text)
    found = {node.value: subject.span(node) for node in subject.nodes(ast.Constant)}
    assert found["abc"] == Span(3, 12, 3, 17)
    assert found["def"].line == 5
    assert found["x"].line == 2


def test_a_function_is_known_by_each_name_of_a_long_chain() -> None:
    length = 300
    chain = "".join(f"name_{number + 1} = name_{number}\n" for number in range(length))
    subject = module(f"import torch\nname_0 = torch.load\n{chain}name_{length}(x)\nname_0 = name_{length}\n")
    assert list(calls_to(subject, frozenset({"load"}))) == [last_call(subject)]
    assert sum(map(len, subject.call_aliases.values())) <= length + 2  # each name once, not for all before it
