"""Which tools a project runs: told by their configuration, and by the words of its hooks, CI files and task files."""

import re
from collections.abc import Iterator
from functools import lru_cache

from valhalla_lint.core.evidence import Citation
from valhalla_lint.review.collect import Facts
from valhalla_lint.review.files import in_folder

TASK_NAMES = frozenset(
    {
        "makefile",
        "gnumakefile",
        "justfile",
        "noxfile.py",
        "tox.ini",
        "tasks.py",
        "dodo.py",
        ".pre-commit-config.yaml",
        ".pre-commit-config.yml",
        "taskfile.yml",
    }
)
SCRIPT_FOLDERS = frozenset({"scripts", "script", "ci", ".ci", "tools", "dev", "hack", "bin", ".github"})
MAX_LINE = 2_000
"""Characters of a line that are searched."""
DEPTH = 2
"""Folders down to which scripts count."""
TASK_DEPTH = 3
"""Folders down to which task files count: those of a part of the project."""
PACKAGES = re.compile(r"\bpip3?\s+install\b|\buv\s+(?:pip\s+install|add)\b|\buv\s+tool\s+install\b")


@lru_cache(maxsize=1)
def _task_lines(facts: Facts) -> tuple[tuple[str, int, str], ...]:
    """The lines of hooks, CI files, task files and short scripts, without comments: path, line, text."""
    found = []
    for file in facts.files:
        name, folders = file.entry.name.lower(), file.folders
        script = (
            0 < len(folders) <= DEPTH
            and folders[-1] in SCRIPT_FOLDERS
            and (file.language == "shell" or "." not in name)
        )
        action = folders[:2] == (".github", "actions") and name.endswith((".yml", ".yaml"))
        task = name in TASK_NAMES and len(folders) <= TASK_DEPTH and not in_folder(file, "tests")
        if not ("ci" in file.kinds or task or script or action):
            continue
        for number, line in enumerate(facts.text(file.path).split("\n"), 1):
            text = re.split(r"(?:^|\s)#", line[:MAX_LINE], maxsplit=1)[0]
            if text.strip() and not PACKAGES.search(text):
                found.append((file.path, number, text))
    return tuple(found)


def said(facts: Facts, pattern: str) -> Iterator[Citation]:
    """Lines of hooks, CI files and task files that hold a pattern; lines that only install packages do not count."""
    compiled = re.compile(pattern)
    for path, number, text in _task_lines(facts):
        if compiled.search(text):
            yield facts.cite(path, number)


def configured(facts: Facts, *tools: str) -> Iterator[Citation]:
    """Configuration of tools."""
    for tool in tools:
        if path := facts.declared.tools.get(tool):
            yield facts.cite(path, _section(facts, path, tool), note=f"configures {tool}")


def _section(facts: Facts, path: str, tool: str) -> int:
    for number, line in enumerate(facts.text(path).split("\n"), 1):
        if line.startswith("[") and re.match(rf"\[(?:tool[.:])?{re.escape(tool)}\b", line):
            return number
    return 0
