"""VH201 path-traversal."""

from valhalla_lint.core.finding import Confidence, Severity
from valhalla_lint.core.flow import FlowQuery
from valhalla_lint.core.rule import Bad, Good, Rule
from valhalla_lint.core.tier import Tier
from valhalla_lint.facts.mending.checks import join_can_be_mended

RULE = Rule(
    code="VH201",
    name="path-traversal",
    message="{source} reaches {sink}",
    why=(
        "A name that somebody outside chooses can hold '..', begin at the root, or hold the other system's separator. "
        "Joined to a folder or opened as it stands, it names any file that the process can reach. Checks that look "
        "right "
        "often are not: `normpath` alone changes only the spelling, `exists` says nothing about the place."
    ),
    remedy=(
        "resolve the joined path and ask `is_relative_to(base)`, or accept only names that a full match such as "
        "[A-Za-z0-9_-]+ or a list of known names lets through"
    ),
    severity=Severity.HIGH,
    confidence=Confidence.HIGH,
    tiers={Tier.TEST: None, Tier.SCRIPT: None},
    cwe=(22, 23, 36),
    flow=FlowQuery(frozenset({"path"})),
    mends=True,
    mendable=join_can_be_mended,
    bad=(
        Bad("""
            import os

            from flask import Flask, request

            app = Flask(__name__)


            @app.route("/notes")
            def note():
                name = request.args["name"]
                return open(os.path.join("notes", name)).read()  # VH201
        """),
        Bad(
            """
            from pathlib import Path

            from fastapi import FastAPI

            app = FastAPI()
            ROOT = Path("pictures")


            @app.get("/pictures")
            def picture(file: str):
                target = (ROOT / file).resolve()  # VH201
                if not target.exists():
                    raise LookupError(file)
                return target.read_bytes()
        """,
            note="`resolve` and `exists` say nothing about where the file lies.",
        ),
    ),
    good=(
        Good("""
            from pathlib import Path

            from flask import Flask, request

            app = Flask(__name__)
            ROOT = Path("pictures").resolve()


            @app.route("/pictures")
            def picture():
                target = (ROOT / request.args["file"]).resolve()
                if not target.is_relative_to(ROOT):
                    raise LookupError("no such picture")
                return target.read_bytes()
        """),
        Good(
            """
            import os
            import re

            from flask import Flask, request

            app = Flask(__name__)


            def checked(name):
                if not re.fullmatch(r"[A-Za-z0-9_-]+", name):
                    raise ValueError("bad name")
                return name


            @app.route("/notes")
            def note():
                return open(os.path.join("notes", checked(request.args["name"]))).read()
        """,
            note="A helper of the project is read: it raises unless the name is safe.",
        ),
    ),
)
