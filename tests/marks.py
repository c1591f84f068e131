"""What a program says about itself: comments that mark the lines on which findings are due.

`# expect: VH201` at the end of a line marks that line; `# expect-next: VH201 VH203` on a line of its own marks the
next one, where a comment would change what the line means. Two codes mean two findings.
"""

import re
from collections import Counter

MARK = re.compile(r"# expect(?P<next>-next)?: (?P<codes>VH\d{3}(?: VH\d{3})*)\s*$")
LINE_END = re.compile(r"\r\n|\r|\n")  # as Python counts lines: a form feed ends none


def marks(text: str) -> Counter[tuple[int, str]]:
    """How many findings of which code are due on which line."""
    due: Counter[tuple[int, str]] = Counter()
    for number, line in enumerate(LINE_END.split(text), 1):
        if found := MARK.search(line):
            due.update((number + bool(found["next"]), code) for code in found["codes"].split())
    return due
