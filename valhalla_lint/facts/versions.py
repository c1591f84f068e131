"""What a project says about the versions that it runs on: the lowest Python, the lowest release of a dependency.

A default that became safe in some release (torch 2.6 loads weights only, Python 3.14 filters tar members) counts only
where the project rules out older releases. Where nothing is declared, the older behaviour is assumed.
"""

import ast
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from valhalla_lint.core.regex import regex
from valhalla_lint.facts.disk import is_file, names, remembered
from valhalla_lint.facts.parse import parse
from valhalla_lint.facts.project import Project
from valhalla_lint.facts.reading import text_of
from valhalla_lint.facts.tables import parsed

Version = tuple[int, ...]

MAX_LENGTH = 1_000_000
"""Declarations longer than this are not read."""
REQUIREMENT = regex(r"\s*(?P<name>[A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:\[[^\]]*\])?\s*\(?(?P<specifiers>[^;#@)]*)")
SPECIFIER = regex(r"(?P<operator>===|==|~=|>=|<=|!=|>|<|\^|~)?\s*(?P<version>\d+(?:\.\d+)*)")
LOWEST = frozenset({"===", "==", "~=", ">=", ">", "^", "~"})
"""Operators that rule out older releases; a bare version (Poetry) stands for a caret."""
SEPARATORS = regex(r"[-_.]+")


class Declared(NamedTuple):
    """The lowest versions that a project allows; what it does not bound from below is absent."""

    python: Version | None = None
    packages: Mapping[str, Version] = {}

    def rules_out(self, package: str, below: Version) -> bool:
        """Whether the project is never run with a release of `package` (or "python") older than `below`."""
        lowest = self.python if package == "python" else self.packages.get(package)
        return lowest is not None and lowest >= below


def declared(project: Project) -> Declared:
    """What a project declares in pyproject.toml, setup.cfg, setup.py or requirements files; never raises.

    The first of these that names a package decides about it; within one of them the lowest bound does, whatever
    the environment marker or the extra.
    """
    return Declared() if project.root is None else _declared(project.root)


@remembered(1024)
def _declared(root: Path) -> Declared:
    pythons: list[Version | None] = []
    lowest: dict[str, Version | None] = {}
    for python, requirements in (_pyproject(root), _setup_cfg(root), _setup_py(root), _requirements(root)):
        if python is not None:
            pythons.append(lower_bound(python))
        for name, bound in _bounds(requirements).items():
            lowest.setdefault(name, bound)
    return Declared(
        python=next((found for found in pythons if found is not None), None),
        packages={name: bound for name, bound in lowest.items() if bound is not None},
    )


Found = tuple[str | None, list[str]]
"""The constraint on Python and the requirements that one file holds."""


def lower_bound(specifiers: str) -> Version | None:
    """The lowest version that a set of specifiers (`>=2.6,<3`, `^2.6`, `2.6`) allows, None where nothing says so.

    Alternatives (`^2.6 || ^3.0`) take the lowest of theirs.
    """
    bounds: list[Version | None] = []
    for alternative in specifiers.split("||"):
        found = [
            tuple(int(part) for part in match["version"].split("."))
            for match in SPECIFIER.finditer(alternative)
            if match["operator"] is None or match["operator"] in LOWEST
        ]
        bounds.append(max(found, default=None))
    known = [bound for bound in bounds if bound is not None]
    return min(known) if len(known) == len(bounds) else None


def _bounds(requirements: Iterable[str]) -> dict[str, Version | None]:
    """The lowest bound of each package that is named; None where one of its lines has none."""
    found: dict[str, Version | None] = {}
    for line in requirements:
        match = REQUIREMENT.match(line)
        if match is None:
            continue
        name = SEPARATORS.sub("-", match["name"]).lower()
        bound = lower_bound(match["specifiers"]) if match["specifiers"].strip() else None
        known = found.get(name, bound)
        found[name] = None if bound is None or known is None else min(known, bound)
    return found


def _text(path: Path) -> str:
    text = text_of(path)
    return text if len(text) <= MAX_LENGTH else ""


def _pyproject(root: Path) -> Found:
    text = _text(root / "pyproject.toml")
    try:
        tables = parsed(text) if text else {}
    except (ValueError, RecursionError):
        return None, []
    project = _mapping(tables.get("project"))
    python = project.get("requires-python")
    requirements = list(_strings(project.get("dependencies")))
    optional = [line for lines in _mapping(project.get("optional-dependencies")).values() for line in _strings(lines)]
    named = _bounds(requirements)
    requirements += [line for line in optional if not _bounds([line]).keys() & named.keys()]
    poetry = _mapping(_mapping(_mapping(tables.get("tool")).get("poetry")).get("dependencies"))
    for name, value in poetry.items():
        for item in value if isinstance(value, list) else [value]:
            version = item.get("version") if isinstance(item, Mapping) else item
            if not isinstance(version, str):
                continue
            if name == "python":
                python = python if isinstance(python, str) else version
            else:
                requirements.append(f"{name} {version}")
    return (python if isinstance(python, str) else None), requirements


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, Mapping) else {}


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, list):
        yield from (item for item in value if isinstance(item, str))


def _setup_cfg(root: Path) -> Found:
    text = _text(root / "setup.cfg")
    if not text:
        return None, []
    import configparser  # here: few projects still have the file

    parser = configparser.ConfigParser(interpolation=None, strict=False)
    try:
        parser.read_string(text)
    except configparser.Error:
        return None, []
    python = parser.get("options", "python_requires", fallback=None)
    lines = parser.get("options", "install_requires", fallback="").splitlines()
    return python, [line for line in lines if line.strip()]


def _setup_py(root: Path) -> Found:
    """The literal arguments of `setup(...)`; the file is parsed, never run."""
    tree = parse(_text(root / "setup.py")).tree
    python: str | None = None
    requirements: list[str] = []
    for node in ast.walk(tree):
        if not isinstance(node, ast.keyword):
            continue
        match node.arg, node.value:
            case "python_requires", ast.Constant(value=str(text)):
                python = text
            case "install_requires", ast.List(elts=elements):
                requirements += [
                    item.value for item in elements if isinstance(item, ast.Constant) and isinstance(item.value, str)
                ]
    return python, requirements


def _texts(folder: Path) -> list[Path]:
    """The `*.txt` files of a folder."""
    try:
        inside = names(folder, (".txt",))
    except OSError:
        return []
    return [folder / item.name for item in inside if not item.is_folder and is_file(folder / item.name)]


def _requirements(root: Path) -> Found:
    lines: list[str] = []
    files = [path for path in _texts(root) if path.name.startswith("requirements")]
    for path in sorted([*files, *_texts(root / "requirements")]):
        lines += [line for line in _text(path).splitlines() if not line.lstrip().startswith(("#", "-"))]
    return None, lines
