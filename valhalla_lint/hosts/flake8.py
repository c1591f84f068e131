"""The flake8 plugin: translates, decides nothing.

Options are those of flake8 (command line, `setup.cfg`, `tox.ini`, `.flake8`) over the table in `pyproject.toml` that is
found upward from each file. `# noqa`, `per-file-ignores`, `--select` and `--statistics` are flake8's own business: it
is told of what `# noqa` answers, too, and silences that itself. What a baseline answers it is not told of.
"""

import argparse
import ast
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import ClassVar

from flake8.exceptions import ExecutionError
from flake8.options.manager import OptionManager

from valhalla_lint import __version__
from valhalla_lint.baselines import Shelf, file_for, known_in_file
from valhalla_lint.config import Configuration, ConfigurationError, Overrides
from valhalla_lint.core.parsed import Parsed
from valhalla_lint.core.rule import options_of
from valhalla_lint.core.source import Source, Unread
from valhalla_lint.linter import KeepingLinters, Linters, cache_folder, every_rule, source_of_host

NAMELESS = frozenset({"stdin", "-", "(none)"})
"""What flake8 calls a text that has no name."""
UNJUDGED = "VH908"
"""The code under which a file is told of that could not be judged."""
NOQA = "noqa"
"""How the kinds of answers begin that flake8 reads itself."""
NOTEBOOK = ".ipynb"
BROKEN = "E9"
"""flake8's own findings on files that it cannot read or parse: no plugin sees such a file."""


class Plugin:
    """What flake8 calls once a file."""

    name = "valhalla-lint"
    version = __version__
    linters: ClassVar[Linters] = Linters(Configuration(Overrides()))
    shelf_of: ClassVar[Callable[[Path], Shelf]] = Shelf.read
    """Both are set anew by `parse_options`, which flake8 calls once in each process."""

    def __init__(self, tree: ast.Module, filename: str, lines: list[str]) -> None:
        """Take what flake8 has read: its tree, the file's name as shown, and its decoded lines."""
        self._tree = tree
        self._filename = filename
        self._lines = lines

    @staticmethod
    def add_options(manager: OptionManager) -> None:
        """Add our options: the general ones, and each option of each rule."""
        for option, about in (
            ("--vh-preset", "default (where it is sure) or audit (all that a reviewer may want to see)"),
            ("--vh-tiers", "tiers to report: production, test, script"),
            ("--vh-config", "use this configuration file for all files instead of the nearest ones"),
            ("--vh-cache-dir", "keep what was found here, in place of the user's cache folder"),
            ("--vh-baseline", "file of known findings, which are not reported; an empty name: report them, too"),
        ):
            manager.add_option(option, parse_from_config=True, help=about)
        for option, about in (
            ("--vh-strict-tiers", "judge all code like production"),
            ("--vh-isolated", "read no [tool.valhalla-lint] table"),
            ("--vh-no-cache", "neither read nor write what earlier runs found"),
        ):
            manager.add_option(option, action="store_true", default=None, parse_from_config=True, help=about)
        for rule in every_rule():
            for fact in options_of(rule):
                option = f"--vh-{rule.name}-{fact.name.replace('_', '-')}"
                manager.add_option(option, parse_from_config=True, help=f"{rule.code}: {fact.about}".replace("%", "%%"))

    @classmethod
    def parse_options(cls, options: argparse.Namespace) -> None:
        """Make our settings of the options. Raises flake8's own error, which it tells without a traceback."""
        configuration = Configuration(
            _overrides(options),
            file=Path(options.vh_config).absolute() if options.vh_config else None,
            isolated=bool(options.vh_isolated),
        )
        shelf_of = cache(Shelf.read)
        try:
            for name in (".", *(options.filenames or ())):
                place = configuration.locate(name)
                baseline = file_for(configuration, place / "any file in it" if place.is_dir() else place)
                if baseline is not None:
                    shelf_of(baseline)
            cache_dir = None if options.vh_no_cache else cache_folder(configuration, options.vh_cache_dir)
        except ConfigurationError as error:
            raise ExecutionError(f"valhalla-lint: wrong configuration\n{error}") from error
        cls.linters = Linters(configuration) if cache_dir is None else KeepingLinters(configuration, cache_dir)
        cls.shelf_of = staticmethod(shelf_of)
        _keep_broken_files_visible(options)

    def run(self) -> Iterator[tuple[int, int, str, type]]:
        """The findings as flake8 wants them: line, column from 0, text with the code first, type."""
        configuration = self.linters.configuration
        location = None if self._filename in NAMELESS else configuration.locate(self._filename)
        path = "stdin" if location is None else configuration.shown(location)
        try:
            if location is not None and configuration.excludes(location):
                return
            report = self.linters.check(self._source(path, location)).report
            known = known_in_file(report, configuration, type(self).shelf_of) if location is not None else ()
        except ConfigurationError as error:
            # Of a folder that was not named: told once a file, and no other file suffers.
            problems = "; ".join(map(str, error.problems))
            yield 1, 0, f"{UNJUDGED} [production] wrong configuration: {problems}", type(self)
            return
        silenced = [item.finding for item in report.suppressed if item.kind.startswith(NOQA)]
        if path.endswith(NOTEBOOK):  # whose answers flake8 cannot all see: it reads the JSON
            silenced = []
        for finding in sorted((*report.findings, *silenced), key=lambda finding: finding.order):
            if finding not in known:
                span = finding.file_span
                yield span.line, span.column, f"{finding.code} {finding.text}{finding.in_cell}", type(self)

    def _source(self, path: str, location: Path | None) -> Source | Unread:
        """What flake8 has read; the JSON of a notebook, which is Python by chance, as the notebook that it is."""
        text = "".join(self._lines)
        if path.endswith(NOTEBOOK):
            return source_of_host(text.encode("utf-8", "surrogatepass"), path, self.linters.configuration, None)
        return Source(path=path, text=text, parsed=Parsed(self._tree), location=location)


def _overrides(options: argparse.Namespace) -> Overrides:
    given = vars(options)
    rules: dict[str, dict[str, object]] = {}
    for rule in every_rule():
        for fact in options_of(rule):
            value = given.get(f"vh_{rule.name}_{fact.name}".replace("-", "_"))
            if value is not None:
                rules.setdefault(rule.name, {})[fact.name] = value
    tiers = options.vh_tiers
    return Overrides(
        tiers=tuple(tiers.replace(",", " ").split()) if isinstance(tiers, str) else tiers,
        strict_tiers=options.vh_strict_tiers,
        preset=options.vh_preset,
        baseline=str(Path(given_file).absolute()) if (given_file := options.vh_baseline) else given_file,
        prefix="--vh-",
        rules=rules,
    )


def _keep_broken_files_visible(options: argparse.Namespace) -> None:
    """Keep E9 selected beside our codes: with `--select VH` alone, a file that does not parse would pass in silence.

    Who ignores E9 or E999 still does: an ignored prefix of the same length wins. Effect: changes the options.
    """
    chosen = options.select
    if chosen and any(code.startswith("VH") for code in chosen) and BROKEN not in chosen:
        options.extend_select = [*(options.extend_select or ()), BROKEN]
