"""The tree of a changed text, put together from the tree before it, is the tree that parsing gives."""

import ast

from hypothesis import given
from hypothesis import strategies as st

from valhalla_lint.facts.splicing import spliced

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
    "match x:\n    case {'a': [1, *r]}: pass",
    "f'{x!r:>{y}}'",
)
LINES = (
    *("", "    pass", "pass", "else:", "    else:", ")", "(", '"""', "\\", "x = 1 \\", "@d", "elif y: pass", "é = 'ü'"),
    *("def k():", "        return 3", "# c \\", "x; y", "    ; z", "\f", "except: pass", "\ty = 1"),
)


@st.composite
def changes(draw: st.DrawFn) -> tuple[str, str]:
    lines = "\n".join(draw(st.lists(st.sampled_from(BLOCKS), min_size=1, max_size=8))).split("\n")
    at = draw(st.integers(0, len(lines)))
    gone = draw(st.integers(0, 3))
    new = draw(st.lists(st.sampled_from(LINES), max_size=3))
    return "\n".join(lines), "\n".join([*lines[:at], *new, *lines[at + gone :]])


def dumped(tree: ast.Module) -> str:
    return ast.dump(tree, include_attributes=True)


@given(changes())
def test_what_is_put_together_is_what_parsing_gives(change: tuple[str, str]) -> None:
    before, after = change
    found = spliced(before, ast.parse(before), after)
    if found is not None:
        assert dumped(found) == dumped(ast.parse(after))


def test_a_change_in_one_body_leaves_the_other_statements_as_they_are() -> None:
    before = "".join(f"def f{n}(a):\n    return a\n\n\n" for n in range(9))
    tree = ast.parse(before)
    found = spliced(before, tree, before.replace("def f4(a):", "def f4(a):\n    a += 1"))
    assert found is not None
    assert [new is old for new, old in zip(found.body, tree.body, strict=True)] == [
        *[True] * 3,
        *[False] * 2,
        *[True] * 4,
    ]
    assert [item.lineno for item in found.body][-2:] == [7 * 4 + 2, 8 * 4 + 2]
