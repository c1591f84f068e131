"""What a number is: a unit, a status, a tolerance, a timeout — read off its value, its role and the words around it."""

import ast
import errno
import signal
from collections.abc import Mapping
from enum import Enum
from http import HTTPStatus


class Kind(Enum):
    """What a number is, in the words that messages use."""

    HTTP_STATUS = "an HTTP status"
    ERRNO = "an error number"
    SIGNAL = "a signal number"
    TIME_UNIT = "a unit conversion"
    BYTE_UNIT = "a unit conversion of bytes"
    SCALE = "a unit conversion"
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
    RESULT = "a result"
    SETTING = "a setting"


TIME = frozenset(
    """time seconds second secs sec minutes minute mins min hours hour days day weeks ms millis milliseconds millisecond us
    micros microseconds microsecond ns nanos nanoseconds elapsed duration durations timeout deadline delay interval ttl age
    latency uptime timestamp timestamps perf counter monotonic dt expires expiry lifetime""".split()
)
BYTES = frozenset("bytes byte nbytes size sizes memory mem mb kb gb mib kib gib disk rss filesize bandwidth storage".split())
BITS = frozenset("bit bits nbits bitwidth bitlength byte bytes nbytes octet octets itemsize".split())
STATUS = frozenset("status statuscode code codes http response resp httpcode".split())
ERRNOS = frozenset("errno winerror eno".split())
VERSION = frozenset("version versions ver release major minor vernum hexversion abi".split())
CALENDAR = frozenset(
    "month months day days hour hours minute minutes second seconds weekday week year quarter isoweekday hh mm ss tm "
    "microsecond microseconds".split()
)
CALENDAR_VALUES = frozenset(
    {3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 20, 21, 23, 24, 28, 29, 30, 31, 52, 53, 59, 60, 100, 365, 366, 400, 1900, 1970, 2000}
)
DIMENSIONS = frozenset("ndim ndims dim dims rank shape ndimension axis axes dimension dimensions".split())
STATES = frozenset(
    "verbosity verbose mode level kind choice protocol state op opcode bits bit nbits bitwidth type dtype order degree nu "
    "answer option stage phase flag version".split()
)
TRIES = frozenset("retry retries retried attempt attempts tries try failures".split())
CHARACTERS = frozenset("ord cp codepoint char ch character".split())
LAYERS = frozenset(
    "dim dims hidden embed embedding inner channel channels mlp intermediate ffn features width heads head ch model".split()
)
COUNTS = frozenset(
    "num n count counts length len frames frame tokens token steps step iterations iteration iter samples workers cpus cpu "
    "threads batch batches number total height width rows columns items pages lines retries index idx layers layer epoch "
    "epochs size capacity depth".split()
)
LENGTHS = frozenset("len length lengths size count".split())
MEASURED = frozenset(
    "elapsed duration timeout time age latency delay counter errors failures misses strikes hits retries attempts".split()
)
"""What is measured or counted while a program runs: even a small number that it is held against is a threshold."""
IMAGES = frozenset(
    """image images img imgs pixel pixels color colors colour rgb rgba red green blue gray grey frame frames video uint8
    mask canvas""".split()
)
ANGLES = frozenset("lat lon latitude longitude lng angle angles degree degrees deg rotation rotate heading azimuth theta hue".split())
TURNS = frozenset({45, 90, 180, 270, 360})
"""Parts of a full turn, in degrees."""
ORDERINGS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
GREEK = frozenset("alpha beta gamma sigma theta lambda omega phi rho mu pi".split())

SECONDS_PER_MINUTE = 60
SECONDS_PER_HOUR = 3600
SECONDS_PER_DAY = 86400
MINUTES_PER_DAY = 1440
HOURS_PER_DAY = 24
THOUSAND = 1000
MILLION = 1_000_000
BILLION = 1_000_000_000
KIBI = 1024
MEBI = 1024**2
GIBI = 1024**3

UNIT_NAMES: Mapping[float, str] = {
    SECONDS_PER_MINUTE: "SECONDS_PER_MINUTE",
    SECONDS_PER_HOUR: "SECONDS_PER_HOUR",
    SECONDS_PER_DAY: "SECONDS_PER_DAY",
    MINUTES_PER_DAY: "MINUTES_PER_DAY",
    THOUSAND: "MS_PER_SECOND",
    MILLION: "MICROSECONDS_PER_SECOND",
    BILLION: "NANOSECONDS_PER_SECOND",
    1e-3: "SECONDS_PER_MS",
    1e-6: "SECONDS_PER_MICROSECOND",
    1e-9: "SECONDS_PER_NANOSECOND",
    KIBI: "BYTES_PER_KIB",
    MEBI: "BYTES_PER_MIB",
    GIBI: "BYTES_PER_GIB",
}
"""Factors that are known as units, with the name that each would have."""
COUNTED_UNITS: Mapping[float, str] = {THOUSAND: "THOUSAND", MILLION: "MILLION", BILLION: "BILLION"}
"""The names where what is converted is neither a time nor bytes."""
BYTE_NAMES: Mapping[float, str] = {THOUSAND: "BYTES_PER_KB", MILLION: "BYTES_PER_MB", BILLION: "BYTES_PER_GB"}
SMALL_UNITS = frozenset({HOURS_PER_DAY, 7, 12, 30, 31, 52, 365, 365.25, 366})
"""Factors that are units only where time is spoken of."""

BYTE_STRUCTURE = frozenset({8, 16, 24, 32, 40, 48, 56, 64})
BYTE_MASKS = frozenset({0x0F, 0x7F, 0x80, 0xF0, 0xFF, 0x100, 0xFF00, 0xFFFF, 0xFF0000, 0xFFFFFF, 0xFF000000, 0xFFFFFFFF,
                        0xFFFFFFFFFFFFFFFF, 0x7FFFFFFF, 0x80000000})  # fmt: skip
BINARY_UNITS = frozenset({10, 20, 30, 40, 50, 60})
"""Shifts that make kibi-, mebi-, gibibytes."""
WIDTHS = frozenset({7, 8, 15, 16, 24, 31, 32, 48, 52, 53, 63, 64, 127, 128, 256})
"""Exponents of two that are the width of a machine type."""
EXTREMES = frozenset(
    {2**15 - 1, 2**15, 2**16 - 1, 2**16, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**53, 2**63 - 1, 2**63, 2**64 - 1, 2**64}
)
"""The ends of the ranges of machine integers."""
COLOUR_DEPTH = frozenset({255, 256, 127.5, 127, 128})
"""The range of an eight-bit image, and its middle."""

HTTP_NAMES: Mapping[int, str] = {int(status): status.name for status in HTTPStatus}
ERRNO_NAMES: Mapping[int, str] = dict(sorted(errno.errorcode.items()))
SIGNAL_NAMES: Mapping[int, str] = {int(item): item.name for item in signal.Signals}
FIRST_STATUS, LAST_STATUS = 100, 599
STATUS_CLASS = 100
"""HTTP statuses come in classes of a hundred; comparisons with the end of a class (600) are statuses too."""


def is_http_status(value: object) -> bool:
    """Whether a value is a status that HTTP defines, or the bound of a class of them."""
    return (
        isinstance(value, int)
        and FIRST_STATUS <= value <= LAST_STATUS + 1
        and (value in HTTP_NAMES or value % STATUS_CLASS == 0)
    )


def is_tolerance(value: object) -> bool:
    """Whether a value is so small that it only stands for "almost nothing"."""
    return isinstance(value, float) and 0 < abs(value) <= LARGEST_TOLERANCE


LARGEST_TOLERANCE = 1e-4
