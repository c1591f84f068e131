"""What a call hands over: arguments by position and keyword, also through `**` of a known dictionary and `partial`."""

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from valhalla_lint.facts.reaching import always_before, values_at

if TYPE_CHECKING:
    from valhalla_lint.facts.module import Module

PARTIAL = "functools.partial"
RUNNERS = {
    "to_thread": 0,
    "run_in_executor": 1,
    "run_in_threadpool": 0,
    "run_sync": 0,
    "run_blocking": 0,
    "submit": 0,
}
"""Functions, by last name, that run the function that they are given: its position; what it gets stands behind it."""
MAX_STORES = 100
"""How many entries put into one dictionary are looked at."""


class Arguments(NamedTuple):
    """The arguments of one call.

    keywords: by name, those of an unpacked dictionary included where its keys are known.
    maybe: keywords that an unpacked dictionary may hold (set under a condition, or in a place out of sight).
    open_ended: something is unpacked of which nothing is known.
    """

    positional: tuple[ast.expr, ...] = ()
    keywords: Mapping[str, ast.expr] = {}
    maybe: frozenset[str] = frozenset()
    open_ended: bool = False

    def get(self, keyword: str, position: int | None = None) -> ast.expr | None:
        """The argument of a parameter, by keyword or (where it has one) by position; None where it is not given."""
        found = self.keywords.get(keyword)
        if found is None and position is not None and position < len(self.positional):
            return self.positional[position]
        return found

    def unknown(self, keyword: str) -> bool:
        """Whether a parameter that `get` does not know may be given all the same."""
        return keyword not in self.keywords and (self.open_ended or keyword in self.maybe)


class Called(NamedTuple):
    """What one call runs: the dotted name of the function and its arguments, `partial` and `RUNNERS` seen through."""

    node: ast.Call
    name: str
    arguments: Arguments


def last_name(expression: ast.expr) -> str:
    """The last part of a name or attribute chain, "" for anything else."""
    match expression:
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
        case _:
            return ""


def called(module: "Module", call: ast.Call) -> Called | None:
    """The function that a call runs, through imports, aliases, `partial` and `RUNNERS`; None where it is not known."""
    at = RUNNERS.get(last_name(call.func))
    if at is not None and at < len(call.args):
        handed = called_by_runner(module, call, at)
        if handed is not None:
            return handed
    name = module.name(call.func)
    if name is not None:
        if name == PARTIAL and call.args:
            inner, given = module.name(call.args[0]), arguments(module, call)
            return None if inner is None else Called(call, inner, given._replace(positional=given.positional[1:]))
        return Called(call, name, arguments(module, call))
    made = _partial(module, call.func)
    if made is None or not made.args:
        return None
    inner = module.name(made.args[0])
    if inner is None:
        return None
    first, then = arguments(module, made), arguments(module, call)
    joined = Arguments(
        positional=(*first.positional[1:], *then.positional),
        keywords={**first.keywords, **then.keywords},
        maybe=first.maybe | then.maybe,
        open_ended=first.open_ended or then.open_ended,
    )
    return Called(call, inner, joined)


def called_by_runner(module: "Module", call: ast.Call, at: int) -> Called | None:
    """The function that a call hands to what runs it (`asyncio.to_thread(torch.load, path)`), with its arguments."""
    inner = call.args[at]
    name = module.name(inner) if isinstance(inner, ast.Attribute | ast.Name) else None
    given = arguments(module, call)
    if name is None or len(given.positional) <= at:
        return None
    return Called(call, name, given._replace(positional=given.positional[at + 1 :]))


def _partial(module: "Module", function: ast.expr) -> ast.Call | None:
    """The `partial(...)` that a called name stands for."""
    match function:
        case ast.Call() if module.name(function.func) == PARTIAL:
            return function
        case ast.Name():
            value = module.scopes.value_of(function)
            if isinstance(value, ast.Call) and module.name(value.func) == PARTIAL:
                return value
    return None


def arguments(module: "Module", call: ast.Call) -> Arguments:
    """The arguments of a call as it is written, with `**` of known dictionaries spread out."""
    keywords: dict[str, ast.expr] = {}
    maybe: set[str] = set()
    open_ended = any(isinstance(item, ast.Starred) for item in call.args)
    for item in call.keywords:
        if item.arg is not None:
            keywords[item.arg] = item.value
            continue
        known = _entries(module, item.value)
        open_ended = open_ended or known is None
        stored = _stored(module, item.value)
        for key, value in {**(known or {}), **stored}.items():
            keywords.setdefault(key, value)
        maybe |= _stored_keys(module, item.value) - keywords.keys()
    positional = tuple(call.args)
    for number, argument in enumerate(positional):
        if isinstance(argument, ast.Starred):
            positional = positional[:number]
            break
    return Arguments(positional, keywords, frozenset(maybe - keywords.keys()), open_ended)


def _entries(module: "Module", value: ast.expr) -> dict[str, ast.expr] | None:
    """The entries of a dictionary display, of a `dict(...)` call or of a name that only such a one reaches."""
    match value:
        case ast.Dict(keys=keys, values=values):
            found: dict[str, ast.expr] = {}
            for key, entry in zip(keys, values, strict=True):
                match key:
                    case ast.Constant(value=str(text)):
                        found[text] = entry
                    case None:
                        inner = _entries(module, entry)
                        if inner is None:
                            return None
                        found.update(inner)
                    case _:
                        return None
            return found
        case ast.Call(func=ast.Name(id="dict"), args=[], keywords=items) if all(item.arg for item in items):
            return {item.arg: item.value for item in items if item.arg}
        case ast.Name():
            reaching = values_at(module, value)
            if reaching is not None and len(reaching) == 1 and isinstance(reaching[0], ast.Dict | ast.Call):
                return _entries(module, reaching[0])
    return None


class Store(NamedTuple):
    """One entry put into a dictionary by its name. value: None where the statement does not say it by itself."""

    statement: ast.stmt | None
    key: str
    value: ast.expr | None = None
    default: bool = False


Stores = dict[tuple[ast.AST, str], list[Store]]
"""What is put into dictionaries, by the scope and the name that they are bound to there."""


def stores(module: "Module") -> Stores:
    """The entries that a file puts into dictionaries after they were made; linear in the file."""
    found: Stores = {}

    def put(name: str, node: ast.AST, key: str, value: ast.expr | None = None, *, default: bool = False) -> None:
        store = Store(module.statement(node), key, value, default)
        found.setdefault((module.scopes.scope(node), name), []).append(store)

    for node in module.nodes(ast.Assign):
        match node:
            case ast.Assign(targets=[ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=str(key)))]):
                put(name, node, key, node.value)
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Dict() | ast.IfExp() as made):
                for key in _display_keys(made):
                    put(name, node, key)
            case _:
                continue
    for call in calls_named(module, frozenset({"update", "setdefault"})):
        match call:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="setdefault"), args=[key_, value]):
                if isinstance(key_, ast.Constant) and isinstance(key_.value, str):
                    put(name, call, key_.value, value, default=True)
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="update"), args=given):
                for key in (key for argument in given for key in _display_keys(argument)):
                    put(name, call, key)
                for item in call.keywords:
                    if item.arg:
                        put(name, call, item.arg)
            case _:
                continue
    return found


def _display_keys(value: ast.expr) -> Iterator[str]:
    """The constant keys of the dictionaries that are written out in an expression."""
    for display in ast.walk(value):
        if isinstance(display, ast.Dict):
            for key in display.keys:
                if isinstance(key, ast.Constant) and isinstance(key.value, str):
                    yield key.value


def _stores_of(module: "Module", value: ast.expr) -> list[Store]:
    if not isinstance(value, ast.Name):
        return []
    scope = module.scopes.binding_scope(value, value.id)
    return module.dict_stores.get((scope, value.id), []) if scope is not None else []


def _stored(module: "Module", value: ast.expr) -> dict[str, ast.expr]:
    """What is always stored into a dictionary's name before it is unpacked (`options["flag"] = True`)."""
    found: dict[str, ast.expr] = {}
    for store in _stores_of(module, value)[-MAX_STORES:]:
        if store.value is None or store.statement is None:
            continue
        if not always_before(module, store.statement, value):
            found.pop(store.key, None)
        elif store.default:
            found.setdefault(store.key, store.value)
        else:
            found[store.key] = store.value
    return found


def _stored_keys(module: "Module", value: ast.expr) -> set[str]:
    """The constant keys that are stored into a dictionary's name anywhere in its scope."""
    if not isinstance(value, ast.Name):
        return set(_display_keys(value))
    return {store.key for store in _stores_of(module, value)[-MAX_STORES:]}


def calls_to(module: "Module", names: frozenset[str]) -> Iterator[ast.Call]:
    """The calls whose function may have one of these last names, also under an alias that the file gives it.

    Aliases come from `import ... as`, from plain re-binding and from `partial`; ask `called` what each really runs.
    """
    yield from calls_named(module, names)
    known = module.call_aliases
    for name in names & known.keys():
        yield from calls_named(module, frozenset(_reached(known, name)) - names)


def _reached(known: Mapping[str, frozenset[str]], name: str) -> set[str]:
    """The names that a function gets, also through one another (`a = load`, `b = a`); each is looked at once."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        new = known.get(waiting.pop(), frozenset()) - found
        found |= new
        waiting.extend(new)
    return found


def calls_named(module: "Module", names: frozenset[str]) -> Iterator[ast.Call]:
    """The calls whose function's last name is among these, name by name."""
    calls = module.calls
    for name in sorted(names & calls.keys()):
        yield from calls[name]


def by_last_name(calls: Iterable[ast.Call]) -> dict[str, list[ast.Call]]:
    """Calls by the last name of what they call; those of anything else than a name or an attribute are left out."""
    found: dict[str, list[ast.Call]] = {}
    for call in calls:
        function = call.func
        kind = function.__class__
        if kind is ast.Attribute:
            name = function.attr  # type: ignore[attr-defined]  # the class was compared
        elif kind is ast.Name:
            name = function.id  # type: ignore[attr-defined]  # as above
        else:
            continue
        if name in found:
            found[name].append(call)
        else:
            found[name] = [call]
    return found


def by_name(attributes: Iterable[ast.Attribute]) -> dict[str, list[ast.Attribute]]:
    """Attributes by their names."""
    found: dict[str, list[ast.Attribute]] = {}
    for attribute in attributes:
        name = attribute.attr
        if name in found:
            found[name].append(attribute)
        else:
            found[name] = [attribute]
    return found


RENAMING = frozenset({ast.Attribute, ast.Call, ast.Name})
"""What is assigned where a function gets another name."""


def aliases(module: "Module") -> dict[str, frozenset[str]]:
    """The names that a file gives to functions of other names (`import load as read`, `read = load`, `partial`).

    Only those that it gives to a name at once: a chain of names would be known in full for each of its links.
    """
    found: dict[str, set[str]] = {}
    for alias, imports in module.names.imports.items():
        for item in imports:
            last = item.target.rpartition(".")[2]
            if last != alias:
                found.setdefault(last, set()).add(alias)
    for name, last in module.index.found("other names", ast.Assign, _renamed):
        found.setdefault(last, set()).add(name)
    return {name: frozenset(given) for name, given in found.items()}


def _renamed(assignments: Sequence[ast.Assign]) -> Iterator[tuple[str, str]]:
    """The names that assignments give to what may be functions, each with the last name of what it is given to."""
    for node in assignments:
        value = node.value
        if value.__class__ not in RENAMING or len(node.targets) != 1:
            continue
        target = node.targets[0]
        if not isinstance(target, ast.Name):
            continue
        if not isinstance(value, ast.Call):
            last = last_name(value)
        elif value.args and last_name(value.func) == "partial":
            last = last_name(value.args[0])
        else:
            continue
        if last and last != target.id:
            yield target.id, last


def imports_any(module: "Module", roots: frozenset[str]) -> bool:
    """Whether the file imports one of these packages (by the first part of their names), anywhere in it."""
    return not roots.isdisjoint(module.packages)
