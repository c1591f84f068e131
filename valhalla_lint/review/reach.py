"""The shortest chain of imports from a way in to the code that runs models."""

from collections import defaultdict, deque
from collections.abc import Sequence

from valhalla_lint.review.collect import Facts
from valhalla_lint.review.entries import Entry
from valhalla_lint.review.signs import uses

LONGEST = 8
"""Modules of a chain that are named."""


def reading(facts: Facts, entries: Sequence[Entry]) -> str:
    """Words about the shortest chain, "" where there is none or nothing runs models."""
    chain = shortest(facts, {entry.path for entry in entries}, {place.path for place in uses(facts, "engines")})
    return f"; shortest chain of imports to an engine: {' → '.join(chain[:LONGEST])}" if chain else ""


def shortest(facts: Facts, starts: set[str], ends: set[str]) -> list[str]:
    """The modules from a file of `starts` to one of `ends`, by imports; of the shortest ways the first by name."""
    paths = {node.name: node.path for node in facts.topology.nodes}
    after: defaultdict[str, list[str]] = defaultdict(list)
    for edge in facts.topology.edges:
        after[edge.source].append(edge.target)
    first = sorted(name for name, path in paths.items() if path in starts)
    before: dict[str, str] = dict.fromkeys(first, "")
    queue = deque(first)
    while queue:
        name = queue.popleft()
        if paths[name] in ends:
            chain = []
            while name:
                chain.append(name)
                name = before[name]
            return chain[::-1]
        for target in sorted(after[name]):
            if target not in before:
                before[target] = name
                queue.append(target)
    return []
