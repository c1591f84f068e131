"""What we object to: one file, one rule. This package finds every `RULE` below it.

A run knows the rules by their heads, which stand in a table that `docs/generate.py` makes of them: a rule's own module
is imported when a file is such that the rule must be asked.
"""

import importlib
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from valhalla_lint.core.finding import Severity
from valhalla_lint.core.rule import Head, Rule
from valhalla_lint.core.tier import Tier
from valhalla_lint.facts.tables import COMPILED

TABLE = COMPILED / "rules.json"
"""The heads of all rules; where it is missing, or a rule is, they are read from the rules themselves."""


@cache
def all_rules() -> tuple[Rule, ...]:
    """Every rule, sorted by code. Raises ValueError for one that cannot be, and where two share a code or a name."""
    return tuple(rule for _, rule in _found())


@cache
def heads() -> tuple[Head, ...]:
    """The head of every rule, sorted by code."""
    try:
        rows = json.loads(TABLE.read_bytes())
    except OSError:
        rows = []
    if {row["module"] for row in rows} != set(_files()):
        rows = json.loads(table_of_heads())
    return tuple(map(_head, rows))


def _files() -> Iterator[str]:
    """The modules of rules as the table tells them, by the files that lie here."""
    files = Path(__file__).parent.glob("*/*.py")
    return (f"{file.parent.name}.{file.stem}" for file in files if file.stem != "__init__")


def table_of_heads() -> str:
    """What stands in the table."""
    return "[\n" + ",\n".join(json.dumps(_stated(module, rule)) for module, rule in _found()) + "\n]\n"


def _stated(module: str, rule: Rule) -> dict[str, object]:
    return {
        "module": module,
        "code": rule.code,
        "name": rule.name,
        "severity": rule.severity,
        "tiers": {tier.value: severity for tier, severity in rule.tiers.items()},
        "loud": rule.loud,
        "flagged": rule.flagged,
        "needs": sorted(rule.needs),
        "topics": sorted(rule.flow.topics) if rule.flow is not None else [],
        "checks": rule.check is not None,
    }


def _head(stated: dict[str, Any]) -> Head:
    tiers = {Tier(tier): None if weight is None else Severity(weight) for tier, weight in stated["tiers"].items()}
    sets = {key: frozenset(stated[key]) for key in ("needs", "topics")}
    return Head(**{**stated, **sets, "severity": Severity(stated["severity"]), "tiers": tiers})


@cache
def rule_of(code: str) -> Rule:
    """The rule of a code. Raises KeyError where there is none."""
    for head in heads():
        if head.code == code:
            rule: Rule = importlib.import_module(f"{__name__}.{head.module}").RULE
            return rule
    raise KeyError(code)


def _found() -> tuple[tuple[str, Rule], ...]:
    """Every rule behind its module, sorted by code."""
    found = sorted(_modules(), key=lambda item: item[1].code)
    for _, rule in found:
        if problems := rule.problems:
            raise ValueError(f"{rule.code} {rule.name}: {'; '.join(problems)}")
    for key in ("code", "name"):
        values = [getattr(rule, key) for _, rule in found]
        if twice := sorted({value for value in values if values.count(value) > 1}):
            raise ValueError(f"rules share a {key}: {', '.join(twice)}")
    return tuple(found)


def _modules() -> Iterator[tuple[str, Rule]]:
    import pkgutil  # a run needs none of it

    for family in pkgutil.iter_modules(__path__):
        if not family.ispkg:
            continue
        package = importlib.import_module(f"{__name__}.{family.name}")
        for item in pkgutil.iter_modules(package.__path__):
            rule = getattr(importlib.import_module(f"{package.__name__}.{item.name}"), "RULE", None)
            if isinstance(rule, Rule):
                yield f"{family.name}.{item.name}", rule
