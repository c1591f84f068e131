"""The nodes that stand at the place of a finding."""

import ast
from collections.abc import Iterator

from valhalla_lint.core.span import Span
from valhalla_lint.facts.module import Module


def calls_at(module: Module, span: Span) -> Iterator[ast.Call]:
    """The calls whose own place a span is."""
    for call in module.nodes(ast.Call):
        if call.lineno == span.line and module.span(call) == span:
            yield call


def expressions_at(module: Module, span: Span) -> Iterator[ast.expr]:
    """The expressions whose own place a span is, the outermost first."""
    for node in module.index.every():
        if isinstance(node, ast.expr) and getattr(node, "lineno", 0) == span.line and module.span(node) == span:
            yield node
