"""What the README claims, set against places in the source."""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from valhalla_lint.core.evidence import Answer, Basis, Citation, Claim, Evidence, Figure, Outcome
from valhalla_lint.review.collect import Facts
from valhalla_lint.review.entries import HTTP, of_kind
from valhalla_lint.review.tables import DATA

MAX_LINE = 2_000
"""Characters of a line that are searched."""
MARKUP = re.compile(r"<[^>]{0,500}>|\]\([^)]{0,500}\)|https?://[^\s)\"'>]{1,500}")
FENCE = re.compile(r"^\s*(?:```|~~~)")


@cache
def _rows() -> tuple[Mapping[str, Any], ...]:
    return tuple(tomllib.loads((DATA / "review" / "claims.toml").read_text(encoding="utf-8"))["claim"])


def claims(facts: Facts, answers: Mapping[str, Answer], figures: Mapping[str, Figure]) -> tuple[Claim, ...]:
    """One row for each subject that the top README speaks of, in the order of the table."""
    readme = next((file for file in facts.kind("readme") if "/" not in file.path), None)
    if readme is None:
        return ()
    lines = list(_lines(facts.text(readme.path)))
    found = []
    for row in _rows():
        pattern = re.compile(row["words"])
        places = [number for number, line in lines if pattern.search(line)]
        if places:
            note = f"and {len(places) - 1} more lines" if len(places) > 1 else ""
            found.append(_claim(facts, row, facts.cite(readme.path, places[0], note), answers, figures))
    return tuple(found)


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines of a README in lower case, without code blocks, addresses and tags."""
    inside = False
    for number, line in enumerate(text.split("\n"), 1):
        if FENCE.match(line):
            inside = not inside
        elif not inside:
            yield number, MARKUP.sub(" ", line[:MAX_LINE]).lower()


def _claim(
    facts: Facts, row: Mapping[str, Any], place: Citation, answers: Mapping[str, Answer], figures: Mapping[str, Figure]
) -> Claim:
    subject, reading = row["subject"], row["reading"]
    match row:
        case {"probe": name}:
            answer = answers[name]
            outcome = Outcome.NO if answer.outcome is Outcome.NOT_APPLICABLE else answer.outcome
            words = answer.because or answer.reading
            return Claim(
                subject, place, outcome, f"{reading}: {words}" if words else reading, answer.positive, answer.basis
            )
        case {"figure": name}:
            figure = figures[name]
            return Claim(
                subject, place, Outcome.UNKNOWN, f"{reading}: {figure.value} ({figure.reading})", basis=figure.basis
            )
        case {"modules": modules}:
            imports = [facts.cite(file.path, line, name) for file, line, name in facts.importing(*modules)]
            return _shown(subject, place, reading, imports)
        case {"routes": start}:
            routes = [
                facts.cite(entry.path, entry.line, entry.name) for entry in of_kind(facts, HTTP) if start in entry.name
            ]
            return _shown(subject, place, reading, routes)
        case {"languages": languages}:
            return _shown(
                subject, place, reading, [facts.cite(file.path) for file in facts.files if file.language in languages]
            )
        case _:
            return Claim(subject, place, Outcome.UNKNOWN, reading, basis=Basis.INFERENCE)


def _shown(subject: str, place: Citation, reading: str, places: Sequence[Citation]) -> Claim:
    outcome = Outcome.YES if places else Outcome.NO
    return Claim(subject, place, outcome, f"{reading}: {len(set(places))}", Evidence.of(list(places)), Basis.SOURCE)
