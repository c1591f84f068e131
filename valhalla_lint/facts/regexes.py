"""What a check or a substitution by a regular expression proves, judged by what the pattern accepts.

"Accepts no such text" can be relied on; a witness is shown only if it is really accepted: proven by `re` itself where
the pattern's shape rules out more than polynomial work, else by an automaton that is exact. The analysed pattern is
never run on anything but short texts of ours. All work is bounded; what goes beyond a bound is "unknown".
"""

import string
from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import Enum
from functools import lru_cache
from typing import Any, Final, NamedTuple

from valhalla_lint.facts.automata import (
    BROKEN,
    HOPELESS,
    LATIN_1,
    Automaton,
    Builder,
    CharTest,
    Machine,
    Parsed,
    Reader,
    Spent,
    Widened,
    anything,
    parse,
)
from valhalla_lint.facts.backtracking import compiled

MAX_WITNESS = 32
"""Longest witness that is tried with `re`; longer ones stay unproven."""
CACHED_PATTERNS = 512
"""How many judgements are kept in a process."""
METHODS = frozenset({"match", "fullmatch", "search"})


class Feature(Enum):
    """What an accepted text may hold, in the order in which a reader wants to hear of it."""

    TRAVERSAL = "a `..` segment beside a slash"
    ABSOLUTE = "a leading slash"
    DOTDOT = "nothing but `..`"
    DRIVE = "a drive letter"
    BACKSLASH_TRAVERSAL = "a `..` segment beside a backslash"
    BACKSLASH_ABSOLUTE = "a leading backslash"
    SLASH = "a slash"
    BACKSLASH = "a backslash"
    NUL = "a NUL character"
    NEWLINE = "a line break"
    INNER_NEWLINE = "a line break before the end"
    DASH = "a leading dash"
    HOME = "a leading tilde"
    EMPTY = "nothing at all"


ESCAPES = frozenset(
    {
        Feature.TRAVERSAL,
        Feature.ABSOLUTE,
        Feature.DOTDOT,
        Feature.DRIVE,
        Feature.BACKSLASH_TRAVERSAL,
        Feature.BACKSLASH_ABSOLUTE,
    }
)
"""What leads out of a folder that a text is joined to, on POSIX or on Windows."""


class Answer(Enum):
    """Whether an accepted text may hold something: not knowing is an answer."""

    NEVER = "never"
    YES = "yes"
    UNKNOWN = "unknown"


class Acceptance(NamedTuple):
    """The judgement of a pattern.

    witnesses: for each feature that an accepted text has, the shortest such text that was found and proven.
    unknown: the features that were neither found nor ruled out.
    """

    witnesses: Mapping[Feature, str] = {}
    unknown: frozenset[Feature] = frozenset()

    def answer(self, feature: Feature) -> Answer:
        """Whether an accepted text may have the feature."""
        if feature in self.witnesses:
            return Answer.YES
        return Answer.UNKNOWN if feature in self.unknown else Answer.NEVER

    def never(self, features: Iterable[Feature]) -> bool:
        """Whether no accepted text has any of these."""
        return all(self.answer(feature) is Answer.NEVER for feature in features)

    @property
    def stays_inside(self) -> bool:
        """Whether every accepted text, joined to a folder, stays in it (POSIX and Windows)."""
        return self.never(ESCAPES)

    @property
    def one_segment(self) -> bool:
        """Whether every accepted text is one path part that stays where it is put."""
        return self.never((*ESCAPES, Feature.SLASH, Feature.BACKSLASH))

    def witness(self, features: Iterable[Feature] = ESCAPES) -> tuple[Feature, str] | None:
        """The first of the features (in the order of `Feature`) that an accepted text has, with that text."""
        wanted = frozenset(features)
        for feature in Feature:
            if feature in wanted and feature in self.witnesses:
                return feature, self.witnesses[feature]
        return None


NOT_KNOWN = Acceptance(unknown=frozenset(Feature))


# --- what is looked for: small machines that read a text character by character


HIT = 9
DOTS = 2


def holds(chars: str) -> Machine:
    """One of these characters stands somewhere."""
    return Machine(lambda state, char: HIT if state == HIT or char in chars else 0, frozenset({HIT}))


def starts(chars: str) -> Machine:
    """One of these characters stands first."""
    return Machine(lambda state, char: HIT if state == HIT or char in chars else HOPELESS, frozenset({HIT}))


def drive(state: int, char: str) -> int:
    """States: 0 start, 1 after a letter, HIT."""
    if state == HIT:
        return HIT
    if state == 0:
        return 1 if char in string.ascii_letters else HOPELESS
    return HIT if char == ":" else HOPELESS


FIRST_DOT, FIRST_DOTS, OTHER, LATER, LATER_DOT, LATER_DOTS = range(1, 7)
"""States of a text read for `..`: dots of its first segment, other text, the start of a later segment, its dots."""
NEXT_DOT: Final = {0: FIRST_DOT, FIRST_DOT: FIRST_DOTS, LATER: LATER_DOT, LATER_DOT: LATER_DOTS}


def segments(separators: str) -> Machine:
    """A `..` segment beside a separator: one behind it, or one before it at the end of the text."""

    def step(state: int, char: str) -> int:
        if state == HIT:
            return HIT
        if char in separators:
            return HIT if state in (FIRST_DOTS, LATER_DOTS) else LATER
        return NEXT_DOT.get(state, OTHER) if char == "." else OTHER

    return Machine(step, frozenset({HIT, LATER_DOTS}))


def only_dots(state: int, char: str) -> int:
    """States: the number of dots so far, up to two."""
    return state + 1 if char == "." and state < DOTS else HOPELESS


def inner_newline(state: int, char: str) -> int:
    """States: 0 no line break yet, 1 one as the last character, HIT."""
    if state:
        return HIT
    return 1 if char in "\n\r" else 0


MACHINES: Final[Mapping[Feature, Machine]] = {
    Feature.TRAVERSAL: segments("/"),
    Feature.ABSOLUTE: starts("/"),
    Feature.DOTDOT: Machine(only_dots, frozenset({DOTS})),
    Feature.DRIVE: Machine(drive, frozenset({HIT})),
    Feature.BACKSLASH_TRAVERSAL: segments("/\\"),
    Feature.BACKSLASH_ABSOLUTE: starts("\\"),
    Feature.SLASH: holds("/"),
    Feature.BACKSLASH: holds("\\"),
    Feature.NUL: holds("\0"),
    Feature.NEWLINE: holds("\n\r"),
    Feature.INNER_NEWLINE: Machine(inner_newline, frozenset({HIT})),
    Feature.DASH: starts("-"),
    Feature.HOME: starts("~"),
    Feature.EMPTY: Machine(lambda _state, _char: HOPELESS, frozenset({0})),
}


def features_of(text: str) -> Iterator[Feature]:
    """The features that one text has."""
    for feature, machine in MACHINES.items():
        state = 0
        for char in text:
            state = machine.step(state, char)
            if state == HOPELESS:
                break
        if state in machine.good:
            yield feature


# --- checks


@lru_cache(maxsize=CACHED_PATTERNS)
def accepted(pattern: str | bytes, flags: int = 0, method: str = "fullmatch", *, negated: bool = False) -> Acceptance:
    """What the texts that pass a check may hold.

    The check is `re.METHOD(pattern, text, flags)` with method `match`, `fullmatch` or `search`; with `negated` the
    texts pass in which it finds nothing (`if re.search(r"[^a-z]", name): raise`). Never raises.
    """
    parsed = parse(pattern, flags) if method in METHODS else None
    if parsed is None:
        return NOT_KNOWN
    automaton = Automaton()
    builder = Builder(automaton, negated=negated)
    try:
        goal = automaton.END if method == "fullmatch" else automaton.LOOP
        start = builder.sequence(parsed.tree, parsed.flags, goal)
        if method == "search":
            only = start
            start = automaton.add("split", ())
            automaton.nodes[start] = ("split", (only, automaton.char(anything, start)))
        if negated:
            start = automaton.look(start, automaton.LOOP, negated=True)
        reader = Reader(automaton, builder.landmarks)
    except (Widened, Spent, *BROKEN):
        return NOT_KNOWN
    relied = not (automaton.widened and automaton.negates)
    prove = proof(pattern, flags, method, negated=negated, exact=not automaton.widened)
    return answers(reader, start, prove, relied=relied)


def answers(reader: Reader, start: int, prove: Callable[[str], bool], *, relied: bool) -> Acceptance:
    """Ask for every feature; `relied` says whether "found none" means that there is none."""
    witnesses: dict[Feature, str] = {}
    unknown: set[Feature] = set()
    for feature, machine in MACHINES.items():
        try:
            found = reader.search(start, machine)
        except (Spent, RecursionError):
            unknown.add(feature)
            continue
        if found is not None and prove(found):
            witnesses[feature] = found
        elif found is not None or not relied:
            unknown.add(feature)
    return Acceptance(witnesses, frozenset(unknown))


def proof(pattern: str | bytes, flags: int, method: str, *, negated: bool, exact: bool) -> Callable[[str], bool]:
    """A test of witnesses: by `re` itself where the pattern's shape allows, else by the automaton if that is exact."""
    runnable = compiled(pattern, flags)

    def prove(text: str) -> bool:
        if runnable is None or len(text) > MAX_WITNESS:
            return exact
        subject: Any = text
        if isinstance(pattern, bytes):
            if any(ord(char) >= LATIN_1 for char in text):
                return False
            subject = text.encode("latin-1")
        return (getattr(runnable, method)(subject) is None) is negated

    return prove


# --- substitutions


HOSTILE: Final = (
    "..",
    "../x",
    "../../x",
    "/etc/passwd",
    "....//x",
    "..././x",
    "....\\\\x",
    "..\\x",
    "\\x",
    "C:\\x",
    "//x",
    ".../...//x",
    "....",
    "......",
    "~/x",
    "-x",
    "a\0b",
    "a\nb",
    "a\n",
    "",
)
"""Texts that substitutions meant to make a name safe are known to miss."""


@lru_cache(maxsize=CACHED_PATTERNS)
def survives(pattern: str | bytes, flags: int = 0, replacement: str = "", count: int = 0) -> Acceptance:
    """What the result of `re.sub(pattern, replacement, text, count, flags)` may hold, whatever the text. Never raises.

    Exact for patterns that are a class of characters, alone or repeated; any other pattern is tried on texts that
    such substitutions are known to miss, and gives witnesses (results) but no proof.
    """
    parsed = parse(pattern, flags)
    if parsed is None:
        return NOT_KNOWN
    if not count and (known := class_result(parsed, replacement)) is not None:
        return known
    runnable = compiled(pattern, flags)
    if runnable is None or isinstance(pattern, bytes):
        return NOT_KNOWN
    witnesses: dict[Feature, str] = {}
    for text in HOSTILE:
        try:
            result = runnable.sub(replacement, text, count=count)
        except BROKEN:
            return NOT_KNOWN
        for feature in features_of(result):
            witnesses.setdefault(feature, result)
    return Acceptance(witnesses, frozenset(Feature) - witnesses.keys())


def class_result(parsed: Parsed, replacement: str) -> Acceptance | None:
    r"""The exact answer for a class of characters (`[^a-z]`, `\W+`, `[./]`); None for any other pattern."""
    items = list(parsed.tree)
    repeated = False
    if len(items) == 1 and str(items[0][0]) == "MAX_REPEAT":
        least, most, inner = items[0][1]
        if least != 1 or str(most) != "MAXREPEAT":
            return None
        repeated = True
        items = list(inner)
    if "\\" in replacement:  # a template with references or escapes
        return None
    builder = Builder(Automaton())
    try:
        gone = builder.one_char(items, parsed.flags)
        return None if gone is None else leftovers(gone, builder.landmarks, replacement, repeated=repeated)
    except (Widened, Spent, *BROKEN):
        return None


def leftovers(gone: CharTest, landmarks: Iterable[int], replacement: str, *, repeated: bool) -> Acceptance:
    """What texts of kept characters and whole replacements may hold.

    repeated: runs are replaced as one, so two replacements never stand side by side.
    """
    automaton = Automaton()
    anywhere = automaton.add("split", ())
    kept = automaton.char(lambda char: not gone(char), anywhere)
    put = automaton.add("split", (kept, automaton.END)) if repeated else anywhere
    for letter in reversed(replacement):
        put = automaton.char(lambda char, letter=letter: char == letter, put)  # type: ignore[misc]  # the default binds the loop's value
    automaton.nodes[anywhere] = ("split", (kept, automaton.END, put) if replacement else (kept, automaton.END))
    reader = Reader(automaton, (*landmarks, *(ord(letter) for letter in replacement)))
    return answers(reader, anywhere, lambda _text: True, relied=True)


# --- what a pattern insists on


def literals(pattern: str | bytes, flags: int = 0) -> tuple[str, ...]:
    """The runs of literal characters that every match holds, in order (case as written). Never raises."""
    parsed = parse(pattern, flags)
    return () if parsed is None else tuple(runs(parsed.tree))


def runs(items: Any) -> Iterator[str]:  # noqa: ANN401 -- the parser's tree has no types
    """The literal runs of a sequence that is always matched."""
    text = ""
    for op, argument in items:
        if str(op) == "LITERAL":
            text += chr(argument)
            continue
        if text:
            yield text
        text = ""
        match str(op):
            case "SUBPATTERN":
                yield from runs(argument[3])
            case "ATOMIC_GROUP":
                yield from runs(argument)
            case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT" if argument[0] >= 1:
                yield from runs(argument[2])
            case "ASSERT":
                yield from runs(argument[1])
            case _:
                pass
    if text:
        yield text


# --- the same answers in the words that rows and guards use


RISK_WORDS: Final[Mapping[str, frozenset[Feature]]] = {
    "separator": frozenset({Feature.SLASH}),
    "backslash": frozenset({Feature.BACKSLASH}),
    "parent": frozenset({Feature.TRAVERSAL, Feature.DOTDOT}),
    "absolute": frozenset({Feature.ABSOLUTE}),
    "drive": frozenset({Feature.DRIVE}),
    "nul": frozenset({Feature.NUL}),
    "newline": frozenset({Feature.NEWLINE}),
}
"""Words for what a text may hold, with the features that mean it; "parent" and "absolute" speak of the slash alone,
as "backslash" holds wherever the other separator could do the same."""
ASKED: Final = frozenset().union(*RISK_WORDS.values())
SHOWN: Final = frozenset({*ESCAPES, Feature.SLASH, Feature.BACKSLASH, Feature.NUL, Feature.NEWLINE})
"""Features of which a witness is worth showing."""


def risk_words(judged: Acceptance, *, never: bool) -> frozenset[str]:
    """The words that never hold, or those that may."""
    return frozenset(word for word, features in RISK_WORDS.items() if judged.never(features) is never)


class Verdict(NamedTuple):
    """What a check by a pattern proves.

    understood: every question was answered. may: words of `RISK_WORDS` that an accepted text can still hold.
    trailing_newline_only: a line break is accepted only at the very end (because `$` allows one there).
    anchored: no text is accepted merely because a part of it fits. witness: an accepted text that shows the worst of
    what remains, "" where there is none or none was proven.
    """

    understood: bool
    may: frozenset[str]
    trailing_newline_only: bool = False
    anchored: bool = False
    witness: str = ""


@lru_cache(maxsize=CACHED_PATTERNS)
def judge(pattern: str | bytes, flags: int = 0, method: str = "fullmatch") -> Verdict:
    """What is proven where `re.METHOD(pattern, text, flags)` finds something. Never raises."""
    judged = accepted(pattern, flags, method)
    worst = judged.witness(SHOWN)
    return Verdict(
        understood=judged.unknown.isdisjoint(ASKED),
        may=risk_words(judged, never=False),
        trailing_newline_only=judged.answer(Feature.NEWLINE) is Answer.YES
        and judged.answer(Feature.INNER_NEWLINE) is Answer.NEVER,
        anchored=method == "fullmatch" or judged.answer(Feature.NUL) is Answer.NEVER,
        witness=worst[1] if worst else "",
    )


def refuses(pattern: str | bytes, flags: int = 0, method: str = "search") -> frozenset[str]:
    """The words of `RISK_WORDS` that no text holds in which the pattern finds nothing. Never raises."""
    return risk_words(accepted(pattern, flags, method, negated=True), never=True)


def let_through(pattern: str | bytes, flags: int = 0, method: str = "search") -> str:
    """A text that leaves a folder although the pattern finds nothing in it; "" where none is known. Never raises."""
    worst = accepted(pattern, flags, method, negated=True).witness(SHOWN)
    return worst[1] if worst else ""


def strips(pattern: str | bytes, flags: int = 0, replacement: str = "") -> frozenset[str]:
    """The words of `RISK_WORDS` that no result of `re.sub(pattern, replacement, text, flags=flags)` holds."""
    return risk_words(survives(pattern, flags, replacement), never=True)
