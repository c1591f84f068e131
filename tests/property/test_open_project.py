"""Whatever was typed, saved, closed and judged before, a document is shown what the project gives as it stands."""

import tempfile
from collections.abc import Mapping
from pathlib import Path

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from valhalla_lint.config import Configuration
from valhalla_lint.hosts.lsp.orders import Document, Judge, Offer, Order, Verdict
from valhalla_lint.hosts.lsp.session import Session

SHOW = (
    "from flask import request\nfrom shop.names import wanted\n\n\ndef plain():\n    return {}\n\n\n"
    "def place(name):\n    return name\n\n\ndef show():\n    return open('/srv/' + wanted()).read(8192)\n"
)
FILES: Mapping[str, tuple[str, ...]] = {
    "shop/__init__.py": ("", "from shop.names import wanted\n"),
    "shop/names.py": (
        "from flask import request\n\n\ndef wanted():\n    return request.args['name']\n",
        "import os\nfrom flask import request\n\n\ndef wanted():\n    return os.path.basename(request.args['name'])\n",
        "from shop.app import plain as wanted\n",
        "def wanted():\n    return 'x'\n",
        "from shop.paths import wanted\n",
        "def wanted(:\n",
    ),
    "shop/paths.py": (
        "import os\n\n\ndef place(name):\n    return os.path.join('/srv', name)\n",
        "import os\n\n\ndef place(name):\n    return os.path.join('/srv', os.path.basename(name))\n",
        "from shop.names import wanted\n\n\ndef place(name):\n    return '/srv/' + wanted()\n",
        "from flask import request\nfrom shop.app import place\n\n\ndef wanted():\n    return request.form['name']\n",
    ),
    "shop/app.py": (
        "from shop import names, paths\n\n\ndef show():\n    return open(paths.place(names.wanted())).read()\n",
        "from shop import wanted\nfrom shop.paths import place\n\n\ndef show():\n    return open(place(wanted()))\n",
        SHOW.format("request.args['a']"),
        SHOW.format("'x'"),
        "def plain():\n    return 'x'\n\n\ndef place(name):\n    return open(name)\n",
    ),
}
JUDGED = ("shop/app.py", "shop/paths.py")
NAMES = st.sampled_from([*FILES])
DEEDS = st.tuples(st.sampled_from(["type"] * 6 + ["write", "close", "move", "ask"]), NAMES, st.integers(0, 5))


class Project:
    """A project on disk, some of it open in an editor."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.open: dict[str, Document] = {}
        self.typed = self.session()
        for name, texts in FILES.items():
            self.write(name, texts[0])

    def session(self) -> Session:
        session = Session(Configuration(isolated=True, base=self.folder))
        session.take(Order(1, Judge(""), folders=(self.folder.as_uri(),)))
        return session

    def write(self, name: str, text: str) -> None:
        (self.folder / name).parent.mkdir(exist_ok=True)
        (self.folder / name).write_text(text, encoding="utf-8")

    def uri(self, name: str) -> str:
        return (self.folder / name).as_uri()

    def do(self, deed: str, name: str, number: int) -> None:
        """Do one thing as an editor does it and tells of it."""
        uri, text = self.uri(name), FILES[name][number % len(FILES[name])]
        told: dict[str, Document | None] = {}
        reload = False
        match deed:
            case "type":
                told[uri] = self.open[uri] = Document(uri, "python", text)
            case "write":
                self.write(name, self.open[uri].text if uri in self.open else text)
                reload = True
            case "close":
                told[uri] = None
                self.open.pop(uri, None)
            case "move":
                place = self.folder / name
                if place.exists():
                    place.rename(place.with_suffix(".old"))
                else:
                    self.write(name, text)
                reload = True
            case _:
                pass
        self.typed.take(Order(1, Judge(uri), told, reload=reload))
        if deed == "ask" and uri in self.open:
            verdict = self.verdict(self.typed, name)
            self.typed.answer(Offer(uri, verdict.findings[:1], everything=number == 0))

    def verdict(self, session: Session, name: str) -> Verdict:
        answer = session.answer(Judge(self.uri(name)))
        assert isinstance(answer, Verdict)
        return answer

    def anew(self) -> Session:
        """A session that knows nothing but what is open."""
        session = self.session()
        session.take(Order(2, Judge(""), dict(self.open)))
        return session


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@example(deeds=[("type", "shop/names.py", 2), ("type", "shop/app.py", 3), ("type", "shop/app.py", 2)])  # in a ring
@example(deeds=[("type", "shop/names.py", 3), ("type", "shop/app.py", 1), ("type", "shop/names.py", 0)])
@given(deeds=st.lists(DEEDS, min_size=2, max_size=15))
def test_what_is_shown_is_what_the_project_gives_as_it_stands(deeds: list[tuple[str, str, int]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        project = Project(Path(folder).resolve())
        for name in FILES:
            project.do("type", name, 0)
        for deed, name, number in deeds:
            project.do(deed, name, number)
            anew = project.anew()
            for each in JUDGED:
                if project.uri(each) in project.open:
                    told, fresh = project.verdict(project.typed, each), project.verdict(anew, each)
                    assert (told.findings, told.problem) == (fresh.findings, fresh.problem)
