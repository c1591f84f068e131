"""Is a CUDA device named literally?"""

from valhalla_lint.core.evidence import Outcome
from valhalla_lint.review.collect import Facts
from valhalla_lint.review.probe import Probe, Reply, not_applicable, yes_if
from valhalla_lint.review.signs import uses


def ask(facts: Facts) -> Reply:
    """Look at calls."""
    if not uses(facts, "tensors"):
        return not_applicable("production code imports no tensor library")
    found = [facts.cite(file.path, line, what) for file in facts.production for what, line in file.devices]
    return yes_if(found, "{n} places", "no call names one")


PROBE = Probe(
    id="fixed-devices",
    question="Do calls in production code name a CUDA device literally?",
    how=(
        '`.cuda()` on a value, `.to("cuda…")`, `torch.device("cuda…")`, `device=`, `device_map=` or `map_location=` '
        "with such a literal; whether a test for the device stands around it is for the reader"
    ),
    ask=ask,
    good=Outcome.NO,
    remedy="take the device from the settings or from the data",
)
