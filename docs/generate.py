"""Writes the pages that are made from the rules; `--check` only says which of them are out of date."""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from valhalla_lint.core.rule import Rule
from valhalla_lint.core.tier import Tier
from valhalla_lint.reports.page import page
from valhalla_lint.rules import all_rules

FOLDER = Path(__file__).parent / "rules"
NOTICE = "% Made from the rule by docs/generate.py; do not edit.\n\n"
FAMILIES = {
    "VH1": "Secrets",
    "VH2": "Paths, archives, checkpoints",
    "VH3": "Constants",
    "VH4": "Models",
    "VH5": "Logs",
    "VH9": "Suppressions and input",
}


def pages() -> dict[Path, str]:
    """Every generated page by its path."""
    made = {FOLDER / f"{rule.name}.md": NOTICE + page(rule) for rule in all_rules()}
    made[FOLDER / "index.md"] = NOTICE + "\n".join(index()) + "\n"
    return made


def index() -> Iterator[str]:
    """The table of all rules, by family."""
    yield "# Rules"
    yield ""
    yield 'Names read as "allow ___". What a tier means to a rule is its severity there; see [tiers](../tiers.md).'
    for prefix, title in FAMILIES.items():
        family = [rule for rule in all_rules() if rule.code.startswith(prefix)]
        if not family:
            continue
        yield ""
        yield f"## {title}"
        yield ""
        yield "| code | name | " + " | ".join(tier.value for tier in Tier) + " | fix |"
        yield "| --- | --- |" + " --- |" * (len(Tier) + 1)
        for rule in family:
            yield row(rule)
    yield ""
    yield "```{toctree}"
    yield ":hidden:"
    yield ""
    yield from (rule.name for rule in all_rules())
    yield "```"


def row(rule: Rule) -> str:
    """A rule's line in the table."""
    severities = [rule.severity_in(tier) for tier in Tier]
    weights = " | ".join("silent" if severity is None else severity.name.lower() for severity in severities)
    return f"| {rule.code} | [{rule.name}]({rule.name}.md) | {weights} | {'yes' if rule.mends else ''} |"


def main() -> int:
    """Write or compare; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a page is out of date")
    check = parser.parse_args().check
    made = pages()
    present = set(FOLDER.glob("*.md"))
    stale = sorted(path for path, text in made.items() if path not in present or path.read_text("utf-8") != text)
    left_over = sorted(present - made.keys())
    if check:
        for path in (*stale, *left_over):
            sys.stderr.write(f"out of date: {path.relative_to(FOLDER.parent)}\n")
        return 1 if stale or left_over else 0
    FOLDER.mkdir(exist_ok=True)
    for path in stale:
        path.write_text(made[path], encoding="utf-8")
    for path in left_over:
        path.unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main())
