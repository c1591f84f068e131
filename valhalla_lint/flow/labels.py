"""The vocabulary of flow: where values come from, what may still be wrong with them, what they earned on the way.

Rows of the catalogue use the names in this file; the engine uses the flags.
"""

from collections.abc import Iterable
from enum import Enum, IntEnum
from typing import Final, NamedTuple

from valhalla_lint.core.frozen import field, frozen


class Risk:
    """What a value may still hold or be. A guard, a cleaner or a conversion takes risks away; sinks ask for the rest.

    Plain integers that are or-ed together: `enum.Flag` costs about a microsecond an operation.
    """

    NONE: Final = 0
    SEPARATOR: Final = 1
    BACKSLASH: Final = 2
    PARENT: Final = 4
    ABSOLUTE: Final = 8
    DRIVE: Final = 16
    NUL: Final = 32
    NEWLINE: Final = 64
    FREE: Final = 128
    UPPER: Final = 256
    LOWER: Final = 512
    LONG: Final = 1024
    PLAIN: Final = 2048


PLACE = Risk.SEPARATOR | Risk.BACKSLASH | Risk.PARENT | Risk.ABSOLUTE | Risk.DRIVE
"""What lets a name leave a base folder."""
BOUNDS = Risk.UPPER | Risk.LOWER | Risk.LONG
"""What makes a number or a text of a request unbounded."""
ANYTHING = PLACE | Risk.NUL | Risk.NEWLINE | Risk.FREE | BOUNDS

RISK_NAMES: dict[str, int] = {
    "separator": Risk.SEPARATOR,  # "/"
    "backslash": Risk.BACKSLASH,  # the other separator
    "parent": Risk.PARENT,  # ".." as a segment
    "absolute": Risk.ABSOLUTE,  # begins at the root
    "drive": Risk.DRIVE,  # "C:" and the like
    "nul": Risk.NUL,
    "newline": Risk.NEWLINE,
    "upper": Risk.UPPER,  # no upper bound
    "lower": Risk.LOWER,  # no lower bound
    "long": Risk.LONG,  # no bound on the length
    "path": PLACE | Risk.NUL | Risk.NEWLINE,
    "model": PLACE | Risk.NUL | Risk.NEWLINE | Risk.FREE,  # "FREE": any name at all, as no list of known ones was asked
    "generation": BOUNDS,
    "secret": Risk.PLAIN,  # a secret that is readable as it stands
    "all": ANYTHING | Risk.PLAIN,
}
"""The words that `clears` of a row may use."""


class Mark:
    """What a value earned on the way: plain integers, as in `Risk`."""

    NONE: Final = 0
    NORMAL: Final = 1
    RESOLVED: Final = 2
    JOINED: Final = 4
    BEHIND: Final = 8
    INDIRECT: Final = 16
    SEGMENT: Final = 32
    FAR: Final = 64
    BASE: Final = 128
    """Something was put below it: a folder, by its use."""
    BESIDE: Final = 256
    BELOW: Final = 512
    VAGUE: Final = 1024
    NAMED: Final = 2048


MARK_NAMES: dict[str, int] = {
    "normal": Mark.NORMAL,  # no "..", "." or double separators are left inside (normpath, abspath)
    "resolved": Mark.NORMAL | Mark.RESOLVED,  # links were followed as well (realpath, resolve)
    "joined": Mark.JOINED,  # was put below a base
    "behind": Mark.BEHIND,  # stands behind a fixed text, so it cannot begin at the root
    "beside": Mark.BESIDE,  # was put below a folder that the same caller chooses
    "below": Mark.BELOW,  # the same where that folder is called a base or a root
    "far": Mark.FAR,  # is a part of what a call whose body nobody has read gave: a record that was looked up
    "indirect": Mark.INDIRECT,  # went through a call whose body nobody has read
    "named": Mark.NAMED,  # is a field of the request whose name the program's settings say
    "vague": Mark.VAGUE,  # the same where its name says that it makes something else of what it is given
}
"""The words that `adds` of a row may use."""


class Kind(Enum):
    """Where a value comes from."""

    __hash__ = object.__hash__  # that of `Enum` is a function of Python's, and asked wherever an origin is looked up

    REQUEST = "request"
    HANDLER = "handler"
    UPLOAD = "upload"
    MEMBER = "member"
    CHECKPOINT = "checkpoint"
    TOOL = "tool"
    REMOTE = "remote"
    INTERFACE = "interface"
    PARAMETER = "parameter"
    FILE = "file"
    ENVIRONMENT = "environment"
    ARGUMENT = "argument"
    SECRET = "secret"


class Grade(IntEnum):
    """How sure it is that somebody outside chooses the value."""

    ANY = 1
    NAMED = 2
    CERTAIN = 3


GRADES: dict[Kind, Grade] = {
    Kind.REQUEST: Grade.CERTAIN,
    Kind.HANDLER: Grade.CERTAIN,
    Kind.UPLOAD: Grade.CERTAIN,
    Kind.MEMBER: Grade.CERTAIN,
    Kind.CHECKPOINT: Grade.CERTAIN,
    Kind.TOOL: Grade.CERTAIN,
    Kind.REMOTE: Grade.CERTAIN,
    Kind.INTERFACE: Grade.CERTAIN,
    Kind.PARAMETER: Grade.ANY,
    Kind.FILE: Grade.ANY,
    Kind.ENVIRONMENT: Grade.ANY,
    Kind.ARGUMENT: Grade.ANY,
    Kind.SECRET: Grade.CERTAIN,
}


class Use(Enum):
    """What a sink does with the value; the word that `use` of a sink row has."""

    OPEN = "open"
    WRITE = "write"
    DELETE = "delete"
    LIST = "list"
    PROBE = "probe"
    SERVE = "serve"
    LINK = "link"
    LOAD = "load"
    MODEL = "model"
    HUB = "hub"
    EXTRACT = "extract"
    DOWNLOAD = "download"
    TEMPLATE = "template"
    TEMPLATE_NAME = "template name"
    IMPORT = "import"
    PROCESS = "process"
    GENERATE = "generate"
    LOG = "log"


class Sink(NamedTuple):
    """An argument that must not be chosen from outside: positions and keywords (`-1` is the receiver itself).

    `arguments` empty means every argument.
    """

    use: Use
    arguments: tuple[int | str, ...] = (0,)


class Behaviour(NamedTuple):
    """All that the tables say about one call, method or attribute.

    source: its result comes from outside. sinks: its dangerous arguments. returns: qualified name of its result's type.
    passes: arguments whose labels the result carries (None: all and the receiver; empty: none).
    clears: risks that the result no longer has. adds, drops: marks of the result.
    guard: what the call proves where it holds or returns; see GUARDS.
    """

    name: str
    source: Kind | None = None
    sinks: tuple[Sink, ...] = ()
    returns: str = ""
    passes: tuple[int | str, ...] | None = None
    clears: int = Risk.NONE
    adds: int = Mark.NONE
    drops: int = Mark.NONE
    guard: str = ""


GUARDS = frozenset({"contained", "prefix", "common", "pattern", "charset", "validates", "checks"})
"""Words that `guard` of a row may use.

contained: true (or returns) only where the receiver or first argument lies below the second: `is_relative_to`,
`relative_to`. prefix: `startswith`. common: the answer is compared with a base (`commonpath`). pattern: a regular
expression is matched. charset: `isalnum` and kin. validates: raises unless the first argument is safe for what `clears`
says. checks: returns true only where the first argument is safe for what `clears` says.
"""


class Handler(NamedTuple):
    """A decorator (or registration call) whose function is called from outside, or a base class with such methods.

    kind: what its parameters are. route: which argument holds a path template ("" none) and in which syntax
    ("flask", "starlette", "django", "tornado", …): the template says which parameters cannot hold a separator.
    skips: parameters that the framework itself fills (besides self and cls).
    methods: for base classes: the methods that are called from outside, empty for all public ones.
    attributes: for base classes: attributes of self that hold outside values.
    """

    name: str
    kind: Kind = Kind.HANDLER
    route: str = ""
    skips: frozenset[str] = frozenset()
    methods: frozenset[str] = frozenset()
    attributes: frozenset[str] = frozenset()


@frozen()
class Origin:
    """One value from outside, at the place where it enters.

    text: as messages show it ("request.args['name']"). words: what its name says ("model", "file", "").
    open: a parameter of a public function, which any caller may choose.
    near: a parameter of a function whose calls are in sight around it, where it is judged; only its checks count.
    """

    kind: Kind
    grade: Grade
    text: str
    words: frozenset[str] = field(default=frozenset(), compare=False)
    open: bool = field(default=False, compare=False)
    near: bool = field(default=False, compare=False)


def risks(names: Iterable[str]) -> int:
    """The risks that words of a row name. Raises KeyError for a word that is none."""
    found = Risk.NONE
    for name in names:
        found |= RISK_NAMES[name]
    return found


def marks(names: Iterable[str]) -> int:
    """The marks that words of a row name. Raises KeyError for a word that is none."""
    found = Mark.NONE
    for name in names:
        found |= MARK_NAMES[name]
    return found
