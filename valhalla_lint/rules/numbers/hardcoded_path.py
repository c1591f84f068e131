"""VH302 hardcoded-path."""

from collections.abc import Iterator

from valhalla_lint.core.finding import Confidence, Severity
from valhalla_lint.core.rule import Bad, Good, Hit, Rule
from valhalla_lint.core.tier import Tier
from valhalla_lint.facts.locations import Meaning, Use, paths
from valhalla_lint.facts.module import Module

QUIET = frozenset({Meaning.INTERFACE, Meaning.PROGRAM, Meaning.USER})
"""The same place on every machine, or one that follows the user: shown by the preset `audit` only."""
MESSAGES = {
    Meaning.WEIGHTS: "{path!r} is {meaning}: take its root from the environment, or let a provider resolve a name with"
    " version and checksum",
    Meaning.TEMPORARY: "{path!r} is {meaning}: somebody else can occupy it first",
}
REMEDIES = {
    Meaning.WEIGHTS: "take the model's root from the environment or the settings, or ask a provider for a name with"
    " version and checksum",
    Meaning.TEMPORARY: "use tempfile, which makes a name that nobody can guess or occupy",
    Meaning.HOME: "start from Path.home() or from the settings",
    Meaning.SHARE: "take the share from the settings",
}


def check(module: Module, options: None) -> Iterator[Hit]:
    for found in paths(module):
        audit = found.meaning in QUIET
        match found.use:
            case Use.TEXT | Use.TEST | Use.ROUTE:
                continue
            case Use.DEFAULT | Use.DATA:
                audit = True
            case Use.DIRECT | Use.NAMED:
                pass
        yield Hit(
            found.node,
            values={"path": found.shown, "meaning": found.meaning.value},
            message=MESSAGES.get(found.meaning, ""),
            remedy=REMEDIES.get(found.meaning, ""),
            severity=Severity.MEDIUM if found.meaning is Meaning.TEMPORARY and found.use is Use.DIRECT else None,
            confidence=Confidence.LOW if audit else None,
            audit=audit,
        )


RULE = Rule(
    code="VH302",
    name="hardcoded-path",
    message="{path!r} is {meaning}: it holds on one machine only",
    why=(
        "A path that is written into the program makes every installation look like its author's machine; below a"
        " shared temporary folder others can occupy it beforehand. Defaults that a user can change, interfaces of"
        " the operating system, routes and texts for people are no such paths."
    ),
    remedy="take the path, or the root that it is relative to, from the environment or the settings",
    severity=Severity.LOW,
    confidence=Confidence.MEDIUM,
    tiers={Tier.TEST: None, Tier.SCRIPT: None},
    cwe=(426,),
    check=check,
    bad=(
        Bad("""
            import torch

            def load_backbone():
                return torch.load("/opt/models/resnet50/weights.bin", weights_only=True)  # VH302
            """),
        Bad("""
            def places(name):
                log = open("/tmp/server.log", "a")  # VH302
                share = r"\\\\fileserver\\models"  # VH302
                drive = r"D:\\models\\base.onnx"  # VH302
                return log, share, drive, f"/home/alice/models/{name}"  # VH302
            """),
        Bad(
            """
            def load(torch, name):
                path = "/models/" + name  # VH302
                kept = f"/models/{name}.pt"  # VH302
                torch.load("/models/" + name + ".pt")  # VH302
                torch.load("/models/%s.pt" % name)  # VH302
                return open(f"/models/{name}.json"), path, kept  # VH302
            """,
            note="However the path is put together.",
        ),
        Bad("CACHE = '/var/cache/model-server'  # VH302\n", note="A name does not move a path to another machine."),
        Bad("""
            from pathlib import Path

            def labels():
                return Path("/data/labels.txt").read_text()  # VH302
            """),
    ),
    good=(
        Good("""
            import os
            from pathlib import Path

            ROOT = os.environ.get("MODEL_ROOT", "/opt/models")

            def load(name, root="/var/lib/models"):
                root = root or "/srv/models"
                return Path(root) / name

            def memory():
                return Path("/proc/self/status").read_text(), open("/dev/null", "rb")

            def shell():
                return "/usr/bin/env", "/etc/os-release", os.path.expanduser("~/.cache/models")
            """),
        Good(
            """
            @app.get("/opt/status")
            def status(path):
                if path.startswith("/proc/"):
                    raise ValueError("nothing below /proc is served")
                return client.get("/data/items")
            """,
            note="Routes, and places that other places are compared with.",
        ),
        Good('PATH = "/opt/models"\n', path="tests/test_paths.py"),
    ),
)
