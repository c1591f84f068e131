"""Whatever was typed before, an editor is shown what a check of the text as it stands finds."""

from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from valhalla_lint.config import Configuration
from valhalla_lint.facts.minting import fill
from valhalla_lint.hosts.lsp.orders import Document, Judge, Order, Verdict
from valhalla_lint.hosts.lsp.session import Session
from valhalla_lint.linter import every_rule

EXAMPLES = tuple(
    dict.fromkeys(fill(example.text) for rule in every_rule() for example in (*rule.bad, *rule.good) if example.code)
)
LINES = (
    *(
        "",
        "    pass",
        "x = (",
        ")",
        '"""',
        "def g(name):",
        "    return open(name)",
        "    open(input())",
        "@d",
        "  # noqa",
    ),
    *(
        "import os",
        "from app import *",
        "    if name",
        "class A:",
        "else:",
        "x = 'abc",
        "password = 'q8Zr2Lk9Xw'",
        "    print x",
    ),
    *(
        "from flask import request",
        "import os.path as request",
        '    name = request.args["name"]',
        "    @property",
        "    def load(self, path):",
        "        return open(self.base + path)",
        "class B(A):",
        "def f(a=lambda path: open(path), *, req):",
        "__all__ = ['g']",
        "    n = timeout * 3600",
    ),
    *(
        "def f(self, filename, password='q8Zr2Lk9Xw', *, secret_key='Xw9kL2rZ8q'):",
        "d = {'db.password': 'q8Zr2Lk9Xw', 'name': 'API_KEY', 'value': 'q8Zr2Lk9XwQ'}",
        "connect(auth=('user', 'q8Zr2Lk9Xw'), token='q8Zr2Lk9XwQ')",
        "run(['curl', '-u', 'me:q8Zr2Lk9Xw'])",
        "app.get('/items')(g)",
        "for key, text in d.items():",
        "    open('../' + name)",
        "    raise ValueError(password)",
        "# valhalla: ignore[VH2]",
    ),
)
KEYS = st.tuples(st.integers(0, 60), st.integers(0, 2), st.lists(st.sampled_from(LINES), max_size=2))


def shown(session: Session, folder: Path, text: str) -> Verdict:
    uri = (folder / "app.py").as_uri()
    session.take(Order(1, Judge(uri), {uri: Document(uri, "python", text)}))
    answer = session.answer(Judge(uri))
    assert isinstance(answer, Verdict)
    return answer


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(texts=st.lists(st.sampled_from(EXAMPLES), min_size=1, max_size=3), keys=st.lists(KEYS, max_size=6))
def test_what_is_shown_is_what_a_check_of_the_last_text_finds(
    texts: list[str], keys: list[tuple[int, int, list[str]]]
) -> None:
    folder = Path("/nowhere/at/all")
    typed = Session(Configuration(isolated=True, base=folder))
    lines = "\n".join(texts).split("\n")
    for at, gone, new in [(0, 0, []), *keys]:
        lines[at : at + gone] = new
        text = "\n".join(lines)
        told = shown(typed, folder, text)
        anew = shown(Session(Configuration(isolated=True, base=folder)), folder, text)
        assert (told.findings, told.problem) == (anew.findings, anew.problem)
