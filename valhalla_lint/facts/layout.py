"""What a project's own configuration says about where its packages, programs and tests lie.

Files are read, never imported; what cannot be read or parsed counts as absent.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from valhalla_lint.facts.disk import is_folder, names, remembered
from valhalla_lint.facts.project import Project, is_package, project_of
from valhalla_lint.facts.reading import read_bytes

PYTEST_SECTIONS = (("pytest.ini", "pytest"), ("tox.ini", "pytest"), ("setup.cfg", "tool:pytest"))
"""Files beside pyproject.toml in which pytest looks for its configuration, and the section that it reads there."""


class Layout(NamedTuple):
    """Folders are relative to the root, POSIX form.

    packages: folders of the import packages that the project ships.
    testpaths: pattern and the file that states it. programs: dotted module to the name of the entry point that runs it.
    """

    name: str = ""
    packages: tuple[str, ...] = ()
    testpaths: tuple[tuple[str, str], ...] = ()
    programs: tuple[tuple[str, str], ...] = ()


def layout_of(project: Project) -> Layout:
    """The layout of a project, read once a root."""
    return Layout() if project.root is None else _layout(project.root)


@remembered(1024)
def _layout(root: Path) -> Layout:
    project = project_of(root / "pyproject.toml")
    name = re.sub(r"[-_.]+", "_", str(project.table("project").get("name", ""))).lower()
    return Layout(
        name=name,
        packages=tuple(dict.fromkeys(folder for folder in _packages(root, project, name) if folder)),
        testpaths=tuple(_testpaths(root, project)),
        programs=tuple(_programs(project)),
    )


def _strings(value: object) -> list[str]:
    """The strings of a list, or one string; anything else gives none."""
    if isinstance(value, str):
        return [value]
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def _clean(folder: str) -> str:
    """A folder without `./` in front and slashes behind; "" for the root itself and for places outside of it."""
    path = PurePosixPath(folder.replace("\\", "/"))
    return "" if path.is_absolute() or ".." in path.parts or path == PurePosixPath() else path.as_posix()


def _packages(root: Path, project: Project, name: str) -> Iterator[str]:
    hatch = project.table("tool", "hatch", "build", "targets", "wheel")
    for key in ("packages", "only-include"):
        yield from map(_clean, _strings(hatch.get(key)))
    yield from _setuptools(root, project.table("tool", "setuptools"))
    included = project.table("tool", "poetry").get("packages")
    for item in included if isinstance(included, list) else ():
        if isinstance(item, Mapping) and isinstance(item.get("include"), str):
            yield _clean(f"{item.get('from', '.')}/{item['include']}")
    backend = project.table("tool", "uv", "build-backend")
    for module in _strings(backend.get("module-name")):
        yield _clean(f"{backend.get('module-root', 'src')}/{module.replace('.', '/')}")
    modules = _strings(project.table("tool", "flit", "module").get("name")) or ([name] if name else [])
    for module in modules:
        for base in ("", "src/"):
            if is_folder(root / base / module):
                yield base + module


def _setuptools(root: Path, table: Mapping[str, object]) -> Iterator[str]:
    folders = table.get("package-dir")
    mapped = folders if isinstance(folders, Mapping) else {}
    base = str(mapped.get("", "."))
    packages = table.get("packages")
    if isinstance(packages, Mapping):
        find = packages.get("find")
        for where in _strings(find.get("where")) if isinstance(find, Mapping) else ():
            if folder := _clean(where):
                yield from _children(root, folder)
        return
    for dotted in _strings(packages):
        if "." not in dotted:
            yield _clean(str(mapped.get(dotted, f"{base}/{dotted}")))


def _children(root: Path, folder: str) -> list[str]:
    try:
        inside = names(root / folder)
    except OSError:
        return []
    return [f"{folder}/{item.name}" for item in inside if item.is_folder and is_package(root / folder / item.name)]


def _testpaths(root: Path, project: Project) -> Iterator[tuple[str, str]]:
    pytest = project.table("tool", "pytest")
    for table in (pytest, project.table("tool", "pytest", "ini_options")):
        stated = table.get("testpaths")
        for path in stated.split() if isinstance(stated, str) else _strings(stated):
            yield _clean(path), "pyproject.toml"
    for file, section in PYTEST_SECTIONS:
        for path in _ini(root / file, section, "testpaths").split():
            yield _clean(path), file


def _ini(path: Path, section: str, key: str) -> str:
    data = read_bytes(path)
    try:
        text = "" if isinstance(data, str) else data.decode()
    except ValueError:
        return ""
    if f"[{section}]" not in text:
        return ""
    import configparser  # few projects keep such a file

    parser = configparser.ConfigParser(interpolation=None, strict=False)
    try:
        parser.read_string(text)
    except configparser.Error:
        return ""
    return parser.get(section, key, fallback="")


def _programs(project: Project) -> Iterator[tuple[str, str]]:
    stated = project.table("project")
    groups: list[object] = [
        stated.get("scripts"),
        stated.get("gui-scripts"),
        project.table("tool", "poetry", "scripts"),
    ]
    more = stated.get("entry-points")
    groups += list(more.values()) if isinstance(more, Mapping) else []
    for group in groups:
        if not isinstance(group, Mapping):
            continue
        for name, target in group.items():
            if isinstance(target, str):
                yield target.partition(":")[0].strip(), str(name)
