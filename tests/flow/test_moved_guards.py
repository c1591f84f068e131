"""A guard says the same wherever it is written: in the function, a helper, a class, a decorator, another file."""

import re
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from valhalla_lint.core.settings import Settings
from valhalla_lint.core.source import Source
from valhalla_lint.facts import disk
from valhalla_lint.linter import Linter

LINTER = Linter(Settings(select=("VH201", "VH203"), isolated=True))
IMPORTS = """import os
import re
from functools import wraps
from pathlib import Path

from flask import Flask, request
from flask.views import MethodView

BASE = "/srv/files"
KNOWN = ("a", "b")
"""
APP = "\napp = Flask(__name__)\n\n\n"
RIGHT = {  # what is true of every name that must not get through
    "full match": "not re.fullmatch(r'[A-Za-z0-9_-]+', {name})",
    "base name": "os.path.basename({name}) != {name}",
    "two together": "'..' in {name} or os.path.isabs({name})",
    "letters": "not {name}.isalnum()",
    "list": "{name} not in KNOWN",
    "prefix": "not os.path.realpath(os.path.join(BASE, {name})).startswith(BASE + '/')",
    "parents": "not (Path(BASE) / {name}).resolve().is_relative_to(BASE)",
}
WRONG = {
    "exists": "not os.path.exists(os.path.join(BASE, {name}))",
    "ending": "not {name}.endswith('.txt')",
    "length": "len({name}) > 40",
}
PARTLY = {
    "beginning": "not re.match(r'[A-Za-z0-9_-]+', {name})",
    "no separator": "not os.path.realpath(os.path.join(BASE, {name})).startswith(BASE)",
    "steps": "'..' in {name}",
}
SINKS = [
    "return open(os.path.join(BASE, {name})).read()",
    "return (Path(BASE) / {name}).read_text()",
]
VIEW = """@app.route("/<path:name>")
def show(name):
{body}
"""


def indented(text: str, by: int = 4) -> str:
    return "\n".join(" " * by + line for line in text.split("\n"))


def inline(bad: str, sink: str) -> dict[str, str]:
    """The guard in the function itself."""
    body = f"if {bad.format(name='name')}:\n    raise PermissionError(name)\n{sink.format(name='name')}"
    return {"app": IMPORTS + APP + VIEW.format(body=indented(body))}


def raising(bad: str) -> str:
    refuse = "raise PermissionError(given)"
    return f"def check(given):\n    if {bad.format(name='given')}:\n        {refuse}\n    return given\n"


def answering(bad: str) -> str:
    return f"def allowed(given):\n    return not ({bad.format(name='given')})\n"


def helper_that_raises(bad: str, sink: str) -> dict[str, str]:
    body = f"check(name)\n{sink.format(name='name')}"
    return {"app": IMPORTS + APP + raising(bad) + "\n\n" + VIEW.format(body=indented(body))}


def helper_that_hands_back(bad: str, sink: str) -> dict[str, str]:
    body = f"other = check(name)\n{sink.format(name='other')}"
    return {"app": IMPORTS + APP + raising(bad) + "\n\n" + VIEW.format(body=indented(body))}


def helper_that_answers(bad: str, sink: str) -> dict[str, str]:
    body = f"if not allowed(name):\n    return None\n{sink.format(name='name')}"
    return {"app": IMPORTS + APP + answering(bad) + "\n\n" + VIEW.format(body=indented(body))}


def helper_of_another_file(bad: str, sink: str) -> dict[str, str]:
    body = f"check(name)\n{sink.format(name='name')}"
    head = IMPORTS + "from shop.guards import check\n" + APP
    return {"app": head + VIEW.format(body=indented(body)), "guards": IMPORTS + "\n\n" + raising(bad)}


def answer_of_another_file(bad: str, sink: str) -> dict[str, str]:
    body = f"if not allowed(name):\n    return None\n{sink.format(name='name')}"
    head = IMPORTS + "from shop.guards import allowed\n" + APP
    return {"app": head + VIEW.format(body=indented(body)), "guards": IMPORTS + "\n\n" + answering(bad)}


def method_of_a_base_class(bad: str, sink: str) -> dict[str, str]:
    method = f"def allowed(self, given):\n    return not ({bad.format(name='given')})\n"
    body = f"if not self.allowed(name):\n    return None\n{sink.format(name='name')}"
    classes = f"class Guarded:\n{indented(method)}\n\nclass Show(Guarded, MethodView):\n    def get(self, name):\n"
    return {"app": IMPORTS + APP + classes + indented(body, 8) + "\n"}


def decorator(bad: str, sink: str) -> dict[str, str]:
    wrapper = f"if {bad.format(name='name')}:\n    raise PermissionError(name)\nreturn function(name)"
    guarded = (
        f"def guarded(function):\n    @wraps(function)\n    def wrapper(name):\n{indented(wrapper, 8)}\n\n"
        "    return wrapper\n\n\n"
    )
    view = VIEW.format(body=indented(sink.format(name="name"))).replace("def show", "@guarded\ndef show")
    return {"app": IMPORTS + APP + guarded + view}


def decorator_by_name(bad: str, sink: str) -> dict[str, str]:
    held = bad.format(name="kwargs['name']")
    wrapper = f"if {held}:\n    raise PermissionError\nreturn function(*args, **kwargs)"
    guarded = (
        f"def guarded(function):\n    @wraps(function)\n    def wrapper(*args, **kwargs):\n{indented(wrapper, 8)}\n\n"
        "    return wrapper\n\n\n"
    )
    view = VIEW.format(body=indented(sink.format(name="name"))).replace("def show", "@guarded\ndef show")
    return {"app": IMPORTS + APP + guarded + view}


def property_of_an_object(bad: str, sink: str) -> dict[str, str]:
    asked = (
        "class Asked:\n    def __init__(self, name):\n        self.name = name\n\n"
        "    @property\n    def allowed(self):\n"
        f"        return not ({bad.format(name='self.name')})\n\n\n"
    )
    body = f"if not Asked(name).allowed:\n    return None\n{sink.format(name='name')}"
    return {"app": IMPORTS + APP + asked + VIEW.format(body=indented(body))}


def closure(bad: str, sink: str) -> dict[str, str]:
    body = (
        f"def check():\n    if {bad.format(name='name')}:\n        raise PermissionError(name)\n\n"
        f"check()\n{sink.format(name='name')}"
    )
    return {"app": IMPORTS + APP + VIEW.format(body=indented(body))}


def method_without_arguments(bad: str, sink: str) -> dict[str, str]:
    method = f"def check(self):\n    if {bad.format(name='self.given')}:\n        raise PermissionError(self.given)\n"
    body = f"self.given = name\nself.check()\n{sink.format(name='self.given')}"
    view = f"class Show(MethodView):\n{indented(method)}\n    def get(self, name):\n{indented(body, 8)}\n"
    return {"app": IMPORTS + APP + view}


def closure_in_a_closure(bad: str, sink: str) -> dict[str, str]:
    body = (
        f"def check():\n    if {bad.format(name='name')}:\n        raise PermissionError(name)\n\n"
        f"def allowed():\n    check()\n    return True\n\nif allowed():\n    {sink.format(name='name')}\nreturn None"
    )
    return {"app": IMPORTS + APP + VIEW.format(body=indented(body))}


def static_method(bad: str, sink: str) -> dict[str, str]:
    body = f"Guard.check(name)\n{sink.format(name='name')}"
    guard = f"class Guard:\n    @staticmethod\n{indented(raising(bad))}\n\n"
    return {"app": IMPORTS + APP + guard + VIEW.format(body=indented(body))}


def class_method(bad: str, sink: str) -> dict[str, str]:
    body = f"if not Guard.allowed(name):\n    return None\n{sink.format(name='name')}"
    method = answering(bad).replace("(given)", "(cls, given)", 1)
    guard = f"class Guard:\n    @classmethod\n{indented(method)}\n\n"
    return {"app": IMPORTS + APP + guard + VIEW.format(body=indented(body))}


def object_of_another_file(bad: str, sink: str) -> dict[str, str]:
    body = f"guard.check(name)\n{sink.format(name='name')}"
    method = raising(bad).replace("(given)", "(self, given)", 1)
    head = IMPORTS + "from shop.guards import guard\n" + APP
    guards = f"{IMPORTS}\n\nclass Guard:\n{indented(method)}\n\nguard = Guard()\n"
    return {"app": head + VIEW.format(body=indented(body)), "guards": guards}


def anonymous(bad: str, sink: str) -> dict[str, str]:
    body = f"refuses = lambda given: {bad.format(name='given')}\nif refuses(name):\n    return None\n"
    return {"app": IMPORTS + APP + VIEW.format(body=indented(body + sink.format(name="name")))}


def two_deep(bad: str, sink: str) -> dict[str, str]:
    outer = "def outer(given):\n    check(given)\n\n\n"
    body = f"outer(name)\n{sink.format(name='name')}"
    return {"app": IMPORTS + APP + raising(bad) + "\n\n" + outer + VIEW.format(body=indented(body))}


def awaited(bad: str, sink: str) -> dict[str, str]:
    body = f"await check(name)\n{sink.format(name='name')}"
    view = VIEW.format(body=indented(body)).replace("def show", "async def show")
    return {"app": IMPORTS + APP + "async " + raising(bad) + "\n\n" + view}


def decorator_of_another_file(bad: str, sink: str) -> dict[str, str]:
    files = decorator(bad, sink)
    begin, end = files["app"].index("def guarded"), files["app"].index("@app.route")
    guarded = files["app"][begin:end]
    app = files["app"].replace(guarded, "").replace(APP, "from shop.guards import guarded\n" + APP)
    return {"app": app, "guards": IMPORTS + "\n\n" + guarded}


def decorator_that_is_made(bad: str, sink: str) -> dict[str, str]:
    held = bad.format(name="kwargs[field]")
    wrapper = f"if {held}:\n    raise PermissionError\nreturn function(*args, **kwargs)"
    guarded = (
        "def guarded(field):\n    def decorate(function):\n        def wrapper(*args, **kwargs):\n"
        f"{indented(wrapper, 12)}\n\n"
        "        return wrapper\n\n    return decorate\n\n\n"
    )
    view = VIEW.format(body=indented(sink.format(name="name"))).replace("def show", '@guarded("name")\ndef show')
    return {"app": IMPORTS + APP + guarded + view}


def several_in_a_loop(bad: str, sink: str) -> dict[str, str]:
    body = f"for test in (check,):\n    test(name)\n{sink.format(name='name')}"
    return {"app": IMPORTS + APP + raising(bad) + "\n\n" + VIEW.format(body=indented(body))}


def several_of_the_file(bad: str, sink: str) -> dict[str, str]:
    body = f"for test in CHECKS:\n    test(name)\n{sink.format(name='name')}"
    checks = "def other(given):\n    return given\n\n\nCHECKS = [other, check]\n\n\n"
    return {"app": IMPORTS + APP + raising(bad) + "\n\n" + checks + VIEW.format(body=indented(body))}


def name_or_nothing_kept(bad: str, sink: str) -> dict[str, str]:
    body = f"other = None if {bad.format(name='name')} else name\nif other is None:\n    return None\n"
    return {"app": IMPORTS + APP + VIEW.format(body=indented(body + sink.format(name="other")))}


def error_that_is_caught(bad: str, sink: str) -> dict[str, str]:
    body = f"try:\n    check(name)\nexcept PermissionError:\n    return None\n{sink.format(name='name')}"
    return {"app": IMPORTS + APP + raising(bad) + "\n\n" + VIEW.format(body=indented(body))}


def error_or_answer(bad: str, sink: str) -> dict[str, str]:
    answer = f"def problem(given):\n    if {bad.format(name='given')}:\n        return 'no'\n    return None\n\n\n"
    body = f"if (text := problem(name)) is not None:\n    return text\n{sink.format(name='name')}"
    return {"app": IMPORTS + APP + answer + VIEW.format(body=indented(body))}


def name_or_nothing(bad: str, sink: str) -> dict[str, str]:
    answer = f"def good(given):\n    return None if {bad.format(name='given')} else given\n\n\n"
    body = f"other = good(name)\nif other is None:\n    return None\n{sink.format(name='other')}"
    return {"app": IMPORTS + APP + answer + VIEW.format(body=indented(body))}


def answer_that_is_kept(bad: str, sink: str) -> dict[str, str]:
    body = f"refused = {bad.format(name='name')}\nif refused:\n    return None\n{sink.format(name='name')}"
    return {"app": IMPORTS + APP + VIEW.format(body=indented(body))}


def early_exit_inside(bad: str, sink: str) -> dict[str, str]:
    body = f"if not ({bad.format(name='name')}):\n    {sink.format(name='name')}\nreturn None"
    return {"app": IMPORTS + APP + VIEW.format(body=indented(body))}


MOVES = [
    inline,
    helper_that_raises,
    helper_that_hands_back,
    helper_that_answers,
    helper_of_another_file,
    answer_of_another_file,
    method_of_a_base_class,
    decorator,
    decorator_by_name,
    property_of_an_object,
    static_method,
    class_method,
    object_of_another_file,
    anonymous,
    two_deep,
    awaited,
    decorator_of_another_file,
    decorator_that_is_made,
    several_in_a_loop,
    several_of_the_file,
    name_or_nothing_kept,
    error_that_is_caught,
    error_or_answer,
    name_or_nothing,
    closure,
    closure_in_a_closure,
    method_without_arguments,
    answer_that_is_kept,
    early_exit_inside,
]


def verdict(root: Path, files: dict[str, str]) -> set[str]:
    """The codes that the files of a project get together."""
    package = root / "shop"
    package.mkdir(parents=True, exist_ok=True)
    (root / "pyproject.toml").write_text("", encoding="utf-8")
    (package / "guards.py").unlink(missing_ok=True)
    for name, text in {"__init__": "", **files}.items():
        (package / f"{name}.py").write_text(text, encoding="utf-8")
    disk.forget()
    return {
        finding.code
        for name, text in files.items()
        for finding in LINTER.check(Source(path=f"shop/{name}.py", text=text, location=package / f"{name}.py"))
    }


@pytest.mark.parametrize("move", MOVES, ids=lambda move: move.__name__)
@pytest.mark.parametrize(
    ("bad", "codes"),
    [
        *(pytest.param(bad, set(), id=name) for name, bad in RIGHT.items()),
        *(pytest.param(bad, {"VH201"}, id=name) for name, bad in WRONG.items()),
        *(pytest.param(bad, {"VH203"}, id=name) for name, bad in PARTLY.items()),
    ],
)
def test_a_guard_that_moves_says_the_same(
    tmp_path: Path, bad: str, codes: set[str], move: Callable[[str, str], dict[str, str]]
) -> None:
    sink = SINKS[len(bad) % len(SINKS)]
    assert verdict(tmp_path, move(bad, sink)) == codes


OTHER_NAMES = {"given": "text", "check": "vet", "allowed": "fits", "guarded": "outer", "refused": "no", "Asked": "Page"}


def renamed(text: str) -> str:
    """The same program with names that say nothing about checks."""
    for old, new in OTHER_NAMES.items():
        text = re.sub(rf"\b{old}\b", new, text)
    return text


def spaced(text: str) -> str:
    """The same program with an empty line and a comment after each line."""
    return re.sub(r"\n", "\n\n# more\n", text)


def always(text: str) -> str:
    """The same program with `if True:` around the body of each function."""
    lines = text.split("\n")
    out: list[str] = []
    deep: list[int] = []
    for line in lines:
        indent = len(line) - len(line.lstrip())
        while line.strip() and deep and indent <= deep[-1]:
            deep.pop()
        out.append(" " * 4 * len(deep) + line if line.strip() else line)
        if re.match(r"\s*def ", line):
            out.append(" " * (indent + 4 * len(deep) + 4) + "if True:")
            deep.append(indent)
    return "\n".join(out)


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.sampled_from([*((bad, set()) for bad in RIGHT.values()), *((bad, {"VH201"}) for bad in WRONG.values())]),
    st.sampled_from(MOVES),
    st.sampled_from(SINKS),
    st.lists(st.sampled_from([renamed, spaced, always]), min_size=1, max_size=3, unique=True),
)
def test_names_blank_lines_and_what_is_always_true_change_nothing(
    guard: tuple[str, set[str]],
    move: Callable[[str, str], dict[str, str]],
    sink: str,
    changes: list[Callable[[str], str]],
) -> None:
    bad, codes = guard
    files = move(bad, sink)
    for change in changes:
        files = {name: change(text) for name, text in files.items()}
    with TemporaryDirectory() as folder:
        assert verdict(Path(folder), files) == codes


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.sampled_from([*RIGHT.values(), *WRONG.values()]),
    st.sampled_from(list(RIGHT.values())),
    st.sampled_from(MOVES),
    st.sampled_from(SINKS),
)
def test_a_guard_that_is_no_good_takes_nothing_from_one_that_is(
    first: str, second: str, move: Callable[[str, str], dict[str, str]], sink: str
) -> None:
    both = f"({first}) or ({second})"
    with TemporaryDirectory() as folder:
        assert verdict(Path(folder), move(both, sink)) == set()
