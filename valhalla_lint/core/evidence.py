"""What a review knows and how it knows it: figures, answers, places that anyone can look up."""

from dataclasses import dataclass
from enum import Enum

SHOWN = 40
"""How many places of one kind a piece of evidence carries; the count beside them is always the full one."""


class Outcome(Enum):
    """The answer to a yes/no question; not knowing is an answer."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"
    NOT_APPLICABLE = "not applicable"


class Basis(Enum):
    """What a statement rests on."""

    SOURCE = "source"
    README = "README"
    INFERENCE = "inference"


@dataclass(frozen=True, slots=True, order=True)
class Citation:
    """A place in the reviewed tree.

    path: as the review shows it. line, end_line: 0 where the whole file (or the tree) is meant.
    object_id: the blob (in git's counting), "" where the statement is about the tree.
    note: a few words; never text of the file, which might hold a secret.
    """

    path: str
    line: int = 0
    end_line: int = 0
    note: str = ""
    object_id: str = ""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Places for or against a statement: the first of them, and how many there are in all."""

    total: int = 0
    places: tuple[Citation, ...] = ()

    @classmethod
    def of(cls, places: "list[Citation] | tuple[Citation, ...]") -> "Evidence":
        """Sort, drop doubles, keep the first ones."""
        ordered = sorted(set(places))
        return cls(len(ordered), tuple(ordered[:SHOWN]))


@dataclass(frozen=True, slots=True)
class Figure:
    """One row of a panel.

    definition: how the value is counted, so that another person counts the same.
    reading: what it says, in a few words. items: the list behind the value.
    because: why it is unknown (then value is "").
    """

    id: str
    title: str
    definition: str
    value: str
    reading: str = ""
    items: tuple[str, ...] = ()
    basis: Basis = Basis.SOURCE
    because: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to one probe, with what speaks for a yes and what speaks against it.

    how: how it was answered, so that the answer can be checked by hand.
    because: why it is unknown or not applicable. remedy: only where the outcome is the worse one.
    good: the outcome that a maintainer would want; None where neither is better.
    """

    id: str
    layer: str
    question: str
    outcome: Outcome
    reading: str = ""
    because: str = ""
    basis: Basis = Basis.SOURCE
    how: str = ""
    positive: Evidence = Evidence()
    negative: Evidence = Evidence()
    remedy: str = ""
    good: Outcome | None = None


@dataclass(frozen=True, slots=True)
class Layer:
    """A group of answers."""

    id: str
    title: str
    answers: tuple[Answer, ...] = ()


@dataclass(frozen=True, slots=True)
class Node:
    """A module of the import graph."""

    name: str
    path: str
    tier: str
    package: str
    lines: int
    imports: int
    imported_by: int
    functions: int
    classes: int
    nesting: int
    complexity: int | None = None
    level: int = 0


@dataclass(frozen=True, slots=True, order=True)
class Edge:
    """One module (or package) imports another; how often, and where first."""

    source: str
    target: str
    count: int = 1
    path: str = ""
    line: int = 0
    late: bool = False


@dataclass(frozen=True, slots=True)
class Group:
    """A package of the import graph, as the picture shows it."""

    name: str
    tier: str
    modules: int
    lines: int
    level: int
    instability: str


@dataclass(frozen=True, slots=True)
class Topology:
    """The import graph: by module, by package, and what it shows."""

    nodes: tuple[Node, ...] = ()
    edges: tuple[Edge, ...] = ()
    groups: tuple[Group, ...] = ()
    group_edges: tuple[Edge, ...] = ()
    cycles: tuple[tuple[str, ...], ...] = ()
    figures: tuple[Figure, ...] = ()


@dataclass(frozen=True, slots=True)
class RiskHit:
    """One hit of a linter: who says it, what, where; `silenced` names the comment that asked for silence."""

    tool: str
    code: str
    name: str
    path: str
    line: int
    tier: str
    severity: str
    confidence: str
    message: str
    fingerprint: str = ""
    silenced: str = ""


@dataclass(frozen=True, slots=True)
class Count:
    """How many hits of one code, by tier."""

    tool: str
    code: str
    name: str
    production: int
    test: int
    script: int


@dataclass(frozen=True, slots=True)
class Risk:
    """All hits, counted and listed; and what the linters could not read."""

    counts: tuple[Count, ...] = ()
    hits: tuple[RiskHit, ...] = ()
    figures: tuple[Figure, ...] = ()
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class WayIn:
    """One place where the outside comes in, and how it reaches the code that runs models.

    kind: HTTP, gRPC, command, interface, tool. path: the steps from the entry to the engine, each with its place.
    by: what the path follows: "calls" (names, annotations and assignments say what is called), "calls, some by name"
    (a step rests on the name of a method alone), "imports" (modules only; no call could be followed), "" without one.
    """

    kind: str
    name: str
    place: Citation
    path: tuple[Citation, ...] = ()
    by: str = ""


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement of the README and what the source shows about it."""

    subject: str
    place: Citation
    outcome: Outcome
    reading: str
    evidence: Evidence = Evidence()
    basis: Basis = Basis.README


@dataclass(frozen=True, slots=True)
class Check:
    """One step before deployment: what the source says, what remains to be done, and with which command."""

    id: str
    title: str
    outcome: Outcome
    reading: str
    remains: str
    command: str = ""
    evidence: Evidence = Evidence()


@dataclass(frozen=True, slots=True)
class FileRow:
    """One file of the reviewed tree."""

    path: str
    object_id: str
    mode: str
    size: int
    language: str
    kind: str
    tier: str = ""
    lines: int = 0


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Something that could not be read or was not entered, and why."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class Target:
    """What was reviewed. Nothing here depends on where the copy lies or who reads it.

    source: "git", "folder" or "archive". revision: the commit id; "" for other sources.
    digest: SHA-256 over paths, modes and blob ids, the same for a commit and an unpacked copy of it.
    """

    name: str
    source: str
    revision: str
    tree: str
    object_format: str
    date: str
    digest: str
    files: int


@dataclass(frozen=True, slots=True)
class Made:
    """With what the review was made: versions by name, digests of tables by name, settings by name."""

    versions: tuple[tuple[str, str], ...]
    tables: tuple[tuple[str, str], ...]
    settings: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Review:
    """Everything a report shows."""

    target: Target
    made: Made
    basics: tuple[Figure, ...]
    panel: tuple[Figure, ...]
    topology: Topology
    layers: tuple[Layer, ...]
    entries: tuple[WayIn, ...]
    risk: Risk
    claims: tuple[Claim, ...]
    checklist: tuple[Check, ...]
    unread: tuple[Unreadable, ...]
    files: tuple[FileRow, ...]
    limits: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a comparison: what is compared, and its value in each review, in their order."""

    id: str
    title: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Change:
    """A hit that only one of two commits has; commit: where it first stands, "" where that was not told."""

    hit: RiskHit
    commit: str = ""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Several reviews side by side.

    same: whether all are commits of one repository. modules: hits per package, tier, linter and 1,000 lines; for a pair
    with growth. by_module: the same per module, added, gone: for two commits of one repository only.
    """

    targets: tuple[Target, ...]
    figures: tuple[Row, ...]
    answers: tuple[Row, ...]
    modules: tuple[Row, ...]
    by_module: tuple[Row, ...] = ()
    same: bool = False
    added: tuple[Change, ...] = ()
    gone: tuple[Change, ...] = ()
