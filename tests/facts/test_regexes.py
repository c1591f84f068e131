"""Patterns are judged by what they accept: proven by running `re` itself on texts made to escape."""

import ntpath
import posixpath
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from valhalla_lint.facts.backtracking import compiled
from valhalla_lint.facts.regexes import (
    ESCAPES,
    NOT_KNOWN,
    Answer,
    Feature,
    accepted,
    features_of,
    judge,
    let_through,
    literals,
    refuses,
    strips,
    survives,
)

CLASSES = (
    "[a-z]", "[A-Za-z0-9_-]", r"[\w.-]", r"\w", r"\W", r"\d", r"\S", r"\s", ".", "[^/]", r"[^/\\]", r"[^.]", "[./]",
    r"[^\w-]", "a", r"\.", "/", r"\\", ":", "-", "~", "\n", "é",
)  # fmt: skip
QUANTIFIERS = ("", "", "*", "+", "?", "{2}", "{1,3}", "{0,12}", "*?", "+?")
ANCHORS = ("^", "$", r"\A", r"\Z", r"\b", r"\B")
HOSTILE = "a.Z/\\:0-~\n\r\0é _"
METHODS = ("match", "fullmatch", "search")


def patterns() -> st.SearchStrategy[str]:
    atom = st.builds("{}{}".format, st.sampled_from(CLASSES), st.sampled_from(QUANTIFIERS))
    anchor = st.sampled_from(ANCHORS)

    def grow(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        return st.one_of(
            st.lists(inner, min_size=2, max_size=3).map("".join),
            st.lists(inner, min_size=2, max_size=3).map(lambda parts: f"(?:{'|'.join(parts)})"),
            st.builds("(?:{}){}".format, inner, st.sampled_from(QUANTIFIERS)),
            st.builds("({})".format, inner),
            st.builds("(?!{}){}".format, inner, inner),
            st.builds("(?={}){}".format, inner, inner),
            st.builds("(?!.*{}){}".format, inner, inner),
            st.builds("{}(?<!{})".format, inner, st.sampled_from([r"\.", "/", "[a-z]", r"\.\."])),
            st.builds("(?i:{})".format, inner),
            st.builds(r"({})\1".format, inner),
        )

    return st.recursive(st.one_of(atom, anchor), grow, max_leaves=5).filter(compiles)


def compiles(pattern: str) -> bool:
    try:
        re.compile(pattern)
    except re.error:
        return False
    return True


def texts() -> st.SearchStrategy[str]:
    odd = st.sampled_from(["..", "../a", "/a", "a/..", "a/../b", "C:\\a", "..\\a", "\\a", "a\n", "", "-a", "~a", "a\0"])
    return st.one_of(odd, st.text(alphabet=HOSTILE, max_size=7))


FLAGS = st.sampled_from([0, re.IGNORECASE, re.MULTILINE, re.DOTALL, re.ASCII])


@settings(max_examples=200, deadline=None)
@given(
    pattern=patterns(),
    flags=FLAGS,
    method=st.sampled_from(METHODS),
    negated=st.booleans(),
    candidates=st.lists(texts(), min_size=10, max_size=25),
)
def test_what_is_ruled_out_is_never_accepted(
    *, pattern: str, flags: int, method: str, negated: bool, candidates: list[str]
) -> None:
    judged = accepted(pattern, flags, method, negated=negated)
    runs = re.compile(pattern, flags)
    for text in candidates:
        if (getattr(runs, method)(text) is None) is negated:
            for feature in features_of(text):
                assert judged.answer(feature) is not Answer.NEVER, (text, feature)


@settings(max_examples=200, deadline=None)
@given(pattern=patterns(), flags=FLAGS, method=st.sampled_from(METHODS), negated=st.booleans())
def test_witnesses_are_really_accepted(*, pattern: str, flags: int, method: str, negated: bool) -> None:
    for feature, text in accepted(pattern, flags, method, negated=negated).witnesses.items():
        assert (getattr(re.compile(pattern, flags), method)(text) is None) is negated
        assert feature in features_of(text)


@settings(max_examples=200, deadline=None)
@given(
    pattern=patterns(),
    method=st.sampled_from(METHODS),
    negated=st.booleans(),
    candidates=st.lists(texts(), min_size=10, max_size=25),
)
def test_nothing_that_a_clearing_pattern_accepts_leaves_its_folder(
    *, pattern: str, method: str, negated: bool, candidates: list[str]
) -> None:
    if not accepted(pattern, 0, method, negated=negated).stays_inside:
        return
    runs = re.compile(pattern)
    for text in candidates:
        if (getattr(runs, method)(text) is None) is negated:
            inside_posix = posixpath.normpath(posixpath.join("/base", text))
            inside_windows = ntpath.normpath(ntpath.join("D:\\base", text))
            assert inside_posix == "/base" or inside_posix.startswith("/base/")
            assert inside_windows == "D:\\base" or inside_windows.startswith("D:\\base\\")


@settings(max_examples=200, deadline=None)
@given(
    st.sampled_from(CLASSES), st.sampled_from(["", "+"]), st.sampled_from(["", "_", ".", "-", "/", "..", "ab"]), texts()
)
def test_what_substitutions_strip_is_gone(chars: str, repeated: str, replacement: str, text: str) -> None:
    judged = survives(chars + repeated, 0, replacement)
    for feature in features_of(re.sub(chars + repeated, replacement, text)):
        assert judged.answer(feature) is not Answer.NEVER


@pytest.mark.parametrize(
    ("pattern", "method"),
    [
        (r"[A-Za-z0-9_-]+", "fullmatch"),
        (r"^[A-Za-z0-9_-]+\Z", "match"),
        (r"[\w-]+(\.[\w-]+)*", "fullmatch"),
        (r"[a-zA-Z0-9][a-zA-Z0-9._-]{0,95}", "fullmatch"),
        (r"(?!.*\.\.)[\w.-]+", "fullmatch"),
        (r"v\d+(\.\d+){0,2}", "fullmatch"),
        (r"[0-9a-f]{64}", "fullmatch"),
        (r"(?:(?!\.\.)[^/\\:\0])+", "fullmatch"),
    ],
)
def test_patterns_that_prove_a_name(pattern: str, method: str) -> None:
    judged = accepted(pattern, 0, method)
    assert judged.one_segment
    assert judged.stays_inside


@pytest.mark.parametrize(
    ("pattern", "method", "feature"),
    [
        (r"^[A-Za-z0-9_-]+", "match", Feature.TRAVERSAL),
        (r"[A-Za-z0-9_-]+", "search", Feature.ABSOLUTE),
        (r"[\w.-]+", "fullmatch", Feature.DOTDOT),
        (r"[\w./-]+", "fullmatch", Feature.ABSOLUTE),
        (r"(?!/)[\w./-]+", "fullmatch", Feature.TRAVERSAL),
        (r"[\w\\.]+", "fullmatch", Feature.BACKSLASH_TRAVERSAL),
        (r"[\w:]+", "fullmatch", Feature.DRIVE),
        (r"^[a-z]+$", "match", Feature.NEWLINE),
        (r"(?m)^[a-z]+$", "search", Feature.TRAVERSAL),
        (r"[^a-z]+", "fullmatch", Feature.NUL),
    ],
)
def test_patterns_that_let_something_through_show_what(pattern: str, method: str, feature: Feature) -> None:
    judged = accepted(pattern, 0, method)
    text = judged.witnesses[feature]
    assert getattr(re, method)(pattern, text)
    assert feature in features_of(text)


def test_a_final_line_break_is_told_from_others() -> None:
    assert judge(r"^[a-z]+$", 0, "match").trailing_newline_only
    assert not judge(r"^[a-z\n]+$", 0, "match").trailing_newline_only
    assert not judge(r"[a-z]+", 0, "fullmatch").trailing_newline_only


def test_words_of_a_verdict() -> None:
    whole = judge(r"[\w-]+", 0, "fullmatch")
    assert (whole.understood, whole.may, whole.anchored, whole.witness) == (True, frozenset(), True, "")
    start = judge(r"^[\w-]+", 0, "match")
    assert {"separator", "parent", "backslash"} <= start.may
    assert not start.anchored
    assert re.match(r"^[\w-]+", start.witness)
    assert ".." in start.witness


@pytest.mark.parametrize(
    ("pattern", "gone"),
    [
        (r"[^A-Za-z0-9]", {"separator", "backslash", "parent", "absolute", "drive", "nul", "newline"}),
        (r"\.\.", {"parent"}),
        (r"/", {"separator", "absolute"}),
        (r"[/\\]", {"separator", "absolute", "backslash"}),
        (r"\.\./", set()),
        (r"^/", {"absolute"}),
    ],
)
def test_what_a_refusing_search_refuses(pattern: str, gone: set[str]) -> None:
    assert refuses(pattern) == gone
    if "parent" not in gone or "absolute" not in gone:
        missed = let_through(pattern)
        assert not re.search(pattern, missed)
        assert not ESCAPES.isdisjoint(features_of(missed))


@pytest.mark.parametrize(
    ("pattern", "replacement", "kept"),
    [
        (r"[^\w-]", "_", set()),
        (r"[^\w.-]", "_", {"parent"}),
        (r"[./\\]", "", {"drive", "nul", "newline"}),
        (r"\.+", ".", {"separator", "backslash", "absolute", "drive", "nul", "newline"}),
        (r"\.\./", "", {"separator", "backslash", "parent", "absolute", "drive", "nul", "newline"}),
    ],
)
def test_what_a_substitution_leaves(pattern: str, replacement: str, kept: set[str]) -> None:
    everything = {"separator", "backslash", "parent", "absolute", "drive", "nul", "newline"}
    assert strips(pattern, 0, replacement) == everything - kept


def test_bytes_patterns_are_judged_too() -> None:
    assert accepted(rb"[a-z0-9]+").one_segment
    assert not accepted(rb"[a-z/]+").one_segment


@pytest.mark.parametrize(
    "pattern",
    [
        "(",
        "[",
        "*",
        "(?P<a",
        r"\1",
        "(?<=a+)b",
        "a" * 5_000,
        "(" * 900 + ")" * 900,
        "(?:" * 300 + "a" + ")*" * 300,
        r"(a{1000}){1000}",
        r"(\w{1,999}){1,999}",
        "(a|b|ab)*c" * 200,
        "(?!" * 60 + "a" + ")" * 60,
        r"(?:(?=.*a)(?=.*b)(?=.*c)(?=.*d)(?=.*e)(?=.*f).)*",
        r"^(([a-z])+.)+[A-Z]([a-z])+$",
        r"(?:.*a){30}",
        "\udcff[\ud800-\udfff]",
        "(?L:a)",
        r"\N{BULLET}+",
    ],
)
@pytest.mark.parametrize("method", [*METHODS, "split"])
def test_hostile_patterns_end_without_a_traceback(pattern: str, method: str) -> None:
    for negated in (False, True):
        judged = accepted(pattern, 0, method, negated=negated)
        if method == "split":
            assert judged == NOT_KNOWN
    survives(pattern, 0, "x")
    literals(pattern)
    compiled(pattern, 0)


@pytest.mark.parametrize("pattern", [r"(a+)+$", r"(a|a)*b", r"(.*)(.*)(.*)(.*)x", r"(\w+\s?)*!", r"(a*)*b", r"(\w+)\1"])
def test_patterns_that_can_blow_up_are_not_run(pattern: str) -> None:
    assert compiled(pattern, 0) is None


def test_literals_are_those_of_every_match() -> None:
    assert literals(r"Bearer\s+(\S+)") == ("Bearer",)
    assert literals(r"(token|key)=\w+") == ("=",)
    assert literals(r"(?:ab)?cd") == ("cd",)


@pytest.mark.parametrize(
    ("pattern", "limit", "runs"),
    [
        (r"\w+\.\w+\.\w+", 1, True),
        (r"(?i)(token|key)\s*[:=]\s*[\"']?[^\s\"']+", 1, True),
        (r"\w*\w*x", 1, False),
        (r"\w*\s*\w*x", 1, False),
        (r".*secret.*", 1, False),
        (r".*secret.*", 2, True),
        (r".*.*.*.*x", 3, False),
        (r"\d{1,60}\d{1,60}x", 1, False),
        (r"(?:[a-z]+/)*x", 3, False),
        (r"x" * 300, 3, False),
    ],
)
def test_a_pattern_is_run_only_where_its_cost_is_bounded(pattern: str, limit: int, *, runs: bool) -> None:
    assert (compiled(pattern, 0, limit) is not None) is runs
