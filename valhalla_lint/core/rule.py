"""One rule as a value: what it finds, why, where, with which examples."""

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from valhalla_lint.core.finding import Confidence, Severity, Step
from valhalla_lint.core.flow import FlowQuery
from valhalla_lint.core.regex import regex
from valhalla_lint.core.span import Span
from valhalla_lint.core.tier import Tier

if TYPE_CHECKING:
    import ast

CODE = regex(r"VH[1-9][0-9]{2}")
NAME = regex(r"[a-z]+(-[a-z]+)+")
SILENT = "silent"
STAR = "silent*: but for values that nobody made up by hand, which are reported at low severity."
"""What the star behind a weight means."""


class Hit(NamedTuple):
    """What a rule yields: a place and the values for the rule's message.

    at: the node (or range) whose own line is reported.
    message: replaces the rule's template where a rule has several distinct messages; formatted with `values` too.
    loud: reported, at low severity, even where the tier's policy is silence (provider-shaped tokens in tests).
    audit: reported by the preset `audit` only.
    secret: the credential itself, used only to mask the line and key the fingerprint; it goes no further.
    mends: whether a rule that can be mended can be mended here.
    remedy: what would clear this very place; empty takes the rule's own.
    """

    at: "ast.AST | Span"
    values: Mapping[str, object] = {}
    message: str = ""
    confidence: Confidence | None = None
    severity: Severity | None = None
    steps: tuple[Step, ...] = ()
    reasons: tuple[str, ...] = ()
    remedy: str = ""
    loud: bool = False
    audit: bool = False
    secret: str | bytes | None = None
    mends: bool = True


class Example(NamedTuple):
    """A program and where it lies.

    A comment `# VH301` marks a line that must be flagged (twice for two findings), `# missed VH301` a known gap,
    `# false VH301` a known false alarm; every other line must stay silent. `{{token:github}}` and
    `{{secret:24}}` stand for credentials that are minted when the example is used, so that no file of ours holds one.
    """

    code: str
    path: str = "src/app.py"
    options: Mapping[str, object] = {}
    after: str = ""
    note: str = ""

    @property
    def text(self) -> str:
        """The program without the indentation of the rule file."""
        from textwrap import dedent  # here: a check shows no examples

        return dedent(self.code).strip("\n") + "\n"


class Bad(Example):
    """A program in which the marked lines must be flagged."""

    __slots__ = ()


class Good(Example):
    """A program that must stay silent."""

    __slots__ = ()


Check = Callable[[Any, Any], Iterable[Hit]]


class Rule(NamedTuple):
    """Everything about one rule.

    message: template, filled with a hit's values; no line numbers, no final dot.
    why: rationale, a few sentences. remedy: what would clear a finding.
    severity: in production. tiers: what the other tiers make of it; None is silence, an absent tier is as production.
    loud: whether hits may report where the tier's policy is silence (see `Hit.loud`); else the rule is not asked there.
    flagged: whether generated, vendored and stub files are judged too.
    needs: words (lower case) of which one must occur in the file's lower-cased text at all; empty: always asked.
    options: a named tuple with defaults; or None. about: what each of its fields does.
    check: (module, options) -> hits; or None for a rule that only asks the flow engine.
    mends: whether findings may be mended. mendable: (module, place of the hit) -> whether this one can be, for rules
    that only ask the flow engine; a check says it with its hits.
    by_engine: the engine itself raises it (suppressions, files that cannot be read as a whole).
    """

    code: str
    name: str
    message: str
    why: str
    remedy: str
    severity: Severity
    confidence: Confidence
    bad: tuple[Example, ...]
    good: tuple[Example, ...]
    tiers: Mapping[Tier, Severity | None] = {}
    cwe: tuple[int, ...] = ()
    loud: bool = False
    flagged: bool = False
    needs: frozenset[str] = frozenset()
    options: type[Any] | None = None
    about: Mapping[str, str] = {}
    check: Check | None = None
    flow: FlowQuery | None = None
    mends: bool = False
    mendable: Callable[[Any, Any], bool] | None = None
    by_engine: bool = False

    @property
    def problems(self) -> list[str]:
        """Why this cannot be a rule: wrong code, name, message, or nothing that decides."""
        problems = []
        if not CODE.fullmatch(self.code):
            problems.append("the code is VH and three digits")
        if not NAME.fullmatch(self.name) or self.name.startswith(("no-", "allow-")):
            problems.append("the name reads as 'allow ___', in lower-case words joined by dashes")
        if self.message.endswith("."):
            problems.append("a message has no final dot")
        if self.check is None and self.flow is None and not self.by_engine:
            problems.append("a rule has a check or a flow query, or the engine raises it")
        if not self.bad or not self.good:
            problems.append("a rule shows at least one bad and one good example")
        if self.options is not None and set(self.about) != set(self.options._fields):
            problems.append("every option says what it does")
        return problems

    def severity_in(self, tier: Tier) -> Severity | None:
        """The severity in a tier; None where the rule is silent."""
        return self.tiers.get(tier, self.severity)

    def weight_in(self, tier: Tier) -> str:
        """The same in a word; a star where the rule is silent but for what is certain (see `Hit.loud`)."""
        severity = self.severity_in(tier)
        if severity is not None:
            return severity.name.lower()
        return f"{SILENT}*" if self.loud else SILENT


class Head(NamedTuple):
    """What a run must know of a rule before it asks it; all else stands in the rule's module.

    module: dotted. topics: of its flow query. checks: whether it has a check. The rest is as in `Rule`.
    """

    module: str
    code: str
    name: str
    severity: Severity
    tiers: Mapping[Tier, Severity | None]
    loud: bool
    flagged: bool
    needs: frozenset[str]
    topics: frozenset[str]
    checks: bool

    def severity_in(self, tier: Tier) -> Severity | None:
        """The severity in a tier; None where the rule is silent."""
        return self.tiers.get(tier, self.severity)


class OptionFact(NamedTuple):
    """One option of a rule, as configuration and pages need it."""

    name: str
    default: object
    about: str


def options_of(rule: Rule) -> tuple[OptionFact, ...]:
    """The options of a rule, in the order in which they are declared."""
    if rule.options is None:
        return ()
    return tuple(
        OptionFact(name, rule.options._field_defaults[name], rule.about[name]) for name in rule.options._fields
    )
