"""`valhalla-lint init`: write the table for a project into pyproject.toml, and keep every other byte of it.

Where ruff is configured, its `lint.external` is told of our codes: else it calls them invalid in `noqa` comments.
"""

import argparse
import copy
import os
import re
import sys
import tomllib
from pathlib import Path
from typing import NamedTuple

from valhalla_lint.config import OWN_FILE, SHARED_FILE, TABLE
from valhalla_lint.hosts.cli import status

OURS = """\
# "audit" adds what only a reviewer may want to see.
preset = "default"
# Findings below this severity are reported without failing the run: low, medium, high.
fail-on = "low"
"""
PREFIX = "VH"
RUFF_FILES = ("ruff.toml", ".ruff.toml")


class _CannotError(Exception):
    """An edit that cannot be made safely; the message says what to write by hand."""


class Edit(NamedTuple):
    """A file's new text, what was done, in words (none where all is well already), and what was there."""

    path: Path
    text: str
    done: str
    kept: str = ""


def register(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `init`."""
    parser.add_argument("folder", nargs="?", default=".", metavar="FOLDER", help="the project (default: .)")


def run(arguments: argparse.Namespace) -> int:
    """Write what is missing, and say what was done. Effect: changes files."""
    folder = Path(arguments.folder)
    if not arguments.folder or not folder.is_dir():  # an unset variable of a script does not mean the working folder
        sys.stderr.write(f"valhalla-lint: {arguments.folder!r} is no folder\n")
        return status.WRONG_USE
    mistakes: list[str] = []
    for plan in (own_table, ruff_external):
        try:
            edit = plan(folder)
            if edit is None:
                continue
            if edit.done:
                write(edit.path, edit.text)
            sys.stdout.write(f"{edit.path}: {edit.done or edit.kept}\n")
        except (OSError, UnicodeDecodeError, _CannotError) as error:
            mistakes.append(f"valhalla-lint: {error}\n")
    sys.stderr.writelines(dict.fromkeys(mistakes))  # both plans may stumble over the same file
    return status.WRONG_USE if mistakes else status.CLEAN


def own_table(folder: Path) -> Edit | None:
    """Our table: in pyproject.toml where there is one, else in a file of our own."""
    own, shared = folder / OWN_FILE, folder / SHARED_FILE
    if own.exists():
        return Edit(own, "", "", "is there already")
    if not shared.exists():
        return Edit(own, OURS, "written")
    text, document = _read(shared)
    tool = document.get("tool")
    if isinstance(tool, dict) and TABLE in tool:
        return Edit(shared, text, "", f"has [tool.{TABLE}] already")
    end = _line_end(text)
    gap = "" if not text else end if text.endswith(("\n", "\r")) else end * 2
    table = f"[tool.{TABLE}]\n{OURS}".replace("\n", end)
    expected = _with(document, ("tool", TABLE), tomllib.loads(OURS))
    return _checked(shared, text + gap + table, expected, f"added [tool.{TABLE}]")


def ruff_external(folder: Path) -> Edit | None:
    """`external = ["VH"]` where ruff is configured; None where it is not."""
    for name in RUFF_FILES:
        if (folder / name).is_file():
            return _external(folder / name, ())
    shared = folder / SHARED_FILE
    if not shared.is_file():
        return None
    _, document = _read(shared)
    tool = document.get("tool")
    return _external(shared, ("tool", "ruff")) if isinstance(tool, dict) and "ruff" in tool else None


def _external(path: Path, table: tuple[str, ...]) -> Edit:
    text, document = _read(path)
    ruff: object = document
    for key in table:
        ruff = ruff.get(key) if isinstance(ruff, dict) else None
    lint = ruff.get("lint", {}) if isinstance(ruff, dict) else None
    known = lint.get("external", []) if isinstance(lint, dict) else None
    by_hand = (
        f'{path}: add "{PREFIX}" to {".".join((*table, "lint", "external"))} by hand, so that ruff knows our codes'
    )
    if not isinstance(known, list):
        raise _CannotError(by_hand)
    if PREFIX in known:
        return Edit(path, text, "", f'has "{PREFIX}" in ruff\'s lint.external already')
    expected = _with(document, (*table, "lint", "external"), [*known, PREFIX])
    for candidate in _candidates(text, table, known=isinstance(lint, dict) and "external" in lint):
        try:
            return _checked(path, candidate, expected, f'added "{PREFIX}" to ruff\'s lint.external')
        except _CannotError:
            continue
    raise _CannotError(by_hand)


def _candidates(text: str, table: tuple[str, ...], *, known: bool) -> list[str]:
    """Ways to write the key, the plainest first; each is checked before it is used."""
    end = _line_end(text)
    line = f'external = ["{PREFIX}"]{end}'
    lint = re.escape(".".join((*table, "lint")))
    found = []
    if known:
        found += [
            text[: match.end()] + f'"{PREFIX}", ' + text[match.end() :]
            for match in re.finditer(r"^[ \t]*(?:lint\.)?external[ \t]*=[ \t]*\[[ \t]*", text, re.MULTILINE)
        ]
    if header := re.search(rf"^\[{lint}\][^\r\n]*(?:\r\n|\n)", text, re.MULTILINE):
        found.append(text[: header.end()] + line + text[header.end() :])
    if table and (header := re.search(rf"^\[{re.escape('.'.join(table))}\][^\r\n]*(?:\r\n|\n)", text, re.MULTILINE)):
        found.append(text[: header.end()] + f"lint.{line}" + text[header.end() :])
    if not table:
        found.append(f"lint.{line}{text}")
    gap = end if text.endswith("\n") else end * 2
    found.append(f"{text}{gap}[{'.'.join((*table, 'lint'))}]{end}{line}")
    return found


def _read(path: Path) -> tuple[str, dict[str, object]]:
    text = path.read_bytes().decode("utf-8")
    try:
        return text, tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _CannotError(f"{path} is not TOML: {error}") from error


def _line_end(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _with(document: dict[str, object], keys: tuple[str, ...], value: object) -> dict[str, object]:
    """A document with one key set, all else as it was."""
    changed = copy.deepcopy(document)
    place = changed
    for key in keys[:-1]:
        inner = place.setdefault(key, {})
        if not isinstance(inner, dict):
            raise _CannotError(f"{'.'.join(keys)} cannot be set: {key} is no table")
        place = inner
    place[keys[-1]] = value
    return changed


def _checked(path: Path, text: str, expected: dict[str, object], done: str) -> Edit:
    """An edit whose text means exactly what is wanted. Raises where it does not."""
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _CannotError(f"{path} cannot be edited safely: {error}") from error
    if _sorted(document) != _sorted(expected):
        raise _CannotError(f"{path} cannot be edited safely")
    return Edit(path, text, done)


def _sorted(value: object) -> object:
    """A document in which the order of a list of texts does not count (a code may be put in front)."""
    match value:
        case dict():
            return {key: _sorted(item) for key, item in value.items()}
        case list() if all(isinstance(item, str) for item in value):
            return sorted(value)
        case _:
            return value


def write(path: Path, text: str) -> None:
    """Replace a file as a whole, or leave it as it was. Effect: writes."""
    target = Path(os.path.realpath(path))
    part = target.with_name(f".{target.name}.part")
    try:
        part.write_bytes(text.encode("utf-8"))
        if target.exists():
            part.chmod(target.stat().st_mode)
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)
