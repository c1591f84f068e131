"""What a text looks like by itself: its shape, how far it speaks for a credential, and why.

The judgement is a sum of reasons, each with points, never one threshold of entropy: a finding can list what spoke for
and against it. Points of the shapes and modifiers were chosen on labelled real code; they are written down in `POINTS`.
"""

import math
import re
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from valhalla_lint.core.regex import regex
from valhalla_lint.facts.tables import table
from valhalla_lint.facts.words import words


class Reason(NamedTuple):
    """One reason; points above zero speak for a credential, below zero against. `text` never quotes the value."""

    points: float
    text: str


class Judgement(NamedTuple):
    """What a value looks like.

    shape: the first of `POINTS` that fits. points: the sum of the reasons.
    strong: drawn by chance and long enough that nobody made it up; see `strong`.
    """

    shape: str
    points: float
    reasons: tuple[Reason, ...]
    strong: bool


POINTS = {
    "empty": (-20.0, "there is nothing in it"),
    "template": (-20.0, "it is a template or reference, filled elsewhere"),
    "mask": (-20.0, "it is a mask"),
    "reference": (-20.0, "it says where a secret is kept"),
    "public key": (-20.0, "it is public key material"),
    "image": (-20.0, "it is an encoded image or document"),
    "url": (-10.0, "it is an address"),
    "path": (-10.0, "it is a path"),
    "markup": (-10.0, "it is markup"),
    "regular expression": (-10.0, "it is a regular expression"),
    "alphabet": (-10.0, "it is an alphabet or a long run of the keyboard"),
    "run": (0.0, "it is a run of the keyboard or one piece repeated"),
    "sentence": (-8.0, "it is a sentence"),
    "algorithm": (-10.0, "it is the name of an algorithm or an encoding"),
    "variable": (-8.0, "it is the name of an environment variable or a constant"),
    "dotted name": (-6.0, "it is a dotted name"),
    "placeholder": (-6.0, "it is a placeholder"),
    "vocabulary": (-5.0, "it is made of the words that credentials are called by"),
    "number": (-1.5, "it is a number"),
    "uuid": (1.0, "it is a UUID"),
    "digest": (2.0, "it is as long as a digest, in hexadecimal"),
    "random": (4.0, "its letters and digits look drawn by chance"),
    "mixed": (2.5, "it mixes letters, digits and signs"),
    "numbered word": (1.5, "it is words with digits behind them"),
    "numbered placeholder": (0.0, "it is a placeholder with digits behind it"),
    "words": (0.5, "it is several words joined by signs"),
    "word": (0.5, "it is a single word"),
    "other": (0.0, "it is some other text"),
}
"""Points by shape, with what the reason says."""

SHORT = 4
"""Values with fewer characters open nothing; they are names, marks and verdicts."""
LONG = 512
"""Values with more characters are documents; only shapes of providers are looked for in them."""
RANDOM_LENGTH = 16
"""Fewer characters can look drawn by chance and be an abbreviation."""
STRONG_LENGTH, LONG_RANDOM = 20, 24
"""Lengths from which a random value is strong (nobody made it up), and speaks louder for a credential."""
NOISE_BAR = 1.5
"""From here on a text counts as drawn by chance: words stay below 0, random base62 of 24 characters averages 4.4."""
SHORT_NOISE_BAR = 0.6
"""The bar for short values bound to a telling name, where half a dozen mixed characters are all there is."""
WORD_LEVEL, LEVEL_SCALE = 5.3, 2.7
"""The mean of the followers table between words and chance, and the spread of a single pair under chance."""
CHANGE_LEVEL = 0.2
"""The share of neighbours of different class (lower, upper, digit, sign) between names and chance."""
MIXED_LENGTH = 6

TEMPLATE = regex(
    r"\$\{|\{\{|\{%|<%|\$\(|%\(\w*\)[sdr]|^%s$|^\{\w*\}$|^<[^<>]{1,60}>$|^\[[^\[\]]{1,60}\]$"
    r"|<[a-zA-Z][\w .-]{1,40}>|\{[a-z_][\w.]*\}|^\$\w+$|^%\w+%$|^@\w+@$|__\w+__"
    r"|^ENC[(\[]|^\{cipher\}|^!vault\b|^vault:v\d|^\$ANSIBLE_VAULT"  # sealed: the key is elsewhere
)
MASK = regex(r"^[*xX.•#_?0-]+$|\*{3,}|x{4,}|X{4,}|\.{3}|…|•{2,}|#{4,}")
UUID = regex(r"\{?[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\}?")
HEX = regex(r"(?:0x)?(?:[0-9a-f]+|[0-9A-F]+)")
NUMBER = regex(r"[+-]?[\d.,_ /:()+-]+")
URL = regex(r"^[a-zA-Z][a-zA-Z0-9+.-]{1,20}://|^www\.|^mailto:|^urn:|^data:|^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$")
DOMAIN = regex(
    r"(?:[a-z0-9-]+\.)+(?:com|org|net|io|ai|dev|local|internal|co|edu|gov|de|cn|test|apps|cloud|app)(?::\d+)?(?:/.*)?",
    re.IGNORECASE,
)
PATH = regex(
    r"^/[\w.-]{1,14}$|^(?:~|\.{1,2})?/[\w.@~+-]*(?:/|$)|^[A-Za-z]:\\|^\.{1,2}/|^[\w.-]+(?:/[\w.{}@-]+)+/?$|\.(?:py|json|ya?ml|txt|pem|key|crt|cer|cfg|ini|toml|html?|env|xml|csv|conf|p12|pfx|jks)$"
)
PATH_PART = regex(r"[A-Za-z]*[a-z]{2,}[A-Za-z]*\d{0,3}|v\d+|[A-Z]{2,}|[\w-]+\.[a-z]{1,5}")
VARIABLE = regex(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|[A-Z]{4,}")
DOTTED = regex(
    r"\.?[A-Za-z_]\w*(?:(?:\.|::?)[A-Za-z_]\w*)+(?:\(.*\)?)?|[A-Za-z_][\w.]*\(.*\)?|[A-Za-z_][\w.]*\[['\"]?\w*['\"]?\]?"
)
REGEX = regex(r"\\[dwsbDWSBAZz]|\(\?[:=!<P]|\[\^|\.\*|\.\+|\[a-z|\[0-9|\[A-Z|\^\(|\)\$$|\]\+|\]\*|\]\{")
MARKUP = regex(r"</?[a-zA-Z][^<>]*>|^<\||\|>$|&[a-z]+;|\x1b\[")
PUBLIC = regex(
    r"-----BEGIN (?!.*PRIVATE)|^(?:ssh-(?:rsa|dss|ed25519)|ecdsa-sha2-\S+) "
    r"|^sha\d{3}-[A-Za-z0-9+/]{40,}=*$|^MII[A-Za-z0-9+/]{100,}|^phc_[A-Za-z0-9]{20,}$|^pk_(?:live|test)_\w{10,}$|^pk\.eyJ"
)
IMAGE = regex(r"^(?:iVBORw0KGgo|R0lGOD|/9j/|UklGR|JVBERi0|PHN2Zy|PD94bWw|UEsDB|AAABAA|Qk[0-3]|d09GR|T2dnUw|AGFzbQ)")
SPACES = regex(r"\s+")
PLAIN_WORD = regex(r"[^\W\d_]+\.?,?")
IDENTIFIER = regex(r"[^\W\d_]+(?:[_\-. /:+]+[^\W\d_]+)*[!.?]?")
NUMBERED = regex(r"[^\W\d_]+(?:[_\-. ]+[^\W\d_]+)*[_\-.@#!$]?\d{1,4}[!.?]?")
TEST = regex(r"test(?![a-z]*(?:ament|imon|ify))", re.IGNORECASE)
LETTERS = regex(r"[A-Za-z]+")
WORDLIKE_NUMBERS = regex(r"\d+")
CODE_LIKE = regex(r"[A-Za-z_][\w.-]*\s*[=:]\s|[;{}]\s*$|^\s*[({\[]")
RANDOM_CHARACTERS = regex(r"[A-Za-z0-9+/=_.~!@#$%^&*()\-:;|]+")
NOT_WESTERN = regex(r"[^\x00-\u024f\u2000-\u206f]")
RUN_LENGTH = 5
REPEATED = regex(r"(.)\1{4,}|^(.{1,6}?)\2{2,}.{0,3}$")


@cache
def _followers() -> tuple[tuple[int, ...], ...]:
    rows = table("value_words")["followers"]
    return tuple(tuple(int(digit) for digit in rows[letter]) for letter in "abcdefghijklmnopqrstuvwxyz")


@cache
def _group(name: str) -> frozenset[str]:
    return frozenset(table("value_words")["placeholders"][name])


@cache
def _runs() -> frozenset[str]:
    """All stretches of `RUN_LENGTH` characters of the keyboard's rows and the alphabets, in both directions."""
    found: set[str] = set()
    for row in table("value_words")["placeholders"]["runs"]:
        for start in range(len(row) - RUN_LENGTH + 1):
            piece = row[start : start + RUN_LENGTH]
            found.update((piece, piece[::-1]))
    return frozenset(found)


def letters_level(text: str) -> tuple[float, int]:
    """How word-like the letters of a text follow each other (0 to 9), and over how many pairs that was averaged."""
    followers = _followers()
    total = count = 0
    base = ord("a")
    for run in LETTERS.findall(text):
        lower = run.lower()
        for first, second in pairwise(lower):
            total += followers[ord(first) - base][ord(second) - base]
        count += len(run) - 1
    return (total / count if count else WORD_LEVEL), count


def _kind(character: str) -> int:
    if character.isdigit():
        return 0
    if character.isalpha():
        return 1 if character.islower() else 2
    return 3


def changes(text: str) -> float:
    """The share of neighbours of different class: lower-case letter, upper-case letter, digit, sign."""
    kinds = [_kind(character) for character in text]
    return sum(first != second for first, second in pairwise(kinds)) / max(1, len(text) - 1)


def noise(text: str) -> float:
    """How far a text is from words: 0 and less for names and phrases, 1.5 and more for what was drawn by chance.

    Two independent signs are added, each in units of its own spread: unlikely pairs of letters, and many changes
    between letters, capitals, digits and signs.
    """
    level, pairs = letters_level(text)
    unlikely = (WORD_LEVEL - level) * math.sqrt(pairs) / LEVEL_SCALE
    return unlikely + (changes(text) - CHANGE_LEVEL) * math.sqrt(len(text))


def entropy(text: str) -> float:
    """Shannon entropy of a text's characters, in bits a character."""
    size = len(text)
    counts: dict[str, int] = {}
    for character in text:
        counts[character] = counts.get(character, 0) + 1
    return -sum(count / size * math.log2(count / size) for count in counts.values())


HEX_ENTROPY = 3.0
"""Bits a character that drawn hexadecimal digits do not fall short of (four at most)."""
DRAWN_FROM = 64
"""The alphabet that secrets are drawn from, about: a longer text cannot have more entropy a character."""
MIN_ENTROPY_SHARE = 0.72
"""Of the entropy that a text of this length can have at most; random texts of 16 and more characters stay above."""


def is_random(text: str) -> bool:
    """Whether a text of `RANDOM_LENGTH` or more letters, digits and signs looks drawn by chance."""
    if len(text) < RANDOM_LENGTH or not RANDOM_CHARACTERS.fullmatch(text) or NUMBER.fullmatch(text):
        return False
    if HEX.fullmatch(text):
        return entropy(text) >= min(HEX_ENTROPY, math.log2(len(text)) * MIN_ENTROPY_SHARE) and not has_run(text)
    classes = {_kind(character) for character in text}
    needed = NOISE_BAR if 0 in classes else NOISE_BAR + 1
    return (
        len(classes - {3}) > 1
        and noise(text) >= needed
        and entropy(text) >= math.log2(min(len(text), DRAWN_FROM)) * MIN_ENTROPY_SHARE
        and not has_run(text)
    )


def has_run(text: str) -> bool:
    """Whether a good part of a text is a run of the keyboard or alphabet, or one piece repeated."""
    if REPEATED.search(text):
        return True
    lower = text.lower()
    runs = _runs()
    covered = 0
    position = 0
    while position + RUN_LENGTH <= len(lower):
        if lower[position : position + RUN_LENGTH] in runs:
            covered += RUN_LENGTH
            position += RUN_LENGTH
        else:
            position += 1
    return covered * 3 >= len(lower) and covered > 0


def is_dummy(body: str) -> bool:
    """Whether the random part of a token is none: a mask, a run, a repetition, words of an example."""
    if MASK.search(body) or TEMPLATE.search(body) or has_run(body) or len(set(body)) < min(MIXED_LENGTH, len(body)):
        return True  # fewer than six different characters in a whole token are somebody's patience, not chance
    level, pairs = letters_level(body)
    telling = _group("telling")
    if any(word in telling for word in words(body) if len(word) > 3):  # noqa: PLR2004 -- shorter words turn up by chance
        return True
    return pairs * 2 >= len(body) and level > WORD_LEVEL + 1 and changes(body) < CHANGE_LEVEL


def shape_of(text: str) -> str:
    """The shape of a value: the first key of `POINTS` that fits; what rules a credential out is asked first."""
    stripped = text.strip(" \t\r\n'\"`")
    if len(stripped) < SHORT:
        return "empty" if not stripped else "placeholder"
    if "-----BEGIN" in text or PUBLIC.search(stripped):
        return "public key"
    lower = stripped.lower()
    if lower.startswith(tuple(_group("references"))):
        return "reference"
    if TEMPLATE.search(stripped):
        return "template"
    if MASK.search(stripped):
        return "mask"
    if UUID.fullmatch(stripped):
        return "uuid"
    if IMAGE.match(stripped) and len(stripped) > RANDOM_LENGTH:
        return "image"
    if lower in _group("algorithms"):
        return "algorithm"
    if HEX.fullmatch(stripped) and len(stripped) >= RANDOM_LENGTH and not stripped.isdigit():
        return "alphabet" if has_run(stripped) or len(set(lower)) < MIXED_LENGTH else "digest"
    if NUMBER.fullmatch(stripped):
        return "number"
    if is_random(stripped):
        return "random"
    if URL.search(stripped) or DOMAIN.fullmatch(stripped):
        return "url"
    if REGEX.search(stripped):
        return "regular expression"
    if MARKUP.search(stripped):
        return "markup"
    if _sentence(stripped):
        return "sentence"
    if PATH.search(stripped) and _is_path(stripped):
        return "path"
    return _wordy(stripped, lower)


PARTS = regex(r"[_.:-]")
SHORT_NAME, WORDY_SHARE = 3, 0.6
"""A name of more parts, so many of them words, is a long identifier, digits or not."""
SPOKEN_VARIABLE = regex(r"\b[A-Z]+(?:_[A-Z]+)+\b")


def _sentence(text: str) -> bool:
    if " " in text and SPOKEN_VARIABLE.search(text):
        return True  # "SET MY_SECRET_KEY" tells what to do
    if NOT_WESTERN.search(text):
        return True
    parts = SPACES.split(text)
    if len(parts) < 2:  # noqa: PLR2004 -- a blank makes two
        return "\n" in text or ", " in text
    plain = sum(1 for part in parts if PLAIN_WORD.fullmatch(part))
    return len(parts) > 2 or plain == len(parts) or bool(CODE_LIKE.search(text))  # noqa: PLR2004 -- as above


def _is_path(text: str) -> bool:
    if text[0] == "/" and len(text) < RANDOM_LENGTH and not any(character.isdigit() for character in text):
        return True
    parts = [part for part in re.split(r"[/\\]", text) if part not in ("", ".", "..", "~")]
    if not parts:
        return True
    return sum(1 for part in parts if PATH_PART.fullmatch(part) or noise(part) < 0) * 2 > len(parts)


def _wordy(stripped: str, lower: str) -> str:
    bare = lower.strip("!.?*-_#$@<>()[]{} ")
    if VARIABLE.fullmatch(stripped):
        return "variable"
    if bare in _group("whole"):
        return "placeholder"
    if bare.rstrip("0123456789") in _group("whole"):
        return "numbered placeholder"
    stripped = stripped.strip("_") or stripped
    found = words(stripped)
    spoken = [word for word in found if not word.isdigit()]
    telling, vocabulary = _group("telling"), _group("vocabulary")
    if (
        spoken
        and any(word in telling for word in spoken)
        and not any(len(word) > SHORT for word in found if word.isdigit())
    ):  # a long number is no counter
        return "placeholder"
    if has_run(lower) and not (len(stripped) >= RANDOM_LENGTH and noise(stripped) >= NOISE_BAR):
        return "alphabet" if len(stripped) > RANDOM_LENGTH else "run"
    if (
        spoken
        and all(word in vocabulary for word in spoken)
        and len(spoken) > 1
        and not WORDLIKE_NUMBERS.search(stripped)
    ):
        return "vocabulary"
    if (
        DOTTED.fullmatch(stripped)
        and ("." in stripped or "(" in stripped or "[" in stripped or "::" in stripped)
        and noise(stripped) < 1
    ):
        return "dotted name"
    if "_" in stripped and len(spoken) > 1 and spoken[-1] in _group("named") and stripped.islower():
        return "vocabulary"
    parts = PARTS.split(lower)
    if len(parts) > SHORT_NAME and sum(part.isalpha() and len(part) > 1 for part in parts) >= WORDY_SHARE * len(parts):
        return "words"
    if IDENTIFIER.fullmatch(stripped):
        return "word" if stripped.isalpha() else "words"
    if NUMBERED.fullmatch(stripped):
        return "numbered word"
    if len(stripped) >= MIXED_LENGTH:
        return "mixed"
    return "other"


def judge(text: str) -> Judgement:
    """Judge a value by itself. Linear in its length; values longer than `LONG` are judged by their first characters."""
    shape = shape_of(text[:LONG])
    points, about = POINTS[shape]
    reasons = [Reason(points, about)]
    stripped = text.strip()
    if shape in ("words", "word", "numbered word", "numbered placeholder") and TEST.match(stripped):
        reasons.append(Reason(-2.0, "it says that it is a test's"))
    if shape == "numbered placeholder" and len(stripped) < MIXED_LENGTH:
        reasons.append(Reason(-1.0, "it is short"))
    if shape in ("mixed", "words", "word", "numbered word", "other"):
        level = noise(stripped[:LONG])
        if level >= SHORT_NOISE_BAR and (shape == "mixed" or len(stripped) >= RANDOM_LENGTH):
            reasons.append(Reason(1.0, "its letters follow each other unlike those of words"))
        elif shape == "mixed" and level < -1:
            reasons.append(Reason(-1.0, "its letters form words"))
        if shape == "word" and not stripped.islower() and not stripped.istitle() and stripped[0].islower():
            reasons.append(Reason(-0.5, "it is written like an identifier"))
    if shape in ("random", "digest") and len(stripped) >= LONG_RANDOM:
        reasons.append(Reason(1.0, "it is long"))
    if len(text) > LONG:
        reasons.append(Reason(-4.0, "it is longer than credentials are"))
    strong = shape in ("random", "digest") and len(stripped) >= STRONG_LENGTH and len(text) <= LONG
    return Judgement(shape, sum(reason.points for reason in reasons), tuple(reasons), strong)


PROSE_NOISE = -0.5
"""Words, numbered or not, stay below -1."""
PROSE_LENGTH = 10
"""Fewer characters in a text for people are an abbreviation of its author, next to whatever name."""


def is_believed(value: str, judgement: Judgement) -> bool:
    """Whether a value next to a telling name is believed in a text for people: letters and digits, no words or runs.

    Digests are not: examples show the hashes under which keys are known.
    """
    return (judgement.strong and judgement.shape != "digest") or (
        judgement.shape in ("random", "mixed")
        and len(value) >= PROSE_LENGTH
        and value.isalnum()
        and noise(value) >= PROSE_NOISE
        and not has_run(value)
    )
