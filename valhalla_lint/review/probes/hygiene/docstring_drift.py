"""Do docstrings name the parameters that functions really have?"""

from valhalla_lint.core.evidence import Basis, Outcome
from valhalla_lint.review.collect import Facts
from valhalla_lint.review.probe import Probe, Reply, no_if, not_applicable

PROPERTIES = ("property", "cached_property", "setter", "abstractproperty")


def ask(facts: Facts) -> Reply:
    """Compare documented parameters with the signature."""
    documented = [(file, function) for file in facts.production for function in file.functions if function.documented]
    if not documented:
        return not_applicable("no docstring of a production function documents parameters")
    drift = []
    for file, function in documented:
        strangers = sorted(set(function.documented or ()) - set(function.parameters) - {"self", "cls"})
        if (
            strangers
            and not function.catches_all
            and not any(name.rpartition(".")[2] in PROPERTIES for name, _ in function.decorators)
        ):
            drift.append(facts.cite(file.path, function.line, f"{function.name} documents {', '.join(strangers)}"))
    return no_if(
        drift,
        f"{{n}} of {len(documented)} document a parameter that is not there",
        f"{len(documented)} functions document parameters, none names a stranger",
    )


PROBE = Probe(
    id="docstring-drift",
    question="Do documented parameters agree with the signatures?",
    how=(
        "parameters in Sphinx, Google or NumPy form; a documented name that is no parameter is drift; functions with "
        "* or ** parameters are left out"
    ),
    ask=ask,
    good=Outcome.YES,
    remedy="mend the docstrings; a docstring linter holds them",
    basis=Basis.SOURCE,
)
