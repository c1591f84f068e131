"""From what reached sinks to flows: which question each answers, where it is told, how sure it is."""

import ast
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from valhalla_lint.core.finding import Confidence, Step
from valhalla_lint.core.flow import Flow
from valhalla_lint.flow.callsites import target_of
from valhalla_lint.flow.checks import escapes, example_of, only_elsewhere
from valhalla_lint.flow.generation import NEEDS
from valhalla_lint.flow.hinges import hangs
from valhalla_lint.flow.labels import Grade, Kind, Mark, Origin, Risk, Use
from valhalla_lint.flow.looked_up import is_stored
from valhalla_lint.flow.machine import ASKED, MADE, USED, Machine, Reached
from valhalla_lint.flow.messages import is_number_of_message
from valhalla_lint.flow.namings import (
    is_made_unread,
    is_naming,
    is_of_form,
    is_of_settings_object,
    is_only_hashed,
    is_only_key,
)
from valhalla_lint.flow.provenance import Answer, Choice, is_offered
from valhalla_lint.flow.purposes import (
    base_of_join,
    is_callers_output,
    is_for_developers,
    is_free,
    is_in_callers_folder,
    is_in_working_folder,
    is_log_file,
    is_own_file,
    is_setting_of_object,
    keeps_for_others,
    names_a_key,
    only_reads,
    opens_to_write,
    parameter_of,
    speaks_of_model,
)
from valhalla_lint.flow.units import Unit
from valhalla_lint.flow.urls import is_converted
from valhalla_lint.flow.values import BELOW, Attempt, Label, Place, Trail
from valhalla_lint.flow.vetted import is_vetted
from valhalla_lint.flow.words import AMBIGUOUS_MODEL_WORDS, MODEL_WORDS, names_folder, pieces, words
from valhalla_lint.flow.worth import (
    MAKING,
    decides_nothing,
    deed,
    has_constant,
    is_asked_again,
    is_checked_by_method,
    is_cleaned_elsewhere,
    is_exported,
    is_for_administrators,
    is_glued,
    is_idle,
    is_only_asked,
    is_only_reckoned,
    is_out_of_archive,
    is_part_of_object,
    is_told_there,
    is_whole_content,
    makes_folders,
    may_be_file,
)

PATH_USES = frozenset(
    {
        Use.OPEN, Use.WRITE, Use.DELETE, Use.LIST, Use.PROBE, Use.SERVE, Use.LINK, Use.LOAD, Use.EXTRACT, Use.DOWNLOAD,
        Use.TEMPLATE, Use.TEMPLATE_NAME,
    }
)  # fmt: skip
LOADERS = frozenset({Use.MODEL, Use.HUB, Use.IMPORT, Use.PROCESS})
FOLDER_DEEDS = frozenset("chdir extractall iterdir listdir makedirs mkdir rglob rmtree scandir walk".split())
"""What is done with whole folders: what a caller hands over for it is the folder that it works in."""
LOOKING = frozenset("glob iglob rglob".split())
FILING = frozenset("file files open read write save extract unpack".split())
"""Words in the name of a call that nobody has read which say that it does something with a file."""
KEEPING = frozenset({Use.WRITE, Use.DELETE, Use.LINK, Use.LIST, Use.PROBE, Use.SERVE})
"""What is done with a model's file without loading it: a question of paths."""
WEAK = frozenset({Kind.FILE, Kind.ENVIRONMENT, Kind.ARGUMENT})
MAX_SINKS = 3
"""Other sinks that one message names."""
MAX_STEPS = 12
"""Steps of evidence that one flow shows."""
OF_REPOSITORY = frozenset({"1", "filename"})
"""Arguments of a hub's calls that name a file of a repository, which the repository's own index or list may choose."""
BOUND_WORDS = {
    "calls": "a function that is called very often was not followed each time",
    "depth": "calls were followed to a certain depth only",
    "functions": "the file has too many functions to follow all of them",
    "nesting": "very deep nesting was not followed to its end",
    "steps": "a function was too long to be followed to its end",
}
"""The bounds, in the order in which they are said."""


Where = tuple[int, ast.AST | None]


TERMINALS = frozenset({"click.echo()", "click.secho()", "typer.echo()", "typer.secho()"})
"""What the commands of a program write with."""


class Candidate(NamedTuple):
    """One possible finding, before those that tell the same are put together."""

    topic: str
    at: ast.AST
    reached: Reached
    rank: tuple[int, ...]
    audit: bool
    confidence: Confidence


def flows(machine: Machine, topics: frozenset[str]) -> list[Flow]:
    """Every flow of the file, each once, in source order."""
    best: dict[tuple[str, ast.AST], Candidate] = {}
    checks: dict[ast.AST, tuple[Attempt, Reached | None, bool]] = {}
    _look_over(machine)
    generated: dict[ast.AST, list[Reached]] = {}
    used = {
        (item.entry, item.label.origin, item.label.content)
        for item in machine.reached
        if item.use is not Use.PROBE and item.argument != "join"
    }
    for reached in machine.reached:
        if reached.use is Use.GENERATE:
            at = _where(machine, reached)
            if at is not None:
                generated.setdefault(at, []).append(reached)
            continue
        if _is_judged_elsewhere(machine, reached, used):
            continue
        for candidate in _candidates(machine, reached):
            key = (_group(candidate.topic), candidate.at)
            known = best.get(key)
            if known is None or candidate.rank > known.rank:
                best[key] = candidate
        if (found := _check(machine, reached)) is not None:
            attempt, audit = found
            node = attempt.place.node
            known_check = checks.get(node)
            if known_check is None or (known_check[2], _is_base(known_check[1])) > (audit, _is_base(reached)):
                checks[node] = (attempt, reached, audit)
    told: set[tuple[object, ...]] = set()
    first: dict[tuple[object, ...], Candidate] = {}
    others: dict[ast.AST, list[Reached]] = {}
    ordered = sorted(best.values(), key=lambda item: (item.rank, -getattr(item.at, "lineno", 0)), reverse=True)
    for candidate in ordered:
        label = candidate.reached.label
        same: tuple[object, ...] = (
            _group(candidate.topic),
            label.origin,
            label.content,
            label.join.node if label.join else None,
            candidate.reached.entry,
        )
        line = (_group(candidate.topic), label.origin, getattr(candidate.at, "lineno", 0))
        if candidate.topic == "log":
            same = _showing(machine, candidate) or (*same, candidate.at)  # each line is mended by itself
        sink = (same[:3], candidate.reached.place.node)  # `join(folder, name) if folder else name`: told at the join
        again = label.join is None and candidate.topic != "log" and sink in told
        if candidate.topic in topics and same not in told and line not in told and not again:
            told.update((same, line, sink))
            around = (line[:2], machine.main.module.function(candidate.at), label.origin.kind is Kind.PARAMETER or same)
            known = first.setdefault(around, candidate)
            others.setdefault(known.at, []).append(candidate.reached)
    failing, alone = _weak_checks(machine, best.values(), checks)
    result = [
        _flow(machine, item, others[item.at], failing.get(_place_of(item.at, item.reached), ()))
        for item in first.values()
    ]
    if "generation" in topics:
        result.extend(_generation(machine, at, found) for at, found in generated.items())
    if "check" in topics:
        result.extend(alone)
        for attempt in machine.checks:
            if attempt.telling and attempt.place.unit is machine.main and attempt.place.node not in checks:
                checks[attempt.place.node] = (attempt, machine.reached[0] if machine.reached else None, False)
                result.append(_lone_check(machine, attempt))
    return result


def _showing(machine: Machine, candidate: Candidate) -> tuple[object, ...]:
    """What makes showings in another file one: they are mended there, whoever calls it; () in the file itself."""
    place = candidate.reached.place
    if place.unit is machine.main:
        return ()
    return candidate.topic, candidate.reached.label.origin, place.node


def _look_over(machine: Machine) -> None:
    """Note of all that was reached what the judgement of one flow asks about the others."""
    machine.asked.update(
        (item.entry, item.label.origin, item.label.content) for item in machine.reached if item.use is Use.PROBE
    )
    machine.used.update(
        item.label.join.node for item in machine.reached if item.use is Use.PROBE and item.label.join is not None
    )
    machine.anywhere.update(
        (item.entry, item.label.origin, at)
        for item in machine.reached
        if not item.label.marks & (Mark.JOINED | Mark.BEHIND | Mark.BASE) and item.left & Risk.ABSOLUTE
        for at in (item.place.node, *([USED] if item.use is not Use.PROBE else []))
    )
    machine.anywhere.update((item.entry, item.label.origin, MADE) for item in machine.reached if makes_folders(item))


def _weak_checks(
    machine: Machine, told: Iterable[Candidate], checks: Mapping[ast.AST, tuple[Attempt, Reached | None, bool]]
) -> tuple[dict[Where, list[str]], list[Flow]]:
    """Checks that are not enough: of each line at which a flow is told those that let it through, and all others."""
    failing: dict[Where, list[str]] = {
        _place_of(item.at, item.reached): []
        for item in told
        if _group(item.topic) == "place" and (machine.audit or not item.audit)
    }
    alone: list[Flow] = []
    for attempt, by, audit in checks.values():
        if by is None:
            continue
        place = _place_of(_told_at(machine, attempt, by), by)
        if place in failing:  # the flow itself is told there, and says which check fails
            failing[place].append(_shown_check(machine, attempt, by))
        else:
            alone.append(_check_flow(machine, attempt, by, audit))
    return failing, alone


def _place_of(at: ast.AST, reached: Reached) -> Where:
    """The line at which something is told, and for which function."""
    return getattr(at, "lineno", 0), reached.entry


def _generation(machine: Machine, at: ast.AST, found: list[Reached]) -> Flow:
    """One finding for a call, with every argument that has no bound."""
    first: dict[str, Reached] = {}
    for item in found:
        first.setdefault(item.argument, item)
    words = [f"{name} ({_unbounded(item)})" for name, item in first.items()]
    steps = [step for item in first.values() for step in _steps(machine, item)]
    return Flow(
        topic="generation",
        at=at,
        values={"arguments": ", ".join(words), "sink": found[0].name},
        steps=tuple(steps[:MAX_STEPS]),
        confidence=Confidence.MEDIUM,
    )


def _unbounded(reached: Reached) -> str:
    need = NEEDS[reached.argument] & reached.left
    if need & Risk.LONG:
        return "any length"
    if need & Risk.UPPER and need & Risk.LOWER:
        return "no bounds"
    return "no upper bound" if need & Risk.UPPER else "no lower bound"


def _group(topic: str) -> str:
    return "place" if topic in ("path", "join", "model") else topic


def _candidates(machine: Machine, reached: Reached) -> Iterator[Candidate]:
    label = reached.label
    origin = label.origin
    at = _where(machine, reached)
    if at is None or is_told_there(machine, reached):
        return
    model = speaks_of_model(machine, origin) or reached.use is Use.HUB
    if reached.use in PATH_USES or reached.use is Use.MODEL:
        if not escapes(reached.left):
            return
        partial = [item for item in reached.attempts if not item.void and not item.unread]
        if partial and not model:
            return
        kept = reached.use in KEEPING or (reached.use is Use.OPEN and opens_to_write(reached))
        topic = "model" if (model and not kept) or reached.use is Use.MODEL else "path"
        yield from _graded(machine, reached, at, topic)
    elif reached.use is Use.HUB:
        listed = origin.kind in (Kind.CHECKPOINT, Kind.REMOTE) and reached.argument in OF_REPOSITORY
        if reached.left & Risk.FREE and not listed:
            yield from _graded(machine, reached, at, "model")
    elif reached.use is Use.PROCESS and "model" not in origin.words:
        if origin.grade is Grade.CERTAIN and escapes(reached.left) and _is_put_below(label):
            yield from _graded(machine, reached, at, "path")  # a file that another program is handed, or that is run
    elif reached.use is Use.LOG:
        if origin.kind is Kind.SECRET and not _is_of_another_file(machine, reached):
            asked_for = reached.name in TERMINALS  # a command shows what it made to who ran it
            confidence = Confidence.LOW if asked_for else Confidence.MEDIUM
            yield Candidate("log", at, reached, (1,), audit=False, confidence=confidence)
    elif (
        reached.use in (Use.IMPORT, Use.PROCESS)
        and reached.left & Risk.FREE
        and (
            "model" in origin.words
            or (reached.use is Use.IMPORT and (_out_of_model(machine, reached) or _kind_of_model(origin)))
        )
    ):
        yield from _graded(machine, reached, at, "model")


def _is_of_another_file(machine: Machine, reached: Reached) -> bool:
    """Whether another file both names a secret and shows it: it is told there, once for all that call it."""
    unit = reached.place.unit
    trail = reached.label.trail
    while trail is not None and unit is not machine.main:
        if trail.before is None:
            return trail.place.unit is unit
        if trail.place.unit is machine.main:
            return False
        trail = trail.before
    return False


def _is_put_below(label: Label) -> bool:
    """Whether a path was put together as paths are: `f"origin/{branch}"` in a command names no file."""
    match label.join.node if label.join is not None else None:
        case ast.Call() | ast.BinOp(op=ast.Div()):
            return True
        case _:
            return False


def _graded(machine: Machine, reached: Reached, at: ast.AST, topic: str) -> Iterator[Candidate]:
    label = reached.label
    origin = label.origin
    joined = bool(label.marks & Mark.JOINED)
    elsewhere = only_elsewhere(reached.left) and reached.use not in LOADERS
    audit = elsewhere and not (label.marks & Mark.SEGMENT and not joined)  # not joined: any file of the working folder
    confidence = Confidence.HIGH
    if origin.kind is Kind.MEMBER:
        topic = "archive"
        audit = audit or reached.argument == "join"  # a list of paths is not yet a file written there
    elif origin.kind is Kind.PARAMETER:
        if topic == "path":
            topic = "join"
        folder = label.marks & Mark.BASE or names_folder(origin.text) or deed(reached.name) in FOLDER_DEEDS
        if origin.near or (not joined and folder and not origin.words & {"model"}):
            return  # judged where it is called; the folder that a caller works in
        asked = (reached.entry, origin, label.content) in machine.asked
        certainly = not names_folder(origin.text) and reached.argument != "pattern"  # its own folder; what it looks for
        used = certainly and reached.use is not Use.PROBE and (topic == "model" or reached.argument != "join" or asked)
        named = origin.grade is Grade.NAMED and (origin.words != {"model"} or speaks_of_model(machine, origin))
        certain = named and joined and used and not _proven_inside(machine, reached)
        if reached.use is Use.IMPORT and _out_of_model(machine, reached):
            certain = True  # nobody hands over a checkpoint to say what code it runs
            audit = audit or _is_programs_own(machine, reached)
        else:
            audit = audit or not certain or bool(label.marks & (Mark.INDIRECT | Mark.BESIDE))
            audit = audit or is_free(machine, reached) or _is_any_place(machine, reached)
            audit = audit or _is_judged_there(machine, reached)
            audit = audit or not _is_chosen(machine, reached, topic)  # asked last: it reads other files
        confidence = Confidence.MEDIUM if certain and (origin.words or not audit) else Confidence.LOW
    elif origin.kind in WEAK:
        if not joined and origin.kind is not Kind.FILE:
            return  # whoever runs the program chooses the files that it works on
        audit = True
        confidence = Confidence.LOW
    elif origin.kind is Kind.CHECKPOINT or (reached.argument == "join" and topic != "model"):
        confidence = Confidence.MEDIUM
    audit = audit or (reached.entry in machine.things and origin.kind is not Kind.PARAMETER)
    audit = audit or _is_dull(machine, reached, joined=joined)
    if label.marks & (Mark.INDIRECT | Mark.SEGMENT) and confidence > Confidence.LOW:
        confidence = Confidence(confidence - 1)
    rank = (
        0 if audit else 1,
        1 if reached.argument != "join" else 0,
        1 if reached.use is not Use.PROBE else 0,
        1 if topic == "model" else 0,
        int(origin.grade),
        -len(reached.sites),
    )
    yield Candidate(topic, at, reached, rank, audit, confidence)


def _is_dull(machine: Machine, reached: Reached, *, joined: bool) -> bool:
    """Whether something is for an audit, whoever chooses the value: by what happens to it on the way and at the end."""
    label, origin = reached.label, reached.label.origin
    if any(item.gate and not item.void for item in reached.attempts):
        return True  # looked at, nobody knows whether in this case
    if reached.use is not Use.IMPORT and label.marks & Mark.VAGUE:
        return True  # the outcome of work, not the text that went in
    if label.marks & Mark.FAR or is_only_asked(reached) or (label.marks & Mark.SEGMENT and is_idle(machine, reached)):
        return True
    kept = reached.argument == "join" and origin.kind is not Kind.PARAMETER  # of a parameter, that is asked elsewhere
    if kept and not (reached.place.node in machine.used and _is_put_below(label)):
        return True  # a path that is put together, and nothing done with it in sight; or a text that may be no path
    if not joined and (label.marks & Mark.NAMED or (names_folder(origin.text) and deed(reached.name) in MAKING)):
        return True  # a server in front has put that file there
    if is_only_reckoned(reached) or is_glued(machine, reached):
        return True
    picked = origin.kind is Kind.INTERFACE and label.marks & (Mark.BASE | Mark.JOINED) == Mark.BASE
    if picked and only_reads(reached):
        return True  # a file of the folder that a person picks in a form
    if reached.use is Use.TEMPLATE_NAME:
        return True  # its loader keeps it inside: any template of the folder, no more
    if reached.held or is_for_administrators(machine, reached) or is_whole_content(machine, label):
        return True
    if not joined and may_be_file(machine, reached):
        return True
    if is_number_of_message(machine, reached) or is_converted(machine, reached) or is_stored(machine, reached):
        return True  # what it can be is said in another file, or what was stored
    if is_vetted(machine, reached):
        return True
    if not label.marks & Mark.INDIRECT:
        return False
    # given by one call that nobody has read, and taken by another
    taken = reached.argument == "unread" and FILING.isdisjoint(pieces(deed(reached.name)))
    looked = deed(reached.name) in LOOKING
    return taken or looked or is_checked_by_method(machine, reached) or is_cleaned_elsewhere(machine, label)


def _is_programs_own(machine: Machine, reached: Reached) -> bool:
    """Whether all calls of a function in its project give it what the program makes itself."""
    answer = _answer(machine, reached)
    return answer.callers > 0 and answer.choice is Choice.PROGRAM


def _kind_of_model(origin: Origin) -> bool:
    """Whether a value from outside says which kind of model is meant: `request.json["model_type"]`."""
    return origin.grade is Grade.CERTAIN and not (MODEL_WORDS - AMBIGUOUS_MODEL_WORDS).isdisjoint(pieces(origin.text))


def _out_of_model(machine: Machine, reached: Reached) -> bool:
    """Whether a value was read by a key out of something that a parameter's name says to be a model or checkpoint."""
    origin = reached.label.origin
    if origin.kind is not Kind.PARAMETER or "model" not in words(origin.text.partition(" ")[2]):
        return False
    for parts in machine.makings(reached.label.content):
        if parts[0] in ("source", "item"):
            return parts[0] == "item"
    return False


def _is_judged_elsewhere(machine: Machine, reached: Reached, used: AbstractSet[tuple[object, ...]]) -> bool:
    """Whether what is asked about is checked later, or used as well, which is the place to speak of."""
    if reached.use is Use.PROBE:
        key = (reached.entry, reached.label.origin, reached.label.content)
        return key in used or _checked_later(machine, reached)
    return _is_only_for_a_question(machine, reached, used)


def _is_only_for_a_question(machine: Machine, reached: Reached, used: AbstractSet[tuple[object, ...]]) -> bool:
    """Whether a helper of another file puts a path together, and all that is done with it is to ask about it there."""
    label, join = reached.label, reached.label.join
    key = (reached.entry, label.origin, label.content)
    return (
        reached.argument == "join"
        and not machine.audit
        and join is not None
        and join.unit is not machine.main
        and key in machine.asked
        and key not in used
    )


def _checked_later(machine: Machine, reached: Reached) -> bool:
    """Whether what was only asked about, unchecked so far, is checked on some way from there."""
    label = reached.label
    return all(item.void or item.unread for item in reached.attempts) and not machine.checked.isdisjoint(
        ((reached.entry, label.content), (reached.entry, label.spot))
    )


def _is_chosen(machine: Machine, reached: Reached, topic: str) -> bool:
    """Whether a public function's parameter may be chosen by somebody else than the program itself.

    Callers in the project tell it best. Where there are none, the function must be offered to other code, and its
    parameter say that it holds a name; one that its package does not export must do more than read, or load a model,
    and not in a folder that its caller chooses as well.
    Unless a caller takes it from outside, a folder that is made is no harm done. The name of some thing (`job_id`) is
    chosen only where a caller takes it from outside, and so is what another file does something with: its own callers
    are asked there. One part of a route must do more than say what is read.
    """
    if _is_tested_first(machine, reached):
        return False
    answer = _answer(machine, reached)
    name = parameter_of(reached)
    if not words(name):
        return False  # the name of some thing, which a program mostly gives its things itself, or looks up first
    if answer.choice >= Choice.SEGMENT:
        return not (reached.label.marks & Mark.BELOW and _is_root_chosen(machine, reached))
    if topic != "model" and reached.place.unit is not machine.main:
        return False  # another file does with it what that one's callers choose
    if is_part_of_object(machine, reached.label) or _is_checked_by_maker(machine, reached):
        return False
    if is_own_file(machine, reached) or is_in_working_folder(machine, reached) or is_idle(machine, reached):
        return False
    if is_setting_of_object(reached, answer.shown) or is_callers_output(machine, reached):
        return False
    if is_for_developers(machine, reached) or is_log_file(reached):
        return False
    entry = reached.entry
    if reached.label.marks & Mark.BELOW or not isinstance(entry, ast.FunctionDef | ast.AsyncFunctionDef):
        return False  # whoever only hands on also hands on the root
    takes_in = topic == "model" or reached.use is Use.LOAD or only_reads(reached)
    chosen = is_in_callers_folder(machine, reached) and not is_out_of_archive(machine, reached)
    target = target_of(machine.main, entry)
    if topic != "model" and only_reads(reached) and not keeps_for_others(machine, reached):
        return False
    if answer.callers:
        # a path that is handed back is nothing done yet
        if reached.argument == "join" or answer.choice is not Choice.CALLER:
            return False
        return topic == "model" or not (takes_in or chosen) or is_exported(target)
    if answer.choice is Choice.UNKNOWN:
        return False  # nobody has looked everywhere
    if not (
        speaks_of_model(machine, reached.label.origin)
        or reached.use is Use.LOAD
        or is_out_of_archive(machine, reached)
        or keeps_for_others(machine, reached)
    ):
        return False
    if reached.argument == "join" and (topic != "model" or chosen):
        return False
    if has_constant(entry, name) or (chosen and target.owner is not None and _is_joined_in(reached, entry)):
        return False  # its own name unless somebody says otherwise; a method whose folder is its caller's as well
    return is_offered(target) and (not (takes_in or chosen) or is_exported(target))


def _is_judged_there(machine: Machine, reached: Reached) -> bool:
    """Whether a function of another file puts its parameter below a folder, so that it is told there, and once.

    So it is where the calls of that function say that somebody else chooses the parameter.
    """
    join = reached.label.join
    made = join.unit.module.function(join.node) if join is not None and join.unit is not machine.main else None
    if join is None or made is None or not is_offered(target_of(join.unit, made)):
        return False
    trail, into = reached.label.trail, f"into {made.name}() as "
    while trail is not None:
        if trail.text.startswith(into):
            return machine.provenance.of(join.unit, made, trail.text.removeprefix(into)).choice >= Choice.CALLER
        trail = trail.before
    return False


def _is_tested_first(machine: Machine, reached: Reached) -> bool:
    """Whether a helper that the function calls first refuses what is in no list or table.

    Such helpers are not read for what any caller may choose; the function's own conditions are judged as they stand.
    """
    entry, at = reached.entry, _where(machine, reached)
    if at is None or not isinstance(entry, ast.FunctionDef | ast.AsyncFunctionDef):
        return False
    if machine.main.module.function(at) is not entry:
        return False
    given = ast.Name(id=parameter_of(reached), ctx=ast.Load())
    return machine.provenance.is_tested(machine.main, entry, at, given, own=False)


def _is_any_place(machine: Machine, reached: Reached) -> bool:
    """Whether a function uses an absolute name as it stands, so that it promises no folder: `p if isabs(p) else …`."""
    key = (reached.entry, reached.label.origin)
    if (*key, ASKED) in machine.anywhere and (reached.left & Risk.ABSOLUTE or (*key, USED) in machine.anywhere):
        return True  # it was asked, and goes on all the same
    relative = not reached.left & Risk.ABSOLUTE and not reached.label.marks & Mark.BEHIND
    return relative and (*key, reached.place.node) in machine.anywhere


def _is_root_chosen(machine: Machine, reached: Reached) -> bool:
    """Whether who chooses a name from outside chooses the folder as well that it must stay in."""
    base = base_of_join(machine, reached)
    entry = reached.entry
    match base[1] if base is not None else None:
        case ast.Name(id=name) if isinstance(entry, ast.FunctionDef | ast.AsyncFunctionDef):
            return machine.provenance.of(machine.main, entry, name).choice >= Choice.SEGMENT
        case _:
            return False


def _is_joined_in(reached: Reached, entry: ast.AST | None) -> bool:
    """Whether a name is put below a folder by the function itself, so that a folder's parameter is its own."""
    join = reached.label.join
    return join is not None and join.unit.module.function(join.node) is entry


def _answer(machine: Machine, reached: Reached) -> Answer:
    """What the callers of a function say about its parameter."""
    entry = reached.entry
    if not isinstance(entry, ast.FunctionDef | ast.AsyncFunctionDef):
        return Answer(Choice.UNKNOWN, 0)
    return machine.provenance.of(machine.main, entry, parameter_of(reached), keys=names_a_key(reached))


def _proven_inside(machine: Machine, reached: Reached) -> bool:
    """Whether the file's own calls of a function all hand it values that are proven by then."""
    entry = reached.entry
    return entry is not None and entry in machine.safe_calls and entry not in machine.open_calls


def _where(machine: Machine, reached: Reached) -> ast.AST | None:
    """The node of this file at which people would mend it: the join, else the sink, else the call that leads there."""
    label = reached.label
    if label.join is not None and reached.use is not Use.LOG:
        if label.join.unit is machine.main:
            return label.join.node
        for site in reversed(label.sites):
            if site.unit is machine.main:
                return site.node
    if reached.place.unit is machine.main:
        return reached.place.node
    for site in reversed(reached.sites):
        if site.unit is machine.main:
            return site.node
    return None


def _flow(machine: Machine, candidate: Candidate, found: list[Reached], failing: Iterable[str]) -> Flow:
    """A flow. found: all that it reaches in one function, what it is told for first. failing: weak checks there."""
    reached = candidate.reached
    source = reached.label.origin.text
    names = list(dict.fromkeys(item.name for item in found))
    sink = " and ".join([", ".join(names[:-1][:MAX_SINKS]), names[-1]]) if len(names) > 1 else reached.name
    if candidate.topic == "archive":
        source = f"the archive member's {source}"
    elif is_part_of_object(machine, reached.label):
        source = f"a part of {source}"
    void = [item for item in reached.attempts if item.void]
    extra = ""
    if reached.use is Use.TEMPLATE_NAME:
        extra = ", whose loader keeps it in the folder of templates: any of them may be chosen"
    elif reached.use is Use.LOG:
        pass  # where a secret lies is not asked
    elif void:
        extra = f"; {void[-1].check} is no guard: {void[-1].reason}"
    elif reached.label.marks & Mark.NORMAL and not _is_compared(machine, reached):
        extra = "; it is normalised, but compared with no base"
    reasons = [f"for: {source} {_enters(reached.label)}"]
    example = example_of(reached.left)
    if example:
        reasons.append(f"for: a value such as {example} gets through")
    reasons.extend(f"for: {shown}" for shown in dict.fromkeys(failing))
    if reached.label.marks & Mark.INDIRECT:
        reasons.append("against: it goes through a call whose body was not read")
    if reached.label.marks & Mark.SEGMENT:
        reasons.append("against: the route keeps '/' out of it")
    if candidate.reached.label.origin.kind is Kind.PARAMETER:
        reasons.extend(_callers_say(machine, reached))
    if (switch := machine.switches.get(reached.entry)) is not None:
        reasons.append(f"against: {switch} may keep it inside the folder, as it does by default")
    reasons.extend(
        f"against: {words}"
        for bound, words in BOUND_WORDS.items()
        if not machine.bounds_hit.isdisjoint(((reached.entry, bound), (None, bound)))
    )
    return Flow(
        topic=candidate.topic,
        at=candidate.at,
        values={"source": source, "sink": sink},
        message="{source} reaches {sink}" + extra.replace("{", "{{").replace("}", "}}"),
        steps=(*_steps(machine, reached), *_others(machine, found[1:])),
        reasons=tuple(reasons),
        confidence=candidate.confidence,
        audit=candidate.audit,
    )


def _is_checked_by_maker(machine: Machine, reached: Reached) -> bool:
    """Whether the function that is asked for a path checks it on one of its ways: what opens the others it answers for.

    Not where a switch of the function decides; what is put together where it is used may be checked later.
    """
    label = reached.label
    join = label.join
    made = join.unit.module.function(join.node) if join is not None else None
    return (
        made not in (None, reached.entry, reached.place.unit.module.function(reached.place.node))
        and reached.entry not in machine.switches
        and _is_compared(machine, reached)
    )


def _is_compared(machine: Machine, reached: Reached) -> bool:
    """Whether a path is compared with a base on some way through its function, or may be where a switch says so."""
    label = reached.label
    return reached.entry in machine.switches or not machine.checked.isdisjoint(
        ((reached.entry, label.content), (reached.entry, label.spot))
    )


def _callers_say(machine: Machine, reached: Reached) -> Iterator[str]:
    """What speaks for and against that somebody outside chooses a function's parameter."""
    if reached.label.marks & Mark.BESIDE:
        yield "against: the same caller chooses the folder"
        return
    if is_free(machine, reached):
        yield "against: the function is there to load what its caller names"
        return
    entry = reached.entry
    if not isinstance(entry, ast.FunctionDef | ast.AsyncFunctionDef):
        return
    answer = machine.provenance.known(entry, parameter_of(reached), keys=names_a_key(reached))
    if answer is None or not answer.callers:
        yield "against: no caller is in sight that takes it from outside"
        return
    match answer.choice:
        case Choice.OUTSIDE | Choice.SEGMENT:
            yield f"for: its caller {answer.shown} takes it from outside"
        case Choice.CALLER:
            yield f"for: its caller {answer.shown} hands on what its own caller chooses"
        case Choice.PROGRAM:
            made = "the program makes it, or checks it"
            yield f"against: in every call of the function ({answer.callers}) {made}: {answer.shown}"
        case Choice.UNKNOWN:
            yield f"against: no call is known that takes it from outside; nothing is known of {answer.shown or 'some'}"


def _enters(label: Label) -> str:
    from valhalla_lint.flow.entries import ENTERS

    return ENTERS[label.origin.kind]


def _steps(machine: Machine, reached: Reached) -> list[Step]:
    steps: list[Step] = []
    trail: Trail | None = reached.label.trail
    logged = reached.use is Use.LOG  # where a secret lies, and what was asked about that, is of no interest
    while trail is not None:
        if not logged or trail.text != BELOW:
            steps.append(_step(machine, trail.place, trail.text))
        trail = trail.before
    steps.reverse()
    if len(steps) > MAX_STEPS:
        steps = [*steps[: MAX_STEPS // 2], *steps[-MAX_STEPS // 2 :]]
    join = reached.label.join
    if not logged:
        steps.extend(
            _step(machine, item.place, f"{item.check} does not stop it: {item.reason}")
            for item in reached.attempts
            if not item.unread
        )
    if join is None or logged or reached.place.node is not join.node:
        steps.append(_step(machine, reached.place, f"reaches {reached.name}"))
    return steps


def _others(machine: Machine, found: list[Reached]) -> Iterator[Step]:
    """Where else in its function a parameter gets, each with its own join."""
    for item in found:
        if item.label.join is not None:
            yield _step(machine, item.label.join, "is put below a folder there as well")
        yield _step(machine, item.place, f"reaches {item.name} as well")


def _step(machine: Machine, place: Place, text: str) -> Step:
    return Step(place.unit.module.span(place.node), text, None if place.unit is machine.main else place.unit.path)


# --- checks


def _is_base(reached: Reached | None) -> bool:
    """Whether a value is only the folder that others are put below."""
    return reached is not None and reached.label.marks & (Mark.BASE | Mark.JOINED) == Mark.BASE


def _check(machine: Machine, reached: Reached) -> tuple[Attempt, bool] | None:
    """The partial check that let a value through, and whether only an audit wants to hear of it.

    One of another file counts where nobody is sure to tell it there: that file does not know what comes from outside.
    """
    if reached.use not in PATH_USES and reached.use is not Use.MODEL:
        return None
    if not escapes(reached.left):
        return None
    for attempt in reversed(reached.attempts):
        if not attempt.void and not attempt.unread:
            origin = reached.label.origin
            own = origin.kind is Kind.PARAMETER
            if attempt.place.unit is not machine.main and (own or not _is_told_here(machine, attempt, reached)):
                continue
            audit = origin.kind in WEAK or (own and (attempt.early or only_elsewhere(reached.left)))
            audit = audit or (own and not hangs(attempt.place))
            audit = audit or is_only_reckoned(reached) or is_whole_content(machine, reached.label)
            audit = audit or is_glued(machine, reached) or decides_nothing(machine, attempt, reached)
            audit = audit or (attempt.place.unit is not machine.main and _is_one_of_several(attempt.place))
            audit = audit or is_naming(attempt.place) or is_made_unread(attempt, reached) or is_only_hashed(reached)
            audit = audit or is_of_settings_object(machine, reached)
            audit = audit or any(item.unread for item in reached.attempts)
            return attempt, audit or is_vetted(machine, reached, attempt.place)
    return None


def _is_one_of_several(place: Place) -> bool:
    """Whether a check is part of a condition, or its function asks more: which of it counts shows only there."""
    module = place.unit.module
    function = module.function(place.node)
    if function is None:
        return False
    for above in module.ancestors(place.node):
        if isinstance(above, ast.BoolOp):
            return True
        if isinstance(above, ast.stmt):
            break
    return sum(isinstance(item, ast.If) for item in module.index.own(function)) > 1


def _is_told_here(machine: Machine, attempt: Attempt, reached: Reached) -> bool:
    """Whether a check of another file is told in this one: what it lets through enters here, and leaves a folder."""
    trail = reached.label.trail
    while trail is not None and trail.before is not None:
        trail = trail.before
    enters_here = trail is not None and trail.place.unit is machine.main
    return (
        enters_here
        and not attempt.telling
        and not only_elsewhere(reached.left)
        and _where(machine, reached) is not None
    )


def _check_flow(machine: Machine, attempt: Attempt, reached: Reached, audit: bool) -> Flow:  # noqa: FBT001 -- unpacked from a tuple
    at = _told_at(machine, attempt, reached)
    shown = _shown_check(machine, attempt, reached)
    return Flow(
        topic="check",
        at=at,
        values={},
        message=shown.replace("{", "{{").replace("}", "}}"),
        steps=tuple(_steps(machine, reached)),
        reasons=(
            f"for: {reached.label.origin.text} reaches {reached.name} all the same",
            *(f"against: {item.check} may stop it: {item.reason}" for item in reached.attempts if item.unread),
        ),
        confidence=Confidence.MEDIUM if reached.label.origin.kind is Kind.PARAMETER else Confidence.HIGH,
        audit=audit,
    )


def _told_at(machine: Machine, attempt: Attempt, reached: Reached) -> ast.AST:
    """Where a check is told: where it stands, or where what it lets through is used in this file."""
    here = attempt.place.unit is machine.main
    return attempt.place.node if here else _where(machine, reached) or attempt.place.node


def _shown_check(machine: Machine, attempt: Attempt, reached: Reached) -> str:
    """A check that is not enough, with a text that passes it and why."""
    example = attempt.example or example_of(reached.left)
    here = attempt.place.unit is machine.main
    check = attempt.check if here else f"{attempt.check} in {attempt.place.unit.path}"
    return f"{check} lets {example!r} through: {attempt.reason}" if example else f"{check}: {attempt.reason}"


def _lone_check(machine: Machine, attempt: Attempt) -> Flow:
    shown = f"{attempt.check} lets {attempt.example!r} through: {attempt.reason}"
    return Flow(
        topic="check",
        at=attempt.place.node,
        message=shown.replace("{", "{{").replace("}", "}}"),
        steps=(_step(machine, attempt.place, "the check"),),
        reasons=("against: no use of the checked path is in sight",),
        confidence=Confidence.MEDIUM,
        audit=is_asked_again(attempt) or is_of_form(attempt.place) or is_only_key(attempt.place),
    )


_: tuple[object, ...] = (Iterable, Unit)
