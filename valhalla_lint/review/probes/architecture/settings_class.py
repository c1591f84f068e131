"""Is configuration read through a typed settings class?"""

from valhalla_lint.review.collect import Facts
from valhalla_lint.review.probe import Probe, Reply, yes_if
from valhalla_lint.review.tables import table


def ask(facts: Facts) -> Reply:
    """Look for settings libraries and bases."""
    modules = table("signs")["modules"]["settings"]
    found = [facts.cite(file.path, line, name) for file, line, name in facts.importing(*modules)]
    for file in facts.production:
        found.extend(
            facts.cite(file.path, item.line, item.name)
            for item in file.classes
            if any(base.rpartition(".")[2] == "BaseSettings" for base in item.bases)
        )
    return yes_if(found, "{n} places", "no settings library and no class derived from BaseSettings")


PROBE = Probe(
    id="settings-class",
    question=(
        "Is configuration read through a library that checks its types (pydantic-settings, environs, dynaconf, hydra "
        "and their kin)?"
    ),
    how="imports of these libraries in production code, classes derived from BaseSettings",
    ask=ask,
)
