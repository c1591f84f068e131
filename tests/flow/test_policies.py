"""Objects that are asked whether something may be done with a value, each beside a twin asked nothing, or in vain."""

from pathlib import Path

import pytest
from shop import AUDIT, check, codes
from shop import WEB as SHOP

WEB = SHOP.replace("import Flask", "import Flask, abort")
READ = "    return open(ROOT + '/' + name).read()\n"
NESTED = """
from fastapi import FastAPI, HTTPException, Request


def application(policy=None, mapping=None):
    app = FastAPI()

    async def validate(request: Request, file: str) -> None:
        if policy is not None:
            if not await {question}:
                raise HTTPException(status_code=403)

    async def mapped(request: Request, file: str) -> str:
        if mapping is not None:
            return await mapping.map(request, file)
        return file

    @app.get("/logs")
    async def log(request: Request, file: str):
        await validate(request, file)
        return open(f"{{(await mapped(request, file)).rstrip('/')}}/flow.yaml").read()

    return app
"""
PROTOCOL = """
from typing import Protocol

from fastapi import FastAPI, HTTPException


class Policy(Protocol):
    def can_read(self, file: str) -> bool: ...


def application(policy: Policy):
    app = FastAPI()

    @app.get("/logs")
    def log(file: str):
        if not policy.can_read({asked}):
            raise HTTPException(status_code=403)
        return open("/srv/logs/" + file).read()

    return app
"""


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("    if not policy.is_allowed(name):\n        abort(403)\n", []),
        ("    if policy and not policy.is_allowed(name):\n        abort(403)\n", []),
        ("    if policy is not None:\n        policy.check_read(name)\n", []),
        ("    policy.authorize(current(), name)\n", []),
        ("    allowed = policy.may_read(current(), name)\n    if not allowed:\n        abort(403)\n", []),
        ("    if not policy.is_allowed(name):\n        log('no')\n", ["VH201"]),
        ("    policy.is_allowed(name)\n", ["VH201"]),
        ("    policy.check_read(current())\n", ["VH201"]),
        ("    policy.check_size(name)\n", ["VH201"]),
        ("    if strict:\n        policy.check_read(name)\n", ["VH201"]),
        ("    if not reader.can_read(name):\n        abort(400)\n", ["VH201"]),
    ],
    ids=[
        "refused",
        "where there is one",
        "raises where there is one",
        "authorized",
        "kept in a variable",
        "answer without effect",
        "answer not looked at",
        "asked about something else",
        "asked for another property",
        "only if a switch says so",
        "asked what it is able to read",
    ],
)
def test_an_object_that_is_asked_for_leave_is_a_check(tmp_path: Path, body: str, expected: list[str]) -> None:
    assert codes(check(tmp_path, WEB + body + READ)) == expected
    assert "VH201" in codes(check(tmp_path, WEB + body + READ, AUDIT))


def test_a_helper_asks_the_object_that_the_function_around_was_given(tmp_path: Path) -> None:
    assert codes(check(tmp_path, NESTED.format(question="policy.can_read(request, file)"))) == []
    assert "VH201" in codes(check(tmp_path, NESTED.format(question="current(request)")))


def test_a_helper_that_comes_back_where_there_is_no_policy_asks_it_otherwise(tmp_path: Path) -> None:
    helper = (
        "class Files:\n    def __init__(self, policy=None, quiet=False):\n        self.policy = policy\n"
        "        self.quiet = quiet\n\n    def check(self, name):\n        if {absent}:\n            return\n"
        "        if not self.policy.permits(name):\n            abort(403)\n\n\n"
    )
    body = WEB.replace("@app", helper + "@app", 1) + "    Files(read_policy()).check(name)\n" + READ
    assert codes(check(tmp_path, body.format(absent="self.policy is None"))) == []
    assert codes(check(tmp_path, body.format(absent="self.quiet"))) == ["VH201"]


@pytest.mark.parametrize(("asked", "expected"), [("file", []), ("'logs'", ["VH201"])])
def test_a_protocol_says_nothing_of_what_its_methods_answer(tmp_path: Path, asked: str, expected: list[str]) -> None:
    assert codes(check(tmp_path, PROTOCOL.format(asked=asked))) == expected
