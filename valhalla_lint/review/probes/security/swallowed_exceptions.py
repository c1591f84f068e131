"""Are broad exceptions swallowed?"""

from valhalla_lint.core.evidence import Outcome
from valhalla_lint.review.collect import Facts
from valhalla_lint.review.probe import Probe, Reply, not_applicable, yes_if


def ask(facts: Facts) -> Reply:
    """Look at handlers that catch everything and do nothing."""
    if not facts.production:
        return not_applicable("no production code")
    found = [
        facts.cite(file.path, handler.line, "bare" if handler.bare else "Exception")
        for file in facts.production
        for handler in file.handlers
        if handler.broad and handler.silent
    ]
    broad = sum(handler.broad for file in facts.production for handler in file.handlers)
    return yes_if(found, f"{{n}} of {broad} broad handlers do nothing", f"{broad} broad handlers, each does something")


PROBE = Probe(
    id="swallowed-exceptions",
    question="Does production code catch every exception and do nothing?",
    how="except without a type, or of Exception or BaseException, whose body is pass, continue or a constant",
    ask=ask,
    good=Outcome.NO,
    remedy="catch what is expected; log the rest",
)
