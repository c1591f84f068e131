"""Does production code offer a browser interface or tools for language models?"""

from valhalla_lint.review.collect import Facts
from valhalla_lint.review.entries import INTERFACE, TOOL, of_kind
from valhalla_lint.review.probe import Probe, Reply, not_applicable, yes_if
from valhalla_lint.review.reach import reading


def ask(facts: Facts) -> Reply:
    """Look at the entry points of that kind."""
    if not facts.production:
        return not_applicable("no production code")
    found = of_kind(facts, INTERFACE, TOOL)
    reply = yes_if([facts.cite(entry.path, entry.line, entry.name) for entry in found], "{n} places", "none was found")
    return Reply(reply.outcome, reply.reading + reading(facts, (INTERFACE, TOOL)), reply.positive)


PROBE = Probe(
    id="interface-entries",
    question="Does production code offer a browser interface or tools for language models?",
    how=(
        "Gradio and Streamlit apps, functions that MCP servers or LangChain offer as tools; the ways in list "
        "each with its path to an engine"
    ),
    ask=ask,
)
