"""What functions and methods of texts, numbers and regular expressions do to a value."""

import ast
import re
import string
from collections.abc import Callable, Iterable

from valhalla_lint.core.frozen import replace
from valhalla_lint.core.regex import regex
from valhalla_lint.facts.constants import MISSING
from valhalla_lint.facts.regexes import judge, refuses, strips
from valhalla_lint.flow.checks import ALPHANUMERIC, CONTENT, Base, charset, escapes, example_of, prefix
from valhalla_lint.flow.labels import ANYTHING, BOUNDS, PLACE, RISK_NAMES, Kind, Mark, Risk
from valhalla_lint.flow.machine import Call, Machine
from valhalla_lint.flow.paths import Paths, named_separator, with_insides
from valhalla_lint.flow.shown import visible
from valhalla_lint.flow.strings import Piece, built
from valhalla_lint.flow.values import (
    CLEAN,
    Attempt,
    Facts,
    Label,
    Library,
    Place,
    Regex,
    Truth,
    Value,
    View,
    all_labels,
    reads_as,
    together,
    union,
    with_labels,
    without,
)
from valhalla_lint.flow.words import is_number

PLACE_WORDS = frozenset({"separator", "backslash", "parent", "absolute", "drive", "nul", "newline"})
REPEATED = regex(r"(?:\]|\\w|\\S)(?:[+*]|\{\d)")
"""A class of characters that is repeated: the body of a name."""
MAX_REPLACED = 6
"""Replacements before a question about letters that are looked back through."""
GROUPS = frozenset("group groups groupdict expand start end span lastgroup".split())
"""What is asked of a match for what it found, not for whether it did."""
MAX_RESULT = 10_000
"""Characters of a folded text."""


# --- methods of texts


def _receiver(call: Call) -> Value:
    return call.receiver or CLEAN


def _folded(call: Call) -> Value | None:
    """A method of a constant text with constant arguments, done."""
    receiver = _receiver(call)
    if not isinstance(receiver.const, str | bytes) or call.keywords or call.spread:
        return None
    if any(value.const is MISSING for value in call.arguments):
        return None
    if call.name not in FOLDED or len(receiver.const) > MAX_RESULT:
        return None
    try:
        result = getattr(receiver.const, call.name)(*(value.const for value in call.arguments))
    except (TypeError, ValueError, LookupError, AttributeError, OverflowError):
        return None
    return Value(const=tuple(result) if isinstance(result, list) else result)


FOLDED = frozenset(
    """lower upper strip lstrip rstrip replace split rsplit startswith endswith find index count removeprefix
    removesuffix title capitalize partition rpartition encode decode isalnum isdigit isalpha splitlines casefold
    swapcase""".split()
)


def on_same(machine: Machine, call: Call) -> Value:
    del machine
    receiver = _receiver(call)
    return Value(receiver.labels, MISSING, receiver.things if not receiver.labels else ())


def on_strip(machine: Machine, call: Call) -> Value:
    """`strip("/")`: what begins at the root no longer does; `..` inside stays."""
    receiver = _receiver(call)
    characters = call.arguments[0].text if call.arguments else None
    if characters is None or not receiver.labels:
        return on_same(machine, call)
    gone = Risk.NONE
    if call.name != "rstrip" and "/" in characters:
        gone |= Risk.ABSOLUTE
    labels: list[Label] = []
    for label in receiver.labels:
        end = ("end",) if call.name == "rstrip" else ()
        left = machine.left(label, call.state) & ~gone
        new = machine.derived(label, call.state, "strip", characters, *end, risk=left)
        if "." in characters and gone:
            attempt = Attempt(
                Place(call.frame.unit, call.node),
                f"{call.name}({characters!r})",
                "'..' may come later",
                "a/../../etc/passwd",
            )
            call.state.attempt(new.content, attempt)
        labels.append(new)
    return with_labels(tuple(labels))


EITHER = regex(r"\[(?:/\\\\|\\\\/|\\/\\\\|\\\\\\/)\]")
"""A class of both separators, as patterns write it."""
ONCE = regex(r"\((?:\?:)?(?P<once>[^()|]*)\)[+*]?")
LITERAL = regex(r"(?:[\w/ -]|\\[^\w\s])+")
ESCAPED = regex(r"\\(.)")
GROUP = regex(r"\((?!\?)|\(\?P<")
"""What begins a group of which a match keeps what it found."""


def on_replace(machine: Machine, call: Call) -> Value:
    receiver = _receiver(call)
    if len(call.arguments) < 2:  # noqa: PLR2004 -- replace(old, new); a path's replace(target) is handled before
        return on_same(machine, call)
    old, new = call.arguments[0].text, call.arguments[1].text
    extra = union(value.labels for value in call.arguments[1:2])
    if old is None or new is None:
        return with_labels(union([_without_written(receiver.labels, call.arguments[0]), extra]))
    if old == "\\" and new == "/":
        return Value((*without(receiver.labels, Risk.BACKSLASH), *extra), MISSING, ())
    place = Place(call.frame.unit, call.node)
    labels: list[Label] = []
    for label in receiver.labels:
        left = machine.left(label, call.state)
        gone, reason, example = replaced(old, new)
        fresh = machine.derived(label, call.state, "replace", old, new, risk=left & ~gone)
        if reason and escapes(left & ~gone):
            attempt = Attempt(place, f"replace({old!r}, {new!r})", reason, example, telling=not gone)
            if not gone:
                machine.checks.append(attempt)
            call.state.attempt(fresh.content, attempt)
        if label.marks & Mark.JOINED or not gone:
            fresh = replace(fresh, marks=fresh.marks & ~(Mark.NORMAL | Mark.RESOLVED))
        labels.append(fresh)
    return with_labels((*labels, *extra))


def _without_written(labels: tuple[Label, ...], old: Value) -> tuple[Label, ...]:
    """The labels of a text without those of the very secret that is replaced in it."""
    gone = {label.origin.text for label in old.labels if label.origin.kind is Kind.SECRET}
    return tuple(label for label in labels if label.origin.kind is not Kind.SECRET or label.origin.text not in gone)


def replaced(old: str, new: str) -> tuple[int, str, str]:
    """What `replace` takes away, why that is not enough, and a text that shows it."""
    if any(mark in new for mark in "/\\"):
        return Risk.NONE, "", ""
    match old:
        case "." if new:  # a character is written otherwise, nothing is to be kept out
            return Risk.PARENT if "." not in new else Risk.NONE, "", ""
        case "/":
            return Risk.SEPARATOR | Risk.ABSOLUTE, "the other separator stays", "..\\..\\x"
        case "\\":
            return Risk.BACKSLASH, "", ""
        case "..":
            return (Risk.PARENT, "an absolute path stays", "/etc/passwd") if "." not in new else (0, "", "")
        case ".":
            return (Risk.PARENT, "an absolute path stays", "/etc/passwd") if "." not in new else (0, "", "")
        case "../" | "..\\" | "/.." | "./" | "..//":
            doubled = {"../": "....//", "..\\": "....\\\\", "/..": "//....", "./": "..//"}.get(old, "....//")
            return Risk.NONE, "what is left after one pass may be dangerous again", f"{doubled}etc/passwd"
        case _:
            return Risk.NONE, "", ""


def on_startswith(machine: Machine, call: Call) -> Value:
    receiver = _receiver(call)
    if not receiver.labels or not call.arguments:
        return CLEAN
    prefixes = call.arguments[0]
    node = call.expression(0)
    place = Place(call.frame.unit, call.node)
    if machine.is_chosen_outside(prefixes, call.state):
        return CLEAN
    assert isinstance(machine, Paths)
    texts: list[Base] = []
    if isinstance(prefixes.const, tuple):
        texts = [Base(text, text.endswith(("/", "\\")), repr(text)) for text in prefixes.const if isinstance(text, str)]
    else:
        base = machine.base_of(prefixes, node, call.frame)
        if base.text is None and named_separator(node, call.frame):
            base = base._replace(ends=True)
        texts = [base]
    relative = reads_as(receiver, "relative")
    if relative is not None and texts[0].text in ("..", "../", "..\\"):
        return Value(truth=Truth(Facts(), Facts({label.spot: CONTENT for label in relative.subject.labels})))
    labels = receiver.labels if prefixes.const is not MISSING else machine.unproven(receiver, call.state, prefixes)
    truths = [prefix(labels, place, base) for base in texts]
    known = [truth for truth in truths if truth is not None]
    if not known:
        return CLEAN
    if len(known) == 1 and len(texts) == 1:
        return Value(truth=with_insides(known[0], receiver))
    fails = together(truth.fails or Facts() for truth in known)
    holds = Facts({}, together(truth.holds or Facts() for truth in known).tried)
    if len(known) == len(texts):
        holds = Facts(shared([truth.holds for truth in known]), holds.tried)
    return Value(truth=Truth(holds=holds, fails=fails))


def shared(facts: list[Facts | None]) -> dict[int, int]:
    """What is proven by each of these."""
    found = dict(facts[0].proven) if facts and facts[0] is not None else {}
    for item in facts[1:]:
        known = item.proven if item is not None else {}
        found = {token: risk & known[token] for token, risk in found.items() if token in known}
    return found


def on_charset(machine: Machine, call: Call) -> Value:
    """`isalnum` and kin: true only where no separator and no dot is in it."""
    proven: dict[int, int] = {}
    for label in _receiver(call).labels:
        proven[label.content] = ALPHANUMERIC
        proven.update(_before_replacing(machine, label.content))
    return Value(truth=Truth(holds=Facts(proven), fails=Facts()))


def _before_replacing(machine: Machine, content: int) -> dict[int, int]:
    """What a text is made of from which something was taken out: `name.replace("-", "").isalnum()`."""
    proven: dict[int, int] = {}
    letters = string.ascii_letters + string.digits
    for _ in range(MAX_REPLACED):
        match machine.parts(content):
            case ("replace", str(old), str(new), int(before)) if not new or new.isalnum():
                letters += old
                content = before
                proven[content] = charset(letters)
            case _:
                break
    return proven


def on_split(machine: Machine, call: Call) -> Value:
    receiver = _receiver(call)
    if not receiver.labels:
        return CLEAN
    separator = call.arguments[0] if call.arguments else Value(const=" ")
    if call.name in ("partition", "rpartition"):
        separator = call.arguments[0] if call.arguments else CLEAN
    del machine
    return Value((), MISSING, (View("split", receiver, separator),))


def on_format(machine: Machine, call: Call) -> Value:
    """`template.format(…)`."""
    receiver = _receiver(call)
    if receiver.text is None:
        return with_labels(union([receiver.labels, *(all_labels(value, call.state) for value in call.everything)]))
    pieces: list[Piece] = []
    position = 0
    rest = receiver.text.replace("{{", "\0").replace("}}", "\1")
    for part in re.split(r"(\{[^{}]*\})", rest):
        if part.startswith("{"):
            name = re.split(r"[.\[:!]", part[1:-1])[0]
            value: Value | None
            node: ast.expr | None
            if is_number(name) or not name:
                index = int(name) if name else position
                position += 1
                value, node = call.argument(index), call.expression(index)
            else:
                value, node = call.keywords.get(name), call.expression(-1, name)
            pieces.append(Piece(value if value is not None else CLEAN, node if node is not None else call.node))
        elif part:
            pieces.append(Piece(Value(const=part.replace("\0", "{").replace("\1", "}")), call.node))
    return built(machine, pieces, call.node, call.state, call.frame) if pieces else Value(const="")


def on_join(machine: Machine, call: Call) -> Value:
    """`"/".join(parts)`."""
    receiver = _receiver(call)
    parts = call.arguments[0] if call.arguments else CLEAN
    items = machine.elements(parts, call.state, call.node)
    thing = parts.thing
    if isinstance(thing, View) and thing.kind in ("split", "parts"):
        items = Value(thing.subject.labels)
    found = machine.cell(parts, call.state)
    if found is not None and found[1].kind == "list" and found[1].exact and receiver.text is not None:
        node = call.expression(0)
        nodes = node.elts if isinstance(node, ast.List | ast.Tuple) else [call.node] * len(found[1].items)
        pieces: list[Piece] = []
        for index, value in found[1].items.items():
            if pieces:
                pieces.append(Piece(receiver, call.node))
            pieces.append(Piece(value, nodes[index] if isinstance(index, int) and index < len(nodes) else call.node))
        return built(machine, pieces, call.node, call.state, call.frame) if pieces else Value(const="")
    return with_labels(union([receiver.labels, items.labels]))


def on_find(machine: Machine, call: Call) -> Value:
    del machine
    receiver = _receiver(call)
    return Value(things=(View("find", receiver, call.argument(0)),)) if receiver.labels else CLEAN


def on_decode(machine: Machine, call: Call) -> Value:
    del machine
    receiver = _receiver(call)
    return Value(receiver.labels)


def on_clean(machine: Machine, call: Call) -> Value:
    del machine, call
    return CLEAN


def on_bool(machine: Machine, call: Call) -> Value:
    """`bool(x)`: an answer tells what it told before."""
    del machine
    value = call.argument(0) or CLEAN
    if value.const is not MISSING:
        return Value(const=bool(value.const))
    return Value(truth=value.truth)


def raises_for_places(call: Call) -> None:
    """Learn from a conversion that came to its end: what it was given was a number or a UUID, and so is no place."""
    value = call.argument(0) or CLEAN
    proven = {label.content: PLACE for label in value.labels if not label.marks & Mark.JOINED}
    if proven:
        call.state.learn(Facts(proven))


def on_uuid(machine: Machine, call: Call) -> Value:
    """`uuid.UUID(x)` raises unless the text is one, in whatever spelling."""
    del machine
    raises_for_places(call)
    return CLEAN


METHODS: dict[str, Callable[[Machine, Call], Value]] = {
    **dict.fromkeys(
        """lower upper title capitalize casefold swapcase zfill ljust rjust center expandtabs removeprefix removesuffix
        decode encode strip_ splitlines tobytes""".split(),
        on_same,
    ),
    **dict.fromkeys("strip lstrip rstrip".split(), on_strip),
    **dict.fromkeys("isalnum isalpha isdigit isdecimal isnumeric isidentifier".split(), on_charset),
    **dict.fromkeys("split rsplit partition rpartition".split(), on_split),
    **dict.fromkeys("find rfind index rindex count".split(), on_find),
    **dict.fromkeys("endswith isspace islower isupper istitle isprintable isascii hexdigest digest".split(), on_clean),
    "replace": on_replace,
    "startswith": on_startswith,
    "format": on_format,
    "join": on_join,
}
"""Methods of texts."""


def text_method(machine: Machine, call: Call) -> Value | None:
    """A method of a text; None where it is none."""
    handler = METHODS.get(call.name)
    if handler is None:
        return None
    done = _folded(call)
    return done if done is not None else handler(machine, call)


# --- functions


def on_number(machine: Machine, call: Call) -> Value:
    """`int(x)`: a number has no place; its bounds are still open."""
    value = call.argument(0) or CLEAN
    if isinstance(value.const, int | float | str):
        try:
            return Value(const=int(value.const) if call.name == "int" else float(value.const))
        except (ValueError, OverflowError):
            return CLEAN
    del machine
    raises_for_places(call)
    return with_labels(tuple(replace(label, risk=label.risk & (Risk.UPPER | Risk.LOWER)) for label in value.labels))


def on_text(machine: Machine, call: Call) -> Value:
    value = call.argument(0) or CLEAN
    if isinstance(value.const, str | int | float | bool):
        return Value(const=str(value.const))
    return with_labels(visible(machine, value, call.state) if machine.secrets else all_labels(value, call.state))


def on_length(machine: Machine, call: Call) -> Value:
    value = call.argument(0) or CLEAN
    if isinstance(value.const, str | bytes | tuple | frozenset):
        return Value(const=len(value.const))
    del machine
    labels = all_labels(value, call.state)
    asked = value if reads_as(value, "parts") is not None else with_labels(labels)
    return Value(things=(View("length", asked),)) if labels else CLEAN


def on_least(machine: Machine, call: Call) -> Value:
    """`min(x, LIMIT)` bounds from above, `max(x, LIMIT)` from below."""
    del machine
    values = call.arguments
    if len(values) < 2:  # noqa: PLR2004 -- the least of one collection
        return with_labels(union(all_labels(value, call.state) for value in values))
    gone = Risk.UPPER if call.name == "min" else Risk.LOWER
    fixed = any(not value.labels for value in values)
    labels = union(value.labels for value in values)
    return with_labels(tuple(replace(label, risk=label.risk & ~gone) for label in labels) if fixed else labels)


def on_decoded(machine: Machine, call: Call) -> Value:
    """`unquote`, `b64decode`: a new text, in which anything may stand again; checks before it were void."""
    value = call.argument(0) or CLEAN
    return with_labels(
        tuple(
            machine.derived(label, call.state, call.name, risk=ANYTHING & ~BOUNDS | label.risk & BOUNDS, decoded=True)
            for label in value.labels
        )
    )


def on_quoted(machine: Machine, call: Call) -> Value:
    """`quote(x, safe="")` leaves no separator; by default "/" stays."""
    value = call.argument(0) or CLEAN
    safe = call.argument(1, "safe")
    gone = Risk.BACKSLASH | Risk.DRIVE | Risk.NUL | Risk.NEWLINE
    if (safe is not None and safe.text is not None and "/" not in safe.text) or call.name.endswith("quote_plus"):
        gone |= Risk.SEPARATOR | Risk.ABSOLUTE
    return with_labels(
        tuple(
            machine.derived(label, call.state, "quote", risk=machine.left(label, call.state) & ~gone)
            for label in value.labels
        )
    )


def on_parsed(machine: Machine, call: Call) -> Value:
    """`json.loads`: the same outside data in another form."""
    value = call.argument(0) or CLEAN
    return with_labels(tuple(machine.derived(label, call.state, call.name, decoded=True) for label in value.labels))


def on_passed(machine: Machine, call: Call) -> Value:
    del machine
    return with_labels(union(all_labels(value, call.state) for value in call.everything))


def on_address(machine: Machine, call: Call) -> Value:
    """`urlparse(x)`: the parts of an address, of which the attributes tell which."""
    subject = call.argument(0, "url") or CLEAN
    return with_labels(tuple(machine.derived(label, call.state, "address") for label in subject.labels))


# --- regular expressions


def pattern_of(machine: Machine, call: Call) -> tuple[str, int, Value] | None:
    """Pattern, flags and subject of a regular expression's call; None where the pattern is not known."""
    receiver = call.receiver
    if receiver is not None and isinstance(receiver.thing, Regex):
        subject = call.argument(0, "string") or CLEAN
        return receiver.thing.pattern, receiver.thing.flags, subject
    given = _given_pattern(machine, call, 2)
    return (given.pattern, given.flags, call.argument(1, "string") or CLEAN) if given is not None else None


def _given_pattern(machine: Machine, call: Call, flags: int) -> Regex | None:
    """The pattern that a function of `re` is given first, compiled or not; flags: which argument has those."""
    pattern = call.argument(0, "pattern")
    if pattern is None:
        return None
    if isinstance(pattern.thing, Regex):
        return pattern.thing
    text = pattern.text
    if text is None and isinstance(pattern.thing, Library):  # of another file of the project
        found = machine.pattern_of(pattern.thing.name, call.frame)
        if found is not None:
            return found
        text = machine.constant_of(pattern.thing.name, call.frame)
    return Regex(text, _flags(call, flags)) if text is not None else None


def _flags(call: Call, position: int) -> int:
    found = call.argument(position, "flags")
    if found is not None and isinstance(found.const, int):
        return int(found.const)
    node = call.expression(position, "flags")
    flags = 0
    for part in ast.walk(node) if node is not None else ():
        if isinstance(part, ast.Attribute) and part.attr in re.RegexFlag.__members__:
            flags |= int(re.RegexFlag[part.attr])
    return flags


def on_compile(machine: Machine, call: Call) -> Value:
    del machine
    pattern = call.argument(0, "pattern")
    if pattern is None or pattern.text is None:
        return CLEAN
    return Value(things=(Regex(pattern.text, _flags(call, 1)),))


def on_match(machine: Machine, call: Call) -> Value:
    """`match`, `fullmatch`, `search`: what an accepted text can hold, and what a refused one cannot."""
    found = pattern_of(machine, call)
    method = call.name.rpartition(".")[2]
    if found is None:
        every = union(value.labels for value in call.arguments)
        if not every:
            return CLEAN
        return Value(truth=_unread(call, every), labels=every)
    pattern, flags, subject = found
    if not subject.labels:
        return CLEAN
    verdict = judge(pattern, flags, method)
    place = Place(call.frame.unit, call.node)
    reads = _reads_groups(call)
    proven: dict[int, int] = {}
    tried: dict[int, tuple[Attempt, ...]] = {}
    gone = Risk.NONE
    if verdict.understood:
        may = verdict.may - ({"newline"} if verdict.trailing_newline_only else set())
        gone = risk_of(PLACE_WORDS - may)
        if verdict.anchored and not may & {"parent", "absolute"}:
            gone |= Risk.FREE
        if verdict.anchored:
            gone |= Risk.LONG & 0
    missing = risk_of(PLACE_WORDS & refuses(pattern, flags, method))
    refuted = {label.content: missing for label in subject.labels} if missing else {}
    refusal: dict[int, tuple[Attempt, ...]] = {}
    for label in subject.labels:
        if gone:
            proven[label.content] = gone
        left = machine.left(label, call.state)
        if reads:
            continue  # something is read out of the text, which is no word about the whole of it
        if escapes(left & ~gone) and (gone & PLACE or _about_text(pattern)):
            why = "only the beginning is matched" if not verdict.anchored else "it accepts more than names"
            free = verdict.anchored and not gone & (Risk.SEPARATOR | Risk.PARENT)  # of paths, as it is meant to be
            tried[label.content] = (
                Attempt(place, f"the pattern {pattern!r}", why, verdict.witness or example_of(left & ~gone), void=free),
            )
        if missing and escapes(left & ~missing):
            refusal[label.content] = (
                Attempt(place, f"the pattern {pattern!r}", "it refuses too little", example_of(left & ~missing)),
            )
    labels = tuple(
        replace(machine.derived(label, call.state, "match", pattern), risk=machine.left(label, call.state) & ~gone)
        for label in subject.labels
    )
    return Value(labels, MISSING, (), Truth(Facts(proven, tried), Facts(refuted, refusal)))


def _reads_groups(call: Call) -> bool:
    """Whether the groups of a match are read, at once or by the name that it is given."""
    module = call.frame.unit.module
    match module.parent(call.node):
        case ast.Attribute(attr=attr):
            return attr in GROUPS
        case ast.Subscript(value=value):
            return value is call.node
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.NamedExpr(target=ast.Name(id=name)):
            pass
        case _:
            return False
    around = module.function(call.node)
    for item in module.index.own(around) if around is not None else ():
        match item:
            case ast.Attribute(value=ast.Name(id=found), attr=attr) if found == name and attr in GROUPS:
                return True
            case ast.Subscript(value=ast.Name(id=found), ctx=ast.Load()) if found == name:
                return True
            case _:
                pass
    return False


def _about_text(pattern: str) -> bool:
    """Whether a pattern is meant to say what a name may be made of, rather than to find something in it."""
    return REPEATED.search(pattern) is not None


def _unread(call: Call, labels: tuple[Label, ...]) -> Truth:
    """A pattern that is not known here is believed where a whole text has to match it."""
    gone = CONTENT if call.name.endswith("fullmatch") else Risk.NONE
    return Truth(Facts({label.content: gone for label in labels} if gone else {}), Facts())


def risk_of(names: Iterable[str]) -> int:
    """Risks by their words."""
    found = Risk.NONE
    for name in names:
        found |= RISK_NAMES[name]
    return found


def written_out(pattern: str) -> str | None:
    """The text that a pattern means where it means one only, a slash for either separator; repetitions count once."""
    plain = EITHER.sub("/", pattern)
    repeated = ONCE.fullmatch(plain)
    plain = repeated["once"] if repeated is not None else plain
    return ESCAPED.sub(r"\1", plain) if LITERAL.fullmatch(plain) else None


def on_substitute(machine: Machine, call: Call) -> Value:
    receiver = call.receiver
    if receiver is not None and isinstance(receiver.thing, Regex):
        pattern, flags = receiver.thing.pattern, receiver.thing.flags
        replacement, subject = call.argument(0, "repl"), call.argument(1, "string") or CLEAN
    else:
        replacement, subject = call.argument(1, "repl"), call.argument(2, "string") or CLEAN
        given = _given_pattern(machine, call, 4)
        if given is None:
            return with_labels(union(value.labels for value in call.arguments))
        pattern, flags = given.pattern, given.flags
    text = replacement.text if replacement is not None else None
    gone = risk_of(PLACE_WORDS & strips(pattern, flags, text)) if text is not None else Risk.NONE
    old = written_out(pattern)
    lost, reason, example = replaced(old, text) if old is not None and text is not None else (Risk.NONE, "", "")
    gone |= lost
    place = Place(call.frame.unit, call.node)
    labels: list[Label] = []
    for label in subject.labels:
        left = machine.left(label, call.state) & ~gone
        if label.origin.kind is Kind.SECRET:
            from valhalla_lint.facts.redaction import hides  # knows all providers: only where a secret is at hand

            left &= ~Risk.PLAIN if hides(pattern, flags, text) else left
        if not escapes(left):
            left &= ~Risk.FREE
        fresh = machine.derived(label, call.state, "sub", pattern, text, risk=left)
        if escapes(left) and reason:
            attempt = Attempt(place, f"re.sub({pattern!r}, …)", reason, example, telling=not lost)
            if not lost:
                machine.checks.append(attempt)
            call.state.attempt(fresh.content, attempt)
        elif escapes(left) and gone & PLACE and not (gone & PLACE == Risk.BACKSLASH and text == "/"):  # only spelling
            attempt = Attempt(place, f"re.sub({pattern!r}, …)", "it leaves too much", example_of(left))
            call.state.attempt(fresh.content, attempt)
        labels.append(fresh)
    return with_labels(tuple(labels))


def on_separate(machine: Machine, call: Call) -> Value:
    """`re.split`: as the method of texts, where the pattern stands for a separator of paths and hands none back."""
    found = pattern_of(machine, call)
    if found is None or not found[2].labels:
        return on_passed(machine, call)
    pattern, flags, subject = found
    gone = strips(pattern, flags, "")
    if "separator" not in gone or GROUP.search(pattern):
        return on_passed(machine, call)
    return Value((), MISSING, (View("split", subject, Value(const="/")),))


FUNCTIONS: dict[str, Callable[[Machine, Call], Value]] = {
    "int": on_number,
    "float": on_number,
    "bool": on_bool,
    "complex": on_clean,
    "str": on_text,
    "repr": on_text,
    "len": on_length,
    "min": on_least,
    "max": on_least,
    "abs": on_passed,
    "round": on_passed,
    "bytes": on_passed,
    "bytearray": on_passed,
    "hash": on_clean,
    "id": on_clean,
    "ord": on_clean,
    "isinstance": on_clean,
    "hasattr": on_clean,
    "callable": on_clean,
    "uuid.UUID": on_uuid,
    "decimal.Decimal": on_clean,
    "fractions.Fraction": on_clean,
    "datetime.datetime.fromisoformat": on_clean,
    "datetime.date.fromisoformat": on_clean,
    "ipaddress.ip_address": on_clean,
    "urllib.parse.unquote": on_decoded,
    "urllib.parse.unquote_plus": on_decoded,
    "urllib.parse.unquote_to_bytes": on_decoded,
    "html.unescape": on_decoded,
    "base64.b64decode": on_decoded,
    "base64.urlsafe_b64decode": on_decoded,
    "base64.b64encode": on_passed,
    "base64.urlsafe_b64encode": on_passed,
    "binascii.unhexlify": on_decoded,
    "bytes.fromhex": on_decoded,
    "urllib.parse.quote": on_quoted,
    "urllib.parse.quote_plus": on_quoted,
    "urllib.parse.urlparse": on_address,
    "urllib.parse.urlsplit": on_address,
    "json.loads": on_parsed,
    "yaml.safe_load": on_parsed,
    "ast.literal_eval": on_parsed,
    "copy.copy": on_passed,
    "copy.deepcopy": on_passed,
    "html.escape": on_passed,
    "shlex.quote": on_passed,
    "re.escape": on_passed,
    "re.compile": on_compile,
    "re.match": on_match,
    "re.fullmatch": on_match,
    "re.search": on_match,
    "re.sub": on_substitute,
    "re.subn": on_substitute,
    "re.findall": on_passed,
    "re.split": on_separate,
    "regex.compile": on_compile,
    "sorted": on_passed,
    "reversed": on_passed,
    "list": on_passed,
    "tuple": on_passed,
    "set": on_passed,
    "frozenset": on_passed,
}
"""Functions by qualified name."""

REGEX_METHODS: dict[str, Callable[[Machine, Call], Value]] = {
    "match": on_match,
    "fullmatch": on_match,
    "search": on_match,
    "sub": on_substitute,
    "subn": on_substitute,
    "split": on_separate,
}
_ = PLACE
