"""What a review keeps of one Python file."""

from dataclasses import dataclass

from valhalla_lint.core.source import Status
from valhalla_lint.review.callsites import Calls

FIXED, FILLED, COMPUTED, EVERY = "fixed", "filled", "computed", "every"
"""What a text, or a list of origins, is that code hands on."""
NO_CALLS = Calls()


@dataclass(frozen=True, slots=True)
class Imported:
    """One imported module (and, for `from`, a name in it).

    late: inside a function. typing: under `if TYPE_CHECKING`. optional: its absence is caught.
    """

    module: str
    name: str
    line: int
    late: bool = False
    typing: bool = False
    optional: bool = False

    @property
    def top(self) -> str:
        """The first part of the module's name."""
        return self.module.partition(".")[0]


@dataclass(frozen=True, slots=True)
class Function:
    """One function or method; `parameters` without self and cls."""

    name: str
    line: int
    end_line: int
    owner: str
    is_async: bool
    parameters: tuple[str, ...]
    annotated: int
    returns: bool
    documented: tuple[str, ...] | None
    decorators: tuple[tuple[str, tuple[str, ...]], ...]
    nesting: int
    catches_all: bool = False
    types: tuple[str, ...] = ()

    @property
    def public(self) -> bool:
        """Whether its name and its owner's are public and it stands at the top level or in a class."""
        return not any(part.startswith("_") for part in f"{self.owner}.{self.name}".strip(".").split("."))

    @property
    def constructor(self) -> bool:
        """Whether it is the `__init__` of a public class."""
        return self.name == "__init__" and not any(part.startswith("_") for part in self.owner.split("."))


@dataclass(frozen=True, slots=True)
class Class:
    """One class: bases by the names that they mean."""

    name: str
    line: int
    end_line: int
    bases: tuple[str, ...]
    decorators: tuple[str, ...]
    methods: tuple[str, ...]
    abstract: bool
    documented: bool
    fields: tuple[str, ...] = ()
    qualified: str = ""


@dataclass(frozen=True, slots=True)
class Call:
    """One call: the qualified name where it is known, else the last attribute with a dot in front."""

    name: str
    line: int
    arguments: int
    keywords: tuple[str, ...]
    function: str
    literal: str | None = None

    @property
    def last(self) -> str:
        """The last part of the name."""
        return self.name.rpartition(".")[2]


@dataclass(frozen=True, slots=True)
class Environment:
    """One read of an environment variable; name is "" where it is computed."""

    name: str
    line: int
    default: bool
    required: bool
    converted: bool


@dataclass(frozen=True, slots=True)
class Handler:
    """One `except`: broad (Exception, BaseException or bare); silent: its body neither raises, calls nor returns."""

    line: int
    bare: bool
    broad: bool
    silent: bool
    raises: bool
    types: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Python:
    """The facts of one file."""

    path: str
    object_id: str
    dotted: str
    package: bool
    tier: str
    flags: tuple[str, ...]
    status: Status
    notes: tuple[str, ...]
    lines: int
    code: int
    comment: int
    blank: int
    docstring_lines: int
    documented: bool
    imports: tuple[Imported, ...] = ()
    functions: tuple[Function, ...] = ()
    classes: tuple[Class, ...] = ()
    calls: tuple[Call, ...] = ()
    environment: tuple[Environment, ...] = ()
    asserts: tuple[tuple[int, str], ...] = ()
    handlers: tuple[Handler, ...] = ()
    globals_changed: tuple[tuple[str, int, int], ...] = ()
    tables: tuple[tuple[str, int, int], ...] = ()
    raised: tuple[tuple[str, int], ...] = ()
    main: int = 0
    public: tuple[str, ...] | None = None
    complexity: tuple[tuple[str, int, int], ...] | None = None
    words: frozenset[str] = frozenset()
    bound: frozenset[str] | None = None
    devices: tuple[tuple[str, int], ...] = ()
    origins: tuple[tuple[int, str], ...] = ()
    logged: tuple[tuple[str, int], ...] = ()
    system: tuple[tuple[int, str], ...] = ()
    memory: tuple[int, ...] = ()
    attention: tuple[tuple[str, int], ...] = ()
    flow: Calls = NO_CALLS
