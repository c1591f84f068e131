"""Whatever is minted is found, wherever it stands, and what is found is never shown."""

import ast
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from valhalla_lint.core.finding import Finding
from valhalla_lint.core.settings import Settings
from valhalla_lint.core.source import Source
from valhalla_lint.facts.minting import mint_secret
from valhalla_lint.facts.providers import kinds, mint_token
from valhalla_lint.facts.strings import is_random
from valhalla_lint.linter import Linter

SHOWN_AT_MOST = 4
"""Consecutive characters of a secret's random part that any output may hold."""
STRICT = Linter(Settings(select=("VH1",), strict_tiers=True))

Context = Callable[[str, str], str]
CONTEXTS: dict[str, Context] = {
    "assignment": lambda name, value: f'{name} = "{value}"\n',
    "plain name": lambda name, value: f'thing_{name.split("_")[0]} = "{value}"\n',
    "annotated": lambda name, value: f'{name}: str = "{value}"\n',
    "tuple": lambda name, value: f'a, {name} = 1, "{value}"\n',
    "attribute": lambda name, value: f'self.{name} = "{value}"\n',
    "subscript": lambda name, value: f'os.environ["{name}"] = "{value}"\n',
    "mapping": lambda name, value: f'x = {{"{name}": "{value}"}}\n',
    "keyword": lambda name, value: f'f({name}="{value}")\n',
    "positional": lambda name, value: f'{name}.connect("{value}")\n',
    "default": lambda name, value: f'def f({name}="{value}"):\n    return 1\n',
    "field": lambda name, value: f'class A:\n    {name}: str = "{value}"\n',
    "fallback": lambda name, value: f'import os\nx = os.getenv("{name}", "{value}")\n',
    "comparison": lambda name, value: f'if {name} == "{value}":\n    pass\n',
    "match": lambda name, value: f'match {name}:\n    case "{value}":\n        pass\n',
    "bytes": lambda name, value: f'{name} = b"{value}"\n',
    "concatenation": lambda name, value: f'{name} = "{value[:7]}" "{value[7:]}"\n',
    "call on bytes": lambda name, value: f'{name} = "{value}".encode()\n',
    "return": lambda name, value: f'def get_{name}():\n    return "{value}"\n',
    "list": lambda name, value: f'{name}s = ["a", "{value}"]\n',
}
ONLY_SHAPES: dict[str, Context] = {
    "part of an f-string": lambda name, value: f'{name} = f"{{a}} {value} {{b}}"\n',
    "docstring": lambda name, value: f'"""Use {name} {value} here."""\n',
    "comment": lambda name, value: f"x = 1  # {name}: {value}\n",
    "log": lambda name, value: f'log.info("{name} {value}")\n',
    "header": lambda _name, value: f'h = {{"Authorization": "Bearer {value}"}}\n',
    "query": lambda name, value: f'u = "https://api.test/x?{name}={value}&n=1"\n',
    "user of an address": lambda _name, value: f'u = "https://{value}:x@git.test/a.git"\n',
    "command line": lambda name, value: f'c = "run --{name}={value} now"\n',
    "configuration": lambda name, value: f'c = """\n[a]\n{name} = {value}\n"""\n',
    "JSON": lambda name, value: f'c = \'{{"{name}": "{value}"}}\'\n',
    "broken file": lambda name, value: f'print "old"\n{name} = "{value}"\n',
}


def found_in(text: str) -> list[Finding]:
    return STRICT.check(Source("src/app.py", text))


def rendered(findings: list[Finding]) -> str:
    """All that a finding can show; a digest in hexadecimal shares five digits with a hexadecimal token now and then."""
    return "\n".join(repr(finding._replace(fingerprint="")) + finding.text for finding in findings)


def shows(output: str, secret: str, public: str = "") -> bool:
    """Whether an output holds a piece of a secret; `public` is the literal text of its shape."""
    size = SHOWN_AT_MOST + 1
    pieces = {secret[start : start + size] for start in range(len(secret) - size + 1)}
    return any(piece in output for piece in pieces if piece not in public)


def line_of(text: str, piece: str) -> int:
    return next(number for number, line in enumerate(text.split("\n"), 1) if piece in line)


@st.composite
def tokens(draw: st.DrawFn) -> tuple[str, str, str, str]:
    """A name, a token, the literal text of its shape and the name of its kind."""
    kind = kinds()[draw(st.sampled_from(sorted(kinds())))]
    number = draw(st.integers(0, len(kind.shapes) - 1))
    token = mint_token(kind.name, str(draw(st.integers(0, 10_000))), number)
    name = f"{kind.near[0].rstrip('_')}_token" if kind.near else "service_token"
    return name, token, "".join(part.literal for part in kind.shapes[number].parts), kind.name


NOT_ALONE = frozenset(
    {
        *("positional", "plain name", "list", "part of an f-string", "docstring", "log", "header"),
        *("user of an address", "comment"),
    }
)
"""Contexts where a shape that says nothing by itself is no finding.

They have no telling name for exactly this value, or are comments, in which such digits are those of a digest.
"""


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(made=tokens(), context=st.sampled_from(sorted(CONTEXTS | ONLY_SHAPES)))
def test_minted_tokens_are_found_in_every_context_and_never_shown(
    made: tuple[str, str, str, str], context: str
) -> None:
    name, token, public, kind = made
    text = (CONTEXTS | ONLY_SHAPES)[context](name, token)
    findings = found_in(text)
    near = bool(kinds()[kind].near)
    if not near or context not in NOT_ALONE:
        line = line_of(text, token[:7])
        assert line in {finding.span.line for finding in findings}, context
        if not near:
            assert any(finding.code == "VH102" for finding in findings)
    head = next(shape.head for shape in kinds()[kind].shapes if token.startswith(shape.head))
    assert not shows(rendered(findings), token[len(head) :], public)


@settings(max_examples=200, deadline=None)
@given(
    length=st.integers(24, 64),
    seed=st.integers(0, 10_000),
    name=st.sampled_from(
        ["api_key", "password", "clientSecret", "ACCESS_TOKEN", "db-password", "aws.secret_access_key"]
    ),
    context=st.sampled_from(["subscript", "mapping", "fallback"]),
)
def test_random_values_under_telling_names_are_found_once_and_never_shown(
    length: int, seed: int, name: str, context: str
) -> None:
    value = mint_secret(length, str(seed))
    findings = found_in(CONTEXTS[context](name, value))
    assert len(findings) == 1
    assert not shows(rendered(findings), value)


@settings(max_examples=150, deadline=None)
@given(length=st.integers(24, 64), seed=st.integers(0, 10_000), context=st.sampled_from(sorted(CONTEXTS)))
def test_random_values_are_found_in_every_context_that_binds(length: int, seed: int, context: str) -> None:
    if context in ("plain name", "positional"):
        return
    value = mint_secret(length, str(seed))
    assume(is_random(value))  # a few in a hundred happen to read like words
    findings = found_in(CONTEXTS[context]("api_token", value))
    assert {finding.code for finding in findings} & {"VH101", "VH105", "VH106"}, context
    assert not shows(rendered(findings), value)


@settings(max_examples=150, deadline=None)
@given(text=st.text(alphabet=st.sampled_from("abX1 =:'\"#()[]{}\n\t\\-@/?&.,password token://é\x00😀"), max_size=120))
def test_no_text_raises_and_answers_repeat(text: str) -> None:
    first = found_in(text)
    assert first == found_in(text)
    assert "VH908" not in {finding.code for finding in Linter(Settings()).check(Source("a.py", text))}


@pytest.mark.parametrize("kind", sorted(kinds()))
def test_minted_tokens_are_the_same_for_the_same_seed_and_plain_text(kind: str) -> None:
    for shape in range(len(kinds()[kind].shapes)):
        token = mint_token(kind, "a", shape)
        assert token == mint_token(kind, "a", shape) != mint_token(kind, "b", shape)
        assert ast.literal_eval(f'"{token}"') == token
