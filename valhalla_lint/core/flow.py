"""Where a value came from and where it went: what the flow engine tells rules."""

import ast
from collections.abc import Mapping
from typing import NamedTuple

from valhalla_lint.core.finding import Confidence, Severity, Step
from valhalla_lint.core.span import Span


class FlowQuery(NamedTuple):
    """What a rule asks of the flow engine: every flow whose topic is among these.

    A topic is the question that a flow answers; each flow has exactly one, so two rules never report the same flow.
    """

    topics: frozenset[str]


class Flow(NamedTuple):
    """One answered question: a value from a source reached a sink, or a check does not do what it looks like.

    topic: names the question ("path", "join", "check", "archive", "model", "generation", "log", …).
    at: the node or place where people would mend it.
    values: fill the rule's message.
    audit: reported by the preset `audit` only.
    """

    topic: str
    at: ast.AST | Span
    values: Mapping[str, object] = {}
    message: str = ""
    steps: tuple[Step, ...] = ()
    reasons: tuple[str, ...] = ()
    remedy: str = ""
    confidence: Confidence | None = None
    severity: Severity | None = None
    audit: bool = False
