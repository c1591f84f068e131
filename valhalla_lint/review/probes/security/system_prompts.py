"""Are values put into system messages?"""

from valhalla_lint.core.evidence import Outcome
from valhalla_lint.review.collect import Facts
from valhalla_lint.review.probe import Probe, Reply, not_applicable, yes_if


def ask(facts: Facts) -> Reply:
    """Look at messages with the role system."""
    messages = [(file, line, filled) for file in facts.production for line, filled in file.system]
    if not messages:
        return not_applicable('no literal message with the role "system"')
    return yes_if(
        [facts.cite(file.path, line) for file, line, filled in messages if filled],
        f"{{n}} of {len(messages)} messages",
        f"none of {len(messages)} messages is built so",
    )


PROBE = Probe(
    id="system-prompts",
    question="Are system messages for language models built with values put into their text?",
    how=(
        'dictionaries with "role": "system" whose content is an f-string with fields, a sum, a % or a format call; '
        "whether the value comes from a user is for the reader"
    ),
    ask=ask,
    good=Outcome.NO,
    remedy="keep what users say in messages of their own",
)
