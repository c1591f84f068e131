"""Whatever is handed to it: the linter answers, answers the same again, points into the file, and forgets it after.

Inputs are any text or bytes, the rules' own examples, and these cut and spliced at random places, so that rules meet
the shapes that they look for in a broken or odd form.
"""

import contextlib
import io
import keyword
import tokenize

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from valhalla_lint.core.finding import FileReport
from valhalla_lint.core.settings import Preset, Settings
from valhalla_lint.core.source import Source, Unread
from valhalla_lint.facts.minting import fill
from valhalla_lint.facts.parse import split_lines
from valhalla_lint.facts.reading import source_of
from valhalla_lint.linter import Linter
from valhalla_lint.rules import all_rules

AUDIT = Settings(preset=Preset.AUDIT, strict_tiers=True)
LINTER = Linter(AUDIT)
EXAMPLES = tuple(
    dict.fromkeys(fill(example.text) for rule in all_rules() for example in (*rule.bad, *rule.good) if example.code)
)
PATHS = st.sampled_from(["src/app.py", "tests/test_app.py", "stdin", "scripts/run.py", "a b/ü.pyi", "/abs/x.py"])
quick = settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def words_of(text: str) -> list[str]:
    """The tokens of a program as text, for splicing; of a broken one those up to the break."""
    found: list[str] = []
    with contextlib.suppress(tokenize.TokenError, SyntaxError):
        found.extend(token.string for token in tokenize.generate_tokens(io.StringIO(text).readline))
    return [word for word in found if word.strip()]


WORDS = tuple(sorted({word for text in EXAMPLES for word in words_of(text)} | set(keyword.kwlist)))


@st.composite
def spliced(draw: st.DrawFn) -> str:
    """Lines of two examples with some words put in place of others, some lines dropped, doubled or indented."""
    lines = [
        *draw(st.sampled_from(EXAMPLES)).splitlines(),
        *draw(st.sampled_from(EXAMPLES)).splitlines(),
    ]
    for _ in range(draw(st.integers(0, 6))):
        place = draw(st.integers(0, len(lines) - 1))
        parts = lines[place].split(" ")
        match draw(st.sampled_from(["word", "drop", "double", "indent", "cut", "join"])):
            case "word":
                parts[draw(st.integers(0, len(parts) - 1))] = draw(st.sampled_from(WORDS))
                lines[place] = " ".join(parts)
            case "drop":
                lines[place] = ""
            case "double":
                lines.insert(place, lines[place])
            case "indent":
                lines[place] = "    " + lines[place]
            case "cut":
                lines[place] = lines[place][: draw(st.integers(0, len(lines[place])))]
            case _:
                lines[place : place + 2] = [" ".join(lines[place : place + 2])]
    return "\n".join(lines) + "\n"


def unclosed(text: str) -> str:
    """The same program with a quote too many, so that code becomes text and text becomes code."""
    return text.replace('"', '""', 1)


TEXTS = st.one_of(
    st.text(alphabet=st.characters(), max_size=200),
    st.text(alphabet=st.sampled_from("abc=()[]{}:,.'\"#\\\n\t \f\r@*fb0_\ud800"), max_size=200),
    st.sampled_from(EXAMPLES).map(unclosed),
    spliced(),
)


def report(text: str, path: str = "src/app.py", linter: Linter = LINTER) -> FileReport:
    return linter.inspect(Source(path, text))


def broken(found: FileReport) -> list[str]:
    """The notes of a report on which the linter itself failed."""
    return list(found.notes) if any(finding.code == "VH908" for finding in found.findings) else []


@quick
@given(text=TEXTS, path=PATHS)
def test_any_text_is_answered_without_a_fault_of_ours(text: str, path: str) -> None:
    assert not broken(report(text, path))


@quick
@given(data=st.one_of(st.binary(max_size=200), spliced().map(lambda text: text.encode("utf-16"))))
def test_any_bytes_are_read_or_said_to_be_unread(data: bytes) -> None:
    source = source_of(data, "src/app.py", None)
    if isinstance(source, Unread):
        assert source.reason
    else:
        assert not broken(LINTER.inspect(source))


@quick
@given(text=spliced())
def test_the_same_text_gives_the_same_findings(text: str) -> None:
    first = report(text)
    assert report(text) == first
    assert report(text, linter=Linter(AUDIT)) == first


@quick
@given(text=TEXTS)
def test_every_place_lies_inside_the_file(text: str) -> None:
    lines = split_lines(text)
    for finding in report(text).findings:
        for span in (finding.span, *(step.span for step in finding.steps if step.path is None)):
            assert span.end_line <= len(lines)
            assert span.column <= len(lines[span.line - 1])
            assert span.end_column <= len(lines[span.end_line - 1])


@quick
@given(texts=st.lists(st.one_of(spliced(), st.sampled_from(EXAMPLES)), min_size=2, max_size=4))
def test_one_file_says_nothing_about_another(texts: list[str]) -> None:
    alone = [report(text, f"src/m{number}.py", Linter(AUDIT)) for number, text in enumerate(texts)]
    together = Linter(AUDIT)
    forward = [report(text, f"src/m{number}.py", together) for number, text in enumerate(texts)]
    backward = [report(text, f"src/m{number}.py", together) for number, text in reversed(list(enumerate(texts)))]
    assert forward == alone
    assert backward[::-1] == alone


@quick
@given(
    text=st.sampled_from(EXAMPLES), codes=st.lists(st.sampled_from([rule.code for rule in all_rules()]), unique=True)
)
def test_a_rule_says_the_same_whichever_others_are_asked(text: str, codes: list[str]) -> None:
    if not codes:
        return
    wanted = [
        finding
        for finding in report(text).findings
        if finding.code in codes and not finding.code.startswith("VH9")  # those judge the suppressions of what is asked
    ]
    found = report(text, linter=Linter(AUDIT._replace(select=tuple(codes)))).findings
    assert [finding for finding in found if not finding.code.startswith("VH9")] == wanted
