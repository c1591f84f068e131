"""Redaction patterns are judged by made-up tokens of every kind."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from valhalla_lint.core.settings import Settings
from valhalla_lint.core.source import Source
from valhalla_lint.facts.module import Module
from valhalla_lint.facts.redaction import Substitution, general, hides, leak, leaking, redacts_everything


@pytest.mark.parametrize(
    ("pattern", "replacement"),
    [
        (r"\S", "*"),
        (r"\S+", "***"),
        (r".+", "***"),
        (r"[^\s]+", "[REDACTED]"),
        (r"(?s).*", ""),
        (r"[\w.+/=-]{8,}", "***"),
    ],
)
def test_masks_of_everything_clear(pattern: str, replacement: str) -> None:
    assert redacts_everything(pattern, 0, replacement)


@pytest.mark.parametrize(
    ("pattern", "replacement"),
    [
        (r"\b[A-Za-z0-9-_]+\.[A-Za-z0-9-_]+\.[A-Za-z0-9-_]+\b", "***"),
        (r"[A-Za-z0-9]{41,}", "***"),
        (r"Bearer \S+", "***"),
        (r"token=\S+", "***"),
        (r"sk-\S+", "***"),
        (r"\s+", "***"),
        (r"(\S+)", r"<\1>"),
        (r"(a+)+", "***"),
        (r"(", "***"),
    ],
)
def test_masks_of_something_do_not_clear(pattern: str, replacement: str) -> None:
    assert not redacts_everything(pattern, 0, replacement)


@pytest.mark.parametrize(
    ("pattern", "kind"),
    [
        (r"[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+", "an opaque bearer token"),
        (r"\b[A-Za-z0-9]{32,}\b", "an opaque token with - and _"),
        (r"eyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+=+", "a JWT (dots, no padding)"),
        (r"eyJ[A-Za-z0-9]+\.[A-Za-z0-9]+\.[A-Za-z0-9]+", "a JWT (dots, no padding)"),
        (r"eyJ[A-Za-z0-9]+={0,2}\.[A-Za-z0-9]+={0,2}\.[A-Za-z0-9]+={0,2}", "a JWT (dots, no padding)"),
        (r"(hf_[A-Za-z]{34}|sk-[A-Za-z0-9]{32,})", "an OpenAI API key"),
        (r"(hf_[A-Za-z]{34}|sk-\S{32,})", None),
        (r"(?i)x-api-key: [0-9a-f]+", "an opaque bearer token"),
        (r"(?i)x-api-key: \S+", None),
        (r"password=[a-z0-9]+", "an opaque bearer token"),
        (r"key=[0-9a-f]{32}", None),
        (r"\b[0-9a-f]{32,}\b", None),
        (r"eyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+", None),
        (r"Bearer [A-Za-z0-9]+", "an opaque token with - and _"),
        (r"(?i)authorization: \S+", "an opaque bearer token"),
        (r"token=[^&\s]+", None),
        (r"sk-[a-zA-Z0-9]{48}", "an OpenAI API key"),
        (r"\d{16}", None),
        (r"[\w.]+@[\w.]+", None),
    ],
)
def test_the_kind_that_comes_through_is_named(pattern: str, kind: str | None) -> None:
    found = Substitution(pattern, 0, "***")
    leaked = leak(found, [found])
    assert (leaked.sample.name if leaked else None) == kind


def test_examples_show_at_most_four_characters_of_a_token() -> None:
    for sample in general():
        shown = sample.example.removeprefix(sample.head).rstrip("…")
        assert len(shown) <= 4
        assert sample.body.startswith(shown)


def test_patterns_of_one_function_work_together() -> None:
    text = """
import re

def redact(text):
    text = re.sub(r"[A-Za-z0-9_-]+[.][A-Za-z0-9_-]+[.][A-Za-z0-9_-]+", "***", text)
    return re.sub(r"[A-Za-z0-9_-]{16,}", "***", text)

def redact_less(text):
    return re.sub(r"[A-Za-z0-9_-]+[.][A-Za-z0-9_-]+[.][A-Za-z0-9_-]+", "***", text)
"""
    assert [found.at.lineno for found in leaking(Module(Source("a.py", text), Settings()))] == [9]  # type: ignore[attr-defined]  # an expression


@pytest.mark.parametrize(
    "loop",
    [
        "for pattern in PATTERNS.values():",
        "for name, pattern in PATTERNS.items():",
        "for pattern in [PATTERNS['bearer']]:",
    ],
)
def test_patterns_in_a_dictionary_are_judged(loop: str) -> None:
    text = f"""
import re

PATTERNS = {{
    "bearer": re.compile(r"Bearer [a-zA-Z0-9]+"),
    "password": re.compile(r"password=[^ ]+"),
}}

def redact(text):
    {loop}
        text = pattern.sub("***", text)
    return text
"""
    assert [found.at.lineno for found in leaking(Module(Source("a.py", text), Settings()))] == [5]  # type: ignore[attr-defined]  # an expression


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet="a\\wSs.+*?[]()|^$-_0{}1,= ", max_size=14), st.sampled_from(["***", r"\1", "", "\\", None]))
def test_any_pattern_is_judged_without_a_traceback(pattern: str, replacement: str | None) -> None:
    found = Substitution(pattern, 0, replacement)
    leak(found, [found])
    redacts_everything(pattern, 0, replacement)


@pytest.mark.parametrize(
    ("pattern", "replacement", "hidden"),
    [
        (r"\S", "*", True),
        (r".+", None, True),
        (r"token=\S+", "token=***", True),
        (r"token=\w+", "token=***", False),
        (r"eyJ[\w-]+\.[\w-]+\.[\w-]+", "***", False),
        (r"sk-\S+", "***", False),
        (r"\s+", " ", False),
        (r"\d+", "#", False),
        (r"(a|b)*(a|b)*c", "***", True),
    ],
)
def test_a_secret_is_hidden_by_a_mask_of_all_or_of_its_field(
    *, pattern: str, replacement: str | None, hidden: bool
) -> None:
    assert hides(pattern, 0, replacement) is hidden
