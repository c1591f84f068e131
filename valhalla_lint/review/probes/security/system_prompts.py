"""Are values put into system messages?"""

from valhalla_lint.core.evidence import Outcome
from valhalla_lint.review.collect import Facts
from valhalla_lint.review.probe import Probe, Reply, not_applicable, unknown, yes_if
from valhalla_lint.review.python import COMPUTED, FILLED, Python

WORDS = frozenset({"system_prompt", "system_prompts", "system_message", "sys_prompt", "systemmessage"})


def ask(facts: Facts) -> Reply:
    """Look at messages with the role system."""
    messages = [(file, line, kind) for file in facts.production for line, kind in file.system]
    if not messages:
        if any(map(_spoken, facts.production)):
            return unknown("names speak of system prompts, but no message with that role is written out")
        return not_applicable("no message with the role system, and no name that speaks of one")
    filled = [facts.cite(file.path, line) for file, line, kind in messages if kind == FILLED]
    computed = sum(kind == COMPUTED for _, _, kind in messages)
    if computed and not filled:
        return unknown(f"{computed} of {len(messages)} messages take their text from elsewhere")
    return yes_if(filled, f"{{n}} of {len(messages)} messages", f"none of {len(messages)} messages is built so")


def _spoken(file: Python) -> bool:
    return any(word.lower() in WORDS for word in file.words)


PROBE = Probe(
    id="system-prompts",
    question="Are system messages for language models built with values put into their text?",
    how=(
        'dictionaries and calls with the role "system", and SystemMessage calls, whose text is an f-string with '
        "fields, a sum, a % or a format call; unknown where texts come from other functions, variables or templates. "
        "Whether the value comes from a user is for the reader"
    ),
    ask=ask,
    good=Outcome.NO,
    remedy="keep what users say in messages of their own",
)
