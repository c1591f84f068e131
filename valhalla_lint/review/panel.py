"""The asset panel: counts over the tree, each with its definition and the list behind it."""

import datetime as dt
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

from valhalla_lint.core.evidence import Basis, Figure
from valhalla_lint.core.tier import Tier
from valhalla_lint.review.collect import NOTEBOOK, Facts
from valhalla_lint.review.files import File, in_folder, of_class, runs_when_loaded
from valhalla_lint.review.licences import HEADER, expression, identify
from valhalla_lint.review.project import BUILD, DEVELOPMENT, EXTRA, RUNTIME
from valhalla_lint.review.python import Python
from valhalla_lint.review.shares import percent, ratio
from valhalla_lint.review.tables import fits

LARGEST = 10
HEAD = 2_000
"""Characters at the start of a file in which a licence header is looked for."""
DAY = 24 * 60 * 60
EXTRA_HINT = "pip install valhalla-lint[review]"
TEST_NAME = fits(["test_*.py", "*_test.py", "*_tests.py", "tests.py", "test.py"])
CI_SYSTEMS = {
    ".github": "GitHub Actions", ".gitlab-ci.yml": "GitLab CI", ".circleci": "CircleCI", ".travis.yml": "Travis CI",
    ".azure-pipelines": "Azure Pipelines", "jenkinsfile": "Jenkins", ".buildkite": "Buildkite", ".drone.yml": "Drone",
    ".woodpecker": "Woodpecker", ".woodpecker.yml": "Woodpecker", "appveyor.yml": "AppVeyor",
    ".appveyor.yml": "AppVeyor", ".cirrus.yml": "Cirrus CI", "bitbucket-pipelines.yml": "Bitbucket Pipelines",
    ".semaphore": "Semaphore", "cloudbuild.yaml": "Cloud Build", "cloudbuild.yml": "Cloud Build",
    ".zuul.yaml": "Zuul", ".ci": "own script",
    ".forgejo": "Forgejo Actions", ".gitea": "Gitea Actions",
}  # fmt: skip


def panel(facts: Facts) -> tuple[Figure, ...]:
    """All rows of the panel, in the order in which they are shown."""
    return tuple(row for part in (_sources, _tests, _project, _content, _size, _people) for row in part(facts))


def _count(key: str, title: str, definition: str, files: Iterable[File | str], reading: str = "") -> Figure:
    items = tuple(sorted(file if isinstance(file, str) else file.path for file in files))
    return Figure(key, title, definition, str(len(items)), reading, items)


def _sources(facts: Facts) -> Iterator[Figure]:
    python = [file for file in facts.files if file.language == "python"]
    yield _count(
        "source.supported",
        "Supported source files",
        "files that this tool analyses: Python by name (.py, .pyi, .pyw) or by a `#!` line that names python",
        python,
    )
    yield _count(
        "source.python",
        "Python files",
        "files whose name ends in .py",
        [file for file in python if file.path.endswith(".py")],
    )
    tiers = Counter(file.tier for file in facts.python)
    for tier in Tier:
        yield Figure(
            f"source.tier.{tier.value}",
            f"Python files, {tier.value}",
            "studied Python files by tier: overrides, project configuration, path, content decide, in this order",
            str(tiers[tier.value]),
            items=tuple(file.path for file in facts.python if file.tier == tier.value),
        )
    flagged = [f"{file.path} {' '.join(file.flags)}" for file in facts.python if file.flags]
    yield _count(
        "source.flagged",
        "Python files that nobody here writes",
        "vendored or generated files and stubs, by folder, name and notice; "
        "questions about production code leave them out",
        flagged,
    )
    native = [file for file in facts.files if file.language and of_class(file.language, "native")]
    yield _count(
        "source.native",
        "Native sources present, not analysed",
        "files in a compiled language (C, C++, CUDA, Rust, Cython and others), by name",
        native,
        ", ".join(
            f"{language} {count}" for language, count in sorted(Counter(file.language for file in native).items())
        ),
    )
    other = [file for file in facts.files if file.language and of_class(file.language, "other_source")]
    yield _count(
        "source.other",
        "Other sources present, not analysed",
        "files in a script, page or query language, by name",
        other,
    )
    roots = Counter(file.path.partition("/")[0] for file in python)
    yield Figure(
        "source.roots",
        "Module roots, first level",
        "files and folders of the top level that are or hold Python files; files in brackets",
        str(len(roots)),
        ", ".join(sorted(roots)),
        tuple(f"{root} {roots[root]}" for root in sorted(roots)),
    )
    notebooks = [file for file in facts.files if file.path.endswith(NOTEBOOK)]
    yield _count("source.notebooks", "Notebooks, not analysed", "files whose name ends in .ipynb", notebooks)


def _tests(facts: Facts) -> Iterator[Figure]:
    python = [file for file in facts.files if file.path.endswith(".py")]
    by_folder = [file for file in python if in_folder(file, "tests")]
    by_name = [file for file in python if TEST_NAME(file.path)]
    support = [file for file in by_folder if file not in by_name]
    yield _count(
        "tests.by_folder",
        "Test files by folder",
        "Python files below a folder named test, tests, testing or alike",
        by_folder,
    )
    yield _count(
        "tests.by_name",
        "Test files by name",
        "Python files named test_*.py, *_test.py, *_tests.py, test.py or tests.py",
        by_name,
    )
    yield _count(
        "tests.support",
        "Test support files",
        "Python files below a test folder that are not test files by name",
        support,
    )
    tiers = {node.name: node.tier for node in facts.topology.nodes}
    pairs = {(edge.target, edge.source) for edge in facts.topology.edges if tiers[edge.source] == Tier.TEST.value}
    subjects = Counter(target for target, _ in pairs if tiers[target] == Tier.PRODUCTION.value)
    yield Figure(
        "tests.subjects",
        "Production modules that tests import",
        "production modules with an import edge from a file of the test tier, each with the number of such files",
        str(len(subjects)),
        f"of {sum(tier == Tier.PRODUCTION.value for tier in tiers.values())} production modules",
        tuple(f"{name} {subjects[name]}" for name in sorted(subjects)),
    )
    code = {tier: sum(file.code for file in facts.python if file.tier == tier.value) for tier in Tier}
    yield Figure(
        "tests.ratio",
        "Test to production lines",
        "lines of code of the test tier over those of the production tier",
        ratio(code[Tier.TEST], code[Tier.PRODUCTION]),
        f"{code[Tier.TEST]:,} to {code[Tier.PRODUCTION]:,}",
    )


def _project(facts: Facts) -> Iterator[Figure]:
    yield _count(
        "project.build",
        "Build files",
        "files that build, package or run the project, by name (setup.py counts, container files count)",
        facts.kind("build"),
    )
    yield _count(
        "project.dependency_files",
        "Dependency files",
        "files that list dependencies: requirements and constraints files, Pipfile, conda environments",
        facts.kind("dependencies"),
    )
    yield _count("project.locks", "Lock files", "files that fix every version, by name", facts.kind("lock"))
    declared = facts.declared.requirements
    yield Figure(
        "project.declared",
        "Declared dependencies",
        "distributions named in project files, by where they count (runtime, extra, development, build, untold)",
        str(len({item.name for item in declared})),
        ", ".join(
            f"{group} {len({item.name for item in declared if item.group == group})}"
            for group in (RUNTIME, EXTRA, DEVELOPMENT, BUILD)
        ),
        tuple(
            f"{item.name}{item.specifier} [{item.group}] {item.path}{f':{item.line}' if item.line else ''}"
            for item in declared
        ),
    )
    pinned = [item for item in declared if item.pinned]
    yield Figure(
        "project.pins",
        "Pinned dependencies",
        "declared dependencies that exactly one version fits (==)",
        str(len(pinned)),
        items=tuple(f"{item.name}{item.specifier} {item.path}" for item in pinned),
    )
    workflows = facts.kind("ci")
    systems = sorted({CI_SYSTEMS.get(part.lower(), "") for file in workflows for part in file.path.split("/")} - {""})
    yield _count(
        "project.ci",
        "CI workflows",
        "configuration files of continuous integration, by name, each system",
        workflows,
        ", ".join(systems),
    )
    yield from _licences(facts)
    for kind, title in (
        ("changelog", "Change logs"),
        ("security", "Security policies"),
        ("contributing", "Contribution and governance files"),
    ):
        yield _count(
            f"project.{kind}", title, "files of that name in the top folder, docs or .github", facts.at_top(kind)
        )


def _licences(facts: Facts) -> Iterator[Figure]:
    files = [file for file in facts.kind("licence") if not file.path.endswith(".py") and file.language != "python"]
    found = {file.path: identify(facts.text(file.path)) for file in files}
    yield Figure(
        "project.licences",
        "Licence files",
        "files named LICENSE, LICENCE, COPYING, NOTICE or alike; identifier by sentences that only that licence holds",
        str(len(files)),
        ", ".join(sorted({name for name in found.values() if name})) or ("no text was recognised" if files else "none"),
        tuple(f"{path} {found[path] or '(not recognised)'}" for path in sorted(found)),
        Basis.INFERENCE,
    )
    declared = facts.declared.licence
    spdx = expression(declared) if declared else ""
    yield Figure(
        "project.licence_declared",
        "Declared licence",
        "the licence field of the project's metadata, as an SPDX expression (by license-expression)",
        "" if spdx is None else spdx or declared or "none",
        "" if spdx or not declared else "is no SPDX expression",
        because=f"license-expression is not installed ({EXTRA_HINT})" if spdx is None else "",
    )
    headers: Counter[str] = Counter()
    for file in facts.files:
        if file.language == "python" and (match := HEADER.search(facts.text(file.path)[:HEAD])):
            headers[match[1].strip()] += 1
    yield Figure(
        "project.licence_headers",
        "Python files with a licence header",
        "Python files with an SPDX-License-Identifier in their first 2,000 characters",
        str(sum(headers.values())),
        ", ".join(f"{name} {headers[name]}" for name in sorted(headers)),
    )


def _content(facts: Facts) -> Iterator[Figure]:
    yield _count(
        "content.documentation",
        "Documentation files",
        "Markdown, reStructuredText and AsciiDoc files, text files below docs",
        facts.kind("documentation"),
    )
    weights = facts.kind("weights")
    yield _count(
        "content.weights",
        "Model and array files in the tree",
        "files of the usual model and array formats, by name; pointers to large files count",
        weights,
        (
            f"{sum(runs_when_loaded(file.path) for file in weights)} of formats that run code when loaded (pickle); "
            f"{sum(file.pointer for file in weights)} are pointers"
        ),
    )
    yield _count(
        "content.binaries",
        "Other binaries in the tree",
        "compiled files and archives by name, and files with binary content that are no media, models or notebooks",
        [f for f in facts.files if "binary" in f.kinds or (f.binary and not f.kinds & {"media", "weights"})],
    )
    yield _count(
        "content.pointers",
        "Pointers to large files",
        "files that are pointers of git-lfs: the content is not in the repository",
        [file for file in facts.files if file.pointer],
    )
    for kind, title in (("link", "Links"), ("submodule", "Submodules")):
        yield _count(
            f"content.{kind}s",
            title,
            "entries of that kind in the tree; listed, never followed or entered",
            [entry.path for entry in facts.tree.entries if entry.kind == kind],
        )


def _size(facts: Facts) -> Iterator[Figure]:
    sizes: Counter[str] = Counter()
    lines: Counter[str] = Counter()
    for file in facts.files:
        if file.language:
            sizes[file.language] += max(0, file.entry.size)
            lines[file.language] += file.lines
    for key, title, counter, unit in (
        ("size.bytes", "Languages by bytes", sizes, "bytes"),
        ("size.lines", "Languages by lines", lines, "lines"),
    ):
        total = sum(counter.values())
        ranked = sorted(counter, key=lambda name, counter=counter: (-counter[name], name))  # type: ignore[misc]
        yield Figure(
            key,
            title,
            f"{unit} of files whose name tells a language; shares of their sum",
            f"{total:,}",
            ", ".join(f"{name} {percent(counter[name], total)}" for name in ranked[:5]),
            tuple(f"{name} {counter[name]}" for name in ranked),
        )
    yield _lines(facts.python)
    largest = sorted(facts.files, key=lambda file: (-file.entry.size, file.path))[:LARGEST]
    yield Figure(
        "size.largest",
        "Largest files",
        "the ten largest files of the tree, in bytes",
        f"{largest[0].entry.size:,}" if largest else "0",
        largest[0].path if largest else "",
        tuple(f"{file.path} {file.entry.size}" for file in largest),
    )
    longest = sorted(facts.python, key=lambda file: (-file.lines, file.path))[:LARGEST]
    yield Figure(
        "size.longest",
        "Longest Python files",
        "the ten Python files with most lines",
        f"{longest[0].lines:,}" if longest else "0",
        longest[0].path if longest else "",
        tuple(f"{file.path} {file.lines}" for file in longest),
    )
    public = sum(
        len(file.public)
        if file.public is not None
        else sum(function.public and not function.owner for function in file.functions)
        + sum(not item.name.startswith("_") for item in file.classes)
        for file in facts.production
    )
    yield Figure(
        "size.public",
        "Public names",
        (
            "names in `__all__` of production modules, or else their top-level functions and classes without leading "
            "underscore"
        ),
        f"{public:,}",
    )


def _lines(files: Sequence[Python]) -> Figure:
    def total(value: Callable[[Python], int]) -> int:
        return sum(value(file) for file in files)

    code, comment, blank = (
        total(lambda file: file.code),
        total(lambda file: file.comment),
        total(lambda file: file.blank),
    )
    return Figure(
        "size.python",
        "Python lines",
        (
            "code: lines with code or inside a string; comment: lines with a comment only; blank: the rest. "
            "Docstrings are code lines"
        ),
        f"{code + comment + blank:,}",
        f"code {code:,}, comment {comment:,}, blank {blank:,}; docstrings {total(lambda file: file.docstring_lines):,}",
        tuple(f"{tier.value} code {sum(file.code for file in files if file.tier == tier.value)}" for tier in Tier),
    )


def _people(facts: Facts) -> Iterator[Figure]:
    history = facts.history
    if history is None:
        because = "a folder or archive has no history"
        for key, title in (
            ("history.commits", "Commits"),
            ("history.age", "Age in days"),
            ("history.authors", "Authors"),
        ):
            yield Figure(key, title, "over all commits that lead to the reviewed one", "", because=because)
        return
    least = "at least " if history.shallow or history.problem else ""
    reading = "the copy is shallow: it holds only the newest commits" if history.shallow else history.problem
    yield Figure(
        "history.commits",
        "Commits",
        "commits that lead to the reviewed one, itself included",
        f"{least}{history.commits:,}",
        reading,
    )
    yield Figure(
        "history.age",
        "Age in days",
        "from the first to the last author date among these commits",
        f"{least}{max(0, history.last - history.first) // DAY:,}",
        f"first {day(history.first)}, last {day(history.last)}",
    )
    yield Figure(
        "history.authors",
        "Authors",
        "distinct author addresses among these commits; a count only",
        f"{least}{history.authors:,}",
    )


def day(moment: int) -> str:
    """A moment (seconds since 1970) as a date in UTC; as the bare number where it is no date."""
    try:
        return dt.datetime.fromtimestamp(moment, dt.UTC).date().isoformat()
    except (OverflowError, OSError, ValueError):
        return str(moment)
