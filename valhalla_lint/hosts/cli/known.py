"""What is known already, for `check` and for fixes: by a baseline, or by where a branch began."""

import argparse
import sys
from collections import Counter
from collections.abc import Mapping, Sequence

from valhalla_lint.config import Configuration
from valhalla_lint.core.finding import Finding
from valhalla_lint.hosts.cli.options import STDIN
from valhalla_lint.hosts.cli.progress import Progress
from valhalla_lint.linter import Checked, Compared, Rests, check_bytes, check_paths, inputs


def without_known(
    checked: Sequence[Checked], configuration: Configuration, arguments: argparse.Namespace, rests: Rests
) -> tuple[Compared, tuple[str, ...]]:
    """What is new, and what a reader must know of what it was compared with. rests: what the answers rest on."""
    compared = Compared(tuple(checked))
    if configuration.has_baseline:
        from valhalla_lint.baselines import set_against_files

        compared = set_against_files(checked, configuration)
    notes = []
    if compared.stale:
        notes.append(
            f"Findings of the baseline that are gone: {compared.stale:,}; `valhalla-lint baseline prune` drops them."
        )
    if arguments.diff_base:
        from valhalla_lint.hosts.cli.changed import added_since  # reads git: only where it is asked for

        paths = [arguments.stdin_filename] if STDIN in arguments.paths else arguments.paths
        found = added_since(arguments.diff_base, compared.checked, paths, configuration, rests, arguments.jobs)
        compared = Compared(found.compared.checked, (*compared.known, *found.compared.known), compared.stale)
        notes.append(found.note)
    return compared, tuple(notes)


def known_before(
    configuration: Configuration, arguments: argparse.Namespace, data: bytes | None = None
) -> tuple[Finding, ...]:
    """The findings that `check` would not report because they are known: nobody asked for them to be mended.

    data: standard input, where that is what is mended. Nothing is checked where nothing can be known.
    """
    if data is None:
        inputs(arguments.paths, configuration)  # loads the configurations that hold for them
    configuration.settings_for(None)
    if not arguments.diff_base and not configuration.has_baseline:
        return ()
    rests: Rests = {}
    if data is not None:
        one = check_bytes(data, arguments.stdin_filename, configuration)
        checked = [] if one is None else [one]
    else:
        with Progress(sys.stderr) as progress:
            checked = check_paths(arguments.paths, configuration, jobs=arguments.jobs, progress=progress, rests=rests)
    return without_known(checked, configuration, arguments, rests)[0].known


def counted(known: Sequence[Finding]) -> Mapping[str, Mapping[str, int]]:
    """How often each finding is known, by path and fingerprint."""
    found: dict[str, Counter[str]] = {}
    for finding in known:
        found.setdefault(finding.path, Counter())[finding.fingerprint] += 1
    return found
