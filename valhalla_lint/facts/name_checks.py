"""What the code before a place proves about a name: that it is not absolute, that it does not climb.

For names of archive members inside one function; the flow engine proves the same for any value.
"""

import ast
from collections.abc import Iterator
from enum import Flag, auto
from typing import TYPE_CHECKING

from valhalla_lint.facts.calls import last_name
from valhalla_lint.facts.reaching import values_at
from valhalla_lint.facts.words import words

if TYPE_CHECKING:
    from valhalla_lint.facts.module import Module


class Proof(Flag):
    """What is proved."""

    NOTHING = 0
    RELATIVE = auto()
    NO_DOTS = auto()
    INSIDE = RELATIVE | NO_DOTS


CONTAINMENT = frozenset({"is_relative_to", "commonpath", "commonprefix", "relative_to", "safe_join", "secure_filename"})
"""Calls that ask whether a path lies below a folder (VH203 judges whether they ask it well)."""
NORMALISING = frozenset({"normpath", "realpath", "abspath", "relpath", "resolve"})
"""Calls after which '..' can stand only at the beginning of a path."""
BASE_NAMES = frozenset({"basename", "secure_filename", "safe_join", "data_filter", "tar_filter"})
CLEANING_WORDS = frozenset({"clean", "cleaned", "safe", "sanitise", "sanitised", "sanitize", "sanitized", "secure"})
REFUSING_WORDS = frozenset({"absolute", "bad", "dangerous", "escape", "escapes", "evil", "forbidden", "illegal",
                            "invalid", "malicious", "outside", "suspicious", "traversal", "unsafe"})  # fmt: skip
"""Words in the name of a check that is true for names that must not be used."""
GUARD_WORDS = CLEANING_WORDS | REFUSING_WORDS | {"allow", "allowed", "check", "checked", "contained", "inside",
                                                 "relative", "subdir", "subpath", "valid", "validate", "validated",
                                                 "validator", "verify", "within"}  # fmt: skip
EXITS = (ast.Raise, ast.Return, ast.Continue, ast.Break)
MAX_BEFORE = 100
"""How many statements before one are looked at in its own list."""
MAX_LINKS = 3
"""How many assignments on end are followed from a name to what is made of it."""
MAX_DEPTH = 25
"""How deeply nested a condition is looked at."""


def derived(around: ast.AST, names: frozenset[str]) -> frozenset[str]:
    """The names that hold something made from these names (base names excluded), by the assignments in a node."""
    found = set(names)
    assignments = [node for node in ast.walk(around) if isinstance(node, ast.Assign | ast.AnnAssign | ast.NamedExpr)]
    for _ in range(MAX_LINKS):
        before = len(found)
        for node in assignments:
            if node.value is not None and mentions(node.value, frozenset(found)) and not cleans(node.value):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                found.update(target.id for target in targets if isinstance(target, ast.Name))
        if len(found) == before:
            break
    return frozenset(found)


def mentions(value: ast.AST, names: frozenset[str]) -> bool:
    """Whether an expression reads one of these names."""
    return any(isinstance(node, ast.Name) and node.id in names for node in ast.walk(value))


def cleans(value: ast.expr) -> bool:
    """Whether an expression is the base name of something, or the answer of a helper that is named like a cleaner."""
    match value:
        case ast.Call(func=function):
            name = last_name(function)
            return name in BASE_NAMES or not CLEANING_WORDS.isdisjoint(words(name))
        case ast.Attribute(attr="name" | "stem", value=ast.Call()):
            return True  # `Path(x).name`
        case ast.Subscript(value=ast.Call(func=ast.Attribute(attr="split" | "rsplit" | "rpartition"))):
            return isinstance(value.slice, ast.UnaryOp)  # `x.split("/")[-1]`
        case _:
            return False


def proved(module: "Module", node: ast.AST, names: frozenset[str]) -> Proof:
    """What the conditions around a node and the statements before it prove about values made from these names."""
    proof = Proof.NOTHING
    below = node
    for above in module.ancestors(node):
        match above:
            case ast.If(test=test) | ast.IfExp(test=test) if below is not test:
                held = below in above.body if isinstance(above, ast.If) else below is above.body
                proof |= clears(module, test, names, holds=held)
            case ast.comprehension(ifs=tests) if below not in tests:
                for test in tests:
                    proof |= clears(module, test, names, holds=True)
            case ast.ListComp(generators=generators) | ast.GeneratorExp(generators=generators):
                for test in (test for generator in generators for test in generator.ifs):
                    proof |= clears(module, test, names, holds=True)
        if isinstance(below, ast.stmt):
            for statement in _before(above, below):
                proof |= _passed(module, statement, names)
        if isinstance(above, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            break
        below = above
    return proof


def _before(owner: ast.AST, statement: ast.stmt) -> Iterator[ast.stmt]:
    """The statements before one in its own list."""
    for name in ("body", "orelse", "finalbody"):
        block = getattr(owner, name, None)
        if isinstance(block, list) and statement in block:
            number = block.index(statement)
            yield from block[max(0, number - MAX_BEFORE) : number]
            return


def after(module: "Module", statements: list[ast.stmt], names: frozenset[str]) -> Proof:
    """What has been proved once a list of statements has been passed."""
    proof = Proof.NOTHING
    for statement in statements:
        proof |= _passed(module, statement, names)
    return proof


def _passed(module: "Module", statement: ast.stmt, names: frozenset[str]) -> Proof:
    match statement:
        case ast.If(test=test, body=body, orelse=orelse):
            proof = Proof.NOTHING
            if isinstance(body[-1], EXITS):
                proof |= clears(module, test, names, holds=False)
                proof |= after(module, orelse, names)
            if orelse and isinstance(orelse[-1], EXITS):
                proof |= clears(module, test, names, holds=True)
            return proof
        case ast.Assert(test=test):
            return clears(module, test, names, holds=True)
        case ast.Try(body=body, handlers=handlers):
            left = all(isinstance(handler.body[-1], EXITS) for handler in handlers)
            asks = any(
                isinstance(node, ast.Call) and last_name(node.func) in CONTAINMENT and mentions(node, names)
                for item in body
                for node in ast.walk(item)
            )
            return Proof.INSIDE if left and asks else after(module, body, names)
        case ast.Expr(value=ast.Call() as call) if mentions(call, names):
            return _helper(module, call)
        case ast.Assign(targets=[ast.Attribute(value=ast.Name(id=name))], value=value) if name in names:
            return Proof.INSIDE if cleans(value) else Proof.NOTHING  # `member.name = basename(member.name)`
        case ast.Assign(value=ast.Call() as call) if mentions(call, names) and last_name(call.func) in CONTAINMENT:
            return Proof.INSIDE if last_name(call.func) == "relative_to" else Proof.NOTHING
        case ast.With(body=body):
            return after(module, body, names)
        case _:
            return Proof.NOTHING


def clears(module: "Module", test: ast.expr, names: frozenset[str], *, holds: bool, depth: int = MAX_DEPTH) -> Proof:
    """What a condition proves about the names where it holds (or where it does not)."""
    if depth <= 0 or not mentions(test, names):
        return Proof.NOTHING
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            return clears(module, inner, names, holds=not holds, depth=depth - 1)
        case ast.BoolOp(op=op, values=values):
            each = [clears(module, value, names, holds=holds, depth=depth - 1) for value in values]
            if isinstance(op, ast.And) is holds:
                return _all(each)
            known = [module.constant(value) for value in values]
            each = [proof for proof, value in zip(each, known, strict=True) if value is not (not holds)]
            return _common(each)
        case _:
            return _atom(module, test, names, holds=holds)


def _all(proofs: list[Proof]) -> Proof:
    found = Proof.NOTHING
    for proof in proofs:
        found |= proof
    return found


def _common(proofs: list[Proof]) -> Proof:
    found = Proof.INSIDE
    for proof in proofs:
        found &= proof
    return found if proofs else Proof.NOTHING


def _atom(module: "Module", test: ast.expr, names: frozenset[str], *, holds: bool) -> Proof:
    match test:
        case ast.Compare(left=left, ops=[ast.In() | ast.NotIn() as op], comparators=[right]):
            inside = isinstance(op, ast.In) is holds
            if mentions(right, names):
                if last_name(right) == "parents":
                    return Proof.INSIDE if inside else Proof.NOTHING
                text = module.constants.text(left) or ""
                return Proof.NOTHING if inside else _absent(text)
            return Proof.INSIDE if inside and _is_name(left) else Proof.NOTHING
        case ast.Compare(left=left, ops=[ast.Eq() | ast.NotEq() as op], comparators=[right]):
            same = isinstance(op, ast.Eq) is holds
            if any(_asks_containment(side) for side in (left, right)):
                return Proof.INSIDE if same else Proof.NOTHING
            other = right if mentions(left, names) else left
            return Proof.INSIDE if same and not mentions(other, names) and _is_name(left) else Proof.NOTHING
        case ast.Call(func=ast.Attribute(attr="startswith", value=value), args=[prefix]):
            return _prefix(module, value, prefix, names, holds=holds)
        case ast.Call(func=function) if last_name(function) in ("isabs", "is_absolute"):
            return Proof.NOTHING if holds else Proof.RELATIVE
        case ast.Call(func=ast.Name(id="any"), args=[inner]):
            return Proof.NOTHING if holds else _absent(" ".join(_texts(inner)))
        case ast.Call() if _asks_containment(test):
            return Proof.INSIDE if holds else Proof.NOTHING
        case ast.Call(func=function):
            refuses = not REFUSING_WORDS.isdisjoint(words(last_name(function)))
            return _helper(module, test) if holds is not refuses else Proof.NOTHING
        case _:
            return Proof.NOTHING


def _is_name(value: ast.expr) -> bool:
    """Whether an expression is a name or an attribute of one, nothing computed from it."""
    return isinstance(value, ast.Name | ast.Attribute)


def _absent(text: str) -> Proof:
    """What follows from the absence of a text in a name."""
    proof = Proof.NOTHING
    if ".." in text:
        proof |= Proof.NO_DOTS
    if text in ("/", "\\"):
        proof |= Proof.INSIDE
    return proof


def _prefix(module: "Module", value: ast.expr, prefix: ast.expr, names: frozenset[str], *, holds: bool) -> Proof:
    constant = module.constant(prefix)
    if isinstance(constant, str | tuple):
        texts = constant if isinstance(constant, tuple) else (constant,)
        if holds:
            return Proof.NOTHING
        proof = Proof.RELATIVE if any(text in ("/", "\\") for text in texts) else Proof.NOTHING
        climbs = any(text in ("..", "../") for text in texts)
        return proof | (Proof.NO_DOTS if climbs and _is_normal(module, value) else Proof.NOTHING)
    if (module.name(prefix) or "").startswith("os.") and last_name(prefix) in ("sep", "altsep"):
        return Proof.NOTHING if holds else Proof.RELATIVE
    return Proof.INSIDE if holds and mentions(value, names) else Proof.NOTHING


def _is_normal(module: "Module", value: ast.expr) -> bool:
    """Whether a path was normalised: else '..' may come later than where it begins (`a/../../x`)."""
    if _normalises(value):
        return True
    return isinstance(value, ast.Name) and any(_normalises(item) for item in values_at(module, value) or ())


def _normalises(value: ast.AST) -> bool:
    return any(isinstance(node, ast.Call) and last_name(node.func) in NORMALISING for node in ast.walk(value))


def _asks_containment(value: ast.expr) -> bool:
    return any(isinstance(node, ast.Call) and last_name(node.func) in CONTAINMENT for node in ast.walk(value))


def _texts(value: ast.expr) -> Iterator[str]:
    for node in ast.walk(value):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def _helper(module: "Module", call: ast.Call) -> Proof:
    """What a helper proves that was handed the name: read in the same file, else trusted by its name."""
    function = local_function(module, call.func)
    if function is not None:
        return body_proof(function)
    return Proof.INSIDE if is_guard_name(call.func) else Proof.NOTHING


def is_guard_name(function: ast.expr) -> bool:
    """Whether a function is named like one that checks or cleans names."""
    return not GUARD_WORDS.isdisjoint(words(last_name(function)))


def local_function(module: "Module", function: ast.expr) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    """The definition in the same file that a called name (or `self.name`) means, or None."""
    match function:
        case ast.Name(id=name):
            scope = module.scopes.binding_scope(function, name)
            nodes = module.scopes.bindings(scope).get(name, []) if scope is not None else []
            found = [node for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
            return found[-1] if found else None
        case ast.Attribute(attr=attr, value=ast.Name(id="self" | "cls")):
            owner = next((above for above in module.ancestors(function) if isinstance(above, ast.ClassDef)), None)
            for node in owner.body if owner is not None else ():
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == attr:
                    return node
    return None


def body_proof(function: ast.AST) -> Proof:
    """What a helper's own body asks about the name that it is given, wherever it asks."""
    proof = Proof.NOTHING
    refused = Proof.NO_DOTS if _normalises(function) else Proof.NOTHING
    for node in ast.walk(function):
        match node:
            case ast.Call(func=called) if last_name(called) in CONTAINMENT | {"data_filter", "tar_filter", "fullmatch"}:
                return Proof.INSIDE
            case ast.Call(func=called) if is_guard_name(called) and last_name(called) != "is_absolute":
                return Proof.INSIDE
            case ast.Call(func=called) if last_name(called) in ("isabs", "is_absolute"):
                proof |= Proof.RELATIVE
            case ast.Call(func=ast.Attribute(attr="startswith"), args=[ast.Constant(value=str(text))]):
                proof |= Proof.RELATIVE if text in ("/", "\\") else refused if text == ".." else Proof.NOTHING
            case ast.Call(func=ast.Attribute(attr="startswith"), args=[ast.Tuple(elts=elements)]):
                texts = [item.value for item in elements if isinstance(item, ast.Constant)]
                proof |= Proof.RELATIVE if "/" in texts else Proof.NOTHING
                proof |= refused if ".." in texts else Proof.NOTHING
            case ast.Call(func=ast.Attribute(attr="startswith"), args=[ast.expr()]):
                return Proof.INSIDE
            case ast.Compare(left=ast.Constant(value=str(text)), ops=[ast.In() | ast.NotIn()]) if ".." in text:
                proof |= Proof.NO_DOTS
            case ast.Compare(comparators=[ast.Constant(value="..")]):
                proof |= Proof.NO_DOTS
            case ast.Attribute(attr="parents"):
                return Proof.INSIDE
    return proof
