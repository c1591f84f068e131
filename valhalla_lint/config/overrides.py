"""The word of a host's options, over that of the files."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, get_type_hints

from valhalla_lint.config.problems import Problem
from valhalla_lint.config.values import (
    ALL,
    WrongError,
    codes,
    from_text,
    option_value,
    preset,
    rule_named,
    severity,
    tiers,
)
from valhalla_lint.core.settings import Settings


class Overrides(NamedTuple):
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
    baseline: str | None = None
    text_files: bool | None = None
    rules: Mapping[str, Mapping[str, object]] = {}
    prefix: str = "--"


def override(settings: Settings, given: Overrides, problems: list[Problem]) -> Settings:
    """Settings with the word of a host's options over them; mistakes go to `problems`."""
    changes: dict[str, Any] = {}

    def take(option: str, name: str, convert: Callable[[object], Any], value: object) -> Any:  # noqa: ANN401 -- as varied as options
        try:
            changes[name] = convert(value)
        except WrongError as error:
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
    for name in ("strict_tiers", "respect_gitignore", "baseline", "text_files"):
        if (value := getattr(given, name)) is not None:
            changes[name] = value
    if given.rules:
        changes["rules"] = _override_rules(settings, given, problems)
    return settings._replace(**changes)


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
            except WrongError as error:
                problems.append(
                    Problem(f"{given.prefix}{rule.name}-{option.replace('_', '-')}", "", str(error), error.suggestion)
                )
        found[rule.code] = found.get(rule.code, rule.options())._replace(**changes)
    return found
