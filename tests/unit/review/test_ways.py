"""Ways in and their paths to an engine: calls that can be followed, and what is said where they cannot."""

# ruff: noqa: E501 -- a program stands on few lines, beside the path through it

from collections.abc import Mapping
from pathlib import Path

import pytest
from repositories import lay

from valhalla_lint.core.evidence import WayIn
from valhalla_lint.review.plain import FolderTree
from valhalla_lint.review.review import review

ROUTE = 'from fastapi import FastAPI\n\nfrom serve import engines\nfrom serve.engines import Chat\n\napp = FastAPI()\nchat = Chat()\n\n\n@app.post("/say")\ndef say(text: str):\n'
ENGINES = "from openai import OpenAI\n\n\nclass Chat:\n    def __init__(self):\n        self.client = OpenAI()\n\n    def say(self, text):\n        return self.client.chat.completions.create(text)\n"

BELOW = ENGINES.replace(
    "class Chat:", "class Base:\n    def say(self, text):\n        raise NotImplementedError\n\n\nclass Chat(Base):"
)


def ways(folder: Path, files: Mapping[str, str]) -> dict[str, WayIn]:
    with FolderTree(lay(folder, {"serve/__init__.py": "", **files})) as tree:
        return {way.name: way for way in review(tree).entries}


def path(way: WayIn) -> list[tuple[str, int, str]]:
    return [(step.path.removeprefix("serve/"), step.line, step.note) for step in way.path]


def test_each_step_is_a_call_with_its_place(tmp_path: Path) -> None:
    way = ways(tmp_path, {"serve/app.py": f"{ROUTE}    return chat.say(text)\n", "serve/engines.py": ENGINES})[
        "post /say"
    ]
    assert way.by == "calls"
    assert path(way) == [
        ("app.py", 11, "say"),
        ("app.py", 12, "calls Chat.say"),
        ("engines.py", 9, "calls openai.OpenAI.chat.completions.create"),
    ]
    assert all(len(step.object_id) == 40 for step in way.path)


@pytest.mark.parametrize(
    ("app", "engines"),
    [
        ("    return engines.made().say(text)\n", f"{ENGINES}\n\ndef made() -> Chat:\n    return Chat()\n"),
        ("    return engines.made().say(text)\n", f"{ENGINES}\n\ndef made():\n    return Chat()\n"),
        ("    with Chat() as other:\n        return other.say(text)\n", ENGINES),
        ("    return run_in_threadpool(chat.say, text)\n", ENGINES),
        ("    def inner():\n        return chat.say(text)\n\n    return inner()\n", ENGINES),
        (
            "    return engines.Loud().say(text)\n",
            f"{ENGINES}\n\nclass Loud(Chat):\n    def say(self, text):\n        return super().say(text)\n",
        ),
        ("    return engines.Holder().chat.say(text)\n", f"{ENGINES}\n\nclass Holder:\n    chat: Chat\n"),
        (
            "    return engines.Holder().chat.say(text)\n",
            f"{ENGINES}\n\nclass Holder:\n    @property\n    def chat(self) -> Chat:\n        return Chat()\n",
        ),
        (
            "    return engines.base(text).say(text)\n",
            f"{BELOW}\n\ndef base(text) -> Base:\n    return Base()\n",
        ),
    ],
    ids=[
        "annotated result",
        "result",
        "with",
        "handed on",
        "inner function",
        "super",
        "field",
        "property",
        "a class below",
    ],
)
def test_calls_are_followed_through(app: str, engines: str, tmp_path: Path) -> None:
    way = ways(tmp_path, {"serve/app.py": ROUTE + app, "serve/engines.py": engines})["post /say"]
    assert way.by == "calls"
    assert way.path[-1].note == "calls openai.OpenAI.chat.completions.create"


def test_a_class_of_the_same_base_is_not_taken_for_another(tmp_path: Path) -> None:
    engines = "from openai import OpenAI\n\n\nclass Base:\n    def __init__(self):\n        pass\n\n    def say(self, text):\n        return text\n\n\nclass Chat(Base):\n    def __init__(self):\n        super().__init__()\n\n    def say(self, text):\n        return super().say(text)\n\n\nclass Other(Base):\n    def __init__(self):\n        OpenAI()\n\n    def say(self, text):\n        return OpenAI().chat(text)\n"
    app = ROUTE.replace("chat = Chat()\n", "") + "    return Chat().say(text)\n"
    assert ways(tmp_path, {"serve/app.py": app, "serve/engines.py": engines})["post /say"].by == "imports"


def test_dependencies_and_names_through_packages_are_followed(tmp_path: Path) -> None:
    files = {
        "serve/core/__init__.py": "from .chat import *\nfrom .chat import Chat as Talk\n",
        "serve/core/chat.py": ENGINES,
        "serve/app.py": "from fastapi import Depends, FastAPI\n\nfrom serve.core import Talk\n\napp = FastAPI()\n\n\ndef talk():\n    return Talk()\n\n\n"
        '@app.post("/say")\ndef say(text: str, chat: Talk = Depends(talk)):\n    return chat.say(text)\n\n\n@app.get("/made")\ndef made(one=Depends(talk)):\n    return one\n',
    }
    found = ways(tmp_path, files)
    assert [note for _, _, note in path(found["post /say"])][1:] == [
        "calls Chat.say",
        "calls openai.OpenAI.chat.completions.create",
    ]
    assert [note for _, _, note in path(found["get /made"])][1:] == [
        "calls talk",
        "calls Chat.__init__",
        "calls openai.OpenAI",
    ]


def test_a_method_known_by_its_name_alone_is_marked(tmp_path: Path) -> None:
    engines = ENGINES.replace("def say", "def complete_text")
    app = ROUTE.replace("text: str", "text, chat") + "    return chat.complete_text(text)\n"
    way = ways(tmp_path, {"serve/app.py": app, "serve/engines.py": engines})["post /say"]
    assert way.by == "calls, some by name"
    assert path(way)[1] == ("app.py", 12, "calls Chat.complete_text (by its name alone)")
    other = {"serve/other.py": "class Other:\n    def complete_text(self, text):\n        return text\n"}
    assert (
        ways(tmp_path / "two", {"serve/app.py": app, "serve/engines.py": engines, **other})["post /say"].by == "imports"
    )


def test_imports_are_a_fallback_that_says_so(tmp_path: Path) -> None:
    way = ways(tmp_path, {"serve/app.py": f"{ROUTE}    return TABLE[text]()\n", "serve/engines.py": ENGINES})[
        "post /say"
    ]
    assert way.by == "imports"
    assert path(way) == [("app.py", 3, "imports serve.engines"), ("engines.py", 1, "imports openai")]


def test_without_an_engine_there_is_no_path(tmp_path: Path) -> None:
    way = ways(tmp_path, {"serve/app.py": f"{ROUTE}    return text\n", "serve/engines.py": "class Chat:\n    pass\n"})[
        "post /say"
    ]
    assert (way.by, way.path) == ("", ())


def test_commands_begin_where_the_metadata_says(tmp_path: Path) -> None:
    files = {
        "pyproject.toml": '[project]\nname = "serve"\n[project.scripts]\nserve = "serve.app:main"\n',
        "serve/app.py": "from serve.engines import Chat\n\n\ndef main():\n    Chat().say('x')\n",
        "serve/engines.py": ENGINES,
    }
    way = ways(tmp_path, files)["serve = serve.app:main"]
    assert path(way)[0] == ("app.py", 4, "main")
    assert way.by == "calls"


def test_models_of_the_process_itself_are_engines(tmp_path: Path) -> None:
    engines = "import torch\n\n\nclass Chat:\n    def __init__(self, model: torch.nn.Module):\n        self.model = model.eval()\n\n    def say(self, text):\n        return self.model(text)\n"
    way = ways(tmp_path, {"serve/app.py": f"{ROUTE}    return chat.say(text)\n", "serve/engines.py": engines})[
        "post /say"
    ]
    assert way.by == "calls"
    assert way.path[-1].line == 9


def test_names_that_mean_themselves_come_to_an_end(tmp_path: Path) -> None:
    knot = "from serve import engines\n\n\nclass Chat:\n    def __init__(self, other):\n        self.other = self.other.other\n        self.next = other or self.next\n\n    def say(self, text):\n        x = self.next\n        x = x.next\n        return x.say(text)\n\n\ndef loop():\n    return loop()\n\n\nchat = chat2 = engines.chat\n"
    way = ways(tmp_path, {"serve/app.py": f"{ROUTE}    return chat.say(engines.loop().x)\n", "serve/engines.py": knot})[
        "post /say"
    ]
    assert way.path == ()
