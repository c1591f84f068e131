"""What a review must know of one file to follow calls: who is called where, and what names and attributes hold.

Nothing is decided here: references are kept as written, and are followed over the whole tree by `callgraph`.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from valhalla_lint.facts.index import FunctionNode
from valhalla_lint.facts.module import Module
from valhalla_lint.facts.names import BUILTINS, absolute
from valhalla_lint.facts.scopes import FUNCTIONS, parameters

CALLED, ITEM, LOCAL = "()", "[]", "."
"""Parts of a reference: the result of a call, an item, and the mark before a name of the file itself."""
DEEPEST = 12
"""Parts of a reference that are kept; more leads nowhere that a reader would follow."""
WRAPPERS = frozenset(
    {"Annotated", "Optional", "Type", "type", "ClassVar", "Final", "ActorRef", "ActorRefType", "ActorHandle"}
)
"""Annotations that stand for the class inside the brackets."""
DEPENDS = "Depends"


@dataclass(frozen=True, slots=True)
class Reference:
    """An expression as far as it names something: a name (`.x` if it is the file's own), and what is done with it.

    `self.engine.run` is `.self` and (`engine`, `run`); `make().run` is `pack.make` and (`()`, `run`).
    """

    root: str
    rest: tuple[str, ...] = ()

    def then(self, *parts: str) -> "Reference":
        """The same with more parts."""
        return Reference(self.root, (*self.rest, *parts))


NOTHING = Reference(LOCAL)
"""What nothing is known of."""


@dataclass(frozen=True, slots=True)
class Site:
    """A place where something is called, or handed on as an argument: the definition around it, and what is named."""

    function: str
    target: Reference
    line: int
    handed: bool = False


@dataclass(frozen=True, slots=True)
class Binding:
    """A name of a definition ("" for the module's top), or an attribute of a class, and what it may hold."""

    scope: str
    name: str
    value: Reference
    within: str = ""


@dataclass(frozen=True, slots=True)
class Calls:
    """The calls of one file.

    functions: definition and line of each function. names: bindings of local names and parameters. attributes: of
    `self` and class fields (`within`: the definition in whose scope the value is written). returns: what functions
    give. exports: names that the module binds by imports, with what they mean; a `*` with each module that is imported
    whole.
    """

    functions: tuple[tuple[str, int], ...] = ()
    sites: tuple[Site, ...] = ()
    names: tuple[Binding, ...] = ()
    attributes: tuple[Binding, ...] = ()
    returns: tuple[Binding, ...] = ()
    exports: tuple[tuple[str, str], ...] = ()


def calls_of(module: Module) -> Calls:
    """The calls of a file; one pass over its functions, calls, assignments and imports."""
    definitions: list[FunctionNode] = [*module.nodes(ast.FunctionDef), *module.nodes(ast.AsyncFunctionDef)]
    known = {node.name for node in definitions} | {node.name for node in module.nodes(ast.ClassDef)}
    exports = tuple(_exports(module))
    outer = known | {name for name, _ in exports} | _top(module)
    names, attributes = _bindings(module, outer)
    return Calls(
        functions=tuple(sorted((_qualified(module, node), node.lineno) for node in definitions)),
        sites=(*_sites(module, known), *_dependencies(module, definitions)),
        names=(*names, *_parameters(module, definitions, outer)),
        attributes=tuple(attributes),
        returns=tuple(_returns(module, definitions)),
        exports=exports,
    )


def _top(module: Module) -> set[str]:
    """The names that assignments at the top bind: a local name that is the same hides them."""
    return {
        target.id
        for node in module.tree.body
        if isinstance(node, ast.Assign | ast.AnnAssign)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name)
    }


def _qualified(module: Module, node: FunctionNode) -> str:
    return f"{module.definition(node)}.{node.name}".lstrip(".")


def reference(module: Module, node: ast.expr | None) -> Reference | None:
    """What an expression names, None where it names nothing that could be followed."""
    rest: list[str] = []
    while node is not None and len(rest) <= DEEPEST:
        if isinstance(node, ast.Name | ast.Attribute) and (name := module.name(node)) is not None:
            return None if name in BUILTINS else Reference(name, tuple(reversed(rest)))
        match node:
            case ast.Name(id=name):
                return Reference(LOCAL + name, tuple(reversed(rest)))
            case ast.Attribute(value=value, attr=attr):
                rest.append(attr)
                node = value
            case ast.Call(func=ast.Name(id="super")):
                return Reference(f"{LOCAL}super", tuple(reversed(rest)))
            case ast.Call(func=function):
                rest.append(CALLED)
                node = function
            case ast.Await(value=value):
                node = value
            case ast.Subscript(value=value):
                rest.append(ITEM)
                node = value
            case _:
                return None
    return None


def _values(module: Module, node: ast.expr | None) -> Iterator[Reference]:
    """What an expression may give: of a conditional both sides, of `a or b` all."""
    match node:
        case ast.IfExp(body=body, orelse=orelse):
            yield from _values(module, body)
            yield from _values(module, orelse)
        case ast.BoolOp(values=values):
            for value in values:
                yield from _values(module, value)
        case ast.Name() | ast.Attribute() | ast.Call() | ast.Await() | ast.Subscript():
            if (found := reference(module, node)) is not None:
                yield found
        case _:
            return


def _annotated(module: Module, node: ast.expr | None) -> Iterator[Reference]:
    """What something annotated so holds: an instance of each class that is named."""
    match node:
        case ast.Constant(value=str() as text):
            if text.replace(".", "").isidentifier():
                yield Reference(LOCAL + text.partition(".")[0], (*text.split(".")[1:], CALLED))
        case ast.BinOp(op=ast.BitOr(), left=left, right=right):
            yield from _annotated(module, left)
            yield from _annotated(module, right)
        case ast.Subscript(value=value, slice=inner):
            name = value.attr if isinstance(value, ast.Attribute) else value.id if isinstance(value, ast.Name) else ""
            first = inner.elts[0] if isinstance(inner, ast.Tuple) and inner.elts else inner
            if name in WRAPPERS:
                yield from _annotated(module, first)
            elif name == "Union":
                for item in inner.elts if isinstance(inner, ast.Tuple) else [inner]:
                    yield from _annotated(module, item)
        case ast.Name() | ast.Attribute():
            if (found := reference(module, node)) is not None:
                yield found.then(CALLED)
        case _:
            return


def _sites(module: Module, known: set[str]) -> Iterator[Site]:
    for node in module.nodes(ast.Call):
        around = module.definition(node)
        if (target := reference(module, node.func)) is not None:
            yield Site(around, target, node.lineno)
        for value in (*node.args, *(keyword.value for keyword in node.keywords)):
            if not isinstance(value, ast.Name | ast.Attribute):
                continue
            named = reference(module, value)
            if named is None:
                continue
            local = named.root.startswith(LOCAL)
            if not local or named.rest or named.root[len(LOCAL) :] in known:
                yield Site(around, named, node.lineno, handed=True)


def _dependencies(module: Module, definitions: list[FunctionNode]) -> Iterator[Site]:
    """`Depends(f)` among the defaults and annotations of parameters: f is called before the function."""
    if DEPENDS not in module.text:
        return
    for node in definitions:
        for part in (*node.args.defaults, *node.args.kw_defaults, *(arg.annotation for arg in parameters(node))):
            for call in ast.walk(part) if part is not None else ():
                if (
                    isinstance(call, ast.Call)
                    and call.args
                    and (name := reference(module, call.func)) is not None
                    and (*name.rest, name.root.lstrip(LOCAL).rpartition(".")[2])[-1] == DEPENDS
                    and (target := reference(module, call.args[0])) is not None
                ):
                    yield Site(_qualified(module, node), target, call.lineno)


def _parameters(module: Module, definitions: list[FunctionNode], outer: set[str]) -> Iterator[Binding]:
    for node in definitions:
        scope = _qualified(module, node)
        for arg in parameters(node):
            if arg.arg in outer:
                yield Binding(scope, arg.arg, NOTHING, scope)  # whatever it is, it is not what the file binds so
            for value in _annotated(module, arg.annotation):
                yield Binding(scope, arg.arg, value, module.definition(node))


def _returns(module: Module, definitions: list[FunctionNode]) -> Iterator[Binding]:
    stated = set()
    for node in definitions:
        scope = _qualified(module, node)
        for value in _annotated(module, node.returns):
            stated.add(scope)
            yield Binding(scope, "", value, module.definition(node))
    for item in module.nodes(ast.Return):
        scope = module.definition(item)
        if scope not in stated and isinstance(item.value, ast.Call | ast.Name):
            for value in _values(module, item.value):
                yield Binding(scope, "", value, scope)


def _bindings(module: Module, outer: set[str]) -> tuple[list[Binding], list[Binding]]:
    """What assignments bind: local names, and attributes of `self` and classes."""
    names: list[Binding] = []
    attributes: list[Binding] = []
    classes = {id(item) for node in module.nodes(ast.ClassDef) for item in node.body}

    def bind(node: ast.stmt, target: ast.expr, values: Iterator[Reference]) -> None:
        scope = module.definition(node)
        match target:
            case ast.Name(id=name):
                into = attributes if id(node) in classes else names
                if scope and name in outer:
                    into.append(Binding(scope, name, NOTHING, scope))
                into.extend(Binding(scope, name, value, scope) for value in values)
            case ast.Attribute(value=ast.Name(id="self"), attr=attr):
                owner = scope.rpartition(".")[0]
                attributes.extend(Binding(owner, attr, value, scope) for value in values)
            case _:
                return

    for node in module.nodes(ast.Assign):
        for target in node.targets:
            bind(node, target, _values(module, node.value))
    for stated in module.nodes(ast.AnnAssign):
        bind(stated, stated.target, _annotated(module, stated.annotation))
        bind(stated, stated.target, _values(module, stated.value))
    blocks: list[ast.With | ast.AsyncWith] = [*module.nodes(ast.With), *module.nodes(ast.AsyncWith)]
    for block in blocks:
        for item in block.items:
            if item.optional_vars is not None:
                bind(block, item.optional_vars, _values(module, item.context_expr))
    return names, attributes


def _exports(module: Module) -> Iterator[tuple[str, str]]:
    for node in module.nodes(ast.ImportFrom):
        base = absolute(module.dotted, node.level, node.module, is_package=module.is_package)
        for item in node.names:
            if item.name == "*":
                yield "*", base
            elif not any(isinstance(above, FUNCTIONS) for above in module.ancestors(node)):
                yield item.asname or item.name, f"{base}.{item.name}"
    for plain in module.nodes(ast.Import):
        for item in plain.names:
            if item.asname:
                yield item.asname, item.name
