"""The calls of a function in its project, found by its name in the texts of files and then in the trees of those."""

import ast
import os
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from valhalla_lint.core.tier import Tier
from valhalla_lint.facts import disk
from valhalla_lint.facts.index import FunctionNode
from valhalla_lint.facts.looks import beginning_of
from valhalla_lint.facts.scopes import defaults, parameters
from valhalla_lint.facts.words import last_name
from valhalla_lint.flow.units import ClassRef, Loader, Unit
from valhalla_lint.flow.words import OWNERS, pieces, words

MAX_READ = 40
"""Files that hold the name of a function and are parsed for its calls, likeliest first."""
MAX_CALLS = 200
"""Calls of one function that are looked at."""
HANDERS_ON = (
    "partial",
    "to_thread",
    "run_in_threadpool",
    "run_sync",
    "run_in_executor",
    "submit",
    "sync_to_async",
    "add_task",
    "call_soon",
    "call_soon_threadsafe",
    "start_soon",
)
"""Calls that call a function which they are given, with the arguments that follow it."""
HANDED_ON = tuple(word.encode() + b"(" for word in HANDERS_ON)
COMMON = frozenset(
    """get set put add pop read write open load save store delete remove exists list update close run call send find
    create copy move upload download""".split()
)
"""Names of methods that so many classes have that only what they are called on tells whose they are."""
NAMES = 1024
"""Names of which it is remembered where they are called."""
MAX_COMMON = 12
"""Files that are parsed for calls of such a method."""
MAX_DEFINING = 4
"""Files that are parsed for methods of a name, where it is not known whose is called."""
MAX_UP = 6
"""Folders above a file that are looked through for the outermost of its package."""


class Target(NamedTuple):
    """A function whose calls are looked for. owner: the class that holds it as a method."""

    unit: Unit
    node: FunctionNode
    owner: ClassRef | None

    @property
    def name(self) -> str:
        """The name that calls use: of the class where the function makes its objects."""
        if self.owner is not None and self.node.name in ("__init__", "__new__"):
            return self.owner.node.name
        return self.node.name


class CallSite(NamedTuple):
    """One call, and the function around it."""

    unit: Unit
    node: ast.Call
    around: FunctionNode | None


class CallSites(NamedTuple):
    """The calls of a function; complete: whether no bound was hit on the way."""

    found: tuple[CallSite, ...]
    complete: bool


def target_of(unit: Unit, node: FunctionNode) -> Target:
    """A function of a file as a target."""
    owner = unit.module.scopes.class_of(node)
    return Target(unit, node, ClassRef(unit, owner) if owner is not None else None)


def call_sites(loader: Loader, target: Target, classes_of: Callable[[Unit, ast.expr], Sequence[ClassRef]]) -> CallSites:
    """The calls of a function in the product's files: tests hand functions what they like, so theirs prove nothing.

    classes_of: the classes of the project of which an expression may give an object, as far as that is known.
    """
    found: list[CallSite] = []
    complete = True
    for count, unit in enumerate(_units(loader, target)):
        if count >= (MAX_COMMON if target.name in COMMON else MAX_READ) or len(found) >= MAX_CALLS:
            complete = False
            break
        if unit is not target.unit and unit.module.tier.tier is Tier.TEST:
            continue
        if unit is target.unit and target.owner is None:
            found += (site for site in _through_tables(target) if _fits(target, site.node))
        for call, around in _calls(unit, target.name):
            if around is target.node or not _fits(target, call) or not _means(loader, target, unit, call, around):
                continue
            if _is_on_its_kind(loader, target, unit, call, classes_of):
                found.append(CallSite(unit, call, around))
    return CallSites(tuple(found), complete)


def methods_named(loader: Loader, unit: Unit, name: str) -> Iterator[tuple[Unit, FunctionNode]]:
    """The methods of a name that classes of the project have, in a few of its files."""
    here = unit.module.source.location
    if here is None:
        return
    for path in _defining(_root(unit, here), name)[:MAX_DEFINING]:
        found = loader.at(Path(path))
        for methods in found.methods.values() if found is not None else ():
            if name in methods:
                assert found is not None
                yield found, methods[name]


@disk.remembered(NAMES)
def _defining(root: Path, name: str) -> tuple[str, ...]:
    """The files of a project in which a function of a name is defined."""
    return tuple(disk.files_holding(root, (".py",), (f"def {name}(",)))


def _calls(unit: Unit, name: str) -> Iterator[tuple[ast.Call, FunctionNode | None]]:
    """The calls of a name, and those that others make of it (`partial`, `to_thread`) with what they are given."""
    module = unit.module
    for called in (name, *_other_names(unit, name)):
        for call in module.calls.get(called, ()):
            yield call, module.function(call)
    for word in HANDERS_ON:
        for call in module.calls.get(word, ()):
            for index, item in enumerate(call.args):
                if isinstance(item, ast.Name | ast.Attribute) and last_name(item) == name:
                    made = ast.Call(func=item, args=call.args[index + 1 :], keywords=call.keywords)
                    yield ast.copy_location(made, call), module.function(call)


def _through_tables(target: Target) -> Iterator[CallSite]:
    """The calls of a function's own file that take it out of a table of it: `HANDLERS[kind](name)`."""
    module = target.unit.module
    tables = {
        to.id
        for item in module.tree.body
        if isinstance(item, ast.Assign) and isinstance(item.value, ast.Dict)
        for to in item.targets
        if isinstance(to, ast.Name)
        and any(isinstance(value, ast.Name) and value.id == target.name for value in item.value.values)
    }
    for call in module.nodes(ast.Call) if tables else ():
        match call.func:
            case (
                ast.Subscript(value=ast.Name(id=name))
                | ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="get"))
            ) if name in tables:
                yield CallSite(target.unit, call, module.function(call))
            case _:
                pass


def _other_names(unit: Unit, name: str) -> Iterator[str]:
    """What else a file calls what it imports by a name: `from shop.files import save as save_file`."""
    for other, found in unit.module.names.imports.items():
        if other != name and any(item.target.rpartition(".")[2] == name for item in found):
            yield other


def argument(target: Target, call: ast.Call, name: str) -> ast.expr | bool | None:
    """The expression that a call gives a parameter; False where it leaves it out, None where that cannot be told."""
    positional = _positional(target)
    for index, item in enumerate(_given(target, call)):
        if isinstance(item, ast.Starred):
            return None
        if index < len(positional) and positional[index] == name:
            return item
    for keyword in call.keywords:
        if keyword.arg == name:
            return keyword.value
    return None if any(keyword.arg is None for keyword in call.keywords) else False


def _given(target: Target, call: ast.Call) -> list[ast.expr]:
    """The arguments by place without the object itself: `Base.save(self, name)` is `self.save(name)`."""
    match call:
        case ast.Call(func=ast.Attribute(), args=[ast.Name(id=first), *rest]) if target.owner and first in OWNERS:
            return rest
        case _:
            return call.args


def _units(loader: Loader, target: Target) -> Iterator[Unit]:
    yield target.unit
    here = target.unit.module.source.location
    if here is None or _is_nested(target):
        return
    words = [here.parent.name if here.stem == "__init__" else here.stem]
    if target.owner is not None:
        words.append(target.owner.node.name)
    marks = [os.fsencode(word) for word in words]
    likely: list[Path] = []
    others: list[Path] = []
    for path in _naming(_root(target.unit, here), target.name):
        if path == os.fspath(here):
            continue
        data = beginning_of(path)  # for a first glance: what is parsed afterwards is what the host knows
        if _may_call(data, target):
            (likely if any(mark in data for mark in marks) else others).append(Path(path))
    for location in (*likely, *others):
        unit = loader.at(location)
        if unit is not None:
            yield unit


def _may_call(data: bytes, target: Target) -> bool:
    """Whether a file may call a function of another, or hand it on: by what stands around the name in its text.

    A plain name means something of another file only where it is imported; a method is called on something.
    """
    name = re.escape(target.name.encode())
    if (target.owner is None or target.name != target.node.name) and re.search(rb"\b" + name + rb"[ \t]+as\b", data):
        return True
    if re.search(rb"\.[ \t]*" + name + rb"\s*\(", data) or any(word in data for word in HANDED_ON):
        return True
    if target.name == target.node.name and target.owner is not None:
        return False
    return (
        re.search(rb"(?<!def )(?<![\w.])" + name + rb"\s*\(", data) is not None
        and re.search(rb"\bimport\b(?:[^\n(]*|[ \t]*\([^)]*)(?:\*|\b" + name + rb"\b)", data) is not None
    )


def _is_nested(target: Target) -> bool:
    scope = target.unit.module.scopes.scope(target.node)
    return isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef)


def _root(unit: Unit, here: Path) -> Path:
    """The folder in which callers are looked for: the project's, else that of the outermost package."""
    root = unit.module.project.root
    if root is not None:
        return root
    root = here.parent
    imported = {item.target.partition(".")[0] for found in unit.module.names.imports.values() for item in found}
    for folder in here.parents[:MAX_UP]:
        if folder.name in imported or disk.is_file(folder / "__init__.py"):
            root = folder
    return root


@disk.remembered(NAMES)
def _naming(root: Path, name: str) -> tuple[str, ...]:
    """The files of a project in which a name is called or handed over."""
    return tuple(disk.files_holding(root, (".py",), (name, f"{name}(", f"{name},", f"{name} as ")))


def _positional(target: Target) -> list[str]:
    args = target.node.args
    names = [arg.arg for arg in (*args.posonlyargs, *args.args)]
    return names[1:] if target.owner is not None and names[:1] and names[0] in OWNERS else names


def _fits(target: Target, call: ast.Call) -> bool:
    """Whether a call's arguments can be those of the function."""
    if any(isinstance(item, ast.Starred) for item in call.args) or any(item.arg is None for item in call.keywords):
        return True
    positional = _positional(target)
    args = target.node.args
    by_place = len(_given(target, call))
    if by_place > len(positional) and args.vararg is None:
        return False
    given = {*positional[:by_place], *(item.arg for item in call.keywords)}
    known = {arg.arg for arg in parameters(target.node)}
    if args.kwarg is None and not given <= known:
        return False
    optional = {arg.arg for arg, _ in defaults(target.node)}
    needed = {*positional, *(arg.arg for arg in args.kwonlyargs)} - optional
    return needed <= given


def _means(loader: Loader, target: Target, unit: Unit, call: ast.Call, around: FunctionNode | None) -> bool:
    """Whether a call of the name may be one of the function."""
    func = call.func
    dotted = unit.module.name(func)
    if dotted is not None and (unit is not target.unit or isinstance(func, ast.Attribute)):
        if target.owner is None and _is_of(target.unit, dotted):
            return True
        found = loader.find(unit, dotted)
        if isinstance(found, tuple):
            return found[1] is target.node
        if isinstance(found, ClassRef):
            return target.owner is not None and found.node is target.owner.node
        if found is not None or not loader.exists(unit, dotted):
            return False
        if target.owner is None or not isinstance(func, ast.Attribute):
            return target.owner is None
        return _may_hold(loader, target, target.owner, unit, func.value)
    if isinstance(func, ast.Name):
        return unit is target.unit and (target.owner is None or func.id == target.owner.node.name)
    if target.owner is None or not isinstance(func, ast.Attribute):
        return False
    if isinstance(func.value, ast.Name) and func.value.id in OWNERS and around is not None:
        owner = unit.module.scopes.class_of(around)
        return owner is None or _related(loader, ClassRef(unit, owner), target.owner)
    by_name = target.name in COMMON and any(words(item.arg or "") for item in call.keywords)
    return by_name or _may_hold(loader, target, target.owner, unit, func.value)


def _is_on_its_kind(
    loader: Loader,
    target: Target,
    unit: Unit,
    call: ast.Call,
    classes_of: Callable[[Unit, ast.expr], Sequence[ClassRef]],
) -> bool:
    """Whether what a method is called on is of its class, of a base or of a derived one, as far as that is known."""
    func = call.func
    if target.owner is None or not isinstance(func, ast.Attribute):
        return True
    known = classes_of(unit, func.value)
    if not known or any(last_name(base) == "Protocol" for base in known[0].node.bases):
        return True
    owner = target.owner
    return any(_related(loader, item, owner) for item in known)


def _is_of(unit: Unit, dotted: str) -> bool:
    """Whether a dotted name begins with a file's own as far as both go, so that it is of that file."""
    here = unit.module.source.location
    module = dotted.lstrip(".").split(".")[:-1]
    if here is None or not module:
        return False
    parts = here.parent.parts if here.stem == "__init__" else (*here.parent.parts, here.stem)
    return list(parts[-len(module) :]) == module and not dotted.startswith(".")


def _may_hold(loader: Loader, target: Target, owner: ClassRef, unit: Unit, receiver: ast.expr) -> bool:
    """Whether what a method is called on may be of a class: many classes have a method `get`."""
    said = {piece.rstrip("s") for piece in pieces(last_name(receiver))}
    for item in loader.lineage(owner):
        known = item.node.name if isinstance(item, ClassRef) else item.rpartition(".")[2]
        if any(piece.rstrip("s") in said for piece in pieces(known)):
            return True
        if target.name not in COMMON and known in unit.module.text:
            return True
    return False


def is_sure(target: Target, site: CallSite) -> bool:
    """Whether a call is one of a method with a common name: in its own file, or on an object called as its class is."""
    if target.owner is None or target.name not in COMMON or site.unit is target.unit:
        return True
    called = site.node.func.value if isinstance(site.node.func, ast.Attribute) else site.node.func
    own = {piece.rstrip("s") for piece in pieces(target.owner.node.name)}
    return {piece.rstrip("s") for piece in pieces(last_name(called))} <= own


def _related(loader: Loader, first: ClassRef, second: ClassRef) -> bool:
    """Whether one class is a base of the other, or they are the same."""
    return any(
        isinstance(item, ClassRef) and item.node is other.node
        for one, other in ((first, second), (second, first))
        for item in loader.lineage(one)
    )
