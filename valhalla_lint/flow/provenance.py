"""Who chooses a parameter of a function: what its callers in the project hand it."""

import ast
from collections.abc import Iterable, Sequence
from enum import IntEnum
from functools import lru_cache, partial
from typing import TYPE_CHECKING, NamedTuple

from valhalla_lint.facts.constants import MISSING
from valhalla_lint.facts.index import FunctionNode
from valhalla_lint.facts.scopes import defaults, parameters
from valhalla_lint.facts.words import last_name
from valhalla_lint.flow.callsites import COMMON, CallSite, Target, argument, call_sites, is_sure, target_of
from valhalla_lint.flow.checks import escapes, only_elsewhere
from valhalla_lint.flow.entries import (
    DEPENDING,
    REQUEST_NAMES,
    Entry,
    annotation_of,
    handler_of,
    kept_out_by_route,
    template,
)
from valhalla_lint.flow.labels import ANYTHING, Kind
from valhalla_lint.flow.receivers import class_of, classes_of, method_called
from valhalla_lint.flow.tested import is_tested
from valhalla_lint.flow.units import ClassRef, Unit
from valhalla_lint.flow.words import NOT_NAMES, OWNERS, names_thing, pieces, words

if TYPE_CHECKING:
    from valhalla_lint.flow.machine import Machine

MAX_DEPTH = 5
"""Callers of callers that are asked."""
MAX_SEARCHES = 60
"""Functions of one file's findings whose callers are looked for."""
MAX_ALIASES = 3
"""Names that one annotation stands for, one after the other."""
NUMBERS = frozenset("int float bool UUID datetime date Literal".split())
"""Annotations of what holds no text of anybody's choice."""
ASKED_OF_OUTSIDE = frozenset({Kind.REQUEST, Kind.HANDLER, Kind.UPLOAD, Kind.TOOL, Kind.INTERFACE})
"""What a function of a framework gives that somebody outside chose."""
TEXT_MAKERS = frozenset({"str", "Path", "PurePath", "os"})
"""Names in an expression that choose nothing: `Path(f"{name}.json")`."""
MAX_LOOKS = 400
"""Expressions that are looked at for one parameter."""


class Choice(IntEnum):
    """Who chooses a value, the surest last."""

    PROGRAM = 0
    UNKNOWN = 1
    CALLER = 2
    SEGMENT = 3
    """Somebody outside, by one part of a route, which holds no `/`."""
    OUTSIDE = 4


class Answer(NamedTuple):
    """Who chooses a parameter. callers: how many calls there are. shown: the call that decides, for the evidence.

    sure: whether that is a call of the function for certain.
    """

    choice: Choice
    callers: int
    shown: str = ""
    sure: bool = True


MAKERS = frozenset(
    """uuid uuid1 uuid3 uuid4 uuid5 hexdigest digest sha1 sha224 sha256 sha384 sha512 md5 blake2b blake2s crc32 adler32
    token_hex token_urlsafe hash id time time_ns monotonic perf_counter now utcnow today strftime isoformat timestamp
    getpid get_ident mkdtemp mkstemp mktemp gettempdir int float len round ord bool range hostname gethostname
    node uname basename""".split()
)
"""Calls whose result the program makes itself: numbers, times, digests, random names; or that has no folder in it."""
PATHS = frozenset({"Path", "PurePath", "PurePosixPath"})
LISTERS = frozenset("listdir scandir iterdir glob iglob rglob walk namelist".split())
"""Calls that give names which are there already."""
HANDERS = frozenset(
    """str repr Path PurePath PosixPath join joinpath format fspath abspath realpath normpath resolve expanduser
    absolute as_posix lower upper strip lstrip rstrip replace removesuffix removeprefix split rsplit rpartition
    partition splitlines encode decode list tuple set dict sorted reversed enumerate zip items keys values get pop copy
    cast with_suffix with_name splitext relpath dirname title sub group deepcopy quote""".split()
)
"""Calls whose result is as good as what goes in."""
MADE = frozenset(
    "id pk uuid hex uid sha hash digest stem fingerprint __name__ __file__ __qualname__ __class__ __module__".split()
)
"""Attributes that a program gives to its own objects."""
SETTINGS = frozenset(
    """config conf cfg settings options opts args argv environ env envs constants const consts context flags params
    server_args cli_args hparams parsed_args namespace""".split()
)
"""Names of what whoever runs the program chooses."""


class Provenance:
    """Asks callers; what was found for one file's findings is kept."""

    def __init__(self, machine: "Machine") -> None:
        """Nothing is looked for here."""
        self.machine = machine
        self.searches = 0
        self._known: dict[tuple[FunctionNode, str, bool], Answer] = {}
        self._sites: dict[FunctionNode, tuple[tuple[CallSite, ...], bool]] = {}

    def of(self, unit: Unit, node: FunctionNode, name: str, depth: int = MAX_DEPTH, *, keys: bool = False) -> Answer:
        """Who chooses a parameter of a function. keys: the keys of the dictionary that it is."""
        key = (node, name, keys)
        if key not in self._known:
            self._known[key] = Answer(Choice.PROGRAM, 1)  # while it is asked: recursion tells nothing new
            self._known[key] = self._of(unit, node, name, depth, keys=keys)
        return self._known[key]

    def known(self, node: FunctionNode, name: str, *, keys: bool = False) -> Answer | None:
        """Who chooses a parameter, if that was asked before."""
        return self._known.get((node, name, keys))

    def _of(self, unit: Unit, node: FunctionNode, name: str, depth: int, *, keys: bool) -> Answer:
        target = target_of(unit, node)
        handler, route = handler_of(self.machine, unit, node, target.owner)
        if handler is not None:  # whoever runs a program chooses what it works on
            if self._is_filled_in(unit, node, name):
                return Answer(Choice.UNKNOWN, 1)
            own = handler.kind is Kind.ARGUMENT or self._is_number(unit, node, name)
            kept_out, _ = kept_out_by_route(Entry(unit, node, target.owner, handler), name, template(route))
            left = ANYTHING & ~kept_out
            outside = Choice.SEGMENT if only_elsewhere(left) else Choice.OUTSIDE
            choice = Choice.PROGRAM if own or not escapes(left) else outside
            return Answer(choice, 1, f"whoever calls {node.name}()")
        if node not in self._sites:
            if self.searches >= MAX_SEARCHES:
                return Answer(Choice.UNKNOWN, 1)
            self.searches += 1
            sites = call_sites(self.machine.loader, target, partial(classes_of, self.machine))
            self._sites[node] = (sites.found, sites.complete)
        found, complete = self._sites[node]
        best = Answer(Choice.PROGRAM if complete else Choice.UNKNOWN, 0)
        for site in found:
            given = argument(target, site.node, name)
            if given is False:
                choice = Choice.PROGRAM
            elif given is None or given is True:
                choice = Choice.UNKNOWN
            else:
                choice = Look(self, depth, keys=keys).of(given, site.unit, site.around)
                if choice > Choice.UNKNOWN and self.is_tested(site.unit, site.around, site.node, given):
                    choice = Choice.PROGRAM
            if choice > best.choice or not best.shown:
                best = Answer(max(choice, best.choice), 0, _shown(site), is_sure(target, site))
            if choice is Choice.OUTSIDE:
                break
        return best._replace(callers=len(found))

    def is_tested(
        self, unit: Unit, around: FunctionNode | None, at: ast.AST, given: ast.expr, *, own: bool = True
    ) -> bool:
        """Whether a function refuses what is no name that it knows or allows, before a node. own: by itself as well."""
        named = {item.id: item for item in ast.walk(given) if isinstance(item, ast.Name) and item.id not in TEXT_MAKERS}
        parts = list(named.values())
        return bool(parts) and all(
            is_tested(unit, around, at, part, partial(_function, self.machine), own=own) for part in parts
        )

    def _is_number(self, unit: Unit, node: FunctionNode, name: str) -> bool:
        """Whether a parameter is one of those that a framework makes a number or the like of."""
        return any(arg.arg == name and self.kind(unit, arg.annotation) in NUMBERS for arg in parameters(node))

    def _is_filled_in(self, unit: Unit, node: FunctionNode, name: str) -> bool:
        """Whether a framework fills a handler's parameter by a call of the program's own, so that nobody sends it."""
        given = {arg.arg: value for arg, value in defaults(node)}.get(name)
        if isinstance(given, ast.Call) and last_name(given.func) in DEPENDING:
            return True
        said = next((arg.annotation for arg in parameters(node) if arg.arg == name), None)
        return annotation_of(self.machine, said, unit).depends is not None

    def field(self, unit: Unit, node: ast.expr, name: str) -> str:
        """The last name of the annotation of an attribute, where an object's class is known and says it."""
        ref = class_of(self.machine, unit, node)
        for item in self.machine.loader.lineage(ref) if ref is not None else ():
            for line in item.node.body if isinstance(item, ClassRef) else ():
                match line:
                    case ast.AnnAssign(target=ast.Name(id=known), annotation=said) if known == name:
                        return self.kind(item.unit, said) if isinstance(item, ClassRef) else ""
                    case _:
                        pass
        return ""

    def kind(self, unit: Unit, annotation: ast.expr | None) -> str:
        """The last name of an annotation; of an alias (`ProjectID = UUID`) that of what it stands for."""
        node = _annotated(annotation)
        name = last_name(node) if node is not None else ""
        for _ in range(MAX_ALIASES):
            dotted = unit.module.name(node) if isinstance(node, ast.Name | ast.Attribute) else None
            value: ast.expr | None = None
            if isinstance(node, ast.Name):
                value = unit.module.scopes.sole_value(unit.module.tree, node.id)
            if value is None and dotted is not None and self.machine.loader.exists(unit, dotted):
                match self.machine.loader.find(unit, dotted):
                    case (Unit() as where, ast.expr() as found):
                        unit, value = where, found
                    case _:
                        pass
            match value:
                case ast.Call(func=ast.Name(id="NewType") | ast.Attribute(attr="NewType"), args=[_, made]):
                    node = made
                case ast.Name() | ast.Attribute():
                    node = value
                case _:
                    return name
            name = last_name(node)
        return name


def _shown(site: CallSite) -> str:
    around = f"{site.around.name}() in " if site.around is not None else ""
    return f"{around}{site.unit.path}"


class Look:
    """Looks at one argument: where its parts come from."""

    def __init__(self, asker: Provenance, depth: int, *, keys: bool = False) -> None:
        """depth: how many callers of callers may still be asked. keys: of dictionaries only the keys count."""
        self.keys = keys
        self.asker = asker
        self.depth = depth
        self.looks = 0
        self.seen: set[ast.AST] = set()
        self.inside: set[ast.AST] = set()
        self.handed = False

    def of(self, node: ast.expr, unit: Unit, around: FunctionNode | None) -> Choice:
        """Who chooses the value of an expression that stands in a function."""
        self.looks += 1
        if self.looks > MAX_LOOKS or node in self.seen:
            return Choice.PROGRAM if node in self.seen else Choice.UNKNOWN
        self.seen.add(node)
        if unit.module.constants.value(node) is not MISSING:
            return Choice.PROGRAM
        match node:
            case ast.Constant() | ast.Compare() | ast.Lambda():
                return Choice.PROGRAM
            case ast.Name():
                return self._name(node, unit)
            case ast.Attribute():
                return self._attribute(node, unit, around)
            case ast.Call():
                return self._call(node, unit, around)
            case ast.Subscript(value=value):
                return self.of(value, unit, around)
            case ast.Await(value=value) | ast.NamedExpr(value=value) | ast.Starred(value=value):
                return self.of(value, unit, around)
            case ast.FormattedValue(value=value):
                return self.of(value, unit, around)
            case ast.IfExp(body=body, orelse=other):
                return self._worst((body, other), unit, around)
            case ast.BinOp(left=left, right=right):
                return self._worst((left, right), unit, around)
            case ast.BoolOp(values=values) | ast.JoinedStr(values=values):
                return self._worst(values, unit, around)
            case ast.Tuple(elts=elements) | ast.List(elts=elements) | ast.Set(elts=elements):
                return self._worst(elements, unit, around)
            case ast.Dict(keys=keys, values=values) if self.keys:
                names = [value if key is None else key for key, value in zip(keys, values, strict=True)]
                return self._worst(names, unit, around)
            case ast.DictComp(key=key) if self.keys:
                return self.of(key, unit, around)
            case ast.Dict(keys=keys, values=values):
                return self._worst([*(key for key in keys if key is not None), *values], unit, around)
            case ast.ListComp(elt=item) | ast.SetComp(elt=item) | ast.GeneratorExp(elt=item):
                return self.of(item, unit, around)
            case ast.DictComp(key=key, value=value):
                return self._worst((key, value), unit, around)
            case _:
                return Choice.UNKNOWN

    def _worst(self, nodes: Iterable[ast.expr], unit: Unit, around: FunctionNode | None) -> Choice:
        worst = Choice.PROGRAM
        for node in nodes:
            worst = max(worst, self.of(node, unit, around))
            if worst is Choice.OUTSIDE:
                break
        return worst

    def _name(self, node: ast.Name, unit: Unit) -> Choice:
        name = node.id
        scopes = unit.module.scopes
        scope = scopes.binding_scope(node, name)
        if name.isupper() or name in SETTINGS:
            match scopes.sole_value(scope, name) if scope is not None else None:
                case ast.Call(func=func) if _is_asked_of_outside(self.asker.machine, unit.module.name(func)):
                    return Choice.OUTSIDE  # `params = web.input()`
                case _:
                    return Choice.PROGRAM
        if name in REQUEST_NAMES:
            return Choice.OUTSIDE
        if scope is None:
            return Choice.UNKNOWN
        worst = Choice.PROGRAM
        around = scope if isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef) else scopes.function(scope)
        bindings = scopes.bindings(scope)[name]
        anew = _bound_anew(node, bindings, around)
        for binding in bindings:
            if anew and getattr(binding, "lineno", 0) <= anew:
                continue
            if isinstance(binding, ast.arg):
                found = self._parameter(binding, unit, scope)
            elif isinstance(binding, ast.Name):
                found = self._bound(binding, unit, around)
            elif isinstance(binding, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                found = Choice.PROGRAM
            else:
                found = Choice.PROGRAM if scope is unit.module.tree else Choice.UNKNOWN  # an import: another file's own
            worst = max(worst, found)
        return worst

    def _bound(self, target: ast.Name, unit: Unit, around: FunctionNode | None) -> Choice:
        """Who chooses what one binding gives a name."""
        for above in unit.module.ancestors(target):
            match above:
                case ast.Assign(value=value) | ast.AugAssign(value=value) | ast.NamedExpr(value=value):
                    return self.of(value, unit, around)
                case ast.AnnAssign(value=ast.expr() as value):
                    return self.of(value, unit, around)
                case ast.For(target=ast.Tuple(elts=[first, *_]), iter=ast.Call(func=ast.Name(id="enumerate"))) | (
                    ast.comprehension(target=ast.Tuple(elts=[first, *_]), iter=ast.Call(func=ast.Name(id="enumerate")))
                ) if first is target:
                    return Choice.PROGRAM
                case ast.For(iter=source) | ast.AsyncFor(iter=source) | ast.comprehension(iter=source):
                    return self.of(source, unit, around)
                case ast.Tuple() | ast.List() | ast.Starred():
                    continue
                case ast.withitem(context_expr=source):
                    return self.of(source, unit, around)
                case ast.Delete():
                    return Choice.PROGRAM
                case _:
                    break
        return Choice.UNKNOWN

    def _parameter(self, arg: ast.arg, unit: Unit, scope: ast.AST) -> Choice:
        if arg.arg in OWNERS:
            return Choice.UNKNOWN
        if not isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef):
            return Choice.UNKNOWN
        if scope in self.inside:
            self.handed = True
            return Choice.PROGRAM  # as good as what the call hands in
        kind = self.asker.kind(unit, arg.annotation)
        if not NOT_NAMES.isdisjoint(pieces(arg.arg)):
            return Choice.PROGRAM  # a part or a property of a name
        if kind in NUMBERS:
            return Choice.PROGRAM
        if kind.endswith(("Request", "Scope")) or arg.arg in REQUEST_NAMES:
            return Choice.OUTSIDE
        target = target_of(unit, scope)
        if self.depth <= 0:
            return Choice.UNKNOWN
        answer = self.asker.of(unit, scope, arg.arg, self.depth - 1, keys=self.keys)
        if answer.callers:
            return answer.choice
        told = target.owner is None or target.name not in COMMON  # of `get` and its like the calls cannot be told
        told = told and (self.keys or _names(arg.arg))
        return Choice.CALLER if told and is_offered(target) else Choice.UNKNOWN

    def _attribute(self, node: ast.Attribute, unit: Unit, around: FunctionNode | None) -> Choice:
        name = node.attr
        if name.isupper() or name in MADE:
            return Choice.PROGRAM
        base = node.value
        if name == "name" and _is_path(base, unit):
            return Choice.PROGRAM  # that has no folder in it
        if isinstance(base, ast.Name) and base.id in OWNERS and around is not None:
            owner = unit.module.scopes.class_of(around)
            if name in REQUEST_NAMES:
                return Choice.OUTSIDE
            if name in SETTINGS:
                return Choice.PROGRAM
            values = unit.module.attribute_values.get((owner, name), ())
            if not values:
                return Choice.UNKNOWN
            worst = Choice.PROGRAM
            for value in values:
                worst = max(worst, self.of(value, unit, unit.module.function(value)))
            return worst
        if _root(base) in REQUEST_NAMES:
            return Choice.OUTSIDE
        if unit.module.name(node) is not None and unit.module.name(base) is not None:
            return Choice.PROGRAM  # of a module or class
        if self.asker.field(unit, base, name) in NUMBERS:
            return Choice.PROGRAM
        return self.of(base, unit, around)

    def _call(self, node: ast.Call, unit: Unit, around: FunctionNode | None) -> Choice:
        func = node.func
        last = func.attr if isinstance(func, ast.Attribute) else func.id if isinstance(func, ast.Name) else ""
        if last in MAKERS or last in LISTERS:
            return Choice.PROGRAM
        inputs = [*node.args, *(item.value for item in node.keywords)]
        if last in HANDERS:
            if isinstance(func, ast.Attribute) and unit.module.name(func) is None:
                inputs.append(func.value)
            return self._worst(inputs, unit, around)
        if _is_asked_of_outside(self.asker.machine, unit.module.name(func)):
            return Choice.OUTSIDE
        found = _function(self.asker.machine, node, unit, around)
        if found is not None:
            return self._returned(found, inputs, unit, around)
        if isinstance(func, ast.Attribute) and unit.module.name(func) is None:
            return max(Choice.UNKNOWN, self.of(func.value, unit, around))
        return Choice.UNKNOWN

    def _returned(
        self, found: tuple[Unit, FunctionNode], inputs: list[ast.expr], unit: Unit, around: FunctionNode | None
    ) -> Choice:
        """Who chooses what a function of the project answers: its own parameters count as what the call hands it."""
        there, function = found
        answers = [item.value for item in there.module.index.own(function) if isinstance(item, ast.Return)]
        if not answers or function in self.inside:
            return Choice.UNKNOWN
        outer, self.handed = self.handed, False
        self.inside.add(function)
        worst = self._worst([value for value in answers if value is not None], there, function)
        self.inside.discard(function)
        handed, self.handed = self.handed, outer
        return max(worst, self._worst(inputs, unit, around)) if handed else worst


def _names(name: str) -> bool:
    """Whether a parameter at the end of a chain of callers says that it names something, other than by a key."""
    return bool(words(name)) or (names_thing(name) and not name.endswith(("key", "keys")))


def _is_asked_of_outside(machine: "Machine", dotted: str | None) -> bool:
    """Whether the tables say that a function gives a part of the request, or what a person or a model has said."""
    row = machine.catalogue.behaviour(dotted) if dotted is not None else None
    return row is not None and row.source in ASKED_OF_OUTSIDE


def _bound_anew(node: ast.Name, bindings: Sequence[ast.AST], around: FunctionNode | None) -> int:
    """The line from which on a name stands for what a table of the program has under it: `kind = KINDS[kind]`.

    Only a line on the way to the node on every run says so. 0 where there is none.
    """
    last = 0
    for statement in around.body if around is not None and len(bindings) > 1 else ():
        match statement:
            case ast.Assign(targets=[target], value=value) if target in bindings and statement.lineno < node.lineno:
                match value:
                    case ast.Subscript(value=ast.Name(id=table), slice=key) if not isinstance(key, ast.Slice):
                        last = statement.lineno if table.isupper() else last
                    case _:
                        pass
            case _:
                pass
    return last


def _is_path(node: ast.expr, unit: Unit) -> bool:
    """Whether an expression makes a path, or names what does so wherever it is bound."""
    if isinstance(node, ast.Name):
        made = unit.module.scopes.value_of(node)
        return made is not None and not isinstance(made, ast.Name) and _is_path(made, unit)
    return isinstance(node, ast.Call) and last_name(node.func) in PATHS


def _root(node: ast.expr) -> str:
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _function(
    machine: "Machine", node: ast.Call, unit: Unit, around: FunctionNode | None
) -> tuple[Unit, FunctionNode] | None:
    """The function of the project that a call certainly calls."""
    func = node.func
    if isinstance(func, ast.Name) and func.id in unit.functions:
        return unit, unit.functions[func.id]
    if isinstance(func, ast.Attribute) and isinstance(func.value, ast.Name) and func.value.id in OWNERS and around:
        owner = unit.module.scopes.class_of(around)
        return machine.loader.method(ClassRef(unit, owner), func.attr) if owner is not None else None
    if isinstance(func, ast.Attribute) and unit.module.name(func) is None:
        return method_called(machine, unit, func)
    dotted = unit.module.name(func)
    found = machine.loader.find(unit, dotted) if dotted is not None else None
    if isinstance(found, tuple) and isinstance(found[1], ast.FunctionDef | ast.AsyncFunctionDef):
        return found[0], found[1]
    return None


def _annotated(node: ast.expr | None) -> ast.expr | None:
    """An annotation without what stands around it: `Optional[X]`, `Annotated[X, …]`, `X | None`."""
    while True:
        match node:
            case ast.BinOp(left=left):
                node = left
            case ast.Subscript(value=value, slice=inner) if last_name(value) in ("Optional", "Annotated"):
                node = inner.elts[0] if isinstance(inner, ast.Tuple) and inner.elts else inner
            case ast.Subscript(value=value):
                return value
            case _:
                return node


def is_offered(target: Target) -> bool:
    """Whether a function is offered to other code: neither it nor what holds it is private or inside a function."""
    scope: ast.AST | None = target.node
    scopes = target.unit.module.scopes
    while isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        if scope.name.startswith("_") and not scope.name.endswith("__"):
            return False
        above = scopes.scope(scope)
        if isinstance(above, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            return False
        scope = above
    return not _lies_in_private(target.unit.path)


@lru_cache(maxsize=1024)
def _lies_in_private(path: str) -> bool:
    return any(_is_private(part) for part in path.split("/"))


def _is_private(part: str) -> bool:
    stem = part.removesuffix(".py")
    return stem in ("internal", "testing") or (stem.startswith("_") and not stem.endswith("__"))
