"""Are there model files that run code when loaded?"""

from valhalla_lint.core.evidence import Outcome
from valhalla_lint.review.collect import Facts
from valhalla_lint.review.files import runs_when_loaded
from valhalla_lint.review.probe import Probe, Reply, yes_if


def ask(facts: Facts) -> Reply:
    """Look at names of files."""
    return yes_if(
        [facts.cite(file.path) for file in facts.files if runs_when_loaded(file.path)],
        "{n} files",
        "no file of such a format",
    )


PROBE = Probe(
    id="unsafe-model-files",
    question="Does the tree hold model files of formats that run code when they are loaded?",
    how=(
        "names that end in .pt, .pth, .ckpt, .pkl, .pickle, .joblib, .dill, .nemo, .mar or are pytorch_model*.bin; "
        "pointers of git-lfs count"
    ),
    ask=ask,
    good=Outcome.NO,
    remedy="keep weights as safetensors, and test data in a plain format",
)
