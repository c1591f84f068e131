"""From a tree to a review: facts, figures, answers, in one fixed order."""

import datetime as dt
import platform
from dataclasses import replace
from importlib import metadata

from valhalla_lint import __version__
from valhalla_lint.core.evidence import Figure, FileRow, Layer, Made, Review, Target, Unreadable
from valhalla_lint.core.settings import Settings
from valhalla_lint.review import dependencies
from valhalla_lint.review.checklist import checklist
from valhalla_lint.review.claims import claims
from valhalla_lint.review.collect import Facts, collect, oddities
from valhalla_lint.review.history import history_secrets
from valhalla_lint.review.panel import panel
from valhalla_lint.review.probes import LAYERS, probes
from valhalla_lint.review.reach import ways_in
from valhalla_lint.review.tables import digests
from valhalla_lint.review.tree import Tree, clashes

HISTORY, SEARCHED = "history", "searched for credentials of known providers' shapes"
GUESTS = ("bandit", "license-expression", "radon")
EPOCH = dt.date(1970, 1, 1)

BASICS = (
    ("kind", "Kind of review", "static review of source, attributed in three tiers (production, test, script)"),
    ("nature", "Nature", "evidence and where it stands; no verdict, no total score"),
    (
        "scope",
        "Scope",
        "files of the tree, module structure, syntax trees, the words of project files, hits of linters",
    ),
    (
        "exclusions",
        "Exclusions",
        "nothing was built, imported, run, deployed, tested or attacked; no claim about performance, business or law",
    ),
)
LIMITS = (
    "A static sign is no run-time hole: each hit wants a reader before it is called a fault.",
    "No sign is no proof of absence: code that is loaded, generated or configured at run time was not seen.",
    "Only Python was analysed; other languages are counted by their names.",
    "A benchmark in the tree shows that something can be measured, not what it would show.",
    "Licences are told from names and sentences; what they oblige to is for a lawyer.",
    "Answers marked inference rest on names and shapes; those marked README on the project's own words.",
    "The commit was not compared with what a package index or a container registry ships under the same name.",
)


def settings_for(tree: Tree) -> Settings:
    """Isolated, default preset; dates of suppressions are judged against the commit's date, not the clock."""
    today = EPOCH if tree.moment is None else dt.datetime.fromtimestamp(tree.moment, dt.UTC).date()
    return Settings(isolated=True, today=today)


def review(tree: Tree, *, search_history: bool = False) -> Review:
    """The review of a tree: the same value for the same tree, tool, tables and versions, wherever and whenever.

    search_history: whether all versions of all files are searched for credentials of known providers' shapes.
    """
    facts = collect(tree, settings_for(tree))
    if search_history:
        facts = replace(facts, history_secrets=history_secrets(tree))
    target = _target(facts)
    figures = (*panel(facts), *dependencies.figures(facts), *facts.risk.figures)
    layers = tuple(Layer(key, title, tuple(probe.answer(facts, key) for probe in probes(key))) for key, title in LAYERS)
    answers = {answer.id: answer for layer in layers for answer in layer.answers}
    return Review(
        target=target,
        made=_made(search_history=search_history),
        basics=_basics(target),
        panel=figures,
        topology=facts.topology,
        layers=layers,
        entries=ways_in(facts),
        risk=facts.risk,
        claims=claims(facts, answers, {figure.id: figure for figure in figures}),
        checklist=checklist(facts, answers),
        unread=_unread(facts),
        files=_files(facts),
        limits=LIMITS,
    )


def _unread(facts: Facts) -> tuple[Unreadable, ...]:
    """Everything that was not read or not entered, once."""
    rows = [*facts.tree.unread, *oddities(facts.tree), *_clashes(facts.tree)]
    rows += [Unreadable(path, reason) for path, reason in facts.declared.unread]
    rows += [Unreadable(line.partition(": ")[0], line.partition(": ")[2]) for line in facts.risk.problems]
    return tuple(sorted(set(rows), key=lambda row: (row.path, row.reason)))


def _clashes(tree: Tree) -> list[Unreadable]:
    return [
        Unreadable(paths[0], f"differs from {', '.join(paths[1:])} in case only") for paths in clashes(tree.entries)
    ]


def _target(facts: Facts) -> Target:
    tree = facts.tree
    moment = tree.moment
    return Target(
        name=facts.declared.name or "(the project files state no name)",
        source=tree.source,
        revision=tree.revision,
        tree=tree.tree,
        object_format=tree.object_format,
        date="" if moment is None else dt.datetime.fromtimestamp(moment, dt.UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        digest=tree.digest,
        files=len(tree.entries),
    )


def _basics(target: Target) -> tuple[Figure, ...]:
    rows = [Figure(f"basics.{key}", title, "", value) for key, title, value in BASICS]
    place = (
        Figure(
            "basics.commit", "Commit", "the commit whose tree was read, object by object", target.revision, target.date
        )
        if target.revision
        else Figure("basics.content", "Content", "SHA-256 over modes, blob ids and paths", target.digest, target.source)
    )
    return (Figure("basics.target", "Target", "the name that the project files state", target.name), place, *rows)


def _made(*, search_history: bool) -> Made:
    versions = [("python", platform.python_version()), ("valhalla-lint", __version__)]
    for guest in GUESTS:
        try:
            versions.append((guest, metadata.version(guest)))
        except metadata.PackageNotFoundError:
            versions.append((guest, "not installed"))
    settings = (
        (HISTORY, SEARCHED if search_history else "not searched"),
        ("isolated", "the target's own configuration was not read"),
        ("preset", "default"),
        ("suppressions", "noted beside each hit, not honoured; dates are judged against the commit's date"),
    )
    return Made(tuple(sorted(versions)), digests(), settings)


def _files(facts: Facts) -> tuple[FileRow, ...]:
    tiers = {file.path: file.tier for file in facts.python}
    return tuple(
        FileRow(
            file.path,
            file.entry.id,
            file.entry.mode,
            file.entry.size,
            file.language,
            " ".join(sorted(file.kinds)),
            tiers.get(file.path, ""),
            file.lines,
        )
        for file in facts.files
    )
