"""What is true of a flow and yet not worth a reviewer's time: an audit tells of it, the default preset does not."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from valhalla_lint.core.regex import regex
from valhalla_lint.facts import disk
from valhalla_lint.facts.index import FunctionNode
from valhalla_lint.facts.scopes import defaults, parameters
from valhalla_lint.facts.words import last_name
from valhalla_lint.flow.callsites import MAX_UP, Target, methods_named
from valhalla_lint.flow.entries import REQUEST_NAMES
from valhalla_lint.flow.gatekeepers import keeps_inside
from valhalla_lint.flow.hinges import hangs, refuses
from valhalla_lint.flow.labels import Kind, Mark, Use
from valhalla_lint.flow.machine import MADE, Machine, Reached
from valhalla_lint.flow.purposes import only_reads, opens_to_write
from valhalla_lint.flow.receivers import DEPENDS
from valhalla_lint.flow.units import Unit, once_a_unit
from valhalla_lint.flow.values import Attempt, Label, Place
from valhalla_lint.flow.words import OWNERS, pieces

IDLE_DEEDS = frozenset(
    "makedirs mkdir mkdirs mkdir_p makedirs_safe ensure_dir mkdtemp TemporaryDirectory glob iglob rglob".split()
)
"""Deeds that leave an empty folder behind, or look for what fits a pattern."""
MAKING = frozenset("makedirs mkdir mkdirs mkdir_p makedirs_safe ensure_dir".split())
ADMINISTRATORS = frozenset("admin admins administrator superuser superadmin staff sysadmin".split())
TEXT_CHECKS = ("os.path.commonprefix", "startswith")
"""Checks that are wrong however the paths were resolved."""
OUT_OF_ARCHIVES = frozenset("namelist infolist getnames getmembers getinfo".split())
"""Methods of archives that give the names of their members."""
TAKES_OVER = r"^[ \t]*from[ \t]+(?:\.|{}\.)(?![\w.]*version)|\b__all__\b|\blazy|\b_import_structure\b"
"""What stands in an `__init__.py` that offers what the modules of its package define."""
MAX_PARTS = 12
"""Texts inside texts in which the beginning of a name is looked for."""
READ = ".read("
CLEANING = frozenset("sanitize sanitise sanitized secure safe".split())
CLEANED = frozenset("path paths filename filenames name file basename join".split())
"""Words in the name of a function that makes a path harmless, and what it does that to."""
READERS = frozenset(
    """Image.open zipfile.ZipFile zipfile.PyZipFile zipfile.is_zipfile tarfile.is_tarfile numpy.load torch.load
    joblib.load soundfile.read soundfile.SoundFile soundfile.info librosa.load AudioSegment.from_file
    AudioSegment.from_wav AudioSegment.from_mp3 openpyxl.load_workbook docx.Document pypdf.PdfReader read_csv read_excel
    read_json read_parquet read_table read_feather read_xml read_html ExcelFile""".split()
)
"""Calls that read an open file as well as the path of one."""
BODIES = regex(r"\b(?:data|FILES|files)\b|\b(?:post|form)\(\)")
"""What gives texts and files alike: of Django REST framework, aiohttp and Starlette."""
PURE_PATHS = frozenset({"PurePath", "PurePosixPath", "PureWindowsPath"})
COMMENT = regex(r"^[ \t]*#.*", re.MULTILINE)
PACKAGES = 64
"""Packages of which it is remembered what their `__init__.py` says."""


def is_told_there(machine: Machine, reached: Reached) -> bool:
    """Whether a flow lies in other files as a whole, so that it is told when those are checked, and once.

    It enters, goes on, is joined and used there; this file only calls what does all that.
    """
    main = machine.main
    if reached.place.unit is main or not any(site.unit is main for site in reached.sites):
        return False
    label = reached.label
    if label.join is not None and label.join.unit is main:
        return False
    trail = label.trail
    if trail is None:
        return False
    first = trail.place
    while trail is not None:
        if trail.place.unit is main:
            return False
        first = trail.place
        trail = trail.before
    return not _is_handed_in(first)


def _is_handed_in(source: Place) -> bool:
    """Whether a value is asked of an object of which only the caller knows what it is: `def names(client)`."""
    node = source.node
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    if not isinstance(node, ast.Name) or node.id in REQUEST_NAMES or node.id in OWNERS:
        return False
    scopes = source.unit.module.scopes
    scope = scopes.binding_scope(node, node.id)
    bound = scopes.bindings(scope).get(node.id, ()) if scope is not None else ()
    return any(isinstance(item, ast.arg) and item.annotation is None for item in bound)


def is_only_asked(reached: Reached) -> bool:
    """Whether all that is done with a value is to ask whether something is there, and nothing hangs on the answer.

    What a language model asks about goes on to the tool's service. Where the answer lets something in
    (`if exists(name): return True`), the question is a check that an outsider passes with any file; where both answers
    are told, it tells which files there are. What a helper answers (`def is_local(name)`) is a question of its caller.
    """
    if reached.use is not Use.PROBE or reached.label.origin.kind is Kind.TOOL:
        return False
    return not _matters(reached.place, reached.entry, reached.sites)


def _matters(place: Place, entry: ast.AST | None, sites: tuple[Place, ...]) -> bool:
    """Whether a question leads at once to a bare `True`, hands back what it was about, or both answers are told."""
    node = place.node
    module = place.unit.module
    about = set(_names(place.unit, node))
    for above in module.ancestors(node):
        match above:
            case ast.BoolOp(op=ast.And()) | ast.NamedExpr():
                node = above
            case ast.Return() | ast.Dict():
                return module.function(above) is entry
            case ast.If(test=test, body=[ast.Return(value=ast.Constant(value=True)), *_]) if test is node and sites:
                return _matters(sites[-1], entry, sites[:-1])
            case ast.If(test=test, body=[first, *_], orelse=others) if test is node:
                return _lets_in(first, about) or (_says(first) and len(others) > 0 and _says(others[0]))
            case _:
                return False
    return False


def _lets_in(first: ast.stmt, about: set[str]) -> bool:
    match first:
        case ast.Return(value=ast.Name(id=name)):
            return name in about
        case ast.Return(value=ast.Constant(value=True)) | ast.Assign(value=ast.Constant(value=True)):
            return True
        case _:
            return False


def _says(first: ast.stmt) -> bool:
    """Whether a branch begins with an answer for somebody to read."""
    match first:
        case ast.Return(value=ast.expr()) | ast.AugAssign(value=ast.Constant(value=str()) | ast.JoinedStr()):
            return True
        case _:
            return False


def _names(unit: Unit, node: ast.AST) -> Iterator[str]:
    """The names in an expression, and those in what they were assigned: of a record, whose field it is."""
    scopes = unit.module.scopes
    for item in ast.walk(node):
        if not isinstance(item, ast.Name):
            continue
        yield item.id
        value = scopes.value_of(item)
        if value is not None:
            yield from (inner.id for inner in ast.walk(value) if isinstance(inner, ast.Name))


def is_for_administrators(machine: Machine, reached: Reached) -> bool:
    """Whether an administrator chooses any file or model, below no folder: the handler lets nobody else in.

    A decorator, a dependency or a permission class of the handler says so, or of every handler of the file that calls
    the function.
    """
    entry = reached.entry
    if reached.label.join is not None or not isinstance(entry, ast.FunctionDef | ast.AsyncFunctionDef):
        return False
    if _asks_for_administrator(machine.main, entry):
        return True
    module = machine.main.module
    callers = [module.function(call) for call in module.calls.get(entry.name, ())]
    return bool(callers) and all(
        caller is not None and _asks_for_administrator(machine.main, caller) for caller in callers
    )


def _asks_for_administrator(unit: Unit, node: FunctionNode) -> bool:
    said: list[ast.AST] = list(node.decorator_list)
    for arg in parameters(node):
        said.extend(item for item in (arg.annotation,) if item is not None)
    said.extend(
        given for _, given in defaults(node) if isinstance(given, ast.Call) and last_name(given.func) in DEPENDS
    )
    owner = unit.module.scopes.class_of(node)
    for line in owner.body if owner is not None else ():
        match line:
            case ast.Assign(targets=[ast.Name(id="permission_classes")], value=value):
                said.append(value)
            case _:
                pass
    return any(
        not ADMINISTRATORS.isdisjoint(pieces(item.id if isinstance(item, ast.Name) else item.attr))
        for top in said
        for item in ast.walk(top)
        if isinstance(item, ast.Name | ast.Attribute)
    )


def is_asked_again(attempt: Attempt) -> bool:
    """Whether a check of which no use is in sight is not the one that counts: its function resolves paths as well.

    So it is with a text in which single dots are replaced, which makes no path of it, and where nothing hangs on the
    answer but how something is called.
    """
    place = attempt.place
    match place.node:
        case ast.Call(func=ast.Attribute(attr="replace"), args=[ast.Constant(value=str() as old), *_]):
            return ".." not in old
        case _:
            pass
    if not hangs(place) or _is_only_cut(place):
        return True
    if attempt.check in TEXT_CHECKS:
        return False
    function = place.unit.module.function(place.node)
    return function is not None and any(
        isinstance(item, ast.Attribute) and item.attr in ("resolve", "realpath") for item in ast.walk(function)
    )


def decides_nothing(machine: Machine, attempt: Attempt, reached: Reached) -> bool:
    """Whether what a check is asked about is written or deleted behind it all the same, whatever the answer.

    So it is where the answer only says whether something is done beforehand: an old file goes, and is made anew.
    """
    place = attempt.place
    module = place.unit.module
    test: ast.AST = place.node
    for above in module.ancestors(place.node):
        match above:
            case ast.If(test=found, body=body, orelse=[], end_lineno=int(end)) if found is test and not refuses(body):
                return any(_is_done_behind(item, reached, module.function(above), end) for item in machine.reached)
            case ast.BoolOp() | ast.UnaryOp():
                test = above
            case _:
                return False
    return False


def _is_done_behind(item: Reached, reached: Reached, function: ast.AST | None, end: int) -> bool:
    """Whether the same value is written or deleted in a function after a line."""
    return (
        item.entry is reached.entry
        and item.label.key == reached.label.key
        and getattr(item.place.node, "lineno", 0) > end
        and item.place.unit.module.function(item.place.node) is function
        and (item.use in (Use.WRITE, Use.DELETE) or opens_to_write(item))
    )


def _is_only_cut(place: Place) -> bool:
    """Whether a path whose beginning is asked is only cut afterwards: its beginning goes, and its rest is shown."""
    module = place.unit.module
    function = module.function(place.node)
    match place.node:
        case ast.Call(func=ast.Attribute(attr="startswith", value=ast.Name(id=name))) if function is not None:
            later = [
                item
                for item in ast.walk(function)
                if isinstance(item, ast.Name) and item.id == name and item.lineno > place.node.lineno
            ]
            return bool(later) and all(_is_cut(module.parent(item)) for item in later)
        case _:
            return False


def _is_cut(node: ast.AST | None) -> bool:
    match node:
        case ast.Subscript(slice=ast.Slice(lower=ast.expr())):
            return True
        case ast.Call(func=func):
            return last_name(func) in ("len", "removeprefix")
        case _:
            return False


def has_constant(node: FunctionNode, name: str) -> bool:
    """Whether a parameter is a text of the function's own unless its caller says otherwise."""
    return any(
        arg.arg == name and isinstance(given, ast.Constant) and isinstance(given.value, str) and given.value != ""
        for arg, given in defaults(node)
    )


def is_part_of_object(machine: Machine, label: Label) -> bool:
    """Whether a value is only a part of what a function's parameter is: an attribute, or what a method of it gives."""
    if label.origin.kind is not Kind.PARAMETER:
        return False
    return any(
        parts[0] == "attribute" or (parts[0] == "method" and not hasattr(str, str(parts[1])))
        for parts in machine.makings(label.content)
    )


def is_only_reckoned(reached: Reached) -> bool:
    """Whether a path is put together of pure paths and no file operation is in sight: it is kept, or handed back."""
    join = reached.label.join
    if reached.argument != "join" or join is None:
        return False
    function = join.unit.module.function(join.node)
    if function is None:
        return False
    module = join.unit.module
    made = {last_name(item.func) for item in module.index.own(function) if isinstance(item, ast.Call)}
    return not PURE_PATHS.isdisjoint(made) and "Path" not in made


def is_checked_by_method(machine: Machine, reached: Reached) -> bool:
    """Whether a value went through a method of an object whose class is not known, and one of that name checks paths.

    So it is with the layer that stores files: the handler asks it for the path on the disk.
    """
    for parts in machine.makings(reached.label.content):
        if parts[0] == "call" and isinstance(parts[1], str) and "." not in parts[1]:
            found = methods_named(machine.loader, machine.main, parts[1])
            return any(keeps_inside(machine, unit, node) for unit, node in found)
    return False


def is_whole_content(machine: Machine, label: Label) -> bool:
    """Whether a value is all that a member of an archive holds, decoded or not: that is what is written to a file.

    The text of a link is checked where it leads.
    """
    if label.origin.kind is not Kind.MEMBER or READ not in label.origin.text:
        return False
    parts = machine.parts(label.content)
    while parts[:1] == ("decode",) and isinstance(parts[-1], int):
        parts = machine.parts(parts[-1])
    return parts[:1] == ("source",)


def may_be_file(machine: Machine, reached: Reached) -> bool:
    """Whether a part of a body that may hold uploads goes, as it is, to what reads a file as well as its path."""
    name = reached.name.removesuffix("()")
    if name not in READERS and name.rpartition(".")[2] not in READERS:
        return False
    parts = machine.parts(reached.label.content)
    if parts[:1] not in (("source",), ("item",)):
        return False  # something was made of it, so that it is a text
    return BODIES.search(reached.label.origin.text) is not None


def is_cleaned_elsewhere(machine: Machine, label: Label) -> bool:
    """Whether a value went through a function of another package that cleans paths, by its name: `sanitize_path`.

    Nobody has read it, so an audit tells all the same. Of a reviewer it asks to read the other package.
    """
    for parts in machine.makings(label.content):
        if parts[0] == "call" and isinstance(parts[1], str):
            named = {*pieces(parts[1].rpartition(".")[2])}
            if not CLEANING.isdisjoint(named) and not CLEANED.isdisjoint(named):
                return True
    return False


def is_glued(machine: Machine, reached: Reached) -> bool:
    """Whether a value stands behind a fixed beginning of the same name (`f"run_{name}"`), so that no step up leads on.

    There is no folder `run_..`, and few files end in `_topology.json`. That is so only as long as the path is not
    normalised, and nothing makes its folders. Windows asks for no such folder: what comes from outside and is written
    is told.
    """
    label = reached.label
    if label.origin.kind is not Kind.PARAMETER and not only_reads(reached):
        return False
    if (
        label.marks & (Mark.NORMAL | Mark.JOINED) != Mark.JOINED
        or (reached.entry, label.origin, MADE) in machine.anywhere
    ):
        return False
    reads = reached.argument != "join" and only_reads(reached)
    return bool(_glue(machine, label.spot, label.content, {}, reads=reads))


def deed(name: str) -> str:
    """What is done, by the name of a sink: `rmtree` of `shutil.rmtree()`."""
    return name.rpartition(".")[2].removesuffix("()")


def makes_folders(reached: Reached) -> bool:
    """Whether folders are made of a path: then `run_..` may be one."""
    return deed(reached.name) in IDLE_DEEDS


def _glue(
    machine: Machine, spot: int, content: int, known: dict[int, bool | None], *, reads: bool, left: int = MAX_PARTS
) -> bool | None:
    """Whether a text stands behind a fixed one without a separator in a path; None where it is not in it.

    reads: before one that leaves few files to read is as good. known: what was found of the parts before.
    """
    if spot not in known:
        known[spot] = None
        known[spot] = _glued(machine, spot, content, known, reads=reads, left=left - 1) if left > 0 else None
    return known[spot]


def _glued(
    machine: Machine, spot: int, content: int, known: dict[int, bool | None], *, reads: bool, left: int
) -> bool | None:
    parts = machine.parts(spot)
    if parts == ("spot", content):
        return False
    if parts[:1] not in (("text",), ("join",)):
        return None
    for index, operand in enumerate(parts[1:], 1):
        tokens = [token for token in operand if isinstance(token, int)] if isinstance(operand, tuple) else []
        inside = [_glue(machine, token, content, known, reads=reads, left=left) for token in tokens]
        if True in inside:
            return True
        if False in inside:
            if parts[0] != "text":
                return False
            return (index > 1 and _is_beginning(parts[index - 1])) or (reads and _is_end(parts[index + 1 : index + 2]))
    return None


def _is_beginning(operand: object) -> bool:
    """Whether a part of a text is fixed and ends inside a name, as no folder's ends: not `/srv/notes`."""
    match operand:
        case ("const", "str", str(shown)):
            return shown[1:-1] != "" and shown[-2] in "_-=+@# "
        case _:
            return False


def _is_end(operands: tuple[object, ...]) -> bool:
    """Whether what follows a part of a text is fixed and says more than an extension: `_110m.json`."""
    match operands:
        case (("const", "str", str(shown)),):
            return shown[1:2] in ("_", "-")
        case _:
            return False


def is_idle(machine: Machine, reached: Reached) -> bool:
    """Whether nothing is done but to make a folder or to look, at a name that is not one out of an archive."""
    return makes_folders(reached) and not is_out_of_archive(machine, reached)


def is_out_of_archive(machine: Machine, reached: Reached) -> bool:
    """Whether a value is one of the names in an archive, or in something else, that a parameter names."""
    one = not reached.label.origin.text.endswith("s")
    return any(
        (one and parts[0] == "character") or not OUT_OF_ARCHIVES.isdisjoint(p for p in parts if isinstance(p, str))
        for parts in machine.makings(reached.label.content)
    )


def is_exported(target: Target) -> bool:
    """Whether a package names a function, or the class that holds it, in its `__init__.py` or the file's `__all__`.

    True as well where that says nothing: outside of packages, in an `__init__.py` itself, and where no
    `__init__.py` above takes anything over from its own package, so that each module is there to be imported.
    """
    here = target.unit.module.source.location
    if here is None or here.stem == "__init__":
        return True
    name = target.owner.node.name if target.owner is not None else target.node.name
    texts = _beginnings(here.parent)
    takes_over = re.compile(TAKES_OVER.format(re.escape(_top(here.parent, len(texts)))), re.MULTILINE)
    if name in _listed(target.unit) or not any(takes_over.search(text) for text in texts):
        return True
    word = re.compile(rf"\b{re.escape(name)}\b|from\s+[\w.]*\b{re.escape(here.stem)}\s+import\s+\*")
    return any(word.search(text) for text in texts)


@once_a_unit
def _listed(unit: Unit) -> set[object]:
    """The names in a file's `__all__`."""
    found: set[object] = set()
    for node in unit.module.tree.body:
        match node:
            case (
                ast.Assign(targets=[ast.Name(id="__all__")], value=value)
                | ast.AnnAssign(target=ast.Name(id="__all__"), value=ast.expr() as value)
                | ast.AugAssign(target=ast.Name(id="__all__"), value=value)
            ):
                found.update(item.value for item in ast.walk(value) if isinstance(item, ast.Constant))
            case _:
                pass
    return found


@disk.remembered(PACKAGES)
def _beginnings(folder: Path) -> tuple[str, ...]:
    """The texts of the `__init__.py` of a folder and of the packages around it."""
    found = []
    for above in (folder, *folder.parents)[:MAX_UP]:
        try:
            text = disk.bytes_of(above / "__init__.py").decode("utf-8", "replace")
        except OSError:
            break
        found.append(COMMENT.sub("", text))
    return tuple(found)


def _top(folder: Path, packages: int) -> str:
    """The name of the outermost of the packages around a file."""
    return folder.parts[-packages] if packages else ""
