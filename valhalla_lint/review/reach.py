"""How each way in reaches the code that runs models: by calls where they can be followed, else by imports."""

from collections import defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from valhalla_lint.core.evidence import Citation, WayIn
from valhalla_lint.review.callgraph import Call, Spot
from valhalla_lint.review.collect import Facts
from valhalla_lint.review.entries import COMMAND, Entry, entries
from valhalla_lint.review.masking import masked
from valhalla_lint.review.signs import TYPES, uses
from valhalla_lint.review.tables import table

LONGEST = 12
"""Steps of a path; each may lead to several classes, so that a longer one says little."""
SAME = frozenset({"eval", "to", "half", "float", "bfloat16", "cuda", "cpu", "train", "requires_grad_"})
"""Methods that give the model itself."""
RUNNING = frozenset({"forward", "generate", "predict", "predict_on_batch", "__call__"})
CALLS, BY_NAME, IMPORTS = "calls", "calls, some by name", "imports"


@lru_cache(maxsize=1)
def ways_in(facts: Facts) -> tuple[WayIn, ...]:
    """Every entry point with its shortest path to an engine, sorted as the entries are."""
    calls, modules = _by_calls(facts), _by_imports(facts)
    found = []
    for entry in entries(facts):
        place = facts.cite(entry.path, entry.line)
        path, by = _path(facts, entry, calls, modules)
        found.append(WayIn(entry.kind, masked(entry.name), place, path, by))
    return tuple(found)


def reading(facts: Facts, kinds: Sequence[str]) -> str:
    """Words about how many entries of some kinds reach an engine, "" where nothing runs models."""
    chosen = [way for way in ways_in(facts) if way.kind in kinds]
    if not any(way.path for way in chosen):
        return ""
    called = [way for way in chosen if way.by in (CALLS, BY_NAME)]
    imported = [way for way in chosen if way.by == IMPORTS]
    return f"; {len(called)} reach an engine by calls, {len(imported)} by imports only (see the ways in)"


def _path(
    facts: Facts, entry: Entry, calls: Mapping[Spot, Call], modules: Mapping[str, str]
) -> tuple[tuple[Citation, ...], str]:
    graph = facts.callgraph
    chains = [_follow(start, calls) for start in _starts(facts, entry)]
    chain = min((chain for chain in chains if 0 < len(chain) < LONGEST), key=len, default=[])
    if chain:
        steps = [facts.cite(chain[0].caller.path, graph.line(chain[0].caller), _name(chain[0].caller))]
        steps += [
            facts.cite(
                call.caller.path, call.line, f"calls {call.name}{' (by its name alone)' if call.guessed else ''}"
            )
            for call in chain
        ]
        return tuple(steps), BY_NAME if any(call.guessed for call in chain) else CALLS
    home = _module(facts, entry)
    if home and home in modules:
        names = [home]
        while modules[names[-1]]:
            names.append(modules[names[-1]])
        paths = {node.name: node.path for node in facts.topology.nodes}
        lines = {(edge.source, edge.target): edge.line for edge in facts.topology.edges}
        steps = [
            facts.cite(paths[name], lines.get((name, modules[name]), 0), f"imports {modules[name]}")
            for name in names[:-1]
        ]
        last = next(place for place in uses(facts, "engines") if place.path == paths[names[-1]])
        return (*steps, facts.cite(last.path, last.line, f"imports {last.note}")), IMPORTS
    return (), ""


def _name(spot: Spot) -> str:
    return spot.name or "(the module's top)"


def _module(facts: Facts, entry: Entry) -> str:
    """The module of an entry, as the import graph calls it; of a declared command the one that it names."""
    if entry.kind == COMMAND and not entry.line:
        dotted = entry.name.partition(" = ")[2].partition(":")[0].strip()
        return dotted if dotted in facts.graph.by_name else ""
    return next((name for name, file in facts.graph.by_name.items() if file.path == entry.path), "")


def _starts(facts: Facts, entry: Entry) -> list[Spot]:
    """The functions in which an entry begins."""
    graph = facts.callgraph
    if entry.kind == COMMAND and not entry.line:
        dotted, _, attribute = entry.name.partition(" = ")[2].partition(":")
        found = graph.named(dotted.strip(), attribute.partition("[")[0].strip() or "main")
        return [found] if found else []
    return (
        graph.function_at(entry.path, entry.line)
        or graph.methods(entry.path, entry.line)
        or graph.around(entry.path, entry.line, handed=entry.kind != COMMAND)
    )


def _follow(start: Spot, calls: Mapping[Spot, Call]) -> list[Call]:
    chain: list[Call] = []
    while start in calls:
        call = calls[start]
        chain.append(call)
        if not call.path:
            return chain
        start = Spot(call.path, call.name)
    return []


def _runs(dotted: str) -> bool:
    """Whether a call runs a model in the process itself: on an instance, or by one of the methods for it."""
    *parts, last = dotted.split(".")
    if last in SAME:
        return False
    kept = [part for part in parts if part not in SAME]
    rows = table("signs")["calls"]["runs"]
    return ".".join([*kept, last]) in rows or (last in RUNNING and ".".join(kept) in rows)


def _makes(dotted: str) -> bool:
    """Whether a call of an engine makes or loads something: a class, or a method for that."""
    *parts, last = dotted.split(".")
    if last[:1].isupper() or last.startswith(("from_", "load", "get_")) or last in SAME:
        return True
    if any(part.startswith("get_") for part in parts):
        return True  # what an engine gives (a tokenizer, its settings) is not what it runs
    return any(part.startswith("from_") for part in parts) and last not in RUNNING


def _of_engine(dotted: str, engines: Iterable[str]) -> bool:
    return TYPES not in dotted.split(".") and any(dotted == name or dotted.startswith(f"{name}.") for name in engines)


def _by_calls(facts: Facts) -> dict[Spot, Call]:
    """For each function that reaches an engine, the call that begins its shortest path.

    Paths to what runs a model come before those to what makes or loads one, firm calls before guessed ones.
    """
    engines = table("signs")["modules"]["engines"]
    before: defaultdict[Spot, list[Call]] = defaultdict(list)
    running: list[Call] = []
    making: list[Call] = []
    for call in facts.callgraph.calls():
        if call.path:
            before[Spot(call.path, call.name)].append(call)
        elif _of_engine(call.name, engines) or _runs(call.name):
            (making if _makes(call.name) else running).append(call)
    known: dict[Spot, Call] = {}
    for ends, guesses in ((running, False), (running, True), (making, False), (making, True)):
        queue = deque(sorted(known))
        for call in sorted(ends):
            if call.caller not in known:
                known[call.caller] = call
                queue.append(call.caller)
        while queue:
            spot = queue.popleft()
            for call in sorted(before[spot]):
                if call.caller not in known and (guesses or not call.guessed):
                    known[call.caller] = call
                    queue.append(call.caller)
    return known


def _by_imports(facts: Facts) -> dict[str, str]:
    """For each module that reaches an engine by imports, the module that it imports on the shortest way."""
    ends = {place.path for place in uses(facts, "engines")}
    before: defaultdict[str, list[str]] = defaultdict(list)
    for edge in facts.topology.edges:
        before[edge.target].append(edge.source)
    queue = deque(sorted(node.name for node in facts.topology.nodes if node.path in ends))
    known = dict.fromkeys(queue, "")
    while queue:
        name = queue.popleft()
        for source in sorted(before[name]):
            if source not in known:
                known[source] = name
                queue.append(source)
    return known
