"""Facts first: everything that figures and answers are drawn from, read once."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from valhalla_lint.core.evidence import Citation, Risk, RiskHit, Topology, Unreadable
from valhalla_lint.core.settings import Settings
from valhalla_lint.core.tier import Tier
from valhalla_lint.facts.reading import decode
from valhalla_lint.review.callgraph import Callgraph
from valhalla_lint.review.examine import Job, examine
from valhalla_lint.review.files import File, files
from valhalla_lint.review.masking import masked
from valhalla_lint.review.project import Declared, declared
from valhalla_lint.review.python import Call, Python
from valhalla_lint.review.risk import risk
from valhalla_lint.review.topology import Graph, graph
from valhalla_lint.review.tree import History, Tree, odd
from valhalla_lint.review.workshop import PROJECT_FILES, Workshop

MAX_LINE = 2_000
"""Characters of a line that questions look at; longer lines are data."""
TOPS = frozenset({".github", ".gitlab", "doc", "docs", "documentation"})
PYTHON, NOTEBOOK = "python", ".ipynb"


@dataclass(frozen=True, eq=False)
class Facts:
    """What is known about a tree. Derived facts are computed when first asked for."""

    tree: Tree
    history: History | None
    files: tuple[File, ...]
    python: tuple[Python, ...]
    risk: Risk
    declared: Declared
    history_secrets: tuple[Citation, ...] | None = None

    @cached_property
    def graph(self) -> Graph:
        """The import graph."""
        return graph(self.python)

    @cached_property
    def callgraph(self) -> Callgraph:
        """Who calls whom in production code."""
        return Callgraph(self.production)

    @property
    def topology(self) -> Topology:
        """The import graph as reports show it."""
        return self.graph.topology

    @cached_property
    def by_path(self) -> Mapping[str, File]:
        """Files by path."""
        return {file.path: file for file in self.files}

    @cached_property
    def production(self) -> tuple[Python, ...]:
        """Python files of the production tier that somebody here writes: not vendored, not generated, no stubs."""
        return tuple(file for file in self.python if file.tier == Tier.PRODUCTION.value and not file.flags)

    @cached_property
    def tests(self) -> tuple[Python, ...]:
        """Python files of the test tier."""
        return tuple(file for file in self.python if file.tier == Tier.TEST.value)

    @cached_property
    def imported(self) -> frozenset[str]:
        """Every module and every `module.name` that production code imports."""
        return frozenset(
            name
            for file in self.production
            for item in file.imports
            for name in (item.module, f"{item.module}.{item.name}" if item.name else item.module)
        )

    def kind(self, kind: str) -> tuple[File, ...]:
        """Files of a kind (`build`, `ci`, `licence`, …)."""
        return tuple(file for file in self.files if kind in file.kinds)

    def at_top(self, kind: str) -> tuple[File, ...]:
        """Files of a kind in the top folder, below a folder of documentation, or in `.github`; no translations."""
        return tuple(
            file
            for file in self.kind(kind)
            if ("/" not in file.path or file.path.partition("/")[0].lower() in TOPS)
            and not file.path.endswith((".po", ".mo"))
        )

    def text(self, path: str) -> str:
        """The text of a file, overlong lines cut, "" where there is none."""
        file = self.by_path.get(path)
        data = self.tree.read(file.entry) if file else None
        text = decode(data).text if data is not None else ""
        return "\n".join(line[:MAX_LINE] for line in text.split("\n"))

    def cite(self, path: str, line: int = 0, note: str = "", end_line: int = 0) -> Citation:
        """A place of the tree."""
        file = self.by_path.get(path)
        return Citation(path, line, end_line or line, masked(note), file.entry.id if file else "")

    def calls(self, *names: str, among: Sequence[Python] | None = None) -> Iterator[tuple[Python, Call]]:
        """Calls whose qualified name is one of these (`a.b.*`: anything below `a.b`; `.x`: a method named so)."""
        exact = {name for name in names if not name.endswith(".*")}
        below = tuple(name[:-1] for name in names if name.endswith(".*"))
        for file in self.production if among is None else among:
            for call in file.calls:
                if call.name in exact or (below and call.name.startswith(below)):
                    yield file, call

    def importing(self, *modules: str, among: Sequence[Python] | None = None) -> Iterator[tuple[Python, int, str]]:
        """Imports of a module or of what is below it: file, line, module."""
        for file in self.production if among is None else among:
            for item in file.imports:
                full = f"{item.module}.{item.name}" if item.name else item.module
                if any(full == module or full.startswith(f"{module}.") for module in modules):
                    yield file, item.line, full


def collect(tree: Tree, settings: Settings) -> Facts:
    """Read everything once: names, Python files, hits, project files."""
    listed = tuple(files(tree))
    sources = [file for file in listed if file.language == PYTHON]
    project = [file for file in listed if file.entry.name in PROJECT_FILES and file.language != PYTHON]
    python: list[Python] = []
    hits: list[RiskHit] = []
    skipped: list[str] = []
    with Workshop() as workshop:
        placed = workshop.lay(tree, [file.entry for file in (*project, *sources)])
        jobs = [Job(file, placed[file.path]) for file in sources if file.path in placed]
        for examined in examine(jobs, settings):
            tree.unread.extend(Unreadable(examined.path, problem) for problem in examined.problems)
            if examined.facts is not None:
                python.append(examined.facts)
            hits.extend(examined.hits)
            skipped.extend(examined.skipped)
    return Facts(
        tree=tree,
        history=tree.history(),
        files=listed,
        python=tuple(python),
        risk=risk(hits, skipped, python),
        declared=declared(tree, listed),
    )


def oddities(tree: Tree) -> Iterator[Unreadable]:
    """Rows about odd names, links, submodules: things that are listed and not entered."""
    for entry in tree.entries:
        if entry.kind == "link":
            yield Unreadable(entry.path, "is a link: listed, never followed")
        elif entry.kind == "submodule":
            yield Unreadable(entry.path, f"is a submodule at commit {entry.id}: listed, not entered")
        elif (reason := odd(entry.raw)) and not entry.path.endswith(".py"):
            yield Unreadable(entry.path, reason)
