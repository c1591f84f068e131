"""A configuration file, and those that it builds on, as what they state."""

import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from valhalla_lint.config.problems import Problem, near
from valhalla_lint.config.values import ALL, EXTENDING, KEYS, WrongError, option_value, rule_named, strings, tiers
from valhalla_lint.core.rule import Rule
from valhalla_lint.core.settings import Settings, TierOverrides
from valhalla_lint.facts import disk
from valhalla_lint.facts.reading import text_of
from valhalla_lint.rules import heads

OWN_FILE = "valhalla-lint.toml"
SHARED_FILE = "pyproject.toml"
TABLE = "valhalla-lint"


def own_file(folder: Path) -> Path | None:
    """The configuration file in a folder: `valhalla-lint.toml`, or a pyproject.toml with our table."""
    own, shared = folder / OWN_FILE, folder / SHARED_FILE
    if disk.is_file(own):
        return own
    return shared if disk.is_file(shared) and _has_table(shared) else None


def _has_table(path: Path) -> bool:
    text = text_of(path)
    if TABLE not in text:
        return False
    import tomllib  # here, as below: most runs read no configuration, and its patterns take time

    try:
        tool = tomllib.loads(text).get("tool")
    except tomllib.TOMLDecodeError:
        return True  # so that the mistake is told
    return isinstance(tool, dict) and TABLE in tool


class Stated(NamedTuple):
    """What one file and those that it extends say, keys already checked; absent keys keep the defaults."""

    values: Mapping[str, Any] = {}
    extend_select: tuple[str, ...] = ()
    extend_ignore: tuple[str, ...] = ()
    extend_exclude: tuple[str, ...] = ()

    def over(self, base: "Stated") -> "Stated":
        """This file's word over that of the file that it extends: keys replace, tables and `extend-` keys add up."""
        values = dict(base.values)
        for key, value in self.values.items():
            values[key] = {**values[key], **value} if key in values and isinstance(value, dict) else value
        return Stated(
            values,
            base.extend_select + self.extend_select,
            base.extend_ignore + self.extend_ignore,
            base.extend_exclude + self.extend_exclude,
        )

    def settings(self, root: Path, *, isolated: bool) -> Settings:
        """The settings, with patterns relative to the folder of the configuration."""
        values = dict(self.values)
        overrides = values.pop("tier_overrides", {})
        settings = Settings(
            **values, tier_overrides=TierOverrides(**overrides), root=root.as_posix(), isolated=isolated
        )
        select = settings.select
        if self.extend_select:
            select = (*(select or (ALL,)), *self.extend_select)
        return settings._replace(
            select=select,
            ignore=(*settings.ignore, *self.extend_ignore),
            exclude=(*settings.exclude, *self.extend_exclude),
        )


def load(file: Path, problems: list[Problem], chain: tuple[Path, ...] = ()) -> Stated:
    """What a file states over the one that it extends; mistakes go to `problems`. chain: the files that led here."""
    table = _table(file, problems, named_by=(chain[-1], "extend") if chain else None)
    base = Stated()
    if (target := table.get("extend")) is not None:
        if isinstance(target, str):
            other = Path(os.path.normpath(file.parent / os.path.expanduser(target)))  # noqa: PTH111 -- a text, not a path yet
            if other == file or other in chain:
                problems.append(Problem(file.as_posix(), "extend", f"goes in a circle over {target!r}"))
            else:
                base = load(other, problems, (*chain, file))
        else:
            problems.append(Problem(file.as_posix(), "extend", "must be a path in quotes"))
    return Reader(file, problems).read({key: value for key, value in table.items() if key != "extend"}).over(base)


def _table(file: Path, problems: list[Problem], named_by: tuple[Path, str] | None) -> Mapping[str, object]:
    """The table of a file; what is wrong goes to `problems`. named_by: the file and the key that name it, if any do."""
    import tomllib

    try:
        document = tomllib.loads(disk.bytes_of(file).decode())
    except FileNotFoundError:
        if named_by is None:
            problems.append(Problem(file.as_posix(), "", "there is no such file"))
        else:
            problems.append(Problem(named_by[0].as_posix(), named_by[1], f"there is no file {file.as_posix()}"))
        return {}
    except OSError as error:
        problems.append(Problem(file.as_posix(), "", f"cannot be read ({(error.strerror or str(error)).lower()})"))
        return {}
    except UnicodeDecodeError:
        problems.append(Problem(file.as_posix(), "", "is not UTF-8"))
        return {}
    except tomllib.TOMLDecodeError as error:
        problems.append(Problem(file.as_posix(), "", f"is not TOML: {error}"))
        return {}
    if file.name != SHARED_FILE:
        return document
    tool = document.get("tool")
    table = tool.get(TABLE, {}) if isinstance(tool, dict) else {}
    if not isinstance(table, dict):
        problems.append(Problem(file.as_posix(), f"tool.{TABLE}", "must be a table"))
        return {}
    return table


class Reader:
    """Turns one file's table into what it states; gathers mistakes instead of raising them."""

    def __init__(self, file: Path, problems: list[Problem]) -> None:
        """problems: where mistakes are put."""
        self.file = file
        self.problems = problems
        prefix = f"tool.{TABLE}." if file.name == SHARED_FILE else ""
        self._prefix = prefix

    def read(self, table: Mapping[str, object]) -> Stated:
        """The checked values of a table."""
        values: dict[str, Any] = {}
        extra: dict[str, tuple[str, ...]] = {}
        for key, value in table.items():
            if key == "tiers" and isinstance(value, dict):
                values.update(self._tiers(value))
            elif key == "rules":
                values["rules"] = self._rules(value)
            elif key == "catalogue":
                values["catalogue"] = self._catalogue(value)
            elif key in EXTENDING:
                if (found := self._try(key, EXTENDING[key], value)) is not None:
                    extra[key.replace("-", "_")] = found
            elif key in KEYS:
                name, convert = KEYS[key]
                if (found := self._try(key, convert, value)) is not None:
                    values[name] = found
            else:
                self._unknown(key, key, (*KEYS, *EXTENDING, "rules", "catalogue", "extend"))
        return Stated(values, **extra)

    def _try(self, key: str, convert: Callable[[object], Any], value: object) -> Any:  # noqa: ANN401 -- as varied as TOML
        try:
            return convert(value)
        except WrongError as error:
            self._wrong(key, str(error), error.suggestion)
            return None

    def _wrong(self, key: str, message: str, suggestion: str = "") -> None:
        self.problems.append(Problem(self.file.as_posix(), f"{self._prefix}{key}", message, suggestion))

    def _unknown(self, key: str, name: str, known: tuple[str, ...]) -> None:
        self._wrong(key, "is not known here", near(name, known))

    def _tiers(self, table: Mapping[str, object]) -> Iterator[tuple[str, Any]]:
        """[tool.valhalla-lint.tiers]: patterns by tier or flag, and `report`, the tiers to report."""
        known = TierOverrides._fields
        patterns: dict[str, tuple[str, ...]] = {}
        for key, value in table.items():
            if key == "report":
                if (found := self._try("tiers.report", tiers, value)) is not None:
                    yield "tiers", found
            elif key in known:
                if (found := self._try(f"tiers.{key}", strings, value)) is not None:
                    patterns[key] = found
            else:
                self._unknown(f"tiers.{key}", key, (*known, "report"))
        yield "tier_overrides", patterns

    def _rules(self, value: object) -> dict[str, object]:
        """[tool.valhalla-lint.rules.NAME]: options of a rule, by its name or code."""
        if not isinstance(value, dict):
            self._wrong("rules", "must be a table of tables, one for each rule")
            return {}
        found: dict[str, object] = {}
        for key, table in value.items():
            rule = rule_named(key)
            if rule is None:
                names = (*(head.name for head in heads()), *(head.code for head in heads()))
                self._unknown(f"rules.{key}", key, names)
            elif not isinstance(table, dict):
                self._wrong(f"rules.{key}", "must be a table of options")
            elif (options := self._options(rule, key, table)) is not None:
                found[rule.code] = options
        return found

    def _options(self, rule: Rule, key: str, table: Mapping[str, object]) -> object:
        given: dict[str, object] = {}
        for name, value in table.items():
            try:
                given |= option_value(rule, name, value)
            except WrongError as error:
                self._wrong(f"rules.{key}.{name}", str(error), error.suggestion)
        return rule.options(**given) if rule.options is not None else None

    def _catalogue(self, value: object) -> dict[str, tuple[Mapping[str, object], ...]]:
        """[[tool.valhalla-lint.catalogue.source]] and kin, and `extend`, files with such rows."""
        from valhalla_lint.flow.catalogue import check  # most configurations have no rows

        if not isinstance(value, dict):
            self._wrong("catalogue", "must be a table")
            return {}
        own = {kind: stated for kind, stated in value.items() if kind != "extend"}
        mistakes = list(check(own, self.file.as_posix()))
        where = self.file.as_posix()
        self.problems += [Problem(where, "catalogue", mistake.removeprefix(f"{where}: ")) for mistake in mistakes]
        rows: dict[str, tuple[Mapping[str, object], ...]] = {}
        for name in self._try("catalogue.extend", strings, value.get("extend", [])) or ():
            for kind, more in self._catalogue_file(name).items():
                rows[kind] = (*rows.get(kind, ()), *more)
        if not mistakes:
            for kind, stated in own.items():
                rows[kind] = (*rows.get(kind, ()), *stated)
        return rows

    def _catalogue_file(self, name: str) -> dict[str, tuple[Mapping[str, object], ...]]:
        file = Path(os.path.normpath(self.file.parent / name))
        if file.name == SHARED_FILE:
            self._wrong("catalogue.extend", "rows of another project stand in a file of their own")
            return {}
        return Reader(file, self.problems)._catalogue(  # noqa: SLF001 -- its own kind
            {
                kind: rows
                for kind, rows in _table(file, self.problems, named_by=(self.file, "catalogue.extend")).items()
                if kind != "extend"
            }
        )
