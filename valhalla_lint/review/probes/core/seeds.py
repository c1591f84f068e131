"""Can runs be repeated with a seed?"""

from valhalla_lint.review.collect import Facts
from valhalla_lint.review.probe import Probe, Reply, not_applicable, yes_if
from valhalla_lint.review.signs import uses
from valhalla_lint.review.tables import table

PARAMETERS = ("seed", "random_seed", "rng_seed", "random_state", "generator")


def ask(facts: Facts) -> Reply:
    """Look for the calls."""
    if not uses(facts, "models"):
        return not_applicable("production code imports no library that runs models")
    found = [
        facts.cite(file.path, call.line, call.name) for file, call in facts.calls(*table("signs")["calls"]["seeds"])
    ]
    found += [
        facts.cite(file.path, function.line, f"{function.name} takes {name}")
        for file in facts.production
        for function in file.functions
        for name in function.parameters
        if name in PARAMETERS
    ]
    return yes_if(found, "{n} places", "no call sets a seed or makes a generator, and no function takes one")


PROBE = Probe(
    id="seeds",
    question="Does production code set seeds of random numbers, or take one?",
    how=(
        "calls of torch.manual_seed, random.seed, numpy.random.default_rng, set_seed, seed_everything and their kin; "
        "functions with a parameter named seed, random_state, generator or alike"
    ),
    ask=ask,
)
