"""What the user wants, read from `pyproject.toml` or `valhalla-lint.toml` and from options of a host.

The nearest file upward from the file under judgement wins; `extend = "path"` builds on another. Every mistake is
gathered and told at once, with its file, its key and a suggestion.
"""

import os
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from valhalla_lint.core.finding import Severity
from valhalla_lint.core.rule import Rule, options_of
from valhalla_lint.core.settings import Preset, Settings, TierOverrides
from valhalla_lint.core.tier import Tier
from valhalla_lint.facts.patterns import matches
from valhalla_lint.rules import all_rules

OWN_FILE = "valhalla-lint.toml"
SHARED_FILE = "pyproject.toml"
TABLE = "valhalla-lint"
ALL = "VH"
"""The prefix that every code has."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One mistake: in which file (or option), at which key, what is wrong, and what was perhaps meant."""

    file: str
    key: str
    message: str
    suggestion: str = ""

    def __str__(self) -> str:
        """The mistake in one line."""
        place = f"{self.file}: {self.key}" if self.key else self.file
        return f"{place}: {self.message}" + (f" (did you mean {self.suggestion}?)" if self.suggestion else "")


class ConfigurationError(Exception):
    """Everything that is wrong with a configuration."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        """Keep the mistakes in the order in which they were met."""
        super().__init__("\n".join(str(problem) for problem in problems))
        self.problems = problems

    def __reduce__(self) -> tuple[type["ConfigurationError"], tuple[tuple[Problem, ...]]]:
        """A worker process hands it on whole."""
        return type(self), (self.problems,)


@dataclass(frozen=True, slots=True)
class Overrides:
    """What the options of a host say; None (or empty, where lists add up) leaves the file's word.

    rules: options by rule code, name to value, not yet checked. prefix: how the host's options begin, for messages.
    """

    select: tuple[str, ...] | None = None
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] | None = None
    extend_ignore: tuple[str, ...] = ()
    tiers: tuple[str, ...] | None = None
    strict_tiers: bool | None = None
    preset: str | None = None
    fail_on: str | None = None
    exclude: tuple[str, ...] = ()
    respect_gitignore: bool | None = None
    noqa: bool | None = None
    rules: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    prefix: str = "--"


class Configuration:
    """The settings for every file of a run.

    file: the one configuration file to use for all; None looks upward from each file.
    isolated: no file is read at all.
    """

    def __init__(
        self,
        overrides: Overrides | None = None,
        *,
        file: Path | None = None,
        isolated: bool = False,
        base: Path | None = None,
    ) -> None:
        """Nothing is read here. base: the working folder, in which a run without a configuration file is rooted."""
        self.overrides = overrides or Overrides()
        self.file = file
        self.isolated = isolated
        self.base = base or Path.cwd()
        self._by_folder: dict[Path, Settings] = {}
        self._by_file: dict[Path | None, Settings] = {}

    def settings_for(self, location: Path | None) -> Settings:
        """The settings for a file (absolute, existing or not); None stands for one without a place.

        Raises ConfigurationError with every mistake of the files involved and of the overrides.
        """
        folder = self.base if location is None else location.parent
        known = self._by_folder.get(folder)
        if known is None:
            known = self._by_folder[folder] = self._settings(self.file_for(location))
        return known

    def file_for(self, location: Path | None) -> Path | None:
        """The configuration file that holds for a file, None where there is none or none may be read."""
        if self.isolated:
            return None
        return self.file or find(self.base if location is None else location.parent)

    def locate(self, path: str) -> Path:
        """The absolute place of a path, seen from the working folder."""
        return Path(os.path.normpath(self.base / path))

    def shown(self, location: Path) -> str:
        """How findings show a place: relative to the working folder, POSIX form; absolute where it lies outside."""
        return (location.relative_to(self.base) if location.is_relative_to(self.base) else location).as_posix()

    def excludes(self, location: Path, *, is_folder: bool = False) -> bool:
        """Whether a place is left out: by the configuration that holds for it, or by an option of the host."""
        settings = self.settings_for(location)
        return _fits(settings.exclude, Path(settings.root), location, is_folder=is_folder) or _fits(
            self.overrides.exclude, self.base, location, is_folder=is_folder
        )

    def in_use(self) -> list[tuple[Path, Settings]]:
        """The configuration files that have been asked so far, with what they gave, sorted."""
        return sorted(
            ((file, settings) for file, settings in self._by_file.items() if file is not None), key=lambda item: item[0]
        )

    def _settings(self, file: Path | None) -> Settings:
        if file not in self._by_file:
            problems: list[Problem] = []
            stated = Stated()
            if file is not None:
                stated = _load(file, problems, ())
            settings = stated.settings(file.parent if file is not None else self.base, isolated=self.isolated)
            settings = override(settings, self.overrides, problems)
            if problems:
                raise ConfigurationError(tuple(problems))
            self._by_file[file] = settings
        return self._by_file[file]


def _fits(patterns: tuple[str, ...], root: Path, location: Path, *, is_folder: bool) -> bool:
    if not patterns or not location.is_relative_to(root):
        return False
    path = location.relative_to(root).as_posix()
    return bool(matches(patterns, f"{path}/" if is_folder else path))


def find(folder: Path) -> Path | None:
    """The nearest configuration file at or above a folder: `valhalla-lint.toml`, or a pyproject.toml with our table."""
    for candidate in (folder, *folder.parents):
        own = candidate / OWN_FILE
        if own.is_file():
            return own
        shared = candidate / SHARED_FILE
        if shared.is_file() and _has_table(shared):
            return shared
    return None


def _has_table(path: Path) -> bool:
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    if TABLE not in text:
        return False
    try:
        tool = tomllib.loads(text).get("tool")
    except tomllib.TOMLDecodeError:
        return True  # so that the mistake is told
    return isinstance(tool, dict) and TABLE in tool


# --- one file ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Stated:
    """What one file and those that it extends say, keys already checked; absent keys keep the defaults."""

    values: Mapping[str, Any] = field(default_factory=dict)
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
        return replace(
            settings,
            select=select,
            ignore=(*settings.ignore, *self.extend_ignore),
            exclude=(*settings.exclude, *self.extend_exclude),
        )


def _load(file: Path, problems: list[Problem], chain: tuple[Path, ...]) -> Stated:
    table = _table(file, problems)
    base = Stated()
    if (target := table.get("extend")) is not None:
        if isinstance(target, str):
            other = Path(os.path.normpath(file.parent / os.path.expanduser(target)))  # noqa: PTH111 -- a text, not a path yet
            if other == file or other in chain:
                problems.append(Problem(file.as_posix(), "extend", f"goes in a circle over {target!r}"))
            else:
                base = _load(other, problems, (*chain, file))
        else:
            problems.append(Problem(file.as_posix(), "extend", "must be a path in quotes"))
    return Reader(file, problems).read({key: value for key, value in table.items() if key != "extend"}).over(base)


def _table(file: Path, problems: list[Problem]) -> Mapping[str, object]:
    try:
        document = tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        problems.append(Problem(file.as_posix(), "", "there is no such file"))
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


class _WrongError(Exception):
    """A value that does not fit; the message says what would."""

    def __init__(self, message: str, suggestion: str = "") -> None:
        super().__init__(message)
        self.suggestion = suggestion


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
        except _WrongError as error:
            self._wrong(key, str(error), error.suggestion)
            return None

    def _wrong(self, key: str, message: str, suggestion: str = "") -> None:
        self.problems.append(Problem(self.file.as_posix(), f"{self._prefix}{key}", message, suggestion))

    def _unknown(self, key: str, name: str, known: tuple[str, ...]) -> None:
        self._wrong(key, "is not known here", near(name, known))

    def _tiers(self, table: Mapping[str, object]) -> Iterator[tuple[str, Any]]:
        """[tool.valhalla-lint.tiers]: patterns by tier or flag, and `report`, the tiers to report."""
        known = tuple(item.name for item in fields(TierOverrides))
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
                names = (*(rule.name for rule in all_rules()), *(rule.code for rule in all_rules()))
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
            except _WrongError as error:
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
            {kind: rows for kind, rows in _table(file, self.problems).items() if kind != "extend"}
        )


# --- values -----------------------------------------------------------------------------------------------------


def near(word: str, known: tuple[str, ...]) -> str:
    """The known word that is most like one, "" where none is."""
    from difflib import get_close_matches  # only where there is a mistake

    lower = {item.lower(): item for item in known}
    plain = word.lower().replace("_", "-")
    found = get_close_matches(plain, lower, n=1) or [item for item in lower if plain and item.startswith(plain)]
    return lower[found[0]] if found else ""


def boolean(value: object) -> bool:
    """A truth value."""
    if not isinstance(value, bool):
        raise _WrongError(f"must be true or false, not {value!r}")
    return value


def strings(value: object) -> tuple[str, ...]:
    """A list of strings."""
    if not isinstance(value, list | tuple) or not all(isinstance(item, str) for item in value):
        raise _WrongError("must be a list of texts in quotes")
    return tuple(value)


def rule_named(text: str) -> Rule | None:
    """The rule of a code or name, in any writing; None where there is none."""
    wanted = text.lower().replace("_", "-")
    return next((rule for rule in all_rules() if wanted in (rule.code.lower(), rule.name)), None)


def code(text: str) -> str:
    """A code, a prefix of codes, a rule's name or `ALL`, as a prefix of codes. Raises where nothing begins so."""
    if text.upper() == "ALL":
        return ALL
    rule = rule_named(text)
    if rule is not None:
        return rule.code
    if text.upper().startswith(ALL) and any(rule.code.startswith(text.upper()) for rule in all_rules()):
        return text.upper()
    known = tuple(rule.code for rule in all_rules())
    begun = (text.upper()[:size] for size in range(len(text) - 1, len(ALL), -1))
    shorter = next((prefix for prefix in begun if any(code.startswith(prefix) for code in known)), "")
    meant = shorter or near(text, (*known, *(rule.name for rule in all_rules())))
    raise _WrongError(f"no rule is called {text!r}, and no code begins so", meant)


def codes(value: object) -> tuple[str, ...]:
    """A list of codes, prefixes or names, as prefixes."""
    return tuple(code(text) for text in strings(value))


def tiers(value: object) -> frozenset[Tier]:
    """A list of tiers."""
    known = tuple(tier.value for tier in Tier)
    for text in (texts := strings(value)):
        if text.lower() not in known:
            raise _WrongError(f"{text!r} is no tier; there are {', '.join(known)}", near(text, known))
    if not texts:
        raise _WrongError(f"names no tier; there are {', '.join(known)}")
    return frozenset(Tier(text.lower()) for text in texts)


def preset(value: object) -> Preset:
    """A preset by its name."""
    known = tuple(item.value for item in Preset)
    if not isinstance(value, str) or value not in known:
        raise _WrongError(f"must be one of {', '.join(known)}, not {value!r}", near(str(value), known))
    return Preset(value)


def severity(value: object) -> Severity:
    """A severity by its name."""
    known = tuple(item.name.lower() for item in Severity)
    if not isinstance(value, str) or value.lower() not in known:
        raise _WrongError(f"must be one of {', '.join(known)}, not {value!r}", near(str(value), known))
    return Severity[value.upper()]


def per_file(value: object) -> dict[str, tuple[str, ...]]:
    """Codes by path pattern."""
    if not isinstance(value, dict):
        raise _WrongError('must be a table: "pattern" = ["VH301"]')
    return {pattern: codes(listed) for pattern, listed in value.items()}


KEYS: Mapping[str, tuple[str, Callable[[object], Any]]] = {
    "select": ("select", codes),
    "ignore": ("ignore", codes),
    "tiers": ("tiers", tiers),
    "strict-tiers": ("strict_tiers", boolean),
    "preset": ("preset", preset),
    "fail-on": ("fail_on", severity),
    "exclude": ("exclude", strings),
    "respect-gitignore": ("respect_gitignore", boolean),
    "per-file-ignores": ("per_file_ignores", per_file),
    "unsuppressable": ("unsuppressable", codes),
    "require-reason": ("require_reason", boolean),
}
"""Keys that hold one value: the setting that they fill, and what reads them."""
EXTENDING: Mapping[str, Callable[[object], Any]] = {
    "extend-select": codes,
    "extend-ignore": codes,
    "extend-exclude": strings,
}
"""Keys that add to what a file that is extended says."""


def option_value(rule: Rule, name: str, value: object) -> dict[str, object]:
    """One option of a rule as a keyword for its dataclass. Raises where there is no such option or the value is odd."""
    known = tuple(fact.name for fact in options_of(rule))
    plain = name.replace("-", "_")
    if plain not in known:
        message = f"{rule.name} has no such option" if known else f"{rule.name} has no options"
        raise _WrongError(message, near(plain, tuple(item.replace("_", "-") for item in known)))
    return {plain: fit(value, get_type_hints(rule.options or object)[plain])}


def fit(value: object, hint: object) -> object:
    """A TOML value as a type of an option: bool, int, float, str, and sets, tuples and optional ones of these."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return _fit_any(value, arguments)
    if origin in (frozenset, tuple):
        if not isinstance(value, list | tuple | frozenset | set):
            raise _WrongError(f"must be a list of {_plural(arguments[0])}")
        items = [fit(item, arguments[0]) for item in value]
        return frozenset(items) if origin is frozenset else tuple(items)
    if hint is float and isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(hint, type) and isinstance(value, hint) and isinstance(value, bool) <= (hint is bool):
        return value
    raise _WrongError(f"must be {_article(hint)}, not {value!r}")


def from_text(value: object, hint: object) -> object:
    """What a host hands over as text (an option, an INI file), as the value that TOML would have held.

    Lists are separated by commas or line ends. What does not fit stays as it is, for `fit` to object to.
    """
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (frozenset, tuple):
        items = value.replace("\n", ",").split(",") if isinstance(value, str) else value
        if not isinstance(items, list | tuple):
            return value
        return [from_text(item.strip() if isinstance(item, str) else item, arguments[0]) for item in items if item]
    if origin in (Union, UnionType):
        return next((found for part in arguments if (found := from_text(value, part)) != value), value)
    if not isinstance(value, str):
        return value
    if hint is bool:
        return {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}.get(value, value)
    if hint in (int, float):
        for number in (int, float):
            try:
                return number(value)
            except ValueError:
                continue
    return value


def _fit_any(value: object, hints: tuple[object, ...]) -> object:
    expected = []
    for hint in hints:
        if hint is NoneType:
            continue
        try:
            return fit(value, hint)
        except _WrongError:
            expected.append(_article(hint))
    raise _WrongError(f"must be {' or '.join(expected)}, not {value!r}")


def _article(hint: object) -> str:
    words = {bool: "true or false", int: "a whole number", float: "a number", str: "a text in quotes"}
    return words.get(hint, "a list") if isinstance(hint, type) else "a list"


def _plural(hint: object) -> str:
    words = {bool: "truth values", int: "whole numbers", float: "numbers", str: "texts in quotes"}
    return words.get(hint, "values") if isinstance(hint, type) else "values"


# --- options of a host ------------------------------------------------------------------------------------------


def override(settings: Settings, given: Overrides, problems: list[Problem]) -> Settings:
    """Settings with the word of a host's options over them; mistakes go to `problems`."""
    changes: dict[str, Any] = {}

    def take(option: str, name: str, convert: Callable[[object], Any], value: object) -> Any:  # noqa: ANN401 -- as varied as options
        try:
            changes[name] = convert(value)
        except _WrongError as error:
            problems.append(Problem(f"{given.prefix}{option}", "", str(error), error.suggestion))

    if given.select is not None:
        take("select", "select", codes, given.select)
    if given.ignore is not None:
        take("ignore", "ignore", codes, given.ignore)
    if given.tiers is not None:
        take("tiers", "tiers", tiers, given.tiers)
    if given.preset is not None:
        take("preset", "preset", preset, given.preset)
    if given.fail_on is not None:
        take("fail-on", "fail_on", severity, given.fail_on)
    if given.extend_select:
        take("extend-select", "more", codes, given.extend_select)
        chosen = changes.get("select", settings.select) or (ALL,)
        changes["select"] = (*chosen, *changes.pop("more", ()))
    if given.extend_ignore:
        take("extend-ignore", "more", codes, given.extend_ignore)
        changes["ignore"] = (*changes.get("ignore", settings.ignore), *changes.pop("more", ()))
    for name in ("strict_tiers", "respect_gitignore", "noqa"):
        if (value := getattr(given, name)) is not None:
            changes[name] = value
    if given.rules:
        changes["rules"] = _override_rules(settings, given, problems)
    return replace(settings, **changes)


def _override_rules(settings: Settings, given: Overrides, problems: list[Problem]) -> dict[str, object]:
    found = dict(settings.rules)
    for name, values in given.rules.items():
        rule = rule_named(name)
        if rule is None or rule.options is None:
            problems.append(Problem(name, "", "no rule with options is called so"))
            continue
        changes: dict[str, object] = {}
        for option, value in values.items():
            try:
                hint = get_type_hints(rule.options).get(option.replace("-", "_"))
                changes |= option_value(rule, option, from_text(value, hint))
            except _WrongError as error:
                problems.append(Problem(f"{given.prefix}{rule.name}-{option}", "", str(error), error.suggestion))
        found[rule.code] = replace(found.get(rule.code, rule.options()), **changes)  # type: ignore[type-var]  # a dataclass, as Rule has made sure
    return found
