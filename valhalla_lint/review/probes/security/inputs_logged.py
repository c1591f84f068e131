"""Are prompts, bodies or parameters logged?"""

from valhalla_lint.core.evidence import Outcome
from valhalla_lint.review.collect import Facts
from valhalla_lint.review.probe import Probe, Reply, not_applicable, yes_if
from valhalla_lint.review.tables import table

ABOUT = frozenset({"error", "err", "log", "warning", "max", "num", "no"})
"""Parts of names that say that the thing is about messages, not what came in."""
LIBRARIES = ("logging", "loguru", "structlog")


def ask(facts: Facts) -> Reply:
    """Look at what logging calls are given."""
    logged = [(file, name, line) for file in facts.production for name, line in file.logged]
    if not logged and not any(item.top in LIBRARIES for file in facts.production for item in file.imports):
        return not_applicable("production code calls no logger")
    rows = table("signs")["names"]
    names, endings = frozenset(rows["sensitive"]), tuple(f"_{word}" for word in rows["sensitive_endings"])
    return yes_if(
        [facts.cite(file.path, line, name) for file, name, line in logged if name in names or _ends(name, endings)],
        "{n} calls",
        "no logging call is given such a name",
    )


def _ends(name: str, endings: tuple[str, ...]) -> bool:
    """Whether a name ends in one that tells (`system_prompt`); what is said to be an error or a count is none."""
    return name.lower().endswith(endings) and ABOUT.isdisjoint(name.lower().split("_"))


PROBE = Probe(
    id="inputs-logged",
    question="Are prompts, messages, request bodies, headers, parameters or state dicts handed to logging calls?",
    how=(
        "names and attributes called prompt, messages, body, payload, headers, state_dict, kwargs, generate_config "
        "or alike, or ending so, among the arguments of logger calls, inside f-strings too; their length or type does "
        "not count, nor does what is printed"
    ),
    ask=ask,
    good=Outcome.NO,
    remedy="log an id and a length",
)
