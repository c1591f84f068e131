"""Are prompts, bodies or parameters logged?"""

from valhalla_lint.core.evidence import Outcome
from valhalla_lint.review.collect import Facts
from valhalla_lint.review.probe import Probe, Reply, not_applicable, yes_if
from valhalla_lint.review.tables import table

LIBRARIES = ("logging", "loguru", "structlog")


def ask(facts: Facts) -> Reply:
    """Look at what logging calls are given."""
    logged = [(file, name, line) for file in facts.production for name, line in file.logged]
    if not logged and not any(item.top in LIBRARIES for file in facts.production for item in file.imports):
        return not_applicable("production code calls no logger")
    names = frozenset(table("signs")["names"]["sensitive"])
    return yes_if(
        [facts.cite(file.path, line, name) for file, name, line in logged if name in names],
        "{n} calls",
        "no logging call is given such a name",
    )


PROBE = Probe(
    id="inputs-logged",
    question="Are prompts, messages, request bodies, headers, parameters or state dicts handed to logging calls?",
    how=(
        "names and attributes called prompt, messages, body, payload, headers, state_dict, kwargs, generate_config "
        "or alike among the arguments of logger calls, inside f-strings too; their length or type does not count"
    ),
    ask=ask,
    good=Outcome.NO,
    remedy="log an id and a length",
)
