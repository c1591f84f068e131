"""Which parameters a docstring documents."""

import re
from collections.abc import Iterator

MAX_LINE = 300
"""Characters of a docstring's line that are searched."""
SPHINX_PARAMETER = re.compile(r"^[ \t]*:param(?:eter)?[ \t]+(?:[^:\n]*[ \t])?\*{0,2}(\w+)[ \t]*:", re.MULTILINE)
GOOGLE_SECTION = re.compile(r"^([ \t]*)(?:Args|Arguments|Parameters|Params)\s*:[ \t]*$", re.MULTILINE)
GOOGLE_ITEM = re.compile(r"([ \t]+)\*{0,2}(\w+)[ \t]*(?:\([^\n]*\))?[ \t]*:")
NUMPY_SECTION = re.compile(r"^[ \t]*(?:Parameters)[ \t]*\n[ \t]*-{3,}[ \t]*$", re.MULTILINE)
NUMPY_ITEM = re.compile(r"([ \t]*)(\*{0,2}\w+(?:[ \t]*,[ \t]*\*{0,2}\w+)*)[ \t]*(?::.*)?$")


def documented(docstring: str) -> Iterator[str]:
    """The parameter names that a docstring documents, in Sphinx, Google or NumPy form."""
    for match in SPHINX_PARAMETER.finditer(docstring):
        yield match[1]
    if google := GOOGLE_SECTION.search(docstring):
        yield from _google(docstring[google.end() :], len(google[1].expandtabs()))
    if numpy := NUMPY_SECTION.search(docstring):
        yield from _numpy(docstring[numpy.end() :])


def _google(text: str, outer: int) -> Iterator[str]:
    indent = 0
    for whole in text.split("\n"):
        line = whole[:MAX_LINE]
        if not line.strip():
            continue
        depth = len(line.expandtabs()) - len(line.expandtabs().lstrip())
        if depth <= outer:
            return
        indent = indent or depth
        if depth == indent and (match := GOOGLE_ITEM.match(line)):
            yield match[2]


def _numpy(text: str) -> Iterator[str]:
    lines = text.split("\n")
    for number, line in enumerate(lines):
        following = lines[number + 1].strip() if number + 1 < len(lines) else ""
        if following.startswith("---"):
            return
        if line and not line[0].isspace() and (match := NUMPY_ITEM.fullmatch(line)):
            for name in match[2].split(","):
                yield name.strip().lstrip("*")
