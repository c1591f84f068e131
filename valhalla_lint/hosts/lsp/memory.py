"""Large pages of memory for processes that rest between keystrokes.

A judgement touches objects all over the memory of its process, once each. After a rest the processor has forgotten
where the pages of that memory lie, and looking up each of 4 KB anew takes a sixth of the time of a judgement. Linux can
gather what is there already in pages of 2 MB; where it cannot, nothing is done, and nothing else changes.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

SETTING = Path("/sys/kernel/mm/transparent_hugepage")
MAPS = Path("/proc/self/smaps")
COLLAPSE = 25
"""The advice of `madvise` that gathers pages at once, from Linux 6.1 on."""
AREA = re.compile(r"([0-9a-f]+)-([0-9a-f]+) rw\S+ \S+ \S+ 0(?: +\[heap\]| *)")
"""How an area of memory begins that may be written and belongs to no file."""
SIZE, USED = "Size:", "Rss:"


def gather_pages() -> int:
    """Have the memory of this process held in large pages, where the system offers them; how many there are.

    Never raises. Only areas of which more than half is in use: what is empty, stacks above all, stays so.
    """
    if sys.platform != "linux":
        return 0
    try:
        if "[never]" in (SETTING / "enabled").read_text(encoding="ascii"):
            return 0
        size = int((SETTING / "hpage_pmd_size").read_text(encoding="ascii"))
        areas = in_use(MAPS.read_text(encoding="utf-8", errors="replace"))
        return sum(_gathered(begin, end, size) for begin, end in areas) if size > 0 else 0
    except (OSError, ValueError, ImportError, AttributeError):  # a Python without ctypes, a library without the call
        return 0


def in_use(maps: str) -> Iterator[tuple[int, int]]:
    """The areas that are worth it: where each begins and ends."""
    area: re.Match[str] | None = None
    whole = 0
    for line in maps.splitlines():
        if line.startswith(SIZE):
            whole = int(line.split()[1])
        elif line.startswith(USED):
            if area is not None and int(line.split()[1]) * 2 > whole:
                yield int(area[1], 16), int(area[2], 16)
            area = None
        elif "-" in line:
            area = AREA.fullmatch(line) or area


def _gathered(begin: int, end: int, size: int) -> int:
    """Have an area held in large pages; how many of them."""
    import ctypes  # by this process alone, and once

    advise = ctypes.CDLL(None).madvise
    advise.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
    places = range(-(-begin // size) * size, end - size + 1, size)
    return sum(advise(place, size, COLLAPSE) == 0 for place in places)
