"""Names by which something is looked up first: where there is no such record, nothing else is done with them.

What is stored under a name was let in by whoever stored it. That is no proof of what the name holds, so an audit tells
all the same.
"""

import ast
from collections.abc import Iterator, Sequence

from valhalla_lint.facts.index import FunctionNode
from valhalla_lint.facts.scopes import FUNCTIONS, parameters
from valhalla_lint.facts.words import last_name
from valhalla_lint.flow.hinges import refuses
from valhalla_lint.flow.labels import Kind
from valhalla_lint.flow.machine import Machine, Reached
from valhalla_lint.flow.receivers import meant, method_called
from valhalla_lint.flow.units import Unit
from valhalla_lint.flow.words import OWNERS, pieces

RAISING = frozenset({"get_object_or_404", "aget_object_or_404", "get_or_404", "first_or_404", "one_or_404"})
"""Calls that refuse by themselves what is not there."""
MANAGERS = frozenset({"objects", "_default_manager"})
"""What a model of Django is asked through; its `get` raises where there is no such record."""
ASKING = frozenset("get find fetch lookup select query first one retrieve scalar scalars filter by".split())
"""Words in the name of a method that gives a record."""
DATABASES = frozenset("db database session datastore objects dao crud orm conn connection cursor collection".split())
"""Words in the name of an object that keeps records."""
STORES = frozenset({"storage", "store"})
"""The same where one of its tables is asked: `STORAGE.submission.get(key)`."""
QUERIES = frozenset("execute fetchone fetchrow scalar scalar_one_or_none scalars query filter_by where".split())
"""Methods that nothing but a database has."""
OPENS = frozenset("open read_text read_bytes Path listdir isfile".split())
"""Calls of a function that looks for files: nothing it finds is a record."""
MAKING = ("create", "acreate", "get_or_create", "update_or_create", "aget_or_create", "aupdate_or_create")
"""Methods of a model's manager that make a record."""
MAX_CALLED = 2
"""Functions that are followed from a call to the query."""


def is_stored(machine: Machine, reached: Reached) -> bool:
    """Whether a value was looked up on its way, as it stands, and does not go on where there is no such record."""
    if reached.label.origin.kind is Kind.MEMBER:
        return False
    return any(_is_found_first(machine, unit, node, names) for unit, node, names in ways(reached))


def ways(reached: Reached) -> Iterator[tuple[Unit, ast.AST, set[str]]]:
    """The places that a value passes, each with the names that it has in the function around it."""
    steps = []
    trail = reached.label.trail
    while trail is not None:
        steps.append(trail)
        trail = trail.before
    steps.reverse()
    named = ""
    known: dict[ast.AST, set[str]] = {}
    returning: tuple[Unit, FunctionNode] | None = None
    for step in [*steps[1:], None]:
        place = step.place if step is not None else reached.place
        function = place.unit.module.function(place.node)
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            if returning is not None and returning[1] is not function:  # it was given back there
                yield returning[0], returning[1].body[-1], known[returning[1]]
            returning = None if step is not None and step.text.startswith("into ") else (place.unit, function)
            if function not in known:
                known[function] = _names(place.unit, function, named, reached.label.origin.text)
            yield place.unit, place.node, known[function]
        if step is not None and step.text.startswith("into "):
            named = step.text.rpartition(" as ")[2]
        elif step is not None and "whose body was not read" in step.text:
            return  # another text from here on


def _names(unit: Unit, function: FunctionNode, parameter: str, source: str) -> set[str]:
    """What a value is called in a function: its parameter, or what keeps the field of the request that it is."""
    if parameter:
        return {parameter}
    if source.isidentifier():
        return {source}
    return {
        target.id
        for item in unit.module.index.own(function)
        if isinstance(item, ast.Assign) and unit.module.segment(item.value) == source
        for target in item.targets
        if isinstance(target, ast.Name)
    }


def _is_found_first(machine: Machine, unit: Unit, node: ast.AST, names: set[str]) -> bool:
    """Whether a function that goes on to a node looks names up before, and ends where nothing is found."""
    if not names:
        return False
    if any(_stops(machine, unit, statement, names) for statement in before(unit, node)):
        return True
    inside: ast.AST = node
    for above in unit.module.ancestors(node):
        if isinstance(above, ast.If) and inside in above.body and _found(machine, unit, above.test, names, there=True):
            return True
        if isinstance(above, FUNCTIONS):
            return False
        inside = above
    return False


def before(unit: Unit, node: ast.AST) -> Iterator[ast.stmt]:
    """The statements of a node's function that every way to it passes, those of loops and branches left out."""
    inside = node
    for above in unit.module.ancestors(node):
        for block in (getattr(above, part, None) for part in ("body", "orelse", "finalbody")):
            if isinstance(block, list) and inside in block:
                yield from block[: block.index(inside)]
        if isinstance(above, FUNCTIONS):
            return
        inside = above


def _stops(machine: Machine, unit: Unit, statement: ast.stmt, names: set[str]) -> bool:
    match statement:
        case ast.If(test=test, body=body):
            return refuses(_last(body)) and _found(machine, unit, test, names, there=False)
        case ast.Expr(value=value) | ast.Assign(value=value):
            call = value.value if isinstance(value, ast.Await) else value
            return isinstance(call, ast.Call) and _raises(call) and _is_key(call, names) and not _is_made(unit, call)
        case _:
            return False


def _last(body: Sequence[ast.stmt]) -> Sequence[ast.stmt]:
    """What a branch ends with, also in a `with` that only says how an exception is shown."""
    match body[-1:]:
        case [ast.With(body=inner)]:
            return inner
        case _:
            return body


def _found(machine: Machine, unit: Unit, test: ast.expr, names: set[str], *, there: bool) -> bool:
    """Whether a condition holds only where a look-up of a name gave something; there=False: nothing."""
    match test:
        case ast.BoolOp(op=op, values=parts):
            every = isinstance(op, ast.And) if there else isinstance(op, ast.Or)
            return every and any(_found(machine, unit, part, names, there=there) for part in parts)
        case ast.UnaryOp(op=ast.Not(), operand=asked):
            return not there and _is_record(machine, unit, asked, names)
        case ast.Compare(left=asked, ops=[ast.Is() | ast.Eq()], comparators=[ast.Constant(value=None)]):
            return not there and _is_record(machine, unit, asked, names)
        case ast.Compare(left=asked, ops=[ast.IsNot() | ast.NotEq()], comparators=[ast.Constant(value=None)]):
            return there and _is_record(machine, unit, asked, names)
        case _:
            return there and _is_record(machine, unit, test, names)


def _is_record(machine: Machine, unit: Unit, asked: ast.expr, names: set[str]) -> bool:
    """Whether an expression is what a look-up of a name gave."""
    value: ast.expr | None = asked
    if isinstance(asked, ast.NamedExpr):
        value = asked.value
    elif isinstance(asked, ast.Name):
        value = unit.module.scopes.value_of(asked)
    if isinstance(value, ast.Await):
        value = value.value
    return isinstance(value, ast.Call) and _looks_up(machine, unit, value, names, MAX_CALLED)


def _looks_up(machine: Machine, unit: Unit, call: ast.Call, names: set[str], left: int) -> bool:
    """Whether a call asks a database for what is kept under a name."""
    if not _is_key(call, names):
        return False
    if _is_of_database(call):
        return not _is_made(unit, call)
    if left <= 0 or not isinstance(call.func, ast.Name | ast.Attribute):
        return False
    found = meant(machine, unit, call.func)
    if found is None and isinstance(call.func, ast.Attribute):
        found = method_called(machine, unit, call.func)
    match found:
        case (Unit() as where, ast.FunctionDef() | ast.AsyncFunctionDef() as node):
            own = [arg.arg for arg in parameters(node)]
            own = own[1:] if own[:1] and own[0] in OWNERS else own
            given = {name for name, value in zip(own, call.args, strict=False) if _is_name(value, names)}
            given |= {item.arg for item in call.keywords if item.arg and _is_name(item.value, names)}
            return _queries(machine, where, node, given, left - 1)
        case _:
            return False


def _queries(machine: Machine, unit: Unit, node: FunctionNode, names: set[str], left: int) -> bool:
    """Whether a function asks a database for what is kept under its parameter."""
    calls = [item for item in unit.module.index.own(node) if isinstance(item, ast.Call)]
    if any(_is_key(item, names) and _is_of_database(item) for item in calls):
        return True
    if any(_stops(machine, unit, item, names) for item in node.body):
        return True
    match node.body[-1]:
        case ast.Return(value=ast.Call() as answer) if _looks_up(machine, unit, answer, names, left):
            return True
        case _:
            pass
    read = any(isinstance(item, ast.Name) and item.id in names for call in calls for item in ast.walk(call))
    last = {last_name(item.func) for item in calls}
    return read and not last.isdisjoint(QUERIES) and last.isdisjoint(OPENS)


def _raises(call: ast.Call) -> bool:
    name = last_name(call.func)
    match call.func:
        case ast.Attribute(value=ast.Attribute(attr=manager)):
            return name in RAISING or (name in ("get", "aget") and manager in MANAGERS)
        case _:
            return name in RAISING


def _is_of_database(call: ast.Call) -> bool:
    """Whether a call is one of a database by its own name and that of the object: `session.get(Note, key)`."""
    if _raises(call):
        return True
    func = call.func
    if not isinstance(func, ast.Attribute) or ASKING.isdisjoint(pieces(func.attr)):
        return False
    own: list[str] = []
    holder: ast.expr = func.value
    while True:
        match holder:
            case ast.Call(func=ast.expr() as inner):
                if last_name(inner) in QUERIES:
                    return True
                holder = inner
            case ast.Attribute(value=inner, attr=name):
                own.append(name)
                holder = inner
            case ast.Name(id=name):
                own.append(name)
                break
            case _:
                break
    said = {piece for name in own for piece in pieces(name)}
    tables = {piece for name in own[1:] for piece in pieces(name)}
    return not DATABASES.isdisjoint(said) or not STORES.isdisjoint(tables)


def _is_made(unit: Unit, call: ast.Call) -> bool:
    """Whether records of the class that is looked up are made in the same file: then their names come in there."""
    models = {item.id for item in ast.walk(call) if isinstance(item, ast.Name) and item.id[:1].isupper()}
    if any(unit.module.calls.get(name) for name in models):
        return True
    made = (item.func for name in MAKING for item in unit.module.calls.get(name, ()))
    return any(isinstance(item, ast.Name) and item.id in models for func in made for item in ast.walk(func))


def _is_key(call: ast.Call, names: set[str]) -> bool:
    """Whether a call, or one that it is chained to, is given a name as it stands, or asks what equals it."""
    item: ast.expr = call
    while isinstance(item, ast.Call | ast.Attribute):
        if isinstance(item, ast.Call):
            given = [*item.args, *(keyword.value for keyword in item.keywords)]
            if any(_is_name(value, names) or _is_equal(value, names) for value in given):
                return True
            item = item.func
        else:
            item = item.value
    return False


def _is_name(node: ast.expr, names: set[str]) -> bool:
    return isinstance(node, ast.Name) and node.id in names


def _is_equal(node: ast.expr, names: set[str]) -> bool:
    match node:
        case ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]):
            return _is_name(left, names) or _is_name(right, names)
        case _:
            return False
