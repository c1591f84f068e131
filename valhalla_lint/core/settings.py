"""What the user wants, already read and checked; reading files is the business of `valhalla_lint.config`."""

from collections.abc import Mapping
from enum import Enum
from typing import TYPE_CHECKING, Any, NamedTuple

from valhalla_lint.core.finding import Severity
from valhalla_lint.core.tier import Tier

if TYPE_CHECKING:
    import datetime as dt


class Preset(Enum):
    """How much is asked for: `default` speaks where it is sure, `audit` adds what only a reviewer wants to see."""

    DEFAULT = "default"
    AUDIT = "audit"


class TierOverrides(NamedTuple):
    """Path patterns (as in .gitignore, relative to the configuration's folder) that decide a tier or a flag."""

    production: tuple[str, ...] = ()
    test: tuple[str, ...] = ()
    script: tuple[str, ...] = ()
    generated: tuple[str, ...] = ()
    vendored: tuple[str, ...] = ()


class Settings(NamedTuple):
    """Selection, tiers, options.

    select, ignore: code prefixes; the longest that fits decides, as in flake8. An empty select takes every rule.
    rules: options of rules by code, each an instance of the rule's own named tuple.
    catalogue: the user's rows for the flow engine, by table name.
    root: folder that the patterns are relative to (POSIX, absolute), or "" for none.
    isolated: the analysed project's own configuration was not read.
    today: the date against which `until=` is judged; None is the date of the run.
    baseline: file of known findings, relative to `root`, or "" for none.
    cache: whether what a run found is kept for the next. cache_dir: folder for that, relative to `root`, or "" for the
    user's own.
    text_files: whether files that are no Python are read for credentials, too.
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    tiers: frozenset[Tier] = frozenset(Tier)
    strict_tiers: bool = False
    preset: Preset = Preset.DEFAULT
    fail_on: Severity = Severity.LOW
    tier_overrides: TierOverrides = TierOverrides()
    rules: Mapping[str, Any] = {}
    catalogue: Mapping[str, tuple[Mapping[str, object], ...]] = {}
    per_file_ignores: Mapping[str, tuple[str, ...]] = {}
    exclude: tuple[str, ...] = ()
    respect_gitignore: bool = True
    unsuppressable: tuple[str, ...] = ()
    require_reason: bool = True
    baseline: str = ""
    cache: bool = True
    cache_dir: str = ""
    text_files: bool = False
    root: str = ""
    isolated: bool = False
    today: "dt.date | None" = None

    def selects(self, code: str) -> bool:
        """Whether a rule is asked for: the longest prefix among `select` and `ignore` decides; a tie ignores."""
        chosen = max((len(prefix) for prefix in self.select if code.startswith(prefix)), default=-1)
        if not self.select:
            chosen = 0
        dropped = max((len(prefix) for prefix in self.ignore if code.startswith(prefix)), default=-1)
        return chosen > dropped
