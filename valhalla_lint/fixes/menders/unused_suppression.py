"""VH901: a suppression that answers nothing goes; codes beside it that are somebody else's stay."""

import re
from collections.abc import Iterator, Sequence

from valhalla_lint.core.finding import Finding
from valhalla_lint.core.span import Span
from valhalla_lint.facts.comments import Comment
from valhalla_lint.facts.module import Module
from valhalla_lint.fixes.fix import Edit, Fix, Mender, Refusal
from valhalla_lint.fixes.text import Places

NAMED = re.compile(r"suppression of (?P<code>\S+) ")
NOQA = re.compile(r"#\s*noqa(?P<gap>\s?:\s?)(?P<codes>[A-Z]+[0-9]*(?:[,\s]+[A-Z]+[0-9]+)*)", re.IGNORECASE)
OURS = re.compile(
    r"#\s*valhalla\s*:\s*(?P<form>ignore-begin|ignore-end|ignore)\[(?P<codes>[^\]]*)\][^#\r\n]*", re.IGNORECASE
)
SEPARATOR = re.compile(r"[,\s]+")


def plan(module: Module, findings: Sequence[Finding]) -> Iterator[Fix | Refusal]:
    """One fix for each suppression, for all codes of it that answer nothing."""
    groups: dict[Span, list[Finding]] = {}
    for finding in findings:
        groups.setdefault(finding.span, []).append(finding)
    for span, group in groups.items():
        comment = next(
            (item for item in module.comments if item.line == span.line and item.column <= span.column), None
        )
        edits = None if comment is None else _edits(module, comment, span, frozenset(filter(None, map(_code, group))))
        if not edits:
            reason = (
                "it stands inside a text" if comment is None else "it is written in a way that cannot be told apart"
            )
            yield from (Refusal(finding, reason) for finding in group)
            continue
        codes = ", ".join(sorted(filter(None, map(_code, group))))
        yield Fix("VH901", tuple(group), edits, (), safe=True, summary=f"remove the suppression of {codes}")


def _code(finding: Finding) -> str:
    found = NAMED.match(finding.message)
    return found["code"] if found else ""


def _edits(module: Module, comment: Comment, span: Span, codes: frozenset[str]) -> tuple[Edit, ...]:
    """What is taken away, () where that cannot be told."""
    at = span.column - comment.column
    noqa = NOQA.match(comment.text, at)
    if noqa is not None:
        return (_reduced(module, comment, noqa, codes),)
    ours = OURS.match(comment.text, at)
    if ours is None:
        return ()
    if ours["form"].lower() == "ignore":
        return (_reduced(module, comment, ours, codes),)
    end = _end_of_block(module, comment, ours)
    return () if end is None else (_reduced(module, comment, ours, codes), _reduced(module, *end, codes))


def _end_of_block(module: Module, begin: Comment, opened: re.Match[str]) -> tuple[Comment, re.Match[str]] | None:
    """The comment that ends a block."""
    for comment in module.comments:
        found = OURS.search(comment.text) if comment.line > begin.line else None
        if found and found["form"].lower() == "ignore-end" and _listed(found["codes"]) == _listed(opened["codes"]):
            return comment, found
    return None


def _listed(codes: str) -> list[str]:
    return [code for code in SEPARATOR.split(codes) if code]


def _reduced(module: Module, comment: Comment, found: re.Match[str], codes: frozenset[str]) -> Edit:
    """The edit that takes codes out of a suppression, or the suppression where none would be left."""
    places = Places(module.text)
    start = places.offset(comment.line, comment.column)
    left = [code for code in _listed(found["codes"]) if code not in codes]
    if left:
        first, last = found.span("codes")
        separator = ", " if "," in found["codes"] else " "
        kept = found["codes"][len(found["codes"].rstrip()) :]
        return Edit(start + first, start + last, separator.join(left) + kept)
    rest = comment.text[found.end() :]
    other = rest.find("#")
    end = start + (found.end() + other if other >= 0 else len(comment.text))
    first = start + found.start()
    if other >= 0:
        return Edit(first, end, "")  # another comment follows: it takes the place
    line = places.line_start(comment.line)
    before = module.text[line:first]
    if not before.strip():
        return Edit(line, places.line_start(comment.line + 1), "")
    return Edit(line + len(before.rstrip()), end, "")


MENDER = Mender("VH901", plan, edits_comments=True)
