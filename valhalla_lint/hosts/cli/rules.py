"""`valhalla-lint rules`: all rules, their weight in each tier, and what they find."""

import argparse
import json
import sys

from valhalla_lint.core.rule import STAR, Rule, options_of
from valhalla_lint.core.tier import Tier
from valhalla_lint.hosts.cli import status
from valhalla_lint.linter import every_rule


def register(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `rules`."""
    parser.add_argument("--output-format", default="text", choices=("text", "json"), help="default: text")


def run(arguments: argparse.Namespace) -> int:
    """Print the rules, sorted by code."""
    rules = every_rule()
    if arguments.output_format == "json":
        sys.stdout.write(json.dumps([as_values(rule) for rule in rules], indent=2) + "\n")
        return status.CLEAN
    width = max(len(rule.name) for rule in rules)
    heads = " ".join(f"{tier.value:<10}" for tier in Tier)
    sys.stdout.write(f"{'code':<6} {'name':<{width}} {heads} fix\n")
    for rule in rules:
        weights = " ".join(f"{rule.weight_in(tier):<10}" for tier in Tier)
        sys.stdout.write(f"{rule.code:<6} {rule.name:<{width}} {weights} {'yes' if rule.mends else ''}".rstrip() + "\n")
    sys.stdout.write(f"{STAR}\n")
    return status.CLEAN


def as_values(rule: Rule) -> dict[str, object]:
    """A rule for programs."""
    return {
        "code": rule.code,
        "name": rule.name,
        "message": rule.message,
        "why": rule.why,
        "remedy": rule.remedy,
        "severity": {tier.value: rule.weight_in(tier).rstrip("*") for tier in Tier},
        "loud": rule.loud,
        "confidence": rule.confidence.name.lower(),
        "cwe": list(rule.cwe),
        "fixable": rule.mends,
        "options": [fact.name.replace("_", "-") for fact in options_of(rule)],
    }
