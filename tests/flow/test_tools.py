"""What a language model chooses are the parameters of the tool, not those of the function that makes it."""

from pathlib import Path

import pytest
from shop import check, codes

TOOL = """
from inspect_ai.tool import Tool, tool


@tool
def notes(seed_path: str){says}:
    seed = {seed}

    async def execute(name: str) -> str:
        return {use}

    return execute
"""


@pytest.mark.parametrize("says", ["", " -> Tool"])
def test_the_makers_own_arguments_are_its_callers(tmp_path: Path, says: str) -> None:
    seeded = TOOL.format(says=says, seed="open(seed_path).read()", use="seed + name")
    assert codes(check(tmp_path, seeded)) == []
    used = TOOL.format(says=says, seed="''", use='open("/srv/notes/" + name).read()')
    (found,) = check(tmp_path, used)
    assert (found.code, found.steps[0].text.partition(" ")[0]) == ("VH201", "name")


def test_a_tool_that_hands_back_no_function_is_the_tool(tmp_path: Path) -> None:
    text = "from inspect_ai.tool import tool\n\n\n@tool\ndef show(path: str) -> str:\n    return open(path).read()\n"
    assert codes(check(tmp_path, text)) == ["VH201"]


SERVED = """
from pathlib import Path
from typing import Annotated

from mcp.server.fastmcp import Context
from pydantic import Field
from shop.audit import audited


class Notes:
    def __init__(self, server):
        audited(server, "show")(self.show)

    async def show({parameters}):
        return (Path("/srv/notes") / note).read_text()
"""


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        ('self, ctx: Context, note: Annotated[str, Field(description="which one")]', ["VH201"]),
        ('self, ctx: Context, note: str = Field(..., description="which one")', ["VH201"]),
        ("self, ctx: Context, note: str", []),
        ('self, note: Annotated[str, Field(description="which one")]', []),
    ],
)
def test_a_tool_is_known_by_its_context_and_what_it_says_to_the_model(
    tmp_path: Path, parameters: str, expected: list[str]
) -> None:
    assert codes(check(tmp_path, SERVED.format(parameters=parameters))) == expected
