"""Archive objects and the names of their members."""

import ast
import re
from typing import TYPE_CHECKING, NamedTuple

from valhalla_lint.core.regex import regex
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
TAR_NAME = regex(
    r"_*(?:tar|tars|tf|tgz|tarf|tarball|tarfile|tar_?(?:file|ball|obj|archive|handle|ref|gz|in))_*", re.IGNORECASE
)
"""How people name an open tar archive that a function is handed."""
MEMBER_LISTS = frozenset({"getmembers", "infolist"})
NAME_LISTS = frozenset({"getnames", "namelist"})
LOOPED = frozenset({"enumerate", "iter", "list", "sorted", "tqdm"})
"""Functions that hand on what is looped over."""
MAX_FOLLOWED = 60
"""How many expressions are followed from an archive to where it was opened."""


class Archive(NamedTuple):
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


def archive(module: "Module", value: ast.expr, seen: set[ast.AST] | None = None) -> Archive | None:
    """What archive an expression may be, None where nothing says that it is one."""
    seen = set() if seen is None else seen  # expressions that were followed already: each is followed once
    if value in seen or len(seen) > MAX_FOLLOWED:
        return None
    seen.add(value)
    match value:
        case ast.Call():
            return _made(module, value, seen)
        case ast.IfExp(body=first, orelse=second):
            return _either(archive(module, first, seen), archive(module, second, seen))
        case ast.NamedExpr(value=inner) | ast.Await(value=inner):
            return archive(module, inner, seen)
        case ast.Name(id=name):
            reaching = values_at(module, value)
            if reaching is not None:
                found = None
                for item in reaching:
                    found = _either(found, archive(module, item, seen))
                return found
            annotated = _annotated(module, value)
            if annotated is not None:
                return annotated
            return Archive(tar=True, guessed=True) if TAR_NAME.fullmatch(name) else None
        case ast.Attribute(attr=attr, value=ast.Name(id="self" | "cls")):
            return _attribute(module, value, attr, seen)
    return None


def _attribute(module: "Module", value: ast.AST, attr: str, seen: set[ast.AST]) -> Archive | None:
    """The archive that the class around an expression keeps in an attribute of its objects."""
    found = None
    for given in module.attribute_values.get((owner_of(module, value), attr), ()):
        found = _either(found, archive(module, given, seen))
    return found


def owner_of(module: "Module", node: ast.AST) -> ast.ClassDef | None:
    """The nearest class around a node, whatever functions stand between."""
    return next((above for above in module.ancestors(node) if isinstance(above, ast.ClassDef)), None)


def attribute_values(module: "Module") -> dict[tuple[ast.ClassDef | None, str], list[ast.expr]]:
    """What is assigned to attributes (`self.x = ...`), by the class around the assignment and the attribute's name."""
    found: dict[tuple[ast.ClassDef | None, str], list[ast.expr]] = {}
    for node in module.nodes(ast.Assign):
        for target in node.targets:
            if isinstance(target, ast.Attribute):
                found.setdefault((owner_of(module, node), target.attr), []).append(node.value)
    return found


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


def _made(module: "Module", call: ast.Call, seen: set[ast.AST]) -> Archive | None:
    """The archive that a call opens or hands through."""
    function = call.func
    if last_name(function) in WRAPPERS and call.args:
        return archive(module, call.args[0], seen)
    names = [module.name(function)]
    if isinstance(function, ast.Name) and names == [None]:
        names = [module.name(item) for item in values_at(module, function) or ()]
        if not names:
            return _from_helper(module, function, seen)
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


def _from_helper(module: "Module", function: ast.Name, seen: set[ast.AST]) -> Archive | None:
    """The archive that a function of the same file returns or yields."""
    scope = module.scopes.binding_scope(function, function.id)
    for node in module.scopes.bindings(scope).get(function.id, ()) if scope is not None else ():
        if isinstance(node, ast.FunctionDef):
            found = None
            for item in module.index.own(node):
                if isinstance(item, ast.Return | ast.Yield) and item.value is not None:
                    found = _either(found, archive(module, item.value, seen))
            return found
    return None


def member_variable(module: "Module", loop: ast.For | ast.AsyncFor | ast.comprehension) -> str | None:
    """The variable that holds an archive's member or its name in a loop, None where the loop runs over other things."""
    target, iterated = loop.target, loop.iter
    while isinstance(iterated, ast.Call) and last_name(iterated.func) in LOOPED:
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
        case ast.Call(func=ast.Attribute(attr=attr)):
            return target.id if attr in MEMBER_LISTS | NAME_LISTS else None
        case ast.Name() | ast.Attribute():
            found = archive(module, iterated)
            return target.id if found is not None and found.tar else None
        case _:
            return None
