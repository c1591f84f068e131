"""Is accelerator memory managed?"""

from valhalla_lint.review.collect import Facts
from valhalla_lint.review.probe import Probe, Reply, not_applicable, yes_if
from valhalla_lint.review.signs import uses
from valhalla_lint.review.tables import table


def ask(facts: Facts) -> Reply:
    """Look for the calls."""
    if not uses(facts, "tensors"):
        return not_applicable("production code imports no tensor library")
    found = [
        facts.cite(file.path, call.line, call.name) for file, call in facts.calls(*table("signs")["calls"]["memory"])
    ]
    return yes_if(found, "{n} calls", "no call that limits, measures, pools or frees it")


PROBE = Probe(
    id="accelerator-memory",
    question="Does production code limit, measure, pool or free accelerator memory?",
    how=(
        "calls such as torch.cuda.empty_cache, set_per_process_memory_fraction, MemPool, mem_get_info, "
        "set_memory_growth"
    ),
    ask=ask,
)
