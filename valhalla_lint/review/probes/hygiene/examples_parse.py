"""Are there examples, and do they parse?"""

from valhalla_lint.core.evidence import Outcome
from valhalla_lint.core.source import Status
from valhalla_lint.review.collect import Facts
from valhalla_lint.review.files import in_folder
from valhalla_lint.review.probe import Probe, Reply, no_if, not_applicable


def ask(facts: Facts) -> Reply:
    """Look at Python files in folders of examples."""
    examples = [
        file for file in facts.python if in_folder(facts.by_path[file.path], "examples") and file.tier != "test"
    ]
    if not examples:
        return not_applicable("no Python file in a folder of examples, samples, demos or tutorials")
    broken = [facts.cite(file.path, note="; ".join(file.notes)) for file in examples if file.status is not Status.READ]
    return no_if(
        broken,
        f"{{n}} of {len(examples)} do not",
        f"all {len(examples)} do",
        [facts.cite(file.path) for file in examples if file.status is Status.READ],
    )


PROBE = Probe(
    id="examples-parse",
    question="Do all Python examples parse?",
    how=(
        "Python files below folders named examples, samples, demos or tutorials, parsed by the Python that this "
        "review was made with"
    ),
    ask=ask,
    good=Outcome.YES,
    remedy="run the examples in CI",
)
