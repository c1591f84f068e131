"""Whether a name says that what it names is a credential, and of which kind."""

import re
from functools import cache, lru_cache
from typing import NamedTuple

from valhalla_lint.core.regex import regex
from valhalla_lint.facts.strings import Reason
from valhalla_lint.facts.tables import table
from valhalla_lint.facts.words import with_article, words

TELLING = regex(
    r"pass|pwd|pswd|pw\b|pw_|_pw|secret|token|key|cred|auth|jwt|bearer|cookie|session|signature|sas|verifier|senha|mdp|wachtwoord|contrasena|\bpat\b|_pat|pat_",
    re.IGNORECASE,
)
"""A name without any of these is none; cheaper than splitting it."""
SUFFIXES = ("password", "passwd", "passphrase", "secret", "apikey", "token", "pwd", "passkey")
"""Words that end other words written without a sign between (`pgpassword`); `pass` does not: bypass, compass."""
NOT_SUFFIXED = frozenset({"detoken", "nontoken", "subtoken"})
MAX_WORDS = 12
"""A name of more words is a sentence."""
QUALIFIED = 0.4
"""Points that a word around `token` or `secret` adds: it says whose it is."""
MAX_NAME = 80
"""Longer texts are no names."""


class NameVerdict(NamedTuple):
    """What a name says.

    kind: "password", "secret", "token", "key", or "weak" where only a strongly random value is believed.
    points: how far the name goes. plural: it names several. mock: it promises no real credential.
    """

    kind: str
    points: float
    reason: Reason
    plural: bool = False
    mock: bool = False


class Lexicon(NamedTuple):
    """The table of names in the form in which it is asked."""

    glued: dict[str, tuple[str, ...]]
    heads: dict[str, tuple[str, float]]
    pairs: tuple[tuple[str, float, frozenset[str], frozenset[str]], ...]
    weak: frozenset[str]
    weak_points: float
    before: dict[str, frozenset[str]]
    behind: frozenset[str]
    neutral: frozenset[str]
    mock: frozenset[str]
    headers: frozenset[str]
    schemes: frozenset[str]


@cache
def lexicon() -> Lexicon:
    """The table, read once a process."""
    rows = table("credential_names")
    return Lexicon(
        glued={word: tuple(parts) for word, parts in rows["glued"].items()},
        heads={word: (kind, row["points"]) for kind, row in rows["heads"].items() for word in row["words"]},
        pairs=tuple(
            (kind, row["points"], frozenset(row["first"]), frozenset(row["last"]))
            for kind, row in rows["pairs"].items()
        ),
        weak=frozenset(rows["weak"]["words"]),
        weak_points=rows["weak"]["points"],
        before={kind: frozenset(group) for kind, group in rows["before"].items()},
        behind=frozenset(rows["behind"]["words"]),
        neutral=frozenset(rows["behind"]["neutral"]),
        mock=frozenset(rows["mock"]["words"]),
        headers=frozenset(rows["headers"]["names"]),
        schemes=frozenset(rows["headers"]["schemes"]),
    )


def split(name: str) -> list[str]:
    """The words of a name, with words that are written as one taken apart and counting numbers dropped."""
    glued = lexicon().glued
    heads = lexicon().heads
    found: list[str] = []
    for word in words(name):
        if word.isdigit():
            continue
        if word in glued:
            found.extend(glued[word])
        elif word in heads or word in NOT_SUFFIXED:
            found.append(word)
        elif word.endswith(SUFFIXES):
            suffix = next(item for item in SUFFIXES if word.endswith(item))
            found.extend((word[: -len(suffix)], *glued.get(suffix, (suffix,))))
        else:
            found.append(word)
    return found


@lru_cache(maxsize=8192)
def judge_name(name: str) -> NameVerdict | None:
    """What a name says about its value, or None where it says nothing of a credential."""
    if len(name) > MAX_NAME or not TELLING.search(name):
        return None
    lex = lexicon()
    found = split(name)
    if not found or len(found) > MAX_WORDS:
        return None
    mock = any(word in lex.mock for word in found)
    for position in range(len(found) - 1, -1, -1):
        match = _head(found, position, lex)
        if match is None:
            continue
        kind, points, start, word = match
        tail = found[position + 1 :]
        if any(item in lex.behind for item in tail):
            return None
        before = lex.before.get(LABELS.get(kind, kind), frozenset())
        if any(item in before for item in found[:start]) and not (kind == "token" and _qualified(found[:start])):
            return None
        reasons = points
        if kind in ("token", "secret") and (start > 0 or tail):
            reasons += QUALIFIED
        if any(item not in lex.neutral for item in tail):
            reasons -= 1.0
        label = LABELS.get(kind, kind)
        return NameVerdict(
            label,
            reasons,
            Reason(reasons, f"the name is that of {with_article(_called(label))}"),
            plural=word.endswith("s") and word not in ("pass", "credentials", "creds"),
            mock=mock,
        )
    if found[-1] in lex.weak and not any(word in lex.before["key"] for word in found[:-1]):
        return NameVerdict(
            "weak", lex.weak_points, Reason(lex.weak_points, "the name may be that of a credential"), mock=mock
        )
    return None


LABELS = {"pass": "password", "pwd": "password", "verifier": "token"}
"""Kinds of the table that are told apart by their points only."""
ACCESS_WORDS = frozenset(
    {
        "access",
        "auth",
        "api",
        "oauth",
        "bearer",
        "hf",
        "github",
        "gitlab",
        "slack",
        "session",
        "refresh",
        "id",
        "bot",
        "hub",
    }
)


def _qualified(before: list[str]) -> bool:
    return bool(before) and before[-1] in ACCESS_WORDS


def _called(kind: str) -> str:
    return {"key": "secret key", "weak": "credential"}.get(kind, kind)


def _head(found: list[str], position: int, lex: Lexicon) -> tuple[str, float, int, str] | None:
    """Kind, points, where it starts and the word itself, if a word is the head of a credential's name."""
    word = found[position]
    if word in lex.heads:
        kind, points = lex.heads[word]
        return kind, points, position, word
    if position:
        for kind, points, first, last in lex.pairs:
            if word in last and (
                found[position - 1] in first
                or (kind == "key" and found[position - 1] == "id" and position > 1 and found[position - 2] == "secret")
            ):
                return kind, points, position - 1, word
    return None


ASKED = ("token", "secret", "pass", "pwd", "cred", "key", "verifier")
"""One of these stands in every telling name, weak ones aside. Searched one by one: faster than one pattern for all."""


def names_in(text: str, lower: str) -> dict[str, NameVerdict]:
    """The telling names that occur anywhere in a text (code, strings, comments), each with what it says; no weak ones.

    lower: the text in lower case. Costs next to nothing in files without any.
    """
    found: dict[str, NameVerdict] = {}
    if len(lower) != len(text):  # a few letters grow when they are lowered
        lower = "".join(character.lower() if character.isascii() else character for character in text)
    seen: set[str] = set()
    for word in ASKED:
        position = lower.find(word)
        while position >= 0:
            if lower[position - 1 : position] not in JOINED and (
                word == "key" or (word == "pass" and lower[position + 4 : position + 5] not in PASS)
            ):
                position = lower.find(
                    word, position + 4
                )  # `key` and `pass` alone are weak, and the most frequent by far
                continue
            after = NAME_END.match(lower, position + len(word)).end()  # type: ignore[union-attr]  # matches the empty text too
            before = lower[max(0, position - MAX_NAME) : position]
            begin = position - len(before) + len(before.rstrip(NAME_CHARACTERS))
            if text[begin - 1 : begin] == "\\" and text[begin] in ESCAPES and begin < position:
                begin += 1  # `\\npassword` in a literal is a line that begins with the name
            name = text[begin:after].strip("-")
            if name not in seen:
                seen.add(name)
                verdict = judge_name(name) if len(name) <= MAX_NAME else None
                if verdict is not None and verdict.kind != "weak":
                    found[name] = verdict
            position = lower.find(word, after)
    return found


JOINED = frozenset("abcdefghijklmnopqrstuvwxyz0123456789_-")
PASS = frozenset("wpc_-")
"""What follows in `password`, `passphrase`, `passcode`, `pass_…`."""
ESCAPES = frozenset("nrtNRT")
NAME_CHARACTERS = "abcdefghijklmnopqrstuvwxyz0123456789_-"
NAME_END = regex(r"[\w-]*")


def is_header(name: str) -> bool:
    """Whether an HTTP header of this name carries a credential."""
    return name.lower() in lexicon().headers
