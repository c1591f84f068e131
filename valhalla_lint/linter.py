"""Rules, catalogue and engine put together: the one function that every host calls."""

from collections.abc import Iterable

from valhalla_lint.core.finding import FileReport, Finding
from valhalla_lint.core.flow import Flow
from valhalla_lint.core.rule import Rule
from valhalla_lint.core.settings import Settings
from valhalla_lint.core.source import Source
from valhalla_lint.engine.analyse import INTERNAL_ERROR, Asked, analyse, failed
from valhalla_lint.facts.module import Module
from valhalla_lint.rules import all_rules


class Linter:
    """Checks sources with one set of settings."""

    def __init__(self, settings: Settings) -> None:
        """Choose the rules; every selected rule is asked with its own options."""
        self.settings = settings
        self.rules: tuple[Rule, ...] = tuple(rule for rule in all_rules() if settings.selects(rule.code))
        self._known = frozenset(rule.code for rule in all_rules())
        self._asked = tuple(Asked(rule, self._options(rule)) for rule in self.rules)

    def _options(self, rule: Rule) -> object:
        given = self.settings.rules.get(rule.code)
        if given is not None:
            return given
        return rule.options() if rule.options is not None else None

    def check(self, source: Source) -> list[Finding]:
        """The findings in one source, in order; never raises on any text."""
        return list(self.inspect(source).findings)

    def inspect(self, source: Source) -> FileReport:
        """Findings, suppressions, tier and reading status of one source; never raises on any text."""
        module = Module(source, self.settings)
        try:
            return analyse(module, self._asked, self.settings, self._flows, self._known)
        except Exception as error:  # noqa: BLE001 -- a fault of ours in one file must not end the run or hide the others
            return failed(module, next(rule for rule in all_rules() if rule.code == INTERNAL_ERROR), error)

    def _flows(self, module: Module, topics: frozenset[str]) -> Iterable[Flow]:
        """Ask the flow engine."""
        del module, topics
        return ()
