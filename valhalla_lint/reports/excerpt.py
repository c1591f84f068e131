"""A line of the analysed source for a reader: credentials masked, tabs widened, the place underlined.

A finding never holds a secret, but the line that it stands on may. What a finding calls a secret is masked; so is
whatever looks like one, since the rule that would have said so may not have been asked.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from valhalla_lint.core.finding import FileReport, Finding
from valhalla_lint.core.regex import regex
from valhalla_lint.core.span import Span
from valhalla_lint.reports.printable import printable

MASK = "…"
MAX_LINE = 2_000
"""Longer lines are not shown: nobody reads them, and masking must stay cheap."""
WIDTH = 110
"""Characters of a line that are shown, around the place."""
LEAD = 30
"""How many of them stand before the place in a line that is cut."""
TAB_SIGN, TAB = "\t", "    "

SECRETS, CALLS = "VH1", "VH5"
"""Findings whose place is a credential, and those whose place is a call that may hold one among its texts."""
QUOTE = regex("[\"']")
BEGIN = regex("[\"'#]")
"""Where a text or a comment may begin."""
SECRET_WORD = regex(
    r"passw|passphrase|secret|token(?!iz)|credential|api_?key|access_?key|private_?key|auth(?!or(?!iz))|bearer|\bpwd\b|_key\b|cookie",
    re.IGNORECASE,
)
LITERAL = regex(r"""(?P<quote>["'])(?P<body>(?:\\.|(?!(?P=quote)).)*)(?P=quote)""")
NAME = regex(r"[A-Za-z_-]{1,40}")
"""A literal that names something rather than being it, where it is used as a key."""
HOLDER = regex(r"(?P<name>[A-Za-z_][\w.]{0,80}[\"']?\]?)\s{0,4}(?:[=:,(\[]|==|!=)\s{0,4}[A-Za-z]{0,2}$")
"""What stands before a literal."""
COMPARED = regex(r"[=!]=\s{0,4}[A-Za-z]{0,2}$")
"""What stands before a literal that something is compared with: it is no key, whatever sign follows."""
CAPITALS = regex(r"[A-Z][A-Z_]*")
"""The name of an environment variable."""
WORD = regex(r"[A-Za-z0-9_-]{16,}|[A-Za-z0-9+/=_-]{24,}")
"""What may be a token; `_is_token` decides."""
HEX = regex(r"(?<![0-9A-Za-z_-])(?:[0-9a-f]{24,}|[0-9A-F]{24,})(?![0-9A-Za-z_-])")
"""What may be a token wherever it stands, in a path or an address too."""
URL_PASSWORD = regex(r"://[^/\s:@]{0,64}:(?!\d{1,5}/)([^\s@\"']{1,200})@")
"""Some programs take a slash in a password; behind a port there is none."""
URL_USER = regex(r"://(?P<user>[^/\s:@\"']{0,64}):(?!\d{1,5}/)(?P<password>[^\s\"'/?#]{1,200}|[^\s@\"']{1,200})@")
"""User and password of an address. Behind the user stands the token where the password is `x` or the like."""
FEW_LETTERS = 2
REPEATED = 6
"""Characters from which on a text that is masked is masked wherever it stands on its line."""
URL_SECRET = regex(r"[?&;]([A-Za-z_-]{1,40})=([^&;#\s\"']{1,400})")
"""A parameter of an address; it is a secret where its name says so."""
URL_TOKEN = regex(r"://([^/\s:@\"']{1,200}):x-oauth-basic@")
"""An address whose user is the token."""
REST = regex("[A-Za-z0-9+/=_-]*")
"""What goes on behind a token without a gap: the alphabet of base64 holds a slash, as paths do."""
FEW_DIGITS = 2
LONG_WORD = 24
PART = regex(r"[-_/.+=]+")
"""What stands between the parts of a name such as `org/model-3.1-8b`."""
SPOKEN = regex(
    r"(?:[A-Z]{0,4}[a-z]{2,14}){1,3}(?:[A-Z]{0,4}|[0-9]{1,2})|[A-Z]{1,8}|[a-z]"
    r"|[A-Za-z]{0,3}[0-9]{1,4}[A-Za-z]{0,2}|[0-9]{1,3}x[0-9]{1,3}[A-Za-z]{0,2}|(?:19|20)[0-9]{6}"
)
"""Such a part as people write it: a word, a few letters, a version, a date."""
VOWEL = regex("[aeiouyAEIOUY]")
NEEDS_VOWEL = 4
"""So many letters without one are no word."""
RUN = regex("[0-9]+|[A-Za-z]+")
MANY_RUNS = 6
"""Letters and digits that take turns so often are no word with a number or two in it."""


class Excerpt(NamedTuple):
    """A line to show, the line of marks under it, and where the place begins and ends in its characters."""

    text: str
    marks: str
    start: int = 0
    stop: int = 0


def secret_spans(
    files: Iterable[FileReport], known: Iterable[Finding], family: str
) -> Mapping[str, Mapping[int, Sequence[Span]]]:
    """Where findings of a family, suppressed and known ones too, say that credentials stand, by path and line."""
    found: dict[str, dict[int, list[Span]]] = {}
    every = [finding for file in files for finding in (*file.findings, *(item.finding for item in file.suppressed))]
    for finding in (*every, *known):
        if finding.code.startswith(family):
            lines = found.setdefault(finding.path, {})
            for number in range(finding.span.line, finding.span.end_line + 1):
                lines.setdefault(number, []).append(finding.span)
    return found


def excerpt(lines: Sequence[str], span: Span, secrets: Iterable[Span] = ()) -> Excerpt | None:
    """The first line of a place with marks under the place; None where there is no such line or it is too long."""
    if not 1 <= span.line <= len(lines):
        return None
    line = lines[span.line - 1]
    if len(line) > MAX_LINE or not line.strip():
        return None
    end = span.end_column if span.end_line == span.line else len(line)
    pieces = list(_pieces(line, masks(line, span.line, secrets)))
    before, inside = _columns(pieces, span.column), _columns(pieces, end)
    text = "".join(shown for _, shown in pieces)
    indent = len(text) - len(text.lstrip())
    start, stop = before, max(inside, before + 1)
    text, start, stop = text[indent:].rstrip(), max(0, start - indent), max(1, stop - indent)
    if len(text) > WIDTH:
        text, start, stop = _cut(text, start, stop)
    return Excerpt(text, " " * _wide(text[:start]) + "^" * max(1, _wide(text[start:stop])), start, stop)


def snippet(lines: Sequence[str], span: Span, secrets: Sequence[Span] = ()) -> str | None:
    """The text of a range, credentials masked; None where there is no such range, or one of its lines is too long."""
    if not 1 <= span.line <= span.end_line <= len(lines):
        return None
    parts: list[str] = []
    for number in range(span.line, span.end_line + 1):
        line = lines[number - 1]
        if len(line) > MAX_LINE:
            return None
        start = span.column if number == span.line else 0
        end = span.end_column if number == span.end_line else len(line)
        parts.append(_masked(line, masks(line, number, secrets), start, end))
    return "\n".join(parts)


def without_tokens(text: str) -> str:
    """Lines with what looks like a credential masked behind the first quotation mark or `#` of each.

    For a text that is to be read as it stands: what comes before is names, and words about secrets hide nothing here.
    """
    parts: list[str] = []
    for line in text.split("\n"):
        first = BEGIN.search(line)
        spans = [span for span in _tokens(line) if span[0] > first.start()] if first is not None else []
        parts.append(_masked(line, _merged(spans), 0, len(line)))
    return "\n".join(parts)


def _masked(line: str, masked: Sequence[tuple[int, int]], start: int, end: int) -> str:
    """A part of a line; what is masked in it, in whole or in part, is one sign."""
    parts: list[str] = []
    for begin, stop in masked:
        if begin < end and start < stop:
            parts += (line[start:begin], MASK)
            start = stop
    return "".join((*parts, line[start:end]))


def _cut(text: str, start: int, stop: int) -> tuple[str, int, int]:
    begin = 0 if stop <= WIDTH else max(0, start - LEAD)
    shown = text[begin : begin + WIDTH]
    head = MASK if begin else ""
    tail = MASK if begin + WIDTH < len(text) else ""
    shift = len(head) - begin
    return f"{head}{shown}{tail}", start + shift, min(stop + shift, len(head) + len(shown))


def _wide(text: str) -> int:
    """How many columns a text takes on a terminal."""
    if text.isascii():
        return len(text)
    import unicodedata  # seldom

    return sum(
        0 if unicodedata.combining(character) else 1 + (unicodedata.east_asian_width(character) in "WF")
        for character in text
    )


def _pieces(line: str, masked: Sequence[tuple[int, int]]) -> Iterator[tuple[int, str]]:
    """The line in pieces: how many of its characters each stands for, and what is shown."""
    position = 0
    for start, end in masked:
        yield from _plain(line[position:start])
        yield end - start, MASK
        position = end
    yield from _plain(line[position:])


def _plain(text: str) -> Iterator[tuple[int, str]]:
    """What nobody masks: as a whole where it can stand as it is, which is nearly always, else sign by sign."""
    if TAB_SIGN not in text and printable(text) == text:
        yield len(text), text
        return
    for character in text:
        yield 1, TAB if character == TAB_SIGN else printable(character)


def _columns(pieces: Sequence[tuple[int, str]], column: int) -> int:
    """Where a column of the source stands in what is shown."""
    source = shown = 0
    for taken, text in pieces:
        if source >= column:
            break
        if taken == len(text) and source + taken > column:  # in the midst of what stands as it is
            return shown + column - source
        source += taken
        shown += len(text)
    return shown


def masks(line: str, number: int, secrets: Iterable[Span] = ()) -> list[tuple[int, int]]:
    """The stretches of a line that must not be shown, sorted and apart."""
    found = list(_suspicious(line))
    for span in secrets:
        if not span.line <= number <= span.end_line:
            continue
        start = span.column if number == span.line else 0
        end = span.end_column if number == span.end_line else len(line)
        found += _inside(line, start, end, whole=span.line != span.end_line)
    return _merged((*found, *_repeated(line, found)))


def _repeated(line: str, found: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Where else on a line stands what is masked: `password = "…"  # was …`."""
    for text in {text for start, end in found if len(text := line[start:end]) >= REPEATED}:
        position = line.find(text)
        while position >= 0:
            yield position, position + len(text)
            position = line.find(text, position + len(text))


def _inside(line: str, start: int, end: int, *, whole: bool) -> Iterator[tuple[int, int]]:
    """Literals in a stretch that a finding calls a secret; all of the stretch where it has none."""
    literals = [match for match in LITERAL.finditer(line) if match.start() < end and start < match.end()]
    if whole or not literals:
        head = re.match(r"(?:[A-Za-z]{0,2}(?:\"\"\"|'''|\"|'))?", line[start:end])
        yield start + (head.end() if head else 0), end
        return
    for match in literals:
        if parts := list(_in_address(line, match)):
            yield from parts
        elif (match.start() >= start - 1 and match.end() <= end and len(literals) == 1) or not _names(line, match):
            yield match.span("body")


def _in_address(line: str, match: re.Match[str]) -> Iterator[tuple[int, int]]:
    """The secret parts of a literal that is an address; none where it is none, or nothing tells which they are."""
    if "://" not in match["body"]:
        return
    start, end = match.span("body")
    for found in URL_USER.finditer(line, start, end):
        if len(found["password"]) <= FEW_LETTERS or found["password"] == "x-oauth-basic":
            yield found.span("user")
        yield found.span("password")
    for found in URL_SECRET.finditer(line, start, end):
        if SECRET_WORD.search(found[1]):
            yield found.span(2)


def _behind_code(call: Span, line: str) -> Span | None:
    """What of a call may hold a text; `line` is its first one, on which there is none before a quotation mark."""
    if QUOTE.search(line, call.column):
        return call
    return Span(call.line + 1, 0, call.end_line, call.end_column) if call.end_line > call.line else None


def _names(line: str, match: re.Match[str]) -> bool:
    """Whether a literal is a key or a variable's name."""
    body = match["body"]
    if COMPARED.search(line, 0, match.start()):
        return False
    after = line[match.end() :].lstrip()[:1]
    return (NAME.fullmatch(body) is not None and after in ("]", ":")) or CAPITALS.fullmatch(body) is not None


def _suspicious(line: str) -> Iterator[tuple[int, int]]:
    """What looks like a credential, whether a finding says so or not."""
    yield from _tokens(line)
    if SECRET_WORD.search(line):
        for match in LITERAL.finditer(line):
            if not match["body"] or _names(line, match):
                continue
            if _is_spoken(match["body"]) and not SECRET_WORD.search(_holder(line, match.start())):
                continue
            yield from list(_in_address(line, match)) or [match.span("body")]


def _holder(line: str, start: int) -> str:
    """The name that a literal is bound to, compared with, or handed over under; the whole line where there is none."""
    found = HOLDER.search(line, 0, start)
    return found["name"] if found is not None else line


def _tokens(line: str) -> Iterator[tuple[int, int]]:
    """What looks like a credential by itself, wherever it stands."""
    for pattern in (URL_PASSWORD, URL_TOKEN):
        for match in pattern.finditer(line):
            yield match.span(1)
    end = 0
    for match in WORD.finditer(line):
        if match.start() >= end and _is_token(match[0]):
            rest = REST.match(line, match.end())
            end = rest.end() if rest is not None else match.end()
            yield match.start(), end
    for match in HEX.finditer(line):
        if _is_token(match[0]):
            yield match.span()


def _is_spoken(word: str) -> bool:
    """Whether a text is made of words, versions and dates: the name of a model or a file, which nobody keeps secret."""
    parts = [part for part in PART.split(word) if part]
    letters = [part for part in parts if len(part) >= NEEDS_VOWEL and part.isalnum() and not part.isupper()]
    letters = [part for part in letters if sum(map(str.isalpha, part)) >= NEEDS_VOWEL]
    return (
        len(parts) > 1
        and bool(letters)
        and all(SPOKEN.fullmatch(part) for part in parts)
        and all(VOWEL.search(part) for part in letters)
    )


def _is_token(word: str) -> bool:
    if _is_spoken(word):
        return False
    digits = sum(character.isdigit() for character in word)
    if digits < FEW_DIGITS or word.isdigit():
        return False
    mixed = any(character.islower() for character in word) and any(character.isupper() for character in word)
    return mixed or (len(word) >= LONG_WORD and "/" not in word) or (word.isalnum() and _many_runs(word))


def _many_runs(word: str) -> bool:
    return len(RUN.findall(word)) >= MANY_RUNS


def _merged(stretches: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted(stretches):
        if end <= start:
            continue
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


class Excerpts:
    """Excerpts of the files of one run; each file's lines are read once as long as its findings stand together."""

    KEPT = 16
    """Files whose lines are held at a time: a finding's own and those of its steps."""

    def __init__(
        self,
        files: Iterable[FileReport],
        lines: Callable[[str], Sequence[str]],
        known: Iterable[Finding] = (),
    ) -> None:
        """lines: the lines of a file by its path, none where it cannot be read. known: findings in no report."""
        files, known = tuple(files), tuple(known)
        self._secrets = secret_spans(files, known, SECRETS)
        self._calls = secret_spans(files, known, CALLS)
        self._lines = lru_cache(self.KEPT)(lines)

    def snippet(self, path: str, span: Span) -> str | None:
        """The text of a place, credentials masked; None where it cannot be shown."""
        return snippet(self._lines(path), span, self._near(path, span))

    def around(self, path: str, span: Span, more: int) -> Span | None:
        """The whole lines of a place and some more above and below; None where the file cannot be read."""
        lines = self._lines(path)
        first, last = max(1, span.line - more), min(len(lines), span.end_line + more)
        return Span(first, 0, last, len(lines[last - 1])) if 1 <= first <= last else None

    def of(self, path: str, span: Span) -> Excerpt | None:
        """The excerpt of a place; None where nothing can be shown."""
        return excerpt(self._lines(path), span, self._near(path, span))

    def _near(self, path: str, span: Span) -> list[Span]:
        """The credentials on the lines of a place."""
        numbers = range(span.line, span.end_line + 1)
        secrets = [secret for number in numbers for secret in self._secrets.get(path, {}).get(number, ())]
        for call in (call for number in numbers for call in self._calls.get(path, {}).get(number, ())):
            lines = self._lines(path)
            if call.line <= len(lines) and (rest := _behind_code(call, lines[call.line - 1])) is not None:
                secrets.append(rest)
        return secrets
