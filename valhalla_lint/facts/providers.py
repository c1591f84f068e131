"""Credentials of known providers: how they look, whether their checksum holds, and how to make one up.

Each kind's shapes stand in `data/tokens.toml`; a shape gives both the pattern that finds a token and the generator that
mints one. Where detect-secrets has a detector for a kind, its regular expression decides; it is imported only when a
string holds a candidate for such a kind, and a package of the same name that behaves otherwise is passed over.
"""

import importlib
import re
import string
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from valhalla_lint.core.regex import regex
from valhalla_lint.facts.strings import is_dummy
from valhalla_lint.facts.tables import table

if TYPE_CHECKING:
    from random import Random

CLASSES: Mapping[str, tuple[str, str]] = {
    "d": ("0-9", string.digits),
    "hex": ("0-9a-f", "0123456789abcdef"),
    "HEX": ("0-9A-F", "0123456789ABCDEF"),
    "w62": ("A-Za-z0-9", string.ascii_letters + string.digits),
    "up": ("A-Z0-9", string.ascii_uppercase + string.digits),
    "low": ("a-z0-9", string.ascii_lowercase + string.digits),
    "b32": ("A-Z2-7", string.ascii_uppercase + "234567"),
    "b64": ("A-Za-z0-9+/", string.ascii_letters + string.digits + "+/"),
    "b64u": ("A-Za-z0-9_-", string.ascii_letters + string.digits + "_-"),
    "bech": ("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L"),
    "az": ("A-Za-z0-9._~-", string.ascii_letters + string.digits + "._~-"),
}
"""Character classes of shapes: as a regular expression writes them, and as characters to draw from."""

FIELD = regex(r"\{(?P<name>[A-Za-z0-9]+)(?::(?P<least>\d+)(?:-(?P<most>\d+))?)?\}")
UUID_BITS = 128
UUID_PATTERN = "[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"

RUN = regex(r"[A-Za-z0-9][A-Za-z0-9_.$~/+-]{14,}")
"""A stretch that can hold a token at all: no kind is shorter; cheap to find."""
STARTS = regex(r"[./+$~]")
"""Signs inside a stretch after which a token can begin."""
MIN_TOKEN = 15
"""Texts with fewer characters hold no token."""
HEAD = 4
"""Characters at a shape's start that make a stretch worth a closer look (fewer where its literal text has fewer)."""
CHECK_LENGTH = 6
"""Characters of a base62 CRC-32, zero-filled on the left, at the end of a token."""
BASE62 = string.digits + string.ascii_uppercase + string.ascii_lowercase


class Part(NamedTuple):
    """A piece of a shape: literal text, or `least` to `most` characters of a class."""

    literal: str = ""
    name: str = ""
    least: int = 0
    most: int = 0

    @property
    def pattern(self) -> str:
        """The piece as a regular expression."""
        if not self.name:
            return re.escape(self.literal)
        if self.name == "uuid":
            return UUID_PATTERN
        count = f"{{{self.least}}}" if self.least == self.most else f"{{{self.least},{self.most}}}"
        return f"[{CLASSES[self.name][0]}]{count}"


_compiled = cache(re.compile)


class Shape(NamedTuple):
    """One way in which a kind is written: its pieces, the pattern that they make, and its literal beginning."""

    parts: tuple[Part, ...]
    text: str
    head: str

    @property
    def pattern(self) -> re.Pattern[str]:
        """What finds it, compiled when first asked for."""
        return _compiled(self.text)


class Kind(NamedTuple):
    """A kind of credential, as its row in the table says."""

    name: str
    title: str
    shapes: tuple[Shape, ...]
    grants: str
    revoke: str
    checksum: str = ""
    near: tuple[str, ...] = ()
    library: str = ""
    test: bool = False

    @property
    def prefix(self) -> str:
        """The public beginning of a token of this kind's first shape, or ""."""
        return self.shapes[0].head


class Token(NamedTuple):
    """A token found in a text: its kind, where it stands, and whether its checksum holds (None where it has none)."""

    kind: Kind
    start: int
    end: int
    verified: bool | None
    source: str = "table"


@cache
def kinds() -> Mapping[str, Kind]:
    """All kinds by name, in the order of the table."""
    found: dict[str, Kind] = {}
    for name, row in table("tokens").items():
        found[name] = Kind(
            name=name,
            title=row["title"],
            shapes=tuple(_shape(text) for text in row["shapes"]),
            grants=row["grants"],
            revoke=row["revoke"],
            checksum=row.get("checksum", ""),
            near=tuple(row.get("near", ())),
            library=row.get("library", ""),
            test=row.get("test", False),
        )
    return found


def _shape(text: str) -> Shape:
    parts: list[Part] = []
    position = 0
    for field in FIELD.finditer(text):
        if field.start() > position:
            parts.append(Part(literal=text[position : field.start()]))
        least = int(field["least"] or 0)
        parts.append(Part(name=field["name"], least=least, most=int(field["most"] or least)))
        position = field.end()
    if position < len(text):
        parts.append(Part(literal=text[position:]))
    head = parts[0].literal
    last = parts[-1]
    after = f"(?![{CLASSES[last.name][0]}])" if last.name in CLASSES else ""
    pattern = f"(?<![A-Za-z0-9]){''.join(part.pattern for part in parts)}{after}"
    return Shape(tuple(parts), pattern, head)


class _Scanner(NamedTuple):
    """Shapes by how they are met: by their head at a word's start, by a telling text anywhere, or only near a word."""

    by_head: Mapping[str, tuple[tuple[Kind, Shape], ...]]
    lengths: tuple[int, ...]
    starts: frozenset[str]
    broken: frozenset[str]
    anchored: Mapping[str, tuple[tuple[str, Kind, Shape], ...]]
    near: tuple[tuple[Kind, Shape], ...]


RUNNING = regex(r"[A-Za-z0-9][A-Za-z0-9_.$~/-]*")


@cache
def _scanner() -> _Scanner:
    by_head: dict[str, list[tuple[Kind, Shape]]] = {}
    anchored: dict[str, list[tuple[str, Kind, Shape]]] = {}
    near: list[tuple[Kind, Shape]] = []
    for kind in kinds().values():
        for shape in kind.shapes:
            if kind.near:
                near.append((kind, shape))
            elif shape.head and RUNNING.fullmatch(shape.head):
                by_head.setdefault(shape.head[:HEAD], []).append((kind, shape))
            else:
                literal = max((part.literal for part in shape.parts), key=len)
                anchored.setdefault(literal[-HEAD:], []).append((literal, kind, shape))
    return _Scanner(
        by_head={head: tuple(group) for head, group in by_head.items()},
        lengths=tuple(sorted({len(head) for head in by_head}, reverse=True)),
        starts=frozenset(
            start for head in by_head for start in ([head[:2]] if len(head) > 1 else [head + other for other in BASE62])
        ),
        broken=frozenset(STARTS.split(head)[0] for head in by_head if STARTS.search(head)),
        anchored={end: tuple(group) for end, group in anchored.items()},
        near=tuple(near),
    )


def may_hold(text: str) -> bool:
    """Whether a text can hold a token: cheaper than `find` for many texts put together, and wrong in one way only."""
    runs = _stretches(text)
    if not runs:
        return False
    scanner = _scanner()
    together = "\n".join(runs)
    if any(end in together for end in scanner.anchored):
        return True
    for piece in together.translate(SIGNS).split("\n"):
        begun = piece.lstrip("_-")
        if begun in scanner.broken:
            return True
        if begun[:2] in scanner.starts:
            for length in scanner.lengths:
                if begun[:length] in scanner.by_head and (length > 1 or len(begun) >= SINGLE):
                    return True
    return False


STRETCH = bytes(code in b"_.$~/+-:=" or (chr(code).isascii() and chr(code).isalnum()) for code in range(256))
"""By a character's code, 1 for those that tokens and the telling texts around them are made of, 0 for others."""
DOUBLING = (1, 2, 4, 7)
"""Steps that add up to one less than `MIN_TOKEN`."""


def _stretches(text: str) -> list[str]:
    """The stretches of `MIN_TOKEN` and more characters that tokens are made of.

    All places are asked at once: in one long number of which each byte is a character's mark, "and" with the number
    moved by so many bytes leaves the marks behind which as many others follow. A pattern takes four times as long.
    """
    marks = int.from_bytes(text.encode("latin-1", "replace").translate(STRETCH), "little")
    for step in DOUBLING:
        marks &= marks >> 8 * step
    if not marks:
        return []
    found: list[str] = []
    starts = marks.to_bytes(len(text), "little")
    start = starts.find(1)
    while start >= 0:
        last = starts.find(0, start)
        end = (last if last >= 0 else len(text)) + MIN_TOKEN - 1
        found.append(text[start:end])
        start = starts.find(1, end)
    return found


SIGNS = str.maketrans("./+$~:=", "\n" * 7)
"""Signs inside a stretch after which a token can begin, as ends of lines."""
SINGLE = 24
"""Characters up to the first sign of the tokens whose head is a single letter."""


def find(text: str, around: str = "") -> list[Token]:
    """The tokens in a text, in order and without overlap.

    around: names and words next to the text in lower case; kinds whose shape alone says nothing ask for one of theirs.
    """
    if len(text) < MIN_TOKEN:
        return []
    scanner = _scanner()
    found: list[Token] = []
    starts = scanner.starts
    run = RUN.search(text)
    while run is not None:
        start, end = run.span()
        if text[start : start + 2] in starts:
            _at(text, start, scanner, found)
        for sign in STARTS.finditer(text, start, end):
            start = sign.end()
            if text[start : start + 2] in starts:
                _at(text, start, scanner, found)
        run = RUN.search(text, end)
    for end_of_literal, group in scanner.anchored.items():
        if end_of_literal in text:
            for literal, kind, shape in group:
                if literal in text:
                    found.extend(_matches(kind, shape, shape.pattern.finditer(text)))
    if around and len(text) <= MAX_NEAR:
        for kind, shape in scanner.near:
            if any(word in around for word in kind.near):
                found.extend(_matches(kind, shape, (shape.pattern.fullmatch(text.strip()),)))
    return _distinct(found) if found else found


def _at(text: str, start: int, scanner: _Scanner, found: list[Token]) -> None:
    """Add the tokens that begin at a place."""
    by_head = scanner.by_head
    for length in scanner.lengths:
        group = by_head.get(text[start : start + length])
        if group is not None:
            for kind, shape in group:
                found.extend(_matches(kind, shape, (shape.pattern.match(text, start),)))


MAX_NEAR = 128
"""Kinds without a telling shape are looked for in short texts only, and only as the whole text."""


def _matches(kind: Kind, shape: Shape, matches: Iterable[re.Match[str] | None]) -> Iterator[Token]:
    for match in matches:
        if match is None:
            continue
        body = match[0][len(shape.head) :]
        if is_dummy(body):
            continue
        source = "table"
        if kind.library:
            answer = ask_library(kind.library, match[0])
            if answer is False:
                continue
            source = "library" if answer else "table"
        yield Token(kind, match.start(), match.end(), verify(kind, match[0]), source)


def _distinct(found: list[Token]) -> list[Token]:
    """Of overlapping tokens the longest, of equally long ones the first in the table."""
    if len(found) < 2:  # noqa: PLR2004 -- nothing to compare
        return found
    kept: list[Token] = []
    for token in sorted(found, key=lambda item: item.start - item.end):
        if all(token.end <= other.start or other.end <= token.start for other in kept):
            kept.append(token)
    return sorted(kept, key=lambda item: item.start)


def verify(kind: Kind, token: str) -> bool | None:
    """Whether a token's checksum holds; None where its kind has none."""
    if kind.checksum != "crc32-base62":
        return None
    body = token.rpartition("_")[2]
    return body[-CHECK_LENGTH:] == _crc(body[:-CHECK_LENGTH])


def _crc(body: str) -> str:
    number = zlib.crc32(body.encode())
    digits = ""
    while number:
        number, rest = divmod(number, len(BASE62))
        digits = BASE62[rest] + digits
    return digits.rjust(CHECK_LENGTH, "0")


# --- the library ------------------------------------------------------------------------------------------------------

LIBRARY_MODULES: Mapping[str, str] = {
    "ArtifactoryDetector": "artifactory",
    "DiscordBotTokenDetector": "discord",
    "MailchimpDetector": "mailchimp",
    "SendGridDetector": "sendgrid",
    "SquareOAuthDetector": "square_oauth",
    "StripeDetector": "stripe",
    "TelegramBotTokenDetector": "telegram_token",
    "TwilioKeyDetector": "twilio",
}
"""The detectors that are asked, with the modules of `detect_secrets.plugins` that hold them."""


@cache
def _analyser(detector: str) -> Callable[[str], Iterable[object]] | None:
    """The library's question for one detector, or None where the installed package has no such thing."""
    try:
        module = importlib.import_module(f"detect_secrets.plugins.{LIBRARY_MODULES[detector]}")
        analyse = getattr(module, detector)().analyze_string
        list(analyse("probe"))
    except Exception:  # noqa: BLE001 -- a fork under the same import name may raise anything; our own shape decides then
        return None
    return analyse  # type: ignore[no-any-return]  # the library ships no types


def ask_library(detector: str, text: str) -> bool | None:
    """Whether a detector of detect-secrets takes a text for a credential; None where it cannot be asked."""
    analyse = _analyser(detector)
    if analyse is None:
        return None
    try:
        return any(True for _ in analyse(text))
    except Exception:  # noqa: BLE001 -- as above
        return None


# --- minting ----------------------------------------------------------------------------------------------------------


def mint_token(kind: str, seed: str, shape: int = 0) -> str:
    """A made-up token of a kind and one of its shapes, the same for the same seed; its checksum holds.

    Raises KeyError for an unknown kind and IndexError for a shape that it does not have.
    """
    from random import Random  # here, as below: a check mints seldom, and both load much

    found = kinds()[kind]
    chance = Random(f"{kind}:{shape}:{seed}")  # noqa: S311 -- test material, not key material
    chosen = found.shapes[shape]
    while True:  # a draw that reads like a word or a run is drawn again
        token = "".join(chain.from_iterable(_draw(part, chance) for part in chosen.parts))
        if found.checksum:
            token = token[:-CHECK_LENGTH] + _crc(token.rpartition("_")[2][:-CHECK_LENGTH])
        if not is_dummy(token[len(chosen.head) :]):
            return token


def _draw(part: Part, chance: "Random") -> str:
    if not part.name:
        return part.literal
    if part.name == "uuid":
        from uuid import UUID

        return str(UUID(int=chance.getrandbits(UUID_BITS)))
    alphabet = CLASSES[part.name][1]
    edge = alphabet.rstrip("_-~.+/") or alphabet
    text = [chance.choice(alphabet) for _ in range(chance.randint(part.least, part.most))]
    if text:
        text[0], text[-1] = chance.choice(edge), chance.choice(edge)
    return "".join(text)
