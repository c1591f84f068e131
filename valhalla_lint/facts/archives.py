"""Archive objects and the names of their members."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from valhalla_lint.facts.calls import arguments, last_name
from valhalla_lint.facts.constants import MISSING
from valhalla_lint.facts.reaching import values_at

if TYPE_CHECKING:
    from valhalla_lint.facts.module import Module

TAR_OPENERS = (
    "open",
    "TarFile",
    "TarFile.open",
    "TarFile.taropen",
    "TarFile.gzopen",
    "TarFile.bz2open",
    "TarFile.xzopen",
)
TAR_MAKERS = frozenset(f"tarfile.{name}" for name in TAR_OPENERS)
ZIP_MAKERS = frozenset({"zipfile.ZipFile", "zipfile.PyZipFile", "py7zr.SevenZipFile", "rarfile.RarFile"})
"""Archives whose own extraction drops what climbs; a member's name is outside data all the same."""
WRAPPERS = frozenset({"closing", "enter_context", "ExitStack", "nullcontext"})
TAR_NAME = re.compile(
    r"_*(?:tar|tars|tf|tgz|tarf|tarball|tarfile|tar_?(?:file|ball|obj|archive|handle|ref|gz|in))_*", re.IGNORECASE
)
"""How people name an open tar archive that a function is handed."""
MEMBER_LISTS = frozenset({"getmembers", "infolist"})
NAME_LISTS = frozenset({"getnames", "namelist"})
NAME_ATTRIBUTES = frozenset({"name", "filename", "path", "orig_filename"})
LOOPED = frozenset({"enumerate", "iter", "list", "sorted", "tqdm"})
"""Functions that hand on what is looped over."""
MAX_DEPTH = 6
"""How many bindings are followed from an archive to where it was opened."""


@dataclass(frozen=True, slots=True)
class Archive:
    """What an expression may be. constant: every archive it may be was opened by a constant path (or made here)."""

    tar: bool = False
    zip: bool = False
    constant: bool = False
    guessed: bool = False

    def __or__(self, other: "Archive") -> "Archive":
        """Either of the two."""
        return Archive(
            self.tar or other.tar,
            self.zip or other.zip,
            self.constant and other.constant,
            self.guessed or other.guessed,
        )


def archive(module: "Module", value: ast.expr, depth: int = MAX_DEPTH) -> Archive | None:
    """What archive an expression may be, None where nothing says that it is one."""
    if depth <= 0:
        return None
    match value:
        case ast.Call():
            return _made(module, value, depth)
        case ast.IfExp(body=first, orelse=second):
            return _either(archive(module, first, depth - 1), archive(module, second, depth - 1))
        case ast.NamedExpr(value=inner) | ast.Await(value=inner):
            return archive(module, inner, depth - 1)
        case ast.Name(id=name):
            reaching = values_at(module, value)
            if reaching is not None:
                found = None
                for item in reaching:
                    found = _either(found, archive(module, item, depth - 1))
                return found
            annotated = _annotated(module, value)
            if annotated is not None:
                return annotated
            return Archive(tar=True, guessed=True) if TAR_NAME.fullmatch(name) else None
        case ast.Attribute(attr=attr, value=ast.Name(id="self" | "cls")):
            return _attribute(module, value, attr, depth)
    return None


def _attribute(module: "Module", value: ast.AST, attr: str, depth: int) -> Archive | None:
    """The archive that the class around an expression keeps in an attribute of its objects."""
    owner = _owner(module, value)
    found = None
    for node in module.nodes(ast.Assign):
        for target in node.targets:
            if isinstance(target, ast.Attribute) and target.attr == attr and _owner(module, node) is owner:
                found = _either(found, archive(module, node.value, depth - 1))
    return found


def _owner(module: "Module", node: ast.AST) -> ast.ClassDef | None:
    return next((above for above in module.ancestors(node) if isinstance(above, ast.ClassDef)), None)


def _either(first: Archive | None, second: Archive | None) -> Archive | None:
    if first is None or second is None:
        return first or second
    return first | second


def _annotated(module: "Module", name: ast.Name) -> Archive | None:
    scope = module.scopes.binding_scope(name, name.id)
    for node in module.scopes.bindings(scope).get(name.id, ()) if scope is not None else ():
        if isinstance(node, ast.arg) and node.annotation is not None:
            for part in ast.walk(node.annotation):
                dotted = module.name(part) or (part.value if isinstance(part, ast.Constant) else "")
                if dotted in TAR_MAKERS or (isinstance(dotted, str) and dotted.endswith("TarFile")):
                    return Archive(tar=True)
                if dotted in ZIP_MAKERS or (isinstance(dotted, str) and dotted.endswith("ZipFile")):
                    return Archive(zip=True)
    return None


def _made(module: "Module", call: ast.Call, depth: int) -> Archive | None:
    """The archive that a call opens or hands through."""
    function = call.func
    if last_name(function) in WRAPPERS and call.args:
        return archive(module, call.args[0], depth - 1)
    names = [module.name(function)]
    if isinstance(function, ast.Name) and names == [None]:
        names = [module.name(item) for item in values_at(module, function) or ()]
        if not names:
            return _from_helper(module, function, depth)
    if names == [None] and isinstance(function, ast.Attribute | ast.Name):
        base = function.value if isinstance(function, ast.Attribute) else function
        if isinstance(base, ast.Name) and _is_tar_class(module, base):
            names = ["tarfile.open"]
    tar = any(name in TAR_MAKERS for name in names)
    packed = any(name in ZIP_MAKERS for name in names)
    if not tar and not packed:
        return None
    given = arguments(module, call)
    opened = given.get("name", 0) or given.get("file")
    constant = opened is not None and module.constant(opened) not in (MISSING, None)
    return Archive(tar=tar, zip=packed, constant=constant and "fileobj" not in given.keywords)


def _is_tar_class(module: "Module", name: ast.Name) -> bool:
    scope = module.scopes.binding_scope(name, name.id)
    for node in module.scopes.bindings(scope).get(name.id, ()) if scope is not None else ():
        if isinstance(node, ast.ClassDef) and any(module.name(base) in TAR_MAKERS for base in node.bases):
            return True
    return False


def _from_helper(module: "Module", function: ast.Name, depth: int) -> Archive | None:
    """The archive that a function of the same file returns or yields."""
    scope = module.scopes.binding_scope(function, function.id)
    for node in module.scopes.bindings(scope).get(function.id, ()) if scope is not None else ():
        if isinstance(node, ast.FunctionDef):
            found = None
            for item in module.index.own(node):
                if isinstance(item, ast.Return | ast.Yield) and item.value is not None:
                    found = _either(found, archive(module, item.value, depth - 1))
            return found
    return None


@dataclass(frozen=True, slots=True)
class Members:
    """A loop (or comprehension) over the members of an archive.

    names: the variable is a member's name, not the member itself.
    """

    variable: str
    loop: ast.For | ast.AsyncFor | ast.comprehension
    opened: Archive
    names: bool


def member_loops(module: "Module", scope: ast.AST) -> Iterator[Members]:
    """The loops of a scope (its own code only) that run over the members of an archive."""
    for node in module.index.own(scope):
        if isinstance(node, ast.For | ast.AsyncFor | ast.comprehension):
            found = members_of(module, node)
            if found is not None:
                yield found


def members_of(module: "Module", loop: ast.For | ast.AsyncFor | ast.comprehension) -> Members | None:
    """The members that a loop runs over, None where it runs over anything else."""
    target, iterated = loop.target, loop.iter
    while isinstance(iterated, ast.Call) and last_name(iterated.func) in (
        "enumerate",
        "tqdm",
        "sorted",
        "list",
        "iter",
    ):
        if last_name(iterated.func) == "enumerate" and isinstance(target, ast.Tuple) and target.elts:
            target = target.elts[-1]
        if not iterated.args:
            return None
        iterated = iterated.args[0]
    if not isinstance(target, ast.Name):
        return None
    if isinstance(iterated, ast.Name):
        reaching = values_at(module, iterated)
        if reaching and len(reaching) == 1 and isinstance(reaching[0], ast.Call | ast.Name):
            iterated = reaching[0]
    match iterated:
        case ast.Call(func=ast.Attribute(attr=attr, value=receiver)) if attr in MEMBER_LISTS | NAME_LISTS:
            opened = archive(module, receiver) or Archive(tar=attr.startswith("get"), zip=not attr.startswith("get"))
            return Members(target.id, loop, opened, names=attr in NAME_LISTS)
        case ast.Name() | ast.Attribute():
            opened_here = archive(module, iterated)
            if opened_here is not None and opened_here.tar:
                return Members(target.id, loop, opened_here, names=False)
    return None
