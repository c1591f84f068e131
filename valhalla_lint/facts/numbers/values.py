"""Numbers that are known: units, the widths and ends of machine types, turns, statuses."""

import errno
import math
import signal
from collections.abc import Mapping
from http import HTTPStatus

ORDINARY = frozenset({0, 1, 1j, math.inf})
"""Identity, emptiness, first and last, step, imaginary unit, no bound: never judged (-1 is 1 with its sign)."""
PAIR = 2
HALVES = frozenset({2, 0.5})
"""Halving, doubling, parity, pairs: judged only where a call waits that long, or in a list of codes."""
SMALL = 5
"""Integers up to here are positions, arities and shapes unless the words around them speak of a threshold."""
TEN = 10
HUNDRED = 100
QUARTERS, SIXTHS, EIGHTHS = 4, 6, 8
"""Parts of one that textbook formulas count in."""

SECONDS_PER_MINUTE = 60
SECONDS_PER_HOUR = 3600
SECONDS_PER_DAY = 86400
MINUTES_PER_DAY = 1440
HOURS_PER_DAY = 24
THOUSAND = 1000
MILLION = 1_000_000
BILLION = 1_000_000_000
KIBI = 1024
MEBI = KIBI**2
GIBI = KIBI**3
MILLI = 1e-3

UNIT_NAMES: Mapping[float, str] = {
    SECONDS_PER_MINUTE: "SECONDS_PER_MINUTE",
    SECONDS_PER_HOUR: "SECONDS_PER_HOUR",
    SECONDS_PER_DAY: "SECONDS_PER_DAY",
    MINUTES_PER_DAY: "MINUTES_PER_DAY",
    THOUSAND: "MS_PER_SECOND",
    MILLION: "MICROSECONDS_PER_SECOND",
    BILLION: "NANOSECONDS_PER_SECOND",
    MILLI: "SECONDS_PER_MS",
    1e-6: "SECONDS_PER_MICROSECOND",
    1e-9: "SECONDS_PER_NANOSECOND",
    KIBI: "BYTES_PER_KIB",
    MEBI: "BYTES_PER_MIB",
    GIBI: "BYTES_PER_GIB",
}
"""Factors that are known as units, with the name that each would have."""
PLAIN_NAMES: Mapping[float, str] = {THOUSAND: "THOUSAND", MILLION: "MILLION", BILLION: "BILLION"}
"""The names where what is converted is neither a time nor bytes."""
BYTE_NAMES: Mapping[float, str] = {THOUSAND: "BYTES_PER_KB", MILLION: "BYTES_PER_MB", BILLION: "BYTES_PER_GB"}
SCHEDULED = frozenset({THOUSAND, MILLI})
"""Scales that are as often chosen as they are units."""
SEXAGESIMAL = frozenset({SECONDS_PER_MINUTE, SECONDS_PER_HOUR})
REMAINDERS = frozenset({SECONDS_PER_MINUTE, HOURS_PER_DAY})
"""What is left over when these divide is a minute or an hour of a time."""
SMALL_UNITS = frozenset({HOURS_PER_DAY, 7, 12, 30, 31, 52, 365, 365.25, 366})
"""Factors that are units only where time is spoken of."""
CALENDAR = frozenset(
    {*range(3, 8), *range(9, 14), 20, 21, 23, 24, *range(28, 32), 52, 53, 59, 60, 100, 365, 366, 400, 1900, 1970, 2000}
)

BYTE = 8
CHANNELS = frozenset({3, 4})
"""Samples of a pixel: red, green, blue, and how opaque it is."""
BYTE_STRUCTURE = frozenset({8, 16, 24, 32, 40, 48, 56, 64})
CONTINUATION = 0x80
"""The top bit of a byte; compared with, it is the pattern of a UTF-8 continuation byte."""
BYTE_MASKS = frozenset(
    {0x0F, 0x7F, CONTINUATION, 0xF0, 0xFF, 0x100, 0xFF00, 0xFFFF, 0xFF0000, 0xFFFFFF, 0xFF000000, 2**32 - 1, 2**64 - 1}
    | {2**31 - 1, 2**31}
)
BINARY_UNITS = frozenset({10, 20, 30, 40, 50, 60})
"""Exponents of two that make kibi-, mebi-, gibibytes."""
WIDTHS = frozenset({7, 8, 15, 16, 24, 31, 32, 48, 52, 53, 63, 64, 127, 128, 256})
"""Exponents of two that are the width of a machine type."""
WIDEST_STATE = 64
EXTREMES = frozenset(
    {2**15 - 1, 2**15, 2**16 - 1, 2**16, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**53, 2**63 - 1, 2**63, 2**64 - 1, 2**64}
)
"""The ends of the ranges of machine integers."""
WHOLES = frozenset({HUNDRED, 255})
"""The ends of percentages and of bytes."""
SAMPLE_SCALES = frozenset({255, 127.5})
COLOUR_DEPTH = SAMPLE_SCALES | {256, 127, 128}
"""The range of an eight-bit image, and its middle."""
POWERS_OF_TEN = frozenset(TEN**exponent for exponent in range(1, 19))
HALF_TURNS = frozenset({180, 360})
YEARS = range(1900, 2101)
TURNS = frozenset({45, 90, 180, 270, 360})
"""Parts of a full turn, in degrees."""
LARGEST_TOLERANCE = 1e-4

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


def is_small(value: object, bound: float = SMALL) -> bool:
    """Whether a value is an integer (a float without fraction counts) of no more than a given size."""
    return isinstance(value, int | float) and abs(value) <= bound and value == math.floor(value)


def in_parts(value: object, parts: int) -> bool:
    """Whether a value is a multiple of one part: quarters for 4. Infinity is none."""
    return isinstance(value, int) or (isinstance(value, float) and (value * parts).is_integer())


def is_ones(value: object) -> bool:
    """Whether all bits of an integer are ones, as many as a machine type has (`0x7FFF`)."""
    return isinstance(value, int) and value & (value + 1) == 0 and value.bit_length() in WIDTHS
