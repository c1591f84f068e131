"""A verdict depends on what a number is and does: not on blank lines, and no more once it has a name."""

import ast
import keyword
import random
import re

from hypothesis import given
from hypothesis import strategies as st

from valhalla_lint.core.settings import Settings
from valhalla_lint.core.source import Source
from valhalla_lint.facts.module import Module
from valhalla_lint.facts.numbers import judged

DULL = re.compile(r"_?(INT|FLOAT|NUM|NUMBER|CONST|CONSTANT|MAGIC|VALUE|LITERAL|DEFAULT|N)?_?[0-9]*")
"""Names that say no more than the value, or not even that."""

NUMBERS = st.sampled_from(
    """0 1 2 3 7 16 60 100 255 404 1024 4096 0x1FF0 1_000 86400 0.5 0.9 1.5 1e-6 1e3 1e999 2.5j -5 -273.15 ~0x1F
    10*1024 2**17""".split()
)
NAMES = st.sampled_from(
    ["x", "prompt", "self.timeout", "reply.status_code", "rows", "image.shape", "len(text)", "time.time()", "month"]
)
SHAPES = st.sampled_from(
    """{a} > {n}; {a} == {n}; {n} <= {a} < {m}; {a} in ({n}, {m}); {a} * {n}; {a} / {n} + {m}; {a} % {n}; {a} & {n};
    {a} << {n}; {a} ** {n}; {a}[{n}]; {a}[{n}:{m}]; f({a}, {n}); f({a}, k={n}); min({a}, {n}); sleep({n});
    [{a} for _ in range({n})]; {a} or {n}; {a}.get('k', {n}); {n} if {a} else {m}; ({n}, {m}); {{{n}: {a}}};
    '-' * ({n} - {a}); not {a} > {n}; math.exp({a} * {n}); (lambda y={n}: y + {m})({a})""".split(";")
)


@st.composite
def expressions(draw: st.DrawFn) -> str:
    shape = draw(SHAPES)
    inner = draw(st.one_of(NAMES, st.builds("({})".format, NAMES)))
    return shape.strip().format(a=inner, n=draw(NUMBERS), m=draw(NUMBERS))


@st.composite
def statements(draw: st.DrawFn) -> str:
    expression = draw(expressions())
    frame = draw(
        st.sampled_from(
            [
                "result = {}",
                "if {}:\n        raise ValueError",
                "return {}",
                "assert {}",
                "total += {}",
                "print({})",
                "LIMIT = {}",
            ]
        )
    )
    return "    " + frame.format(expression)


PROGRAMS = st.lists(statements(), min_size=1, max_size=6)


def program(lines: list[str], gaps: random.Random | None = None) -> str:
    """One function with these statements; blank lines and comments between them where `gaps` is given."""
    parts = ["def handle(x, prompt, rows, image, text, month, reply, self):"]
    for line in lines:
        parts += ["", "    # note"][: gaps.randrange(3)] if gaps else []
        parts.append(line)
    return "\n".join(parts) + "\n"


def module(text: str) -> Module:
    return Module(Source("src/app.py", text), Settings())


@given(PROGRAMS, st.randoms(use_true_random=False))
def test_blank_lines_change_nothing(lines: list[str], gaps: random.Random) -> None:
    plain = [
        (item.spelling, item.role, item.kind, item.suggested_name, item.recurs)
        for item in judged(module(program(lines))).values()
    ]
    moved = [
        (item.spelling, item.role, item.kind, item.suggested_name, item.recurs)
        for item in judged(module(program(lines, gaps))).values()
    ]
    assert moved == plain


@given(PROGRAMS)
def test_a_name_for_every_number_leaves_none(lines: list[str]) -> None:
    subject = module(program(lines))
    found = sorted(judged(subject).values(), key=lambda item: subject.span(item.whole), reverse=True)
    text = subject.lines
    definitions = []
    for number, item in enumerate(found):
        span = subject.span(item.whole)
        line = text[span.line - 1]
        name = f"{item.suggested_name}_{chr(ord('A') + number % 26)}{number // 26}"
        text[span.line - 1] = f"{line[: span.column]}{name}{line[span.end_column :]}"
        definitions.append(f"{name} = {item.spelling}")
    named = "\n".join([*definitions, *text]) + "\n"
    ast.parse(named)
    assert not judged(module(named))


@given(PROGRAMS)
def test_verdicts_are_about_numbers_and_names_say_more(lines: list[str]) -> None:
    subject = module(program(lines))
    for node, item in judged(subject).items():
        assert type(node.value) in (int, float, complex)
        assert node.value not in (0, 1)
        assert item.spelling == subject.segment(item.whole)
        assert item.suggested_name.isidentifier()
        assert item.suggested_name.isupper()
        assert not keyword.iskeyword(item.suggested_name)
        assert not DULL.fullmatch(item.suggested_name)
        assert item.recurs >= 1
