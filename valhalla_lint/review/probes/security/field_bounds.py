"""Are fields of requests bounded by their declaration?"""

from valhalla_lint.core.evidence import Outcome
from valhalla_lint.review.collect import Facts
from valhalla_lint.review.entries import GRPC, HTTP, of_kind
from valhalla_lint.review.probe import Probe, Reply, not_applicable, yes_if
from valhalla_lint.review.tables import table

DECLARATIONS = (
    "Field",
    "Query",
    "Path",
    "Body",
    "Form",
    "Header",
    "conint",
    "constr",
    "confloat",
    "conlist",
    "Meta",
    "CharField",
    "IntegerField",
    "FloatField",
    "Length",
    "Range",
    "StringConstraints",
)


def ask(facts: Facts) -> Reply:
    """Look for libraries and words, where requests are accepted at all."""
    if not of_kind(facts, HTTP, GRPC):
        return not_applicable("no HTTP or gRPC entry point was found")
    bounds = frozenset(table("signs")["names"]["bounds"])
    declared = [(file, call) for file in facts.production for call in file.calls if call.last in DECLARATIONS]
    found = [facts.cite(file.path, call.line, call.last) for file, call in declared if bounds & set(call.keywords)]
    return yes_if(found, f"{{n}} of {len(declared)} declarations", f"none of {len(declared)} declarations")


PROBE = Probe(
    id="field-bounds",
    question="Are fields of requests bounded by their declaration?",
    how=(
        "Field, Query, Path, Body, Form and conint-like declarations of pydantic and FastAPI, msgspec.Meta, DRF "
        "fields and marshmallow validators with max_length, le, ge, pattern or alike. That each field has one is not "
        "shown"
    ),
    ask=ask,
    good=Outcome.YES,
    remedy="bound lengths and numbers where the request is declared",
)
