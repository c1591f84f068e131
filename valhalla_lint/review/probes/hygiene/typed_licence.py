"""Is the licence stated where tools look for it?"""

from valhalla_lint.core.evidence import Outcome
from valhalla_lint.review.collect import Facts
from valhalla_lint.review.licences import expression
from valhalla_lint.review.panel import EXTRA_HINT
from valhalla_lint.review.probe import Probe, Reply, not_applicable, unknown
from valhalla_lint.review.project import PROJECT_NAMES


def ask(facts: Facts) -> Reply:
    """Look at the metadata."""
    files = [path for path in map(facts.declared.path, PROJECT_NAMES) if path in facts.by_path]
    if not files:
        return not_applicable("there is no pyproject.toml, setup.cfg or setup.py")
    place = files[0]
    stated = facts.declared.licence
    spdx = expression(stated) if stated else ""
    if spdx is None:
        return unknown(f"license-expression is not installed ({EXTRA_HINT})")
    if not stated and facts.declared.dynamic:
        return unknown(f"the metadata is computed by code ({', '.join(facts.declared.dynamic)})")
    if spdx:
        return Reply(Outcome.YES, spdx, (facts.cite(place),))
    classified = [item for item in facts.declared.classifiers if item.startswith("License ::")]
    reading = f"the field says {stated!r}, which is no SPDX expression" if stated else "the field is empty"
    return Reply(
        Outcome.NO, reading + (f"; classifier: {classified[0]}" if classified else ""), negative=(facts.cite(place),)
    )


PROBE = Probe(
    id="licence-metadata",
    question="Does the project's metadata state its licence as an SPDX expression?",
    how="the licence field of pyproject.toml, setup.cfg or setup.py, read by license-expression",
    ask=ask,
    good=Outcome.YES,
    remedy='write `license = "…"` with an SPDX expression (PEP 639)',
)
