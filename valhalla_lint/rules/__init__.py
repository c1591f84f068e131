"""What we object to: one file, one rule. This package finds every `RULE` below it."""

import importlib
import pkgutil
from functools import cache

from valhalla_lint.core.rule import Rule


@cache
def all_rules() -> tuple[Rule, ...]:
    """Every rule, sorted by code. Raises ValueError for one that cannot be, and where two share a code or a name."""
    found: list[Rule] = []
    for family in pkgutil.iter_modules(__path__):
        if not family.ispkg:
            continue
        package = importlib.import_module(f"{__name__}.{family.name}")
        for item in pkgutil.iter_modules(package.__path__):
            module = importlib.import_module(f"{package.__name__}.{item.name}")
            rule = getattr(module, "RULE", None)
            if isinstance(rule, Rule):
                found.append(rule)
    found.sort(key=lambda rule: rule.code)
    for rule in found:
        if problems := rule.problems:
            raise ValueError(f"{rule.code} {rule.name}: {'; '.join(problems)}")
    for key in ("code", "name"):
        values = [getattr(rule, key) for rule in found]
        if twice := sorted({value for value in values if values.count(value) > 1}):
            raise ValueError(f"rules share a {key}: {', '.join(twice)}")
    return tuple(found)
