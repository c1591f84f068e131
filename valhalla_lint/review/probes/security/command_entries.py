"""Does the project offer commands?"""

from valhalla_lint.review.collect import Facts
from valhalla_lint.review.entries import COMMAND, of_kind
from valhalla_lint.review.probe import Probe, Reply, not_applicable, yes_if
from valhalla_lint.review.reach import reading


def ask(facts: Facts) -> Reply:
    """Look at the entry points of that kind."""
    if not facts.production:
        return not_applicable("no production code")
    found = of_kind(facts, COMMAND)
    reply = yes_if(
        [facts.cite(entry.path, entry.line, entry.name) for entry in found], "{n} places", "no command was found"
    )
    return Reply(reply.outcome, reply.reading + reading(facts, (COMMAND,)), reply.positive)


PROBE = Probe(
    id="command-entries",
    question="Does the project offer commands?",
    how=(
        "scripts that the metadata declares, parsers of argparse, click, typer, fire and their kin in production "
        "code; the ways in list each with its path to an engine"
    ),
    ask=ask,
)
