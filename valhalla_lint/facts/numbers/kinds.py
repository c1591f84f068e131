"""What a number without a name is."""

from enum import Enum
from typing import NamedTuple

from valhalla_lint.facts.numbers import vocabulary as about


class Kind(Enum):
    """What a number is, in the words that messages use."""

    HTTP_STATUS = "an HTTP status"
    ERRNO = "an error number"
    SIGNAL = "a signal"
    TIME_UNIT = "a unit of time"
    BYTE_UNIT = "a unit of bytes"
    SCALE = "a unit"
    TOLERANCE = "a tolerance"
    THRESHOLD = "a threshold"
    LIMIT = "a limit"
    TIMEOUT = "a waiting time"
    RETRIES = "a number of tries"
    SIZE = "a size"
    COUNT = "a count"
    PORT = "a port"
    FACTOR = "a factor"
    DIVISOR = "a divisor"
    OFFSET = "an offset"
    ALIGNMENT = "an alignment"
    PERIOD = "a period"
    MASK = "a bit mask"
    SHIFT = "a shift"
    EXPONENT = "an exponent"
    RATE = "a hyper-parameter"
    CODE = "a code"
    COLUMN = "a position in a record"
    LENGTH = "the length of a part"
    DEFAULT = "a fallback"
    SETTING = "a setting"


class _Row(NamedTuple):
    kind: Kind
    words: frozenset[str]


ROWS = (
    _Row(Kind.PORT, about.PORT),
    _Row(Kind.RETRIES, about.TRIES),
    _Row(Kind.RATE, about.RATE),
    _Row(Kind.TIMEOUT, about.TIME),
    _Row(Kind.SIZE, about.SIZE),
    _Row(Kind.COUNT, about.COUNT),
)
"""The kinds that words alone tell, the most telling first."""


def by_words(words: frozenset[str], otherwise: Kind) -> Kind:
    """The kind of a number that is handed to something with these words in its name."""
    return next((row.kind for row in ROWS if row.words & words), otherwise)
