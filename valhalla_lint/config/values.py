"""What a value of a configuration may be, and what it becomes.

Each function here turns a value of TOML (or a text of a host) into what the settings hold, or raises `WrongError`.
"""

from collections.abc import Callable, Iterable, Mapping
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from valhalla_lint.config.problems import meant, near
from valhalla_lint.core.finding import Severity
from valhalla_lint.core.rule import Rule, options_of
from valhalla_lint.core.settings import Preset
from valhalla_lint.core.tier import Tier
from valhalla_lint.rules import heads, rule_of

Item = TypeVar("Item")

ALL = "VH"
"""The prefix that every code has."""


class WrongError(Exception):
    """A value that does not fit; the message says what would."""

    def __init__(self, message: str, suggestion: str = "") -> None:
        super().__init__(message)
        self.suggestion = suggestion


def each(convert: Callable[[str], Item], texts: Iterable[str]) -> list[Item]:
    """All texts, converted. Raises one `WrongError` that tells of every text that does not fit."""
    found: list[Item] = []
    wrong: list[WrongError] = []
    for item in texts:
        try:
            found.append(convert(item))
        except WrongError as error:
            wrong.append(error)
    if len(wrong) == 1:
        raise wrong[0]
    if wrong:
        raise WrongError("; ".join(f"{error}{meant(error.suggestion)}" for error in wrong))
    return found


def boolean(value: object) -> bool:
    """A truth value."""
    if not isinstance(value, bool):
        raise WrongError(f"must be true or false, not {value!r}")
    return value


def strings(value: object) -> tuple[str, ...]:
    """A list of strings."""
    if not isinstance(value, list | tuple) or not all(isinstance(item, str) for item in value):
        raise WrongError("must be a list of texts in quotes")
    return tuple(value)


def text(value: object) -> str:
    """A text."""
    if not isinstance(value, str):
        raise WrongError(f"must be a text in quotes, not {value!r}")
    return value


def rule_named(text: str) -> Rule | None:
    """The rule of a code or name, in any writing; None where there is none."""
    wanted = text.lower().replace("_", "-")
    return next((rule_of(head.code) for head in heads() if wanted in (head.code.lower(), head.name)), None)


def code(text: str) -> str:
    """A code, a prefix of codes, a rule's name or `ALL`, as a prefix of codes. Raises where nothing begins so."""
    if text.upper() == "ALL":
        return ALL
    rule = rule_named(text)
    if rule is not None:
        return rule.code
    if text.upper().startswith(ALL) and any(head.code.startswith(text.upper()) for head in heads()):
        return text.upper()
    known = tuple(head.code for head in heads())
    begun = (text.upper()[:size] for size in range(len(text) - 1, len(ALL), -1))
    shorter = next((prefix for prefix in begun if any(code.startswith(prefix) for code in known)), "")
    suggestion = shorter or near(text, (*known, *(head.name for head in heads())))
    raise WrongError(f"no rule is called {text!r}, and no code begins so", suggestion)


def codes(value: object) -> tuple[str, ...]:
    """A list of codes, prefixes or names, as prefixes."""
    return tuple(each(code, strings(value)))


def tiers(value: object) -> frozenset[Tier]:
    """A list of tiers."""
    if not (texts := strings(value)):
        raise WrongError(f"names no tier; there are {', '.join(tier.value for tier in Tier)}")
    return frozenset(each(_tier, texts))


def _tier(text: str) -> Tier:
    known = tuple(tier.value for tier in Tier)
    if text.lower() not in known:
        raise WrongError(f"{text!r} is no tier; there are {', '.join(known)}", near(text, known))
    return Tier(text.lower())


def preset(value: object) -> Preset:
    """A preset by its name."""
    known = tuple(item.value for item in Preset)
    if not isinstance(value, str) or value not in known:
        raise WrongError(f"must be one of {', '.join(known)}, not {value!r}", near(str(value), known))
    return Preset(value)


def severity(value: object) -> Severity:
    """A severity by its name."""
    known = tuple(item.name.lower() for item in Severity)
    if not isinstance(value, str) or value.lower() not in known:
        raise WrongError(f"must be one of {', '.join(known)}, not {value!r}", near(str(value), known))
    return Severity[value.upper()]


def per_file(value: object) -> dict[str, tuple[str, ...]]:
    """Codes by path pattern."""
    if not isinstance(value, dict):
        raise WrongError('must be a table: "pattern" = ["VH301"]')
    for pattern, listed in value.items():
        if not isinstance(listed, list):
            raise WrongError(f'{pattern!r} must have a list of texts in quotes: "{pattern}" = ["VH301"]')
    return dict(zip(value, each(lambda pattern: codes(value[pattern]), value), strict=True))


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
    "baseline": ("baseline", text),
    "cache": ("cache", boolean),
    "cache-dir": ("cache_dir", text),
    "text-files": ("text_files", boolean),
}
"""Keys that hold one value: the setting that they fill, and what reads them."""
EXTENDING: Mapping[str, Callable[[object], Any]] = {
    "extend-select": codes,
    "extend-ignore": codes,
    "extend-exclude": strings,
}
"""Keys that add to what a file that is extended says."""


def option_value(rule: Rule, name: str, value: object) -> dict[str, object]:
    """One option of a rule as a keyword for its options. Raises where there is no such option or the value is odd."""
    known = tuple(fact.name for fact in options_of(rule))
    plain = name.replace("-", "_")
    if plain not in known:
        message = f"{rule.name} has no such option" if known else f"{rule.name} has no options"
        raise WrongError(message, near(plain, tuple(item.replace("_", "-") for item in known)))
    return {plain: fit(value, get_type_hints(rule.options or object)[plain])}


def fit(value: object, hint: object) -> object:
    """A TOML value as a type of an option: bool, int, float, str, and sets, tuples and optional ones of these."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return _fit_any(value, arguments)
    if origin in (frozenset, tuple):
        if not isinstance(value, list | tuple | frozenset | set):
            raise WrongError(f"must be a list of {_plural(arguments[0])}")
        items = [fit(item, arguments[0]) for item in value]
        return frozenset(items) if origin is frozenset else tuple(items)
    if hint is float and isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(hint, type) and isinstance(value, hint) and isinstance(value, bool) <= (hint is bool):
        return value
    raise WrongError(f"must be {_article(hint)}, not {value!r}")


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
        except WrongError:
            expected.append(_article(hint))
    raise WrongError(f"must be {' or '.join(expected)}, not {value!r}")


def _article(hint: object) -> str:
    words = {bool: "true or false", int: "a whole number", float: "a number", str: "a text in quotes"}
    return words.get(hint, "a list") if isinstance(hint, type) else "a list"


def _plural(hint: object) -> str:
    words = {bool: "truth values", int: "whole numbers", float: "numbers", str: "texts in quotes"}
    return words.get(hint, "values") if isinstance(hint, type) else "values"
