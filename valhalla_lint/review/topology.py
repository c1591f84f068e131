"""Which module imports which: from the trees of the files, nothing imported, nothing on `sys.path`.

grimp, the library of this field, needs packages that can be found on `sys.path` in its own process; it would find an
installed package of the same name instead, and it does not see scripts, tests and files outside of packages. So the
edges are drawn here, in the same way as grimp draws them: `from package import module` is an edge to the module.
"""

import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from valhalla_lint.core.evidence import Edge, Figure, Group, Node, Topology
from valhalla_lint.core.tier import Tier
from valhalla_lint.review.python import Imported, Python
from valhalla_lint.review.shares import ratio

HUBS = 10
"""How many modules the lists of hubs name."""
GROUP_DEPTH = 2
"""Parts of a module's name that make its package in the picture."""
SCC_SELF = 1
MODULE_NAMES = ("__file__", "__name__", "__path__", "__doc__", "__dict__", "__spec__", "__package__", "__loader__")
"""Names that every package has."""


@dataclass(frozen=True, slots=True)
class Missing:
    """An import that leads to no file of the tree although its top level is the tree's own."""

    path: str
    line: int
    name: str
    optional: bool


@dataclass(frozen=True)
class Graph:
    """The import graph with what did not resolve.

    external: top-level names of other people's modules to the imports of them (path, import).
    """

    topology: Topology
    edges: tuple[Edge, ...]
    missing: tuple[Missing, ...]
    external: Mapping[str, tuple[tuple[str, Imported], ...]]
    by_name: Mapping[str, Python]


class Modules:
    """Modules of the tree by dotted name; the same name in several projects is told apart by nearness."""

    def __init__(self, files: Sequence[Python]) -> None:
        self.files: defaultdict[str, list[Python]] = defaultdict(list)
        self.folders: set[str] = set()
        for file in files:
            if file.dotted:
                self.files[file.dotted].append(file)
            folder = file.path.rpartition("/")[0]
            while folder:
                self.folders.add(folder)
                folder = folder.rpartition("/")[0]
        self.by_path = {file.path: file for file in files}
        self.packages = {name.rpartition(".")[0] for name in self.files}
        self.packages |= {part for name in self.packages for part in _prefixes(name)}
        self.tops = {name.partition(".")[0] for name in self.files}

    def find(self, importer: Python, dotted: str) -> Python | None:
        """The file that a dotted name means for an importer: beside it first where it is a script, then by name."""
        folder = importer.path.rpartition("/")[0]
        if found := self.files.get(dotted):
            return max(found, key=lambda file: (_common(file.path, importer.path), file.path))
        tail = dotted.replace(".", "/")
        base = f"{folder}/" if folder else ""
        if f"{base}__init__.py" in self.by_path:
            return None  # inside a package, a plain name means no neighbour
        for path in (f"{base}{tail}.py", f"{base}{tail}/__init__.py"):
            if (beside := self.by_path.get(path)) and beside is not importer:
                return beside
        return None


def _prefixes(name: str) -> Iterator[str]:
    parts = name.split(".")
    for count in range(1, len(parts)):
        yield ".".join(parts[:count])


def _common(one: str, other: str) -> int:
    count = 0
    for left, right in zip(one.split("/")[:-1], other.split("/")[:-1], strict=False):
        if left != right:
            break
        count += 1
    return count


def graph(files: Sequence[Python]) -> Graph:
    """The import graph of Python files; linear in files and imports, but for sorting."""
    names = Modules(files)
    found: dict[tuple[str, str], list[tuple[Imported, str]]] = defaultdict(list)
    missing: list[Missing] = []
    external: defaultdict[str, list[tuple[str, Imported]]] = defaultdict(list)
    labels = _labels(files)
    for file in files:
        for item in file.imports:
            target = _target(names, file, item)
            if isinstance(target, Python):
                if target is not file:
                    found[labels[file.path], labels[target.path]].append((item, file.path))
            elif target == "missing":
                missing.append(
                    Missing(
                        file.path,
                        item.line,
                        f"{item.module}.{item.name}".strip(".")
                        if item.name and item.module in names.files
                        else item.module,
                        item.optional or item.typing,
                    )
                )
            elif target == "external" and item.top not in sys.stdlib_module_names and item.top != "__future__":
                external[item.top].append((file.path, item))
    edges = tuple(sorted(_edge(pair, items) for pair, items in found.items()))
    by_label = {labels[file.path]: file for file in files}
    return Graph(
        _topology(by_label, edges),
        edges,
        tuple(sorted(set(missing), key=lambda item: (item.path, item.line, item.name))),
        {name: tuple(external[name]) for name in sorted(external)},
        by_label,
    )


def _labels(files: Sequence[Python]) -> dict[str, str]:
    """A name for each file in the graph: its dotted name, or its path where several share that or none is told."""
    counts = Counter(file.dotted for file in files)
    return {file.path: file.dotted if file.dotted and counts[file.dotted] == 1 else file.path for file in files}


def _target(names: Modules, file: Python, item: Imported) -> Python | str:
    """The file that is imported, "package" (a folder without `__init__`), "missing" or "external"."""
    if item.name and item.name != "*" and (found := names.find(file, f"{item.module}.{item.name}")):
        return found
    if found := names.find(file, item.module):
        if (
            item.name
            and item.name != "*"
            and found.bound is not None
            and item.name not in (*found.bound, *MODULE_NAMES)
        ):
            return "missing"
        return found
    if item.module in names.packages:
        return "package" if not item.name or f"{item.module}.{item.name}" in names.packages else "missing"
    if item.module.startswith("."):
        return "missing"
    return "missing" if item.top in names.tops and _own(names, item.top) else "external"


def _own(names: Modules, top: str) -> bool:
    """Whether a top-level name is a package or module of the tree (and no mere script that shares a library's name)."""
    return (
        any(name == top and file.package for name in (top,) for file in names.files.get(name, ()))
        or top in names.packages
    )


def _edge(pair: tuple[str, str], items: Sequence[tuple[Imported, str]]) -> Edge:
    first = min(items, key=lambda item: (item[1], item[0].line))
    late = all(item.late or item.typing for item, _ in items)
    return Edge(*pair, count=len(items), path=first[1], line=first[0].line, late=late)


def _topology(files: Mapping[str, Python], edges: Sequence[Edge]) -> Topology:
    outgoing, incoming = Counter(edge.source for edge in edges), Counter(edge.target for edge in edges)
    firm = [(edge.source, edge.target) for edge in edges if not edge.late]
    parts = components(sorted(files), firm)
    levels = _levels(parts, firm)
    packages = _packages(files)
    nodes = tuple(
        _node(name, files[name], packages[name], outgoing[name], incoming[name], levels[name]) for name in sorted(files)
    )
    cycles = tuple(sorted(tuple(sorted(part)) for part in parts if len(part) > SCC_SELF))
    groups, group_edges = _groups(nodes, edges)
    return Topology(nodes, tuple(edges), groups, group_edges, cycles, tuple(_figures(nodes, edges, cycles)))


def _node(name: str, file: Python, package: str, outgoing: int, incoming: int, level: int) -> Node:
    complexity = None if file.complexity is None else max((item[2] for item in file.complexity), default=0)
    return Node(
        name=name,
        path=file.path,
        tier=file.tier,
        package=package,
        lines=file.lines,
        imports=outgoing,
        imported_by=incoming,
        functions=len(file.functions),
        classes=len(file.classes),
        nesting=max((function.nesting for function in file.functions), default=0),
        complexity=complexity,
        level=level,
    )


def _packages(files: Mapping[str, Python]) -> dict[str, str]:
    """The package of each module; tests and scripts in a package of production code are packages of their own."""
    plain = {name: _group(name, file) for name, file in files.items()}
    product = {plain[name] for name, file in files.items() if file.tier == Tier.PRODUCTION.value}
    return {
        name: f"{plain[name]} [{file.tier}]"
        if file.tier != Tier.PRODUCTION.value and plain[name] in product
        else plain[name]
        for name, file in files.items()
    }


def _group(name: str, file: Python) -> str:
    if "/" in name or name.endswith(".py"):
        return file.path.rpartition("/")[0] or "(top)"
    parts = name.split(".")
    if not file.package:
        parts = parts[:-1]
    return ".".join(parts[:GROUP_DEPTH]) or "(top)"


def components(names: Sequence[str], edges: Sequence[tuple[str, str]]) -> list[list[str]]:
    """Strongly connected components (Tarjan, without recursion), in the order in which they are completed."""
    after: defaultdict[str, list[str]] = defaultdict(list)
    for source, target in edges:
        after[source].append(target)
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    held: set[str] = set()
    stack: list[str] = []
    found: list[list[str]] = []
    for root in names:
        if root in index:
            continue
        work = [(root, iter(after[root]))]
        index[root] = low[root] = len(index)
        stack.append(root)
        held.add(root)
        while work:
            node, rest = work[-1]
            for target in rest:
                if target not in index:
                    index[target] = low[target] = len(index)
                    stack.append(target)
                    held.add(target)
                    work.append((target, iter(after[target])))
                    break
                if target in held:
                    low[node] = min(low[node], index[target])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    part = []
                    while True:
                        item = stack.pop()
                        held.discard(item)
                        part.append(item)
                        if item == node:
                            break
                    found.append(part)
    return found


def _levels(parts: Sequence[Sequence[str]], edges: Sequence[tuple[str, str]]) -> dict[str, int]:
    """The layer of each node: 0 imports nothing of the tree; others stand one above the highest that they import.

    `components` completes a part after everything that it reaches, so one pass in that order is enough.
    """
    home = {name: number for number, part in enumerate(parts) for name in part}
    after: defaultdict[int, set[int]] = defaultdict(set)
    for source, target in edges:
        if home[source] != home[target]:
            after[home[source]].add(home[target])
    level: dict[int, int] = {}
    for number in range(len(parts)):
        level[number] = max((level[target] + 1 for target in after[number]), default=0)
    return {name: level[number] for name, number in home.items()}


def _groups(nodes: Sequence[Node], edges: Sequence[Edge]) -> tuple[tuple[Group, ...], tuple[Edge, ...]]:
    home = {node.name: node.package for node in nodes}
    between: Counter[tuple[str, str]] = Counter()
    firm: set[tuple[str, str]] = set()
    for edge in edges:
        pair = home[edge.source], home[edge.target]
        if pair[0] != pair[1]:
            between[pair] += edge.count
            if not edge.late:
                firm.add(pair)
    members: defaultdict[str, list[Node]] = defaultdict(list)
    for node in nodes:
        members[node.package].append(node)
    levels = _levels(components(sorted(members), sorted(firm)), sorted(firm))
    groups = []
    for name in sorted(members):
        outgoing = len({target for source, target in between if source == name})
        incoming = len({source for source, target in between if target == name})
        tiers = Counter(node.tier for node in members[name])
        groups.append(
            Group(
                name=name,
                tier=min(tiers, key=lambda tier: (-tiers[tier], tier)),
                modules=len(members[name]),
                lines=sum(node.lines for node in members[name]),
                level=levels[name],
                instability=ratio(outgoing, outgoing + incoming),
            )
        )
    return tuple(groups), tuple(
        Edge(source, target, count, late=(source, target) not in firm)
        for (source, target), count in sorted(between.items())
    )


def _figures(nodes: Sequence[Node], edges: Sequence[Edge], cycles: Sequence[tuple[str, ...]]) -> Iterator[Figure]:
    production = [node for node in nodes if node.tier == Tier.PRODUCTION.value]
    tiers = {node.name: node.tier for node in nodes}
    yield Figure("topology.modules", "Modules", "Python files that were studied", str(len(nodes)))
    yield Figure(
        "topology.edges",
        "Import edges",
        "pairs of modules of the tree of which one imports the other; `from p import m` is an edge to the module p.m",
        str(len(edges)),
        f"{sum(edge.late for edge in edges)} only inside functions or for type checking",
    )
    yield Figure(
        "topology.cycles",
        "Import cycles",
        "groups of modules that reach each other by imports at module level (strongly connected components)",
        str(len(cycles)),
        "" if not cycles else f"the largest has {max(map(len, cycles))} modules",
        tuple(" ↔ ".join(cycle) for cycle in cycles),
    )
    yield Figure(
        "topology.layers",
        "Layers",
        "longest chain of module-level imports; a cycle counts as one module; layer 0 imports nothing of the tree",
        str(max((node.level for node in nodes), default=-1) + 1),
    )
    yield _hubs("hub.out", "Modules that import most others", [(node.imports, node.name) for node in production])
    yield _hubs("hub.in", "Modules that most others import", [(node.imported_by, node.name) for node in production])
    wrong = [
        edge
        for edge in edges
        if (tiers[edge.source], tiers[edge.target])
        in (("production", "test"), ("production", "script"), ("script", "test"))
    ]
    yield Figure(
        "topology.wrong_way",
        "Edges that should not be",
        "production code that imports tests or scripts, scripts that import tests",
        str(len(wrong)),
        "",
        tuple(
            f"{edge.path}:{edge.line} [{tiers[edge.source]}] → {edge.target} [{tiers[edge.target]}]" for edge in wrong
        ),
    )
    for key, title, value in (
        ("functions", "Functions and methods", sum(node.functions for node in nodes)),
        ("classes", "Classes", sum(node.classes for node in nodes)),
    ):
        yield Figure(f"topology.{key}", title, "definitions in studied files, nested ones counted", str(value))
    deep = sorted(nodes, key=lambda node: (-node.nesting, node.name))[:HUBS]
    yield Figure(
        "topology.nesting",
        "Deepest nesting",
        "compound statements inside each other in one function; elif counts as its if",
        str(deep[0].nesting if deep else 0),
        "",
        tuple(f"{node.path} {node.nesting}" for node in deep if node.nesting),
    )
    known = [node for node in nodes if node.complexity is not None]
    if len(known) == len(nodes):
        ranked = sorted(known, key=lambda node: (-(node.complexity or 0), node.name))[:HUBS]
        yield Figure(
            "topology.complexity",
            "Highest complexity",
            "McCabe complexity of one function, by radon",
            str((ranked[0].complexity or 0) if ranked else 0),
            "",
            tuple(f"{node.path} {node.complexity}" for node in ranked if node.complexity),
        )
    else:
        yield Figure(
            "topology.complexity",
            "Highest complexity",
            "McCabe complexity of one function, by radon",
            "",
            because="radon is not installed (pip install valhalla-lint[review])",
        )


def _hubs(key: str, title: str, counts: Sequence[tuple[int, str]]) -> Figure:
    ranked = sorted((pair for pair in counts if pair[0]), key=lambda pair: (-pair[0], pair[1]))[:HUBS]
    return Figure(
        f"topology.{key}",
        title,
        "production modules by the number of other modules of the tree, first ten",
        ranked[0][1] if ranked else "-",
        f"{ranked[0][0]} modules" if ranked else "no module imports another",
        tuple(f"{name} {count}" for count, name in ranked),
    )
