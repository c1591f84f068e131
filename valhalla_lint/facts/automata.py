"""A regular expression as an automaton that can be asked which texts it accepts.

The standard library's own parser reads the pattern; nodes are built from its tree. Repetitions, alternatives, anchors,
look-aheads and one-character look-behinds are exact; back references, wider look-behinds, atomic groups and very large
counts are widened: the automaton then accepts more than the pattern does, and says so.
"""

import importlib
import re
import string
import warnings
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, NamedTuple

# The parser behind `re.compile`; it has no public name since `sre_parse` was deprecated in Python 3.11.
PARSER: Final[Any] = importlib.import_module("re._parser")

MAX_PATTERN = 2_000
"""Longest pattern that is looked at, in characters."""
MAX_NODES = 3_000
"""Largest automaton that is built."""
MAX_COPIES = 320
"""Most nodes that one counted repetition may unfold to; larger counts are widened to "or more"."""
WIDENED_MINIMUM = 2
"""How often a repetition is at least unfolded if its count is widened."""
MAX_WORK = 30_000
"""Steps of the search, over all questions about one pattern."""
STRETCHED = 8
"""A character that may stand this often or oftener may stand any number of times: no question is about lengths."""
LATIN_1 = 256
LINE_FEED = 10
WIDE = ("\u0130", "\u0660", "\u2028", "\u2044", "\u4e00", "\uff0f", "\U0001f600")
"""Characters beyond Latin-1 of each category that a pattern can name: letters, digits, line ends, symbols."""
TELLING = "/\\.:\0\n\r-~"
"""Characters that a question may be about, besides the letters; each is an atom of its own."""

BROKEN = (re.error, ValueError, OverflowError, RecursionError, TypeError, IndexError, AttributeError)
"""What the parser and the compiler raise for texts that are no pattern, or one that is too deep."""

CharTest = Callable[[str], bool]


class Parsed(NamedTuple):
    """A pattern as the standard library's parser reads it, with the flags that hold for the whole."""

    tree: Any
    flags: int


def parse(pattern: str | bytes, flags: int) -> Parsed | None:
    """The parser's tree, or None for what is no pattern, or one that is too long or too deep. Never raises."""
    text = pattern.decode("latin-1") if isinstance(pattern, bytes) else pattern
    if len(text) > MAX_PATTERN:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = PARSER.parse(text, int(flags) & ~re.LOCALE)
    except BROKEN:
        return None
    whole = int(tree.state.flags)
    return Parsed(tree, whole | re.ASCII if isinstance(pattern, bytes) else whole)


# --- the automaton


class Thread(NamedTuple):
    """One way of reading so far: all nodes of `all_of` must end well, and no thread of `none_of` may."""

    all_of: frozenset[int]
    none_of: "frozenset[Thread]"

    @property
    def surely(self) -> bool:
        """Whether it accepts whatever follows."""
        return not self.all_of and not self.none_of


NO_DEMAND = Thread(frozenset(), frozenset())


class Widened(Exception):  # noqa: N818 -- not an error: the pattern is outside of what is modelled
    """The pattern holds something that the automaton cannot even widen."""


class Spent(Exception):  # noqa: N818 -- as above
    """The budget is used up."""


class Automaton:
    """A pattern as nodes: ("char", test, next), ("split", nexts), ("prev", test, next), ("look", start, negated, next).

    Node LOOP accepts whatever follows, node END accepts at the end of the text only.
    widened: it accepts more than the pattern. negates: something in it must not match.
    """

    LOOP = 0
    END = 1

    def __init__(self) -> None:
        """An automaton with the two accepting nodes."""
        self.nodes: list[tuple[Any, ...]] = [("loop",), ("end",)]
        self.tests: list[CharTest] = []
        self.widened = False
        self.negates = False

    def add(self, *node: Any) -> int:  # noqa: ANN401 -- a node is a small tuple whose shape its first item tells
        """A new node's number. Raises Spent where the automaton grows too large."""
        if len(self.nodes) >= MAX_NODES:
            raise Spent
        self.nodes.append(node)
        return len(self.nodes) - 1

    def char(self, test: CharTest, after: int) -> int:
        """A node that reads one character."""
        self.tests.append(test)
        return self.add("char", test, after)

    def star(self, build: Callable[[int], int], after: int) -> int:
        """A node that reads what `build` reads, any number of times, and goes on."""
        split = self.add("split", ())
        body = build(split)
        self.nodes[split] = ("split", (body, after))
        return split

    def look(self, start: int, after: int, *, negated: bool) -> int:
        """A node that demands (or forbids) that `start` accepts from here, and goes on without reading."""
        self.negates = self.negates or negated
        return self.add("look", start, negated, after)

    def char_follows(self, test: CharTest, after: int, *, negated: bool) -> int:
        """The next character passes a test (or there is none that does)."""
        return self.look(self.char(test, self.LOOP), after, negated=negated)

    def previous(self, test: Callable[[str | None], bool], after: int) -> int:
        """The character before (None at the start) passes a test."""
        return self.add("prev", test, after)


def category(name: str, *, ascii_only: bool) -> CharTest:
    r"""The test of a category of the parser, such as `CATEGORY_NOT_WORD` for `\W`."""
    negated = "_NOT_" in name
    kind = name.rpartition("_")[2]

    def word(char: str) -> bool:
        return char == "_" or char.isalnum()

    plain = {"WORD": word, "DIGIT": str.isdecimal, "SPACE": str.isspace}.get(kind)
    if plain is None:
        raise Widened
    if not ascii_only:
        return lambda char: plain(char) is not negated
    if kind == "SPACE":
        return lambda char: (char in " \t\n\r\f\v") is not negated
    return lambda char: (char.isascii() and plain(char)) is not negated


def folded(test: CharTest) -> CharTest:
    """The same test without regard to case."""
    return lambda char: test(char) or test(char.lower()) or test(char.upper())


def anything(_char: str) -> bool:
    """The test that every character passes."""
    return True


class Builder:
    """Turns the parser's tree into nodes, from the end to the start, so that every node knows what follows it."""

    def __init__(self, automaton: Automaton, *, negated: bool = False) -> None:
        """Nodes go into the automaton; `landmarks` collects the characters at which tests change their answer.

        negated: the pattern must not match, so nothing in it may be taken for more than it is.
        """
        self.auto = automaton
        self.negated = negated
        self.landmarks: set[int] = set()

    def sequence(self, items: Any, flags: int, after: int) -> int:  # noqa: ANN401 -- the parser's tree has no types
        """The start node of a sequence."""
        for op, argument in reversed(list(items)):
            after = self.item(str(op), argument, flags, after)
        return after

    def item(self, op: str, argument: Any, flags: int, after: int) -> int:  # noqa: ANN401 -- as above
        """The start node of one item."""
        auto = self.auto
        match op:
            case "LITERAL" | "NOT_LITERAL" | "IN" | "ANY":
                test = self.test(op, argument, flags)
                return auto.char(test, after)
            case "BRANCH":
                return auto.add("split", tuple(self.sequence(branch, flags, after) for branch in argument[1]))
            case "SUBPATTERN":
                _, added, removed, inner = argument
                return self.sequence(inner, (flags | added) & ~removed, after)
            case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
                auto.widened = auto.widened or op == "POSSESSIVE_REPEAT"
                return self.repeat(*argument, flags=flags, after=after)
            case "ATOMIC_GROUP":
                auto.widened = True
                return self.sequence(argument, flags, after)
            case "ASSERT" | "ASSERT_NOT":
                return self.assertion(*argument, negated=op == "ASSERT_NOT", flags=flags, after=after)
            case "AT":
                return self.at(str(argument), flags, after)
            case "GROUPREF":
                auto.widened = True
                return auto.star(lambda start: auto.char(anything, start), after)
            case "GROUPREF_EXISTS":
                auto.widened = True
                _, yes, no = argument
                return auto.add(
                    "split", (self.sequence(yes, flags, after), self.sequence(no, flags, after) if no else after)
                )
            case "FAILURE":
                return auto.add("split", ())
            case _:
                raise Widened

    def test(self, op: str, argument: Any, flags: int) -> CharTest:  # noqa: ANN401 -- as above
        """The test of an item that reads one character."""
        match op:
            case "LITERAL":
                return self.literal(argument, flags)
            case "NOT_LITERAL":
                same = self.literal(argument, flags)
                return lambda char: not same(char)
            case "IN":
                return self.group(argument, flags)
            case _:
                self.landmarks.update((LINE_FEED, LINE_FEED + 1))
                return anything if flags & re.DOTALL else lambda char: char != "\n"

    def literal(self, code: int, flags: int) -> CharTest:
        """The test for one character."""
        char = chr(code)
        self.landmarks.update((code, code + 1, ord(char.swapcase()[0])))

        def same(other: str) -> bool:
            return other == char

        return folded(same) if flags & re.IGNORECASE else same

    def group(self, items: Any, flags: int) -> CharTest:  # noqa: ANN401 -- as above
        """The test for a character class."""
        tests: list[CharTest] = []
        negated = False
        for op, argument in items:
            match str(op):
                case "NEGATE":
                    negated = True
                case "LITERAL":
                    tests.append(self.literal(argument, 0))
                case "RANGE":
                    tests.append(self.span(*argument))
                case "CATEGORY":
                    tests.append(category(str(argument), ascii_only=bool(flags & re.ASCII)))
                case _:
                    raise Widened

        def one_of(char: str) -> bool:
            return any(test(char) for test in tests)

        test = folded(one_of) if flags & re.IGNORECASE else one_of
        return (lambda char: not test(char)) if negated else test

    def span(self, low: int, high: int) -> CharTest:
        """The test for a range of characters."""
        self.landmarks.update((max(low - 1, 0), low, high, high + 1))
        return lambda char: len(char) == 1 and low <= ord(char) <= high  # the upper case of one may be two characters

    def repeat(self, least: int, most: Any, inner: Any, *, flags: int, after: int) -> int:  # noqa: ANN401 -- as above
        """A counted repetition: unfolded where that stays small, else widened to "at least a few"."""
        auto = self.auto
        endless = str(most) == "MAXREPEAT"
        before = len(auto.nodes)
        last = self.sequence(inner, flags, after)
        size = max(1, len(auto.nodes) - before)
        if not endless and not self.negated and int(most) >= max(STRETCHED, least + 1):
            endless = self.one_char(inner, flags) is not None
        copies = least if endless else int(most)
        if copies * size > MAX_COPIES:
            auto.widened = True
            endless, least = True, min(least, WIDENED_MINIMUM)
        start = after
        if endless:
            start = auto.star(lambda back: self.sequence(inner, flags, back), after)
        else:
            for number in range(int(most) - least):
                body = last if number == 0 else self.sequence(inner, flags, start)
                start = auto.add("split", (body, after))
        for _ in range(least):
            start = self.sequence(inner, flags, start)
        return start

    def assertion(self, direction: int, inner: Any, *, negated: bool, flags: int, after: int) -> int:  # noqa: ANN401 -- as above
        """Look-ahead, or look-behind by one character; a wider look-behind is widened away."""
        auto = self.auto
        if direction > 0:
            around, self.negated = self.negated, self.negated or negated
            start = self.sequence(inner, flags, auto.LOOP)
            self.negated = around
            return auto.look(start, after, negated=negated)
        test = self.one_char(inner, flags)
        if test is None:
            auto.widened = True
            return after
        auto.tests.append(test)
        return auto.previous(lambda char: (char is not None and test(char)) is not negated, after)

    def one_char(self, items: Any, flags: int) -> CharTest | None:  # noqa: ANN401 -- as above
        """The test that a sequence of exactly one character is, or None."""
        found = list(items)
        if len(found) != 1:
            return None
        op, argument = str(found[0][0]), found[0][1]
        if op == "SUBPATTERN":
            return self.one_char(argument[3], (flags | argument[1]) & ~argument[2])
        return self.test(op, argument, flags) if op in ONE_CHAR else None

    def at(self, where: str, flags: int, after: int) -> int:
        """Anchors and word boundaries."""
        auto = self.auto
        lines = bool(flags & re.MULTILINE)
        self.landmarks.update((LINE_FEED, LINE_FEED + 1))
        match where:
            case "AT_BEGINNING" if lines:
                return auto.previous(lambda char: char in (None, "\n"), after)
            case "AT_BEGINNING" | "AT_BEGINNING_STRING":
                return auto.previous(lambda char: char is None, after)
            case "AT_END":
                rest = auto.LOOP if lines else auto.END
                line_end = auto.add("split", (auto.END, auto.char(lambda char: char == "\n", rest)))
                return auto.look(line_end, after, negated=False)
            case "AT_END_STRING":
                return auto.look(auto.END, after, negated=False)
            case "AT_BOUNDARY" | "AT_NON_BOUNDARY":
                word = category("CATEGORY_WORD", ascii_only=bool(flags & re.ASCII))
                auto.tests.append(word)
                boundary = where == "AT_BOUNDARY"
                auto.widened = auto.widened or not boundary  # in an empty text `\B` means another thing since 3.14
                inside = auto.previous(
                    lambda char: char is not None and word(char), auto.char_follows(word, after, negated=boundary)
                )
                outside = auto.previous(
                    lambda char: char is None or not word(char), auto.char_follows(word, after, negated=not boundary)
                )
                return auto.add("split", (inside, outside))
            case _:
                raise Widened


ONE_CHAR = frozenset({"LITERAL", "NOT_LITERAL", "IN", "ANY"})


# --- reading


HOPELESS = -1
"""The state of a machine that can no longer get what it looks for."""


class Machine(NamedTuple):
    """A property of a text, read character by character; HOPELESS ends it.

    step: (state, character) -> state, starting with 0. good: the states that have the property at the end of the text.
    """

    step: Callable[[int, str], int]
    good: frozenset[int]


class Reader:
    """Runs an automaton over representatives of the alphabet's atoms, remembering every step."""

    def __init__(self, automaton: Automaton, landmarks: Iterable[int]) -> None:
        """The atoms are chosen here: characters that no test of the pattern and no machine can tell apart are one."""
        self.auto = automaton
        self.work = 0
        self.atoms = self._atoms(landmarks)
        self._next: dict[tuple[Thread, str], tuple[Thread, ...]] = {}

    def _atoms(self, landmarks: Iterable[int]) -> tuple[str, ...]:
        candidates = [chr(code) for code in range(LATIN_1)]
        # Lower-case letters first, then what is readable: the first of its kind stands in every witness.
        candidates.sort(key=lambda char: (not (char.isascii() and char.isalnum()), not char.isprintable(), -ord(char)))
        candidates += WIDE
        candidates += [chr(code) for code in sorted(landmarks) if LATIN_1 <= code <= MAX_CODE]
        tests = list(dict.fromkeys(self.auto.tests))
        seen: dict[tuple[object, ...], str] = {}
        for char in candidates:
            special = char if char in TELLING else char in string.ascii_letters
            seen.setdefault((special, *(test(char) for test in tests)), char)
        return tuple(seen.values())

    def spend(self) -> None:
        """Raises Spent when the budget is used up."""
        self.work += 1
        if self.work > MAX_WORK:
            raise Spent

    def close(self, node: int, previous: str | None) -> list[Thread]:
        """The threads that a node stands for at a place, after everything that reads no character."""
        found: dict[Thread, None] = {}
        seen: set[tuple[int, Thread]] = set()
        stack: list[tuple[int, Thread]] = [(node, NO_DEMAND)]
        while stack:
            here = stack.pop()
            if here in seen:
                continue
            seen.add(here)
            self.spend()
            number, so_far = here
            match self.auto.nodes[number]:
                case ("loop",):
                    found[so_far] = None
                case ("split", nexts):
                    stack.extend((after, so_far) for after in reversed(nexts))
                case ("prev", test, after):
                    if test(previous):
                        stack.append((after, so_far))
                case ("look", start, negated, after):
                    inner = self.close(start, previous)
                    if not negated:
                        stack.extend((after, both(so_far, thread)) for thread in inner)
                    elif not any(thread.surely for thread in inner):
                        stack.append((after, Thread(so_far.all_of, so_far.none_of | frozenset(inner))))
                case _:
                    found[Thread(so_far.all_of | {number}, so_far.none_of)] = None
        return list(found)

    def step(self, thread: Thread, char: str) -> tuple[Thread, ...]:
        """The threads after one more character."""
        known = self._next.get((thread, char))
        if known is None:
            known = self._next[thread, char] = tuple(self._step(thread, char))
        return known

    def _step(self, thread: Thread, char: str) -> Iterator[Thread]:
        self.spend()
        none_of: set[Thread] = set()
        for forbidden in thread.none_of:
            none_of.update(self.step(forbidden, char))
        if any(forbidden.surely for forbidden in none_of):
            return
        ways = [Thread(frozenset(), frozenset(none_of))]
        for number in thread.all_of:
            node = self.auto.nodes[number]
            if node[0] != "char" or not node[1](char):
                return
            after = self.close(node[2], char)
            ways = [both(way, more) for way in ways for more in after]
            for _ in ways:
                self.spend()
        yield from dict.fromkeys(ways)

    def ends(self, thread: Thread) -> bool:
        """Whether the text may end here."""
        nodes = self.auto.nodes
        return all(nodes[number][0] == "end" for number in thread.all_of) and not any(
            self.ends(forbidden) for forbidden in thread.none_of
        )

    def search(self, start: int, machine: Machine) -> str | None:
        """A shortest text that the automaton accepts from a node and that has the machine's property, or None.

        Raises Spent where that cannot be told within the budget.
        """
        layer: list[tuple[Thread, int, str]] = [(thread, 0, "") for thread in self.close(start, None)]
        seen = {(thread, state) for thread, state, _ in layer}
        while layer:
            for thread, state, text in layer:
                if state in machine.good and self.ends(thread):
                    return text
            following: list[tuple[Thread, int, str]] = []
            for thread, state, text in layer:
                for char in self.atoms:
                    after = machine.step(state, char)
                    if after == HOPELESS:
                        continue
                    self.spend()
                    for moved in self.step(thread, char):
                        if (moved, after) not in seen:
                            seen.add((moved, after))
                            following.append((moved, after, text + char))
            layer = following
        return None


MAX_CODE = 0x10FFFF


def both(first: Thread, second: Thread) -> Thread:
    """The thread for which both must hold."""
    return Thread(first.all_of | second.all_of, first.none_of | second.none_of)
