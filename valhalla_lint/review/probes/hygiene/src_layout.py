"""Do the import packages lie in a source folder?"""

from valhalla_lint.facts.project import SOURCE_FOLDERS
from valhalla_lint.review.collect import Facts
from valhalla_lint.review.probe import Probe, Reply, no_if, not_applicable


def ask(facts: Facts) -> Reply:
    """Look at the topmost production packages."""
    tops = [file for file in facts.production if file.package and "." not in file.dotted]
    if not tops:
        return not_applicable("no production package (a folder with `__init__.py`) was found")
    flat = [file for file in tops if not any(part in SOURCE_FOLDERS for part in file.path.split("/")[:-2])]
    inside = [facts.cite(file.path) for file in tops if file not in flat]
    return no_if(
        [facts.cite(file.path) for file in flat],
        "{n} packages lie outside of src, lib or python",
        "all packages lie in a source folder",
        inside,
    )


PROBE = Probe(
    id="src-layout",
    question="Do the import packages lie in a source folder (src, lib, python)?",
    how="topmost folders with an `__init__.py` in the production tier; their parent folders' names",
    ask=ask,
)
