"""Whether others may come upon a new public name of a module: through its package, or an import with a star."""

import ast
import os
import re
from functools import lru_cache
from pathlib import Path

from valhalla_lint.facts.module import Module
from valhalla_lint.facts.reading import read_bytes

STAR = re.compile(r"^[ \t]*from[ \t]+([.\w]+)[ \t]+import[ \t]*\(?[ \t]*\*", re.MULTILINE)
MAX_FILES = 20_000
"""Files of a project that are looked through; in a larger one every module counts as imported with a star."""
SKIPPED = frozenset({".git", ".hg", ".nox", ".tox", ".venv", "__pycache__", "node_modules", "site-packages", "venv"})


def is_public_elsewhere(module: Module) -> bool:
    """Whether a new public name of a module is more than its own business.

    It is where the module is part of a package, whose public names are read as its interface even beside an `__all__`,
    and where it has no `__all__` and is imported with a star somewhere in its project.
    """
    location = module.source.location
    if location is None:
        return False
    if (location.parent / "__init__.py").is_file():
        return True
    if _lists_its_names(module.tree):
        return False
    names = starred(str(module.project.root or location.parent))
    return names is None or location.stem in names


def _lists_its_names(tree: ast.Module) -> bool:
    return any(
        isinstance(statement, ast.Assign)
        and any(isinstance(target, ast.Name) and target.id == "__all__" for target in statement.targets)
        for statement in tree.body
    )


@lru_cache(maxsize=16)
def starred(root: str) -> frozenset[str] | None:
    """The last names of all modules that are imported with a star below a folder; None where it has too many files."""
    found: set[str] = set()
    seen = 0
    for folder, folders, files in os.walk(root):
        folders[:] = [name for name in folders if name not in SKIPPED]
        for name in files:
            if not name.endswith(".py"):
                continue
            seen += 1
            if seen > MAX_FILES:
                return None
            data = read_bytes(Path(folder) / name)  # waits for no pipe, and reads no device
            if isinstance(data, str):
                continue
            text = data.decode("utf-8", "replace")
            if "import *" not in text and "import (*" not in text:
                continue
            for match in STAR.finditer(text):
                dotted = match[1].rstrip(".")
                found.add(dotted.rpartition(".")[2] or Path(folder).name)
    return frozenset(found)
