"""A rule as a page of Markdown: for the documentation, `explain`, the help in reports and the hover in editors."""

import re
from collections.abc import Iterator

from valhalla_lint.core.regex import regex
from valhalla_lint.core.rule import STAR, Example, Rule, options_of
from valhalla_lint.core.tier import Tier

KNOWN_LIMIT = regex(r"#.*\b(?:missed|false) VH\d{3}")
PLACEHOLDER = regex(r"\{\{(?P<what>secret|token):(?P<which>[a-z0-9_-]+)\}\}")
"""A credential that is made up when an example is run; pages name its kind and never show one."""
ORDINARY = Example("").path
UNANSWERABLE = frozenset({"VH907", "VH908"})
"""Nothing of the file was judged, its comments neither."""
ABOUT_ANSWERS = frozenset({"VH901", "VH902", "VH903", "VH904", "VH905"})
"""What is said of comments is never answered by comments."""
CWE_URL = "https://cwe.mitre.org/data/definitions/{}.html"


def page(rule: Rule) -> str:
    """A rule's page: what it finds, why, examples, what each tier means, options, and how to answer it."""
    return "\n".join(_lines(rule)) + "\n"


def _lines(rule: Rule) -> Iterator[str]:
    yield f"# {rule.code} {rule.name}"
    yield ""
    yield f"**{_sentence(rule.message)}**"
    yield ""
    yield rule.why
    yield ""
    yield f"What clears it: {_sentence(rule.remedy)}"
    for title, examples in (("Reported", rule.bad), ("Silent", rule.good)):
        shown = [example for example in examples if example.code and not KNOWN_LIMIT.search(example.code)]
        yield from _examples(title, shown)
    yield from _examples(
        "Known limits",
        [example for example in (*rule.bad, *rule.good) if KNOWN_LIMIT.search(example.code)],
    )
    if any(PLACEHOLDER.search(example.code) for example in (*rule.bad, *rule.good)):
        yield ""
        yield "Words in angle brackets stand for credentials that are made up when an example is run."
    yield from _weight(rule)
    yield from _options(rule)
    yield from _links(rule)


def _shown(program: str) -> str:
    """A program with its made-up credentials named instead of written out."""
    return PLACEHOLDER.sub(
        lambda match: (
            f"<{match['which']} token>" if match["what"] == "token" else f"<{match['which']} random characters>"
        ),
        program.rstrip("\n"),
    )


def _sentence(text: str) -> str:
    """A message as a sentence, its values as they are named in the template."""
    plain = re.sub(r"`?\{(\w+)[^}]*\}`?", r"`\1`", text).replace("``", "` `").strip()
    return plain[:1].upper() + plain[1:] + ("" if plain.endswith(".") else ".")


def _examples(title: str, examples: list[Example]) -> Iterator[str]:
    if not examples:
        return
    yield ""
    yield f"## {title}"
    for example in examples:
        yield ""
        if lead := _lead(example):
            yield lead
            yield ""
        yield "```python"
        yield _shown(example.text)
        yield "```"
        if example.after:
            after = _shown(Example(example.after).text)
            yield ""
            yield "After the fix:"
            yield ""
            yield "```python"
            yield after
            yield "```"


def _lead(example: Example) -> str:
    """What stands above an example: where it lies, if not in ordinary code, its options, its note."""
    options = ", ".join(f"`{name} = {value!r}`" for name, value in example.options.items())
    where = f"In `{example.path}`" if example.path != ORDINARY else ""
    circumstances = " with ".join(part for part in (where, options) if part)
    if not where and options:
        circumstances = f"With {options}"
    return ": ".join(part for part in (circumstances, example.note) if part)


def _weight(rule: Rule) -> Iterator[str]:
    yield ""
    yield "## What it weighs"
    yield ""
    yield "| tier | severity |"
    yield "| --- | --- |"
    for tier in Tier:
        yield f"| {tier.value} | {rule.weight_in(tier)} |"
    yield ""
    if any(rule.weight_in(tier).endswith("*") for tier in Tier):
        yield STAR
        yield ""
    yield f"Confidence, unless a finding says otherwise: {rule.confidence.name.lower()}."
    if rule.flagged:
        yield "Generated and vendored files and stubs are judged too."
    if rule.mends:
        yield "Some findings can be mended by `valhalla-lint fix`."


def _options(rule: Rule) -> Iterator[str]:
    options = options_of(rule)
    if not options:
        return
    yield ""
    yield "## Options"
    yield ""
    yield f"In `[tool.valhalla-lint.rules.{rule.name}]`, or for flake8 as `--vh-{rule.name}-…`:"
    yield ""
    yield "| option | default | what it does |"
    yield "| --- | --- | --- |"
    for option in options:
        yield f"| `{option.name.replace('_', '-')}` | `{_default(option.default)}` | {option.about} |"


def _default(value: object) -> str:
    """A default as TOML writes it, sorted where its order means nothing."""
    match value:
        case bool():
            return "true" if value else "false"
        case frozenset():
            return "[" + ", ".join(_default(item) for item in sorted(value, key=repr)) + "]"
        case tuple() | list():
            return "[" + ", ".join(_default(item) for item in value) + "]"
        case str():
            return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
        case _:
            return str(value)


def _links(rule: Rule) -> Iterator[str]:
    yield ""
    yield "## How to answer it"
    yield ""
    if rule.code in UNANSWERABLE:
        yield "No comment and no baseline answers it, since nothing in the file was judged: do what clears it."
    elif rule.code in ABOUT_ANSWERS:
        yield (
            "Mend or remove the comment that it speaks of. No other comment answers it; `ignore`, `per-file-ignores` "
            "and a baseline do."
        )
    else:
        yield f"Mend it, or say why it may stay: `# valhalla: ignore[{rule.code}] -- reason`, or `# noqa: {rule.code}`."
    if rule.cwe:
        yield ""
        yield "See " + ", ".join(f"[CWE-{number}]({CWE_URL.format(number)})" for number in rule.cwe) + "."
