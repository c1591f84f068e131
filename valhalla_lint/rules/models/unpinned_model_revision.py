"""VH403 unpinned-model-revision."""

from collections.abc import Iterator

from valhalla_lint.core.finding import Confidence, Severity
from valhalla_lint.core.rule import Bad, Good, Hit, Rule
from valhalla_lint.core.tier import Tier
from valhalla_lint.facts.calls import calls_to
from valhalla_lint.facts.hub import NAMES, Fetch, Place, Revision, fetch
from valhalla_lint.facts.module import Module

MISSING_REVISION = "{what} downloads {repository} without a fixed revision: it gets whatever stands there that day"
MOVING_REVISION = "{what} downloads {repository} at {label!r}, which its owner can move"


def check(module: Module, options: None) -> Iterator[Hit]:
    for call in calls_to(module, NAMES):
        found = fetch(module, call)
        if found is None or _runs_code(module, found) or _stays_here(module, found):
            continue
        if found.revision in (Revision.PINNED, Revision.UNKNOWN):
            continue
        known = found.place is Place.HUB
        repository = repr(found.repository) if known else "a model"
        yield Hit(
            at=call,
            values={"what": found.what, "repository": repository, "label": found.label},
            message=MOVING_REVISION if found.label else MISSING_REVISION,
            confidence=Confidence.HIGH if known and found.revision is Revision.MOVING else Confidence.LOW,
            audit=not known,
        )


def _runs_code(module: Module, found: Fetch) -> bool:
    """Whether the same call also allows remote code: then VH402 speaks of the revision."""
    return bool(module.constant(found.arguments.get("trust_remote_code")))


def _stays_here(module: Module, found: Fetch) -> bool:
    """Whether nothing is downloaded: a folder, or local files only."""
    return found.place is Place.LOCAL or bool(module.constant(found.arguments.get("local_files_only")))


RULE = Rule(
    code="VH403",
    name="unpinned-model-revision",
    message="{what} downloads {repository} without a fixed revision",
    why="A hub repository is somebody else's git repository. Without a commit, every start may load other weights, "
    "another tokenizer or another configuration than was tested, and whoever takes over the account decides which.",
    remedy='pass revision="<commit hash>"; branches and tags can be moved',
    severity=Severity.LOW,
    confidence=Confidence.MEDIUM,
    tiers={Tier.TEST: None, Tier.SCRIPT: None},
    cwe=(494, 829),
    check=check,
    bad=(
        Bad(
            """
            from huggingface_hub import snapshot_download
            from transformers import AutoModel, pipeline

            def load():
                folder = snapshot_download(repo_id="acme/encoder-small")  # VH403
                model = AutoModel.from_pretrained("acme/encoder-small", revision="main")  # VH403
                return folder, model, pipeline("text-classification", model="acme/classifier")  # VH403
            """
        ),
        Bad(
            """
            import asyncio

            from huggingface_hub import snapshot_download

            async def folder():
                return await asyncio.to_thread(snapshot_download, "acme/encoder-small")  # VH403
            """,
            note="Handed to what runs it.",
        ),
        Bad(
            """
            from datasets import load_dataset

            QUESTIONS = "acme/questions"
            RELEASE = "v1.2.0"

            def questions():
                return load_dataset(QUESTIONS, revision=RELEASE)  # VH403
            """,
            note="A tag is better than a branch, yet it can be moved: low confidence.",
        ),
    ),
    good=(
        Good(
            """
            from huggingface_hub import HfApi
            from transformers import AutoModel, AutoTokenizer

            ENCODER = "acme/encoder-small"
            REVISION = "bcf0237382317259a4d841c9649b7d70d63c3ab5"
            OPTIONS = {"revision": REVISION}

            def load(revision):
                model = AutoModel.from_pretrained(ENCODER, **OPTIONS)
                HfApi().snapshot_download(ENCODER, revision=revision)
                return model, AutoTokenizer.from_pretrained(ENCODER, revision=REVISION)
            """
        ),
        Good(
            """
            import os

            from datasets import load_dataset
            from transformers import AutoModel

            def load(folder):
                AutoModel.from_pretrained("./weights/encoder")
                AutoModel.from_pretrained(os.path.join(folder, "encoder"))
                AutoModel.from_pretrained("acme/encoder-small", local_files_only=True)
                return load_dataset("csv", data_files="table.csv")
            """,
            note="Nothing is downloaded here.",
        ),
        Good(
            """
            from transformers import AutoModel

            def load(name):
                return AutoModel.from_pretrained(name)  # missed VH403
            """,
            note="The name may be a folder; the preset audit reports it.",
        ),
    ),
)
