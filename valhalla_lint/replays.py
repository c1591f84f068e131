"""The same command over the same files says the same again: its report is kept, with the looks that it rests on.

A report is kept for a command line, a working folder and what else its words depend on. It counts as long as every look
at the file system behind it (see `valhalla_lint.facts.looks`) would see the same again: those of the walk through the
folders, of the configuration, and of every verdict. It holds what was printed, so no secret; the rest is paths and
digests. Like the store of reports it is text with a checksum, of which nothing can run, and a broken one counts for
nothing.

Importing this module must stay cheap: most runs need nothing else.
"""

import os
import sys
import zlib

from valhalla_lint.engine.cache import (
    MAX_SIZE,
    NAME,
    REPLAY,
    REPLAY_ENDING,
    default_folder,
    evict,
    files,
    prepared,
    replace,
    tool,
)
from valhalla_lint.facts.looks import (
    HOLDING,
    KIND,
    NAMES,
    NOTHING,
    TEXT,
    Look,
    Tree,
    again,
    endings_in,
    entries_in,
    may_hold,
    parts_of_tree,
    sign_of,
)

TYPE_CHECKING = False  # asking `typing` for it costs more than all the rest
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from valhalla_lint.facts.disk import Bundle, watching

Key = tuple[str, tuple[str, ...]]
"""The folder of a tree, and what the names of its files end with."""
__all__ = ["Replay", "default_folder", "evict", "files", "folder_of", "keep", "recording", "replayed"]

OPTION = "--cache-dir"
ENVIRONMENT = ("FORCE_COLOR", "HOME", "NO_COLOR", "TERM")
"""Variables that a report depends on."""
FOLDER = "f"
"""Begins a line with a folder's sign: while that is the same, so is what lies in it, and the looks that follow hold."""
WIDE, HOLDERS = "w", "i"
"""Begin a line with a look at a whole tree, for which those at its parts stand, and one with the files that hold what
it looks for."""
BESIDE = (WIDE, HOLDERS)
WORDS = 4
"""Of a look. A path that holds what keeps them or their lines apart is not kept."""
FEW = 8
"""Looks that are made again each time rather than written down anew: some folders change all the time."""
MAX_REPORT = 8 * 1024 * 1024
"""Characters of the longest report that is kept."""


def folder_of(argv: "Sequence[str]") -> str:
    """The folder of the cache as a command line names it."""
    for number, word in enumerate(argv):
        if word == OPTION and number + 1 < len(argv):
            return os.path.abspath(argv[number + 1])
        if word.startswith(f"{OPTION}="):
            return os.path.abspath(word[len(OPTION) + 1 :])
    return default_folder()


class Replay:
    """What a command printed when it ran before, and what has changed since.

    said: exit status and report, None where they do not hold any more.
    same: the looks that see the same now. links: those of them at links, of which no folder tells.
    folders: those that still have the signs given. trees: what has become of those of which a look tells as a whole.
    holders: the lines that follow looks at whole trees.
    """

    __slots__ = ("folders", "holders", "links", "said", "same", "trees")

    def __init__(self, said: tuple[int, str] | None = None) -> None:
        """Nothing is known to be the same."""
        self.said = said
        self.same: set[Look] = set()
        self.folders: dict[str, str] = {}
        self.links: set[Look] = set()
        self.trees: dict[Key, _Past] = {}
        self.holders: dict[Look, str] = {}


class _Past:
    """A tree in which no file came or went. same: looks at its parts that see the same. edited: new looks at others."""

    __slots__ = ("edited", "same")

    def __init__(self, same: "list[Look]", edited: "dict[str, Look]") -> None:
        self.same = same
        self.edited = edited

    def parts(self, texts: "dict[str, Look]") -> "set[Look] | None":
        """Looks at all of its parts, None where an edited one is another by now. texts: those made now, by path."""
        if any(texts.get(path, look)[2] != look[2] or path not in texts for path, look in self.edited.items()):
            return None
        return {texts.get(look[1], look) if look[0] == TEXT else look for look in self.same} | {
            texts[path] for path in self.edited
        }


def replayed(argv: "Sequence[str]") -> Replay:
    """What is known of a command that ran before.

    Effect: signs of files that only look newer are renewed in the cache.
    """
    key = _key(argv)
    file = _file(folder_of(argv), key)
    try:
        with open(file, encoding="utf-8", errors="surrogateescape", newline="") as handle:
            check, _, body = handle.read().partition("\n")
        if check != _check(body):
            return Replay()
        head, status, count, *lines = body.split("\n")
        if head != key:
            return Replay()
        looks, report = lines[: int(count)], "\n".join(lines[int(count) :])
        fresh, changed = _fresh(looks)
        if changed:
            return _rest(looks, fresh, changed)
        if len(fresh) > FEW:
            _write(file, key, int(status), (fresh.get(line, line) for line in looks), report)
        else:
            os.utime(file)  # the least recently used go first
        return Replay((int(status), report))
    except (OSError, ValueError):
        return Replay()


def _rest(lines: "Sequence[str]", fresh: dict[str, str], changed: "dict[str, Look]") -> Replay:
    """What is the same after all, for whoever finds out the rest."""
    replay = Replay()
    inside = ""
    wide: dict[Key, list[tuple[Look, str]]] = {}
    parts: list[Look] = []
    for number, line in enumerate(lines):
        if line.startswith(WIDE):
            asked, path, seen, sign = line[len(WIDE) :].split("\t")
            wide.setdefault((path, endings_in(asked)), []).append(((asked, path, seen, sign), lines[number + 1]))
        if line in changed or line.startswith(BESIDE):
            continue
        asked, path, seen, sign = fresh.get(line, line).split("\t")
        if asked != FOLDER:
            replay.same.add(look := (asked, path, seen, sign))
            if asked != KIND:
                parts.append(look)
            elif not inside:
                replay.links.add(look)
            continue
        inside = path
        if line not in fresh:
            replay.folders[path] = sign
    for key, found in wide.items():
        _see_tree(replay, key, found, parts, changed.values())
    return replay


def _see_tree(
    replay: Replay, key: Key, wide: "list[tuple[Look, str]]", same: "Iterable[Look]", changed: "Iterable[Look]"
) -> None:
    """Find out which looks at a whole tree see the same, by what was edited in it. Effect: they stand in the replay.

    wide: the looks, with the lines that name the files which hold what they look for. When they were written down, they
    were true of what the looks at the parts of the tree saw. same: the looks at any parts that see the same.
    changed: new looks that see another thing.
    """
    top, endings = key
    names, below = NAMES + "|".join(endings), top.rstrip(os.sep) + os.sep

    def is_part(look: Look) -> bool:
        if look[0] == TEXT:
            return look[1].startswith(below) and look[1].endswith(endings)
        return look[0] == names and (look[1] == top or look[1].startswith(below))

    parts = [look for look in changed if is_part(look)]
    if len(parts) > FEW or any(look[0] == names for look in parts):
        return
    replay.trees[key] = past = _Past([look for look in same if is_part(look)], {look[1]: look for look in parts})
    for look, line in wide:
        holders = line.split("\t")[1].split("\0")
        if past.edited.keys().isdisjoint(holders) and not any(may_hold(part, look[0]) for part in parts):
            replay.same.add(look)
            replay.holders[look] = line


def recording() -> "watching":
    """Gathers the looks that are made meanwhile, for `keep`."""
    from valhalla_lint.facts.disk import watching

    return watching()


def keep(argv: "Sequence[str]", status: int, report: str, looks: "Iterable[Look | Bundle]", before: Replay) -> None:
    """Keep what a command has printed. Effect: writes to the cache, or leaves it; never raises.

    before: what was known when it began.
    """
    if len(report) > MAX_REPORT:
        return
    from valhalla_lint.facts.disk import flat

    folder, key = folder_of(argv), _key(argv)
    try:
        lines = list(_lines(flat(looks), before))
        if all(line.count("\t") == WORDS - 1 and "\n" not in line for line in lines) and prepared(folder):
            _write(_file(folder, key), key, status, lines, report)
            evict(folder, MAX_SIZE)
    except (OSError, ValueError):
        return


def _key(argv: "Sequence[str]") -> str:
    """What a report depends on besides files, in one line."""
    environment = [os.environ.get(name, "") for name in ENVIRONMENT]
    try:
        folder = os.getcwd()
    except OSError:
        folder = ""
    return ascii([tool(), list(argv), folder, sys.stdout.isatty(), environment])


def _file(folder: str, key: str) -> str:
    return f"{folder}/{NAME}-{REPLAY}{zlib.crc32(key.encode()):08x}{REPLAY_ENDING}"


def _check(body: str) -> str:
    return f"{zlib.crc32(body.encode('utf-8', 'surrogateescape')):08x}"


def _write(file: str, key: str, status: int, looks: "Iterable[str]", report: str) -> None:
    lines = list(looks)
    body = "\n".join([key, str(status), str(len(lines)), *lines, report])
    replace(file, f"{_check(body)}\n{body}".encode("utf-8", "surrogateescape"))


def _lines(looks: "Iterable[Look]", before: Replay) -> "Iterator[str]":
    """Looks as lines: those at what lies in one folder stand together below its sign.

    Raises ValueError where they would see something else by now: then the sign would vouch for what was not seen.
    """
    made = set(looks)
    texts = {look[1]: look for look in made if look[0] == TEXT}
    trees: dict[tuple[str, tuple[str, ...]], list[Look]] = {}
    for look in made:
        if look[0].startswith(HOLDING):
            trees.setdefault((look[1], endings_in(look[0])), []).append(look)
    for (top, endings), found in trees.items():
        made.difference_update(found)
        past = before.trees.get((top, endings)) if before.same.issuperset(found) else None
        parts = past.parts(texts) if past is not None else None
        if parts is not None:
            yield from (line for look in found for line in (WIDE + "\t".join(look), before.holders[look]))
        else:
            tree = Tree(top, endings)
            parts = parts_of_tree(tree, found, texts)
            for look in found if tree.whole else ():
                yield WIDE + "\t".join(look)
                yield "\t".join((HOLDERS, "\0".join(tree.holders(look[0])), "", ""))
        made |= parts
    inside: dict[str, list[Look]] = {}
    beside: dict[str, list[Look]] = {}  # by what stands before the name, as asking for the folder costs more
    for look in sorted(made):
        if look[0] == KIND:
            head = look[1].rpartition(os.sep)[0]
            if head not in beside:
                beside[head] = inside.setdefault(os.path.dirname(look[1]), [])
            beside[head].append(look)
        else:
            yield "\t".join(look)
    links: list[Look] = []
    for folder, found in inside.items():
        sign = sign_of(folder)
        yield f"{FOLDER}\t{folder}\t\t{sign}"
        known = before.folders.get(folder) == sign != "" and before.same.issuperset(found)
        if known and before.links.isdisjoint(found):
            yield from map("\t".join, found)
            continue
        for look, is_link in _still(folder, found):
            if is_link:
                links.append(look)
            else:
                yield "\t".join(look)
    yield f"{FOLDER}\t\t\t"  # where links lead to, no sign of their folder tells
    yield from ("\t".join(look) for look in links)


def _still(folder: str, found: "Iterable[Look]") -> "Iterator[tuple[Look, bool]]":
    """Looks at what lies in a folder, each with whether a link lies there. Raises ValueError as above.

    One listing costs less than to ask about each, and most look for what is not there.
    """
    there = None
    try:
        there = entries_in(folder)
    except (OSError, ValueError):
        pass
    for look in found:
        path = look[1]
        kind: str | None = None
        if there is None:
            is_link = os.path.islink(path)
        else:
            kind, is_link = there.get(os.path.basename(path), (NOTHING, False))
        if kind != look[2] and again(look) != look:
            raise ValueError(folder)
        yield look, is_link


def _fresh(lines: "Sequence[str]") -> tuple[dict[str, str], "dict[str, Look]"]:
    """What stands now for each line whose file only looks newer, and for each of a look that sees another thing."""
    renewed: dict[str, str] = {}
    changed: dict[str, Look] = {}
    holds = False
    for line in lines:
        if (holds and line.startswith(KIND)) or line.startswith(BESIDE):
            continue
        asked, path, seen, sign = line.split("\t")
        if asked == FOLDER:
            now = sign_of(path)
            holds = now == sign != ""
            if not holds and now:
                renewed[line] = f"{FOLDER}\t{path}\t\t{now}"
            continue
        found = again((asked, path, seen, sign))
        if found[2] != seen:
            changed[line] = found
        elif found[3] != sign:
            renewed[line] = "\t".join(found)
    return renewed, changed
