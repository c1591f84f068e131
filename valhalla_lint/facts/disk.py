"""The one door to the file system for whatever a verdict depends on, so that what was looked at can be told.

A verdict about one file leans on others: which project it lies in, what that declares, which modules there are and what
stands in them, and on the date. Each such question is a *look* (see `valhalla_lint.facts.looks`). Whoever watches gets
the looks of what happens meanwhile.
"""

import os
from collections.abc import Callable, Hashable, Iterable, Mapping
from contextvars import ContextVar, Token
from functools import lru_cache, wraps
from pathlib import Path
from types import TracebackType
from typing import Generic, ParamSpec, TypeVar

from valhalla_lint.facts import looks
from valhalla_lint.facts.looks import (
    DATE,
    FILE,
    FOLDER,
    KIND,
    NAMES,
    NOTHING,
    TEXT,
    Look,
    Named,
    Tree,
    asked_of,
    digest,
    listed,
    sign,
)

Parameters = ParamSpec("Parameters")
Answer = TypeVar("Answer")
Key = TypeVar("Key", bound=Hashable)
Kept = TypeVar("Kept")
Place = Path | str
TREES = 16
"""Folders of which it is remembered which files lie below them."""
FOLDERS = 4096
"""Folders of which it is remembered what lies in them."""


PASSING: Look = ("passing", "", "", "")
"""A look at a text that is still being typed: what rests on it holds no longer than the judgement of that text."""


class Bundle:
    """The looks behind an answer that is remembered, those of other remembered answers included.

    passing: whether one of them is `PASSING`, which is among its own looks even if it came with another bundle.
    """

    __slots__ = ("looks", "passing")

    def __init__(self, looks: "frozenset[Look | Bundle]") -> None:
        self.looks = looks
        self.passing = PASSING in looks

    def tell(self) -> None:
        """Tell whoever watches of an answer that was known. Effect: as `note`."""
        watch = _watching.get()
        if watch is not None:
            watch.add(self)
            if self.passing:
                watch.add(PASSING)


NO_LOOKS = Bundle(frozenset())
"""Behind an answer for which nothing was looked at: the one that nobody is told of."""
_watching: ContextVar[set[Look | Bundle] | None] = ContextVar("_watching", default=None)


class watching:  # noqa: N801 -- reads as what it does: `with watching() as looks`
    """Gather the looks that are made meanwhile; whoever watched before gets them as well."""

    __slots__ = ("_looks", "_outer", "_token")

    def __init__(self) -> None:
        self._looks: set[Look | Bundle] = set()

    def __enter__(self) -> set[Look | Bundle]:
        """Begin."""
        self._outer = _watching.get()
        self._token: Token[set[Look | Bundle] | None] = _watching.set(self._looks)
        return self._looks

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End, and tell whoever watched before."""
        _watching.reset(self._token)
        if self._outer is not None:
            self._outer |= self._looks


def gathered(ask: Callable[[], Answer]) -> tuple[Answer, Bundle]:
    """What a question gives, and the looks behind it: whoever watches is told of these by who keeps the answer.

    At once where it raises.
    """
    outer = _watching.get()
    made: set[Look | Bundle] = set()
    token = _watching.set(made)
    try:
        answer = ask()
    except BaseException:
        if outer is not None:
            outer |= made
        raise
    finally:
        _watching.reset(token)
    return answer, Bundle(frozenset(made)) if made else NO_LOOKS


def note(*made: Look | Bundle) -> None:
    """Let whoever watches know of looks."""
    watch = _watching.get()
    if watch is not None:
        watch.update(made)


def flat(made: Iterable[Look | Bundle]) -> set[Look]:
    """Single looks, each once."""
    found: set[Look] = set()
    seen: set[Bundle] = set()
    waiting = list(made)
    while waiting:
        item = waiting.pop()
        if not isinstance(item, Bundle):
            found.add(item)
        elif item not in seen:
            seen.add(item)
            waiting += item.looks
    return found


_forgetting: list[Callable[[], None]] = []
"""What makes the program forget; one for each place where something is remembered."""


def forgets(clear: Callable[[], None]) -> None:
    """Note what is to be done when the program is to look anew, where what is remembered holds what was looked at."""
    _forgetting.append(clear)


def forget() -> None:
    """Look anew for everything: for hosts that live longer than a run."""
    for clear in _forgetting:
        clear()


def remembered(size: int) -> Callable[[Callable[Parameters, Answer]], Callable[Parameters, Answer]]:
    """Remember a function's answers as `lru_cache` does, and the looks behind each: they count for whoever asks again.

    Until `forget` is called.
    """

    def decorate(function: Callable[Parameters, Answer]) -> Callable[Parameters, Answer]:
        @lru_cache(maxsize=size)
        def known(*args: Parameters.args, **kwargs: Parameters.kwargs) -> tuple[Answer, Bundle]:
            return gathered(lambda: function(*args, **kwargs))

        @wraps(function)
        def asked(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Answer:
            answer, bundle = known(*args, **kwargs)  # type: ignore[arg-type]  # hashable, as with lru_cache itself
            if bundle is not NO_LOOKS:
                bundle.tell()
            return answer

        forgets(known.cache_clear)
        return asked

    return decorate


class Answers(Generic[Key, Kept]):
    """Answers that are kept as long as this is, with the looks behind each: they count for whoever asks again.

    What is found out for one file is kept so, too: whoever watches may have begun after it was first asked.
    """

    __slots__ = ("_known",)

    def __init__(self) -> None:
        """Nothing is known yet."""
        self._known: dict[Key, tuple[Kept, Bundle]] = {}

    def __contains__(self, key: Key) -> bool:
        """Whether the answer for a key is known."""
        return key in self._known

    def __call__(self, key: Key, ask: Callable[[], Kept]) -> Kept:
        """The answer for a key, asked for where it is not known. Raises what asking raises."""
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = gathered(ask)
        if known[1] is not NO_LOOKS:
            known[1].tell()
        return known[0]

    def pass_by(self, key: Key) -> None:
        """Forget an answer that rests on a text which is still being typed."""
        if self._known[key][1].passing:
            del self._known[key]

    def keep(self, size: int) -> None:
        """Let the oldest answers go until no more than some are left."""
        while len(self._known) > size:
            del self._known[next(iter(self._known))]

    def clear(self) -> None:
        """Forget all."""
        self._known.clear()


class Memory(Generic[Key, Kept]):
    """Answers by keys of questions that cannot be hashed whole, with the looks behind each; kept until `forget`.

    Not those that rest on a text which is still being typed.
    """

    def __init__(self, size: int) -> None:
        """size: answers that are kept; the oldest go first."""
        self._size = size
        self._answers: Answers[Key, Kept] = Answers()
        forgets(self._answers.clear)

    def __call__(self, key: Key, ask: Callable[[], Kept]) -> Kept | None:
        """The answer for a key, asked for where it is not known; None, not kept, where asking raises LookupError."""
        try:
            answer = self._answers(key, ask)
        except LookupError:
            return None
        self._answers.pass_by(key)
        self._answers.keep(self._size)
        return answer


def kind(path: Place) -> str:
    """What lies at a path, links followed."""
    found = looks.kind_of(os.fspath(path))
    note((KIND, os.fspath(path), found, ""))
    return found


def kind_in(folder: str, name: str) -> str:
    """What lies in a folder under a name. One listing of the folder answers whatever is asked about it."""
    found = _inside(folder).get(name, NOTHING)
    note((KIND, f"{folder}{os.sep}{name}", found, ""))
    return found


@lru_cache(maxsize=FOLDERS)
def _inside(folder: str) -> Mapping[str, str]:
    """What lies in a folder by name; nothing where it cannot be listed."""
    try:
        return looks.kinds_in(folder)
    except (OSError, ValueError):
        return {}


forgets(_inside.cache_clear)


def is_file(path: Place) -> bool:
    """Whether a regular file lies at a path."""
    return kind(path) == FILE


def is_folder(path: Place) -> bool:
    """Whether a folder lies at a path."""
    return kind(path) == FOLDER


def exists(path: Place) -> bool:
    """Whether anything lies at a path."""
    return kind(path) != NOTHING


def read(path: Place, data: bytes | None, state: os.stat_result | None) -> None:
    """Note that a file's content was read: None where it could not be. state: from before it was read."""
    if _watching.get() is not None:
        seen = NOTHING if data is None else digest(data)
        note((TEXT, os.fspath(path), seen, sign(state) if state is not None and data is not None else ""))


def bytes_of(path: Place) -> bytes:
    """What stands in a file that must be there. Raises OSError where it cannot be read."""
    data = Path(path).read_bytes()
    read(path, data, None)
    return data


def names(folder: Place, endings: tuple[str, ...] = ()) -> list[Named]:
    """The entries of a folder by name: folders (no links to any), and files whose names end in one of some ways.

    No tool's own folders are among them. Raises OSError where it cannot be listed.
    """
    place = os.fspath(folder)
    asked = NAMES + "|".join(endings)
    try:
        state = os.stat(place)  # noqa: PTH116 -- as above
        found = looks.listing(place, endings)
    except OSError:
        note((asked, place, NOTHING, ""))
        raise
    if _watching.get() is not None:
        note((asked, place, listed(found), sign(state)))
    return found


@lru_cache(maxsize=TREES)
def _tree(folder: str, endings: tuple[str, ...]) -> Tree:
    """The files below a folder; whoever asks what they hold notes that."""
    return Tree(folder, endings)


forgets(_tree.cache_clear)


def files_holding(folder: Place, endings: tuple[str, ...], wanted: tuple[str, ...]) -> list[str]:
    """The files below a folder that hold the first of some texts, and one of the others if there are any.

    endings: what their names end with. What stands in others does not count as looked at: a verdict about who calls a
    function rests on the files that name it. They are asked for every name, so they are read once.
    """
    tree = _tree(os.fspath(folder), endings)
    found = tree.holding(wanted)
    if _watching.get() is not None:
        note(tree.look(asked_of(endings, wanted), found))
    return [tree.paths[number] for number in found]


def today() -> str:
    """The day of the run (in Greenwich), as ISO writes it."""
    day = looks.day()
    note((DATE, "", day, ""))
    return day
