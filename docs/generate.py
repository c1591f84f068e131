"""Writes what is made: rules' pages, the output in README.md, bandit's list of our tests, the compiled tables.

`--check` writes nothing and only says what is out of date.
"""

import argparse
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from valhalla_lint.core.rule import STAR, Rule
from valhalla_lint.core.tier import Tier
from valhalla_lint.facts.tables import COMPILED, DATA, compiled, names
from valhalla_lint.reports.page import page
from valhalla_lint.rules import TABLE, all_rules, table_of_heads

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs" / "rules"
README = ROOT / "README.md"
PROJECT = ROOT / "pyproject.toml"
PLUGINS = re.compile(r'(?<=\[project\.entry-points\."bandit\.plugins"\]\n)(?:[^\n\[]+\n)*')
"""The table that makes every rule a test of bandit's."""
EXAMPLE = re.compile(r"(?<=<!-- output -->\n\n```text\n)\$ valhalla-lint (?P<arguments>.*)\n(?:(?!```)[^\n]*\n)*")
"""A command in README.md with its output, run in `fixtures/model_server`."""
NOTICE = "% Made from the rule by docs/generate.py; do not edit.\n\n"
FAMILIES = {
    "VH1": "Secrets",
    "VH2": "Paths, archives, checkpoints",
    "VH3": "Constants",
    "VH4": "Models",
    "VH5": "Logs",
    "VH9": "Suppressions and input",
}


def readme() -> str:
    """README.md with the output of its commands as it is today."""
    return EXAMPLE.sub(lambda match: shown(match["arguments"]), README.read_text(encoding="utf-8"))


def project() -> str:
    """pyproject.toml with a test of bandit's for each rule: bandit knows no others, and no prefixes."""
    return PLUGINS.sub("".join(plugin(rule) for rule in all_rules()), PROJECT.read_text(encoding="utf-8"))


def plugin(rule: Rule) -> str:
    """A rule's entry point."""
    return f'{rule.code.lower()}_{rule.name.replace("-", "_")} = "valhalla_lint.hosts.bandit:{rule.code}"\n'


def shown(arguments: str) -> str:
    """A command line and what it prints, at a fixed width and without colours."""
    done = subprocess.run(  # noqa: S603 -- our own command, with arguments from our own README
        [sys.executable, "-m", "valhalla_lint", *arguments.split()],
        cwd=ROOT / "fixtures" / "model_server",
        env={**os.environ, "COLUMNS": "110", "NO_COLOR": "1"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    return f"$ valhalla-lint {arguments}\n" + re.sub(r"[ \t]+$", "", done.stdout, flags=re.MULTILINE)


def pages() -> dict[Path, str]:
    """Every generated page by its path."""
    made = {FOLDER / f"{rule.name}.md": NOTICE + page(rule) for rule in all_rules()}
    made[FOLDER / "index.md"] = NOTICE + "\n".join(index()) + "\n"
    return made


def tables() -> dict[Path, str]:
    """Every compiled table by its path, that of the rules' heads with them."""
    made = {
        COMPILED / f"{name}.json": compiled((DATA / f"{name}.toml").read_text(encoding="utf-8")) for name in names()
    }
    made[TABLE] = table_of_heads()
    return made


def index() -> Iterator[str]:
    """The table of all rules, by family."""
    yield "# Rules"
    yield ""
    yield 'Names read as "allow ___". What a tier means to a rule is its severity there; see [tiers](../tiers.md).'
    yield STAR
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
    weights = " | ".join(rule.weight_in(tier) for tier in Tier)
    return f"| {rule.code} | [{rule.name}]({rule.name}.md) | {weights} | {'yes' if rule.mends else ''} |"


def main() -> int:
    """Write or compare; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a page is out of date")
    check = parser.parse_args().check
    made = pages() | tables() | {README: readme(), PROJECT: project()}
    present = {*FOLDER.glob("*.md"), *COMPILED.rglob("*.json"), README, PROJECT}
    stale = sorted(path for path, text in made.items() if path not in present or path.read_text("utf-8") != text)
    left_over = sorted(present - made.keys())
    if check:
        for path in (*stale, *left_over):
            sys.stderr.write(f"out of date: {path.relative_to(ROOT)}\n")
        return 1 if stale or left_over else 0
    for path in stale:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(made[path], encoding="utf-8")
    for path in left_over:
        path.unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main())
