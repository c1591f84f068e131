"""VH401 unvalidated-model-name."""

from valhalla_lint.core.finding import Confidence, Severity
from valhalla_lint.core.flow import FlowQuery
from valhalla_lint.core.rule import Bad, Good, Rule
from valhalla_lint.core.tier import Tier
from valhalla_lint.facts.mending.checks import join_can_be_mended

RULE = Rule(
    code="VH401",
    name="unvalidated-model-name",
    message="{source} reaches {sink}",
    why=(
        "The name of a model, adapter, tokenizer or checkpoint that a caller chooses decides what is loaded. Put into "
        "a "
        "path it can leave the folder of models; handed to a loader or a hub it can name a repository that runs code "
        "while it loads. A test that the file exists proves neither."
    ),
    remedy="look the name up in a list of known models, or demand a full match such as [A-Za-z0-9_-]+ first",
    severity=Severity.HIGH,
    confidence=Confidence.HIGH,
    tiers={Tier.TEST: None, Tier.SCRIPT: Severity.LOW},
    cwe=(22, 73, 829),
    flow=FlowQuery(frozenset({"model"})),
    mends=True,
    mendable=join_can_be_mended,
    bad=(
        Bad("""
            class Service:
                async def generate(self, model_name: str, prompt: str):
                    model_path = f"./models/{model_name}"  # VH401
                    return model_path, prompt
        """),
        Bad("""
            from transformers import AutoModel


            async def load(request):
                name = request.query_params["model"]
                return AutoModel.from_pretrained(name)  # VH401
        """),
    ),
    good=(
        Good("""
            import os

            MODELS = {"small", "large"}


            def resolve(model_name: str) -> str:
                if model_name not in MODELS:
                    raise ValueError("unknown model")
                return os.path.join("models", model_name)
        """),
        Good("""
            import os
            import re

            PART = re.compile(r"[A-Za-z0-9_-]+")


            def resolve(model_id: str, version: str) -> str:
                if not PART.fullmatch(model_id) or not PART.fullmatch(version):
                    raise ValueError("bad model id or version")
                return os.path.join("models", model_id, version)
        """),
    ),
)
