"""VH405 unvalidated-generation-parameter."""

from valhalla_lint.core.finding import Confidence, Severity
from valhalla_lint.core.flow import FlowQuery
from valhalla_lint.core.rule import Bad, Good, Rule
from valhalla_lint.core.tier import Tier

RULE = Rule(
    code="VH405",
    name="unvalidated-generation-parameter",
    message="values of a request reach {sink} without bounds: {arguments}",
    why=(
        "A type is no bound. One request for a million tokens, or with a prompt of a hundred megabytes, keeps an "
        "engine "
        "busy for everyone; a temperature below zero makes it fail in odd ways."
    ),
    remedy="give the fields bounds (`Field(256, ge=1, le=4096)`, `max_length=`), or clamp the values with `min`",
    severity=Severity.MEDIUM,
    confidence=Confidence.MEDIUM,
    tiers={Tier.TEST: None, Tier.SCRIPT: None},
    cwe=(770, 1284),
    flow=FlowQuery(frozenset({"generation"})),
    bad=(
        Bad("""
            from fastapi import FastAPI
            from pydantic import BaseModel

            app = FastAPI()
            engine = app.state


            class Body(BaseModel):
                prompt: str
                max_tokens: int = 256


            @app.post("/generate")
            async def generate(body: Body):
                return await engine.generate(body.prompt, max_tokens=body.max_tokens)  # VH405
        """),
    ),
    good=(
        Good("""
            from fastapi import FastAPI
            from pydantic import BaseModel, Field

            app = FastAPI()
            engine = app.state


            class Body(BaseModel):
                prompt: str = Field(max_length=8192)
                max_tokens: int = Field(256, ge=1, le=4096)


            @app.post("/generate")
            async def generate(body: Body):
                return await engine.generate(body.prompt, max_tokens=body.max_tokens)
        """),
        Good("""
            LIMIT = 4096
            LONGEST = 8192


            async def generate(request, engine):
                prompt = request.query_params["prompt"]
                if len(prompt) > LONGEST:
                    raise ValueError("prompt too long")
                wanted = int(request.query_params["max_tokens"])
                return await engine.generate(prompt, max_tokens=min(wanted, LIMIT))
        """),
    ),
)
