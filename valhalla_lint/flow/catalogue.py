"""What the tables in `data/catalogue/` say about calls, methods, attributes, decorators and base classes.

A row names its target and what is known about it; rows about one target are put together into one `Behaviour`. A
user's rows (`[tool.valhalla-lint.catalogue]`) are read by the same code, and add to ours. The tables are read once a
process, when the first flow is asked for.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final, NamedTuple

from valhalla_lint.core.frozen import field, frozen
from valhalla_lint.facts import tables
from valhalla_lint.flow.labels import (
    MARK_NAMES,
    RISK_NAMES,
    Behaviour,
    Handler,
    Kind,
    Mark,
    Risk,
    Sink,
    Use,
    marks,
    risks,
)

Row = Mapping[str, object]
Tables = Mapping[str, Sequence[Row]]


class CatalogueError(ValueError):
    """Rows that cannot be: all mistakes at once."""

    def __init__(self, problems: Iterable[str]) -> None:
        """problems: each with its file, its row and, where one comes to mind, a suggestion."""
        self.problems = tuple(problems)
        super().__init__("\n".join(self.problems))


# --- what a row may say


ROUTES: Final = frozenset(
    {"any", "aiohttp", "bottle", "django", "falcon", "flask", "litestar", "pyramid", "sanic", "starlette", "tornado"}
)
"""Syntaxes of path templates."""

TARGETS: Final = ("call", "method", "attribute")
"""Of these keys a row has exactly one: a qualified function or class; a qualified class and its method (`*.name` for
any class); a qualified class and its attribute. Each may be a list."""
PLACES: Final = ("decorator", "last", "base", "suffix", "registers")
"""Of these keys a handler row has exactly one: a decorator's qualified name; a decorator's last name; a base class; how
a base class's name ends; the last name of a call that registers functions."""

ROWS: Final[Mapping[str, tuple[frozenset[str], frozenset[str]]]] = {
    "source": (frozenset({"kind"}), frozenset({"returns"})),
    "sink": (frozenset({"use"}), frozenset({"args"})),
    "pass": (frozenset(), frozenset({"returns", "passes", "drops"})),
    "mark": (frozenset({"adds"}), frozenset({"returns"})),
    "clean": (frozenset({"clears"}), frozenset({"adds", "returns"})),
    "guard": (frozenset({"guard"}), frozenset({"clears"})),
    "instance": (frozenset({"name", "type"}), frozenset()),
    "type": (frozenset({"name", "bases"}), frozenset()),
    "alias": (frozenset({"name", "of"}), frozenset()),
    "body": (frozenset({"base"}), frozenset()),
    "handler": (frozenset(), frozenset({"kind", "route", "skips", "methods", "attributes", "args", "imports"})),
}
"""The tables: keys that a row must have (beside its target), and keys that it may have."""
TARGETED: Final = frozenset({"source", "sink", "pass", "mark", "clean", "guard"})
LIBRARY: Final = "library"
"""The table of a file of ours that names the pinned packages in which its names are found."""

ROW_GUARDS: Final = frozenset({"validates", "checks"})
"""Of all guards those that a row can claim for a function; what the others prove the engine itself works out."""

WORDS: Final[Mapping[str, frozenset[str]]] = {
    "kind": frozenset(kind.value for kind in Kind),
    "use": frozenset(use.value for use in Use),
    "guard": ROW_GUARDS,
    "route": ROUTES,
    "adds": frozenset(MARK_NAMES),
    "drops": frozenset(MARK_NAMES),
    "clears": frozenset(RISK_NAMES),
}
"""Keys whose values are words out of a fixed list."""
LISTS: Final = frozenset({"adds", "drops", "clears", "skips", "methods", "attributes", "bases", "imports"})
"""Keys whose value is a list of texts."""
POSITIONS: Final = frozenset({"args", "passes"})
"""Keys whose value is a list of positions (-1: the receiver) and keywords."""


def guess(word: str, known: Iterable[str]) -> str:
    """A suggestion in brackets, "" where none is near."""
    import difflib  # only where somebody made a mistake

    near = difflib.get_close_matches(word, sorted(known), n=1)
    return f" (did you mean {near[0]!r}?)" if near else ""


def check(tables: Mapping[str, object], where: str) -> Iterator[str]:
    """Every mistake in some tables, each with its place; nothing where they are right."""
    for table, rows in tables.items():
        if table == LIBRARY:
            continue
        if table not in ROWS:
            yield f"{where}: unknown table {table!r}{guess(table, ROWS)}"
            continue
        if not isinstance(rows, Sequence) or isinstance(rows, str):
            yield f"{where}: {table} is a list of rows, written [[{table}]]"
            continue
        for number, row in enumerate(rows, 1):
            place = f"{where}: {table} row {number}"
            if not isinstance(row, Mapping):
                yield f"{place}: a row is a table of keys and values"
                continue
            yield from (f"{place}: {problem}" for problem in check_row(table, row))


def check_row(table: str, row: Row) -> Iterator[str]:
    """Every mistake in one row."""
    must, may = ROWS[table]
    choice = TARGETS if table in TARGETED else PLACES if table == "handler" else ()
    known = must | may | frozenset(choice)
    for key in row:
        if key not in known:
            yield f"unknown key {key!r}{guess(key, known)}"
    for key in sorted(must - row.keys()):
        yield f"key {key!r} is missing"
    if choice and sum(key in row for key in choice) != 1:
        yield f"exactly one of {', '.join(choice)} is needed"
    for key, value in row.items():
        if key in known:
            yield from check_value(key, value)


def check_value(key: str, value: object) -> Iterator[str]:
    """Every mistake in one value."""
    if key in POSITIONS:
        if not isinstance(value, list) or not all(isinstance(item, int | str) for item in value):
            yield f"{key} is a list of positions and keywords"
        return
    several = isinstance(value, list) and all(isinstance(item, str) for item in value)
    if key in LISTS and not several:
        yield f"{key} is a list of texts"
        return
    if not several and not isinstance(value, str):
        yield f"{key} is a text"
        return
    if several and key not in LISTS and key not in (*TARGETS, *PLACES, "base", "name"):
        yield f"{key} is one text"
        return
    texts = texts_of(value)
    if key in WORDS:
        for word in texts:
            if word not in WORDS[key]:
                yield f"unknown {key} {word!r}{guess(word, WORDS[key])}"
    elif key in ("method", "attribute"):
        for text in texts:
            if not text.rpartition(".")[0]:
                yield f"{key} {text!r} needs its class before the last dot (`*.{text}` for any)"
    if not texts and key in TARGETS:
        yield f"{key} is empty"


def texts_of(value: object) -> tuple[str, ...]:
    """A text or a list of texts as a tuple."""
    if isinstance(value, str):
        return (value,)
    return tuple(str(item) for item in value) if isinstance(value, list | tuple) else ()


# --- what the tables say


Key = tuple[str, str]


class Registration(NamedTuple):
    """A call that hands functions to a framework: `app.add_url_rule("/x", view_func=show)`.

    arguments: the positions and keywords at which the functions stand. imports: packages of which the file must import
    one, where the call's name alone says too little.
    """

    handler: Handler
    arguments: tuple[int | str, ...]
    imports: frozenset[str] = frozenset()


GROUPS: Final[Mapping[str, frozenset[Use]]] = {
    "path": frozenset(
        {
            Use.OPEN,
            Use.WRITE,
            Use.DELETE,
            Use.LIST,
            Use.PROBE,
            Use.SERVE,
            Use.LINK,
            Use.LOAD,
            Use.EXTRACT,
            Use.DOWNLOAD,
            Use.TEMPLATE,
            Use.TEMPLATE_NAME,
        }
    ),
    "generation": frozenset({Use.GENERATE}),
    "log": frozenset({Use.LOG}),
}
WEAK: Final = frozenset({Kind.FILE, Kind.ENVIRONMENT, Kind.ARGUMENT})
MODEL_USES: Final = GROUPS["path"] | {Use.MODEL, Use.HUB, Use.IMPORT, Use.PROCESS}
ANY: Final = "*"


@frozen(eq=False)
class Catalogue:
    """All tables, ready to be asked; every question is a look-up or two.

    types: classes of which an attribute or a method is known; outside_types: those of which one is a source.
    source_words: last names with which a flow from a certain source can begin; weak_source_words: from files, the
    environment, the command line. request_words: attributes and methods of all frameworks' request objects.
    """

    calls: Mapping[str, Behaviour] = field(default_factory=dict)
    methods: Mapping[Key, Behaviour] = field(default_factory=dict)
    attributes: Mapping[Key, Behaviour] = field(default_factory=dict)
    instances: Mapping[str, str] = field(default_factory=dict)
    bases: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    decorators: Mapping[str, Handler] = field(default_factory=dict)
    last_names: Mapping[str, Handler] = field(default_factory=dict)
    handler_bases: Mapping[str, Handler] = field(default_factory=dict)
    suffixes: tuple[tuple[str, Handler], ...] = ()
    registrations: Mapping[str, Registration] = field(default_factory=dict)
    body_bases: frozenset[str] = frozenset()
    source_words: frozenset[str] = frozenset()
    weak_source_words: frozenset[str] = frozenset()
    request_words: frozenset[str] = frozenset()
    sink_words: Mapping[str, frozenset[str]] = field(default_factory=dict)
    types: frozenset[str] = frozenset()
    outside_types: frozenset[str] = frozenset()
    handled: frozenset[str] = frozenset()

    def behaviour(self, name: str) -> Behaviour | None:
        """What is known of a function or class that is called, by its qualified name."""
        found = self.calls.get(name)
        if found is None and (owner := name.rpartition(".")[0]):
            found = self.method(owner, name[len(owner) + 1 :], exact=True)
        return found

    def method(self, type: str, method: str, *, exact: bool = False) -> Behaviour | None:  # noqa: A002 -- the word that rows use
        """What is known of a method of a class (or of one of its bases); exact: of no other class."""
        found = self.methods.get((type, method))
        if found is None and not exact:
            for base in self.lineage(type):
                found = self.methods.get((base, method))
                if found is not None:
                    break
        return found

    def any_method(self, method: str) -> Behaviour | None:
        """What is known of a method by its name alone."""
        return self.methods.get((ANY, method))

    def attribute(self, type: str, name: str) -> Behaviour | None:  # noqa: A002 -- as above
        """What is known of an attribute of a class (or of one of its bases)."""
        found = self.attributes.get((type, name))
        if found is None:
            for base in self.lineage(type):
                found = self.attributes.get((base, name))
                if found is not None:
                    break
        return found

    def lineage(self, type: str) -> Iterator[str]:  # noqa: A002 -- as above
        """The known bases of a class, nearest first, each once."""
        seen: set[str] = set()
        waiting = list(self.bases.get(type, ()))
        while waiting:
            base = waiting.pop(0)
            if base not in seen:
                seen.add(base)
                yield base
                waiting.extend(self.bases.get(base, ()))

    def instance(self, name: str) -> str:
        """The class of a global, by its qualified name; "" if none is known."""
        return self.instances.get(name, "")

    def decorator(self, name: str | None, last: str) -> Handler | None:
        """What a decorator makes of its function: by its qualified name where that is known, else by its last name."""
        found = self.decorators.get(name) if name else None
        if found is None and name and (owner := name.rpartition(".")[0]):
            for base in self.lineage(owner):
                found = self.decorators.get(f"{base}.{last}")
                if found is not None:
                    break
        return found if found is not None else self.last_names.get(last)

    def registration(self, last: str) -> Registration | None:
        """What a call registers, by its last name."""
        return self.registrations.get(last)

    def base(self, name: str) -> Handler | None:
        """What a base class makes of its methods, by its qualified name."""
        found = self.handler_bases.get(name)
        if found is None:
            found = next((handler for suffix, handler in self.suffixes if name.endswith(suffix)), None)
        return found

    def words(self, use_group: str) -> frozenset[str]:
        """The last names of all sinks of a group: "path", "model", "generation" or "log"."""
        return self.sink_words.get(use_group, frozenset())


# --- from rows to answers


def merged(first: Behaviour, second: Behaviour) -> Behaviour:
    """What two rows about one target say together; the later one wins where only one answer is possible."""
    return Behaviour(
        first.name,
        second.source or first.source,
        (*first.sinks, *(sink for sink in second.sinks if sink not in first.sinks)),
        second.returns or first.returns,
        first.passes if second.passes is None else second.passes,
        first.clears | second.clears,
        first.adds | second.adds,
        first.drops | second.drops,
        second.guard or first.guard,
    )


def positions(value: object, default: tuple[int | str, ...] | None) -> tuple[int | str, ...] | None:
    """A list of positions and keywords as a tuple."""
    return tuple(value) if isinstance(value, list | tuple) else default


def behaviour_of(table: str, name: str, row: Mapping[str, Any]) -> Behaviour:
    """What one row says."""
    sinks: tuple[Sink, ...] = ()
    if table == "sink":
        sinks = (Sink(Use(row["use"]), positions(row.get("args"), (0,)) or ()),)
    return Behaviour(
        name,
        source=Kind(row["kind"]) if table == "source" else None,
        sinks=sinks,
        returns=row.get("returns", ""),
        passes=positions(row.get("passes"), None),
        clears=risks(row.get("clears", ())) if row.get("clears") else Risk.NONE,
        adds=marks(row.get("adds", ())) if row.get("adds") else Mark.NONE,
        drops=marks(row.get("drops", ())) if row.get("drops") else Mark.NONE,
        guard=row.get("guard", ""),
    )


def handler_of(name: str, row: Mapping[str, Any]) -> Handler:
    """What a handler row says."""
    return Handler(
        name,
        Kind(row.get("kind", Kind.HANDLER.value)),
        row.get("route", ""),
        frozenset(row.get("skips", ())),
        frozenset(row.get("methods", ())),
        frozenset(row.get("attributes", ())),
    )


class Assembly:
    """Collects rows; `catalogue` puts them together."""

    def __init__(self) -> None:
        """Nothing is known yet."""
        self.calls: dict[str, Behaviour] = {}
        self.methods: dict[Key, Behaviour] = {}
        self.attributes: dict[Key, Behaviour] = {}
        self.instances: dict[str, str] = {}
        self.bases: dict[str, tuple[str, ...]] = {}
        self.handlers: dict[str, dict[str, Handler]] = {place: {} for place in PLACES}
        self.registrations: dict[str, Registration] = {}
        self.bodies: set[str] = set()
        self.aliases: dict[str, str] = {}

    def add(self, tables: Mapping[str, Any]) -> None:
        """Take in tables that were checked."""
        for table, rows in tables.items():
            if table == LIBRARY:
                continue
            for row in rows:
                if table in TARGETED:
                    self.targeted(table, row)
                elif table == "handler":
                    self.handler(row)
                elif table == "body":
                    self.bodies.update(texts_of(row["base"]))
                else:
                    for name in texts_of(row["name"]):
                        if table == "instance":
                            self.instances[name] = row["type"]
                        elif table == "alias":
                            self.aliases[name] = row["of"]
                        else:
                            self.bases[name] = (*self.bases.get(name, ()), *texts_of(row["bases"]))

    def targeted(self, table: str, row: Mapping[str, Any]) -> None:
        """A row about calls, methods or attributes."""
        target = next(key for key in TARGETS if key in row)
        said = behaviour_of(table, "", row)  # the same of every name in the row
        for name in texts_of(row[target]):
            found = said._replace(name=name)
            if target == "call":
                known = self.calls.get(name)
                self.calls[name] = found if known is None else merged(known, found)
                continue
            owner, _, last = name.rpartition(".")
            members = self.methods if target == "method" else self.attributes
            known = members.get((owner, last))
            members[owner, last] = found if known is None else merged(known, found)

    def handler(self, row: Mapping[str, Any]) -> None:
        """A row about decorators, base classes or registering calls."""
        place = next(key for key in PLACES if key in row)
        for name in texts_of(row[place]):
            handler = self.handlers[place][name] = handler_of(name, row)
            if place == "registers":
                given = positions(row.get("args"), (0,)) or ()
                self.registrations[name] = Registration(handler, given, frozenset(row.get("imports", ())))

    def rename(self) -> None:
        """Say of every call under another name of its package what is said under the first."""
        for alias, name in self.aliases.items():
            for known, behaviour in list(self.calls.items()):
                if known.startswith(name + "."):
                    self.calls.setdefault(alias + known[len(name) :], behaviour)

    def catalogue(self) -> Catalogue:
        """Everything, ready to be asked."""
        self.rename()
        outside = self.outside()
        sources = tuple(self.sources(outside))
        return Catalogue(
            outside_types=outside,
            handled=frozenset(name for handler in self.handlers["base"].values() for name in handler.methods),
            types=frozenset(owner for owner, _ in (*self.methods, *self.attributes)) | self.bases.keys(),
            calls=self.calls,
            methods=self.methods,
            attributes=self.attributes,
            instances=self.instances,
            bases=self.bases,
            decorators=self.handlers["decorator"],
            last_names=self.handlers["last"],
            handler_bases=self.handlers["base"],
            suffixes=tuple(sorted(self.handlers["suffix"].items())),
            registrations=self.registrations,
            body_bases=frozenset(self.bodies),
            source_words=frozenset(word for word, kind in sources if kind not in WEAK),
            weak_source_words=frozenset(word for word, kind in sources if kind in WEAK),
            request_words=frozenset(self.request_words()),
            sink_words=self.words(),
        )

    def outside(self) -> frozenset[str]:
        """The classes with an attribute or method that is a source, and the classes derived from them."""
        found = {
            owner
            for members in (self.methods, self.attributes)
            for (owner, _), row in members.items()
            if row.source is not None
        }
        while more := {name for name, bases in self.bases.items() if name not in found and not found.isdisjoint(bases)}:
            found |= more
        return frozenset(found)

    def sources(self, outside: frozenset[str]) -> Iterator[tuple[str, Kind]]:
        """The last names with which a flow can begin, each with its kind. outside: as the method of this name says."""
        for behaviours in (self.calls, self.methods, self.attributes):
            for found in behaviours.values():
                if found.source is not None:
                    yield found.name.rpartition(".")[2], found.source
        for name, row in self.calls.items():
            if row.returns.startswith("iter[") and row.returns[len("iter[") : -1] in outside:
                yield name.rpartition(".")[2], Kind.REMOTE  # what it is looped over gives messages
        for name, kind in self.instances.items():
            if kind.endswith("Request"):
                yield name.rpartition(".")[2], Kind.REQUEST
        for name in self.bodies:
            yield name.rpartition(".")[2], Kind.REQUEST
        for place, handlers in self.handlers.items():
            for name, handler in handlers.items():
                if place != "registers":
                    yield name.rpartition(".")[2], handler.kind

    def request_words(self) -> Iterator[str]:
        """Attributes and methods that hold what a client sent."""
        for behaviours in (self.methods, self.attributes):
            for (owner, last), found in behaviours.items():
                if found.source in (Kind.REQUEST, Kind.UPLOAD) and owner.endswith(("Request", "HTTPConnection")):
                    yield last

    def words(self) -> dict[str, frozenset[str]]:
        """Last names of sinks by group."""
        groups = {**GROUPS, "model": MODEL_USES}
        found: dict[str, set[str]] = {group: set() for group in groups}
        for behaviours in (self.calls, self.methods, self.attributes):
            for behaviour in behaviours.values():
                last = behaviour.name.rpartition(".")[2]
                for sink in behaviour.sinks:
                    for group, uses in groups.items():
                        if sink.use in uses:
                            found[group].add(last)
        return {group: frozenset(words) for group, words in found.items()}


FOLDER: Final = tables.DATA / "catalogue"


@cache
def read_tables() -> Mapping[str, Mapping[str, Any]]:
    """Our own tables by file name, in order."""
    return {
        file.name: tables.table(f"{FOLDER.name}/{file.stem}")
        for file in sorted(FOLDER.glob("*.toml"), key=lambda file: file.name)
    }


@cache
def own() -> Assembly:
    """Our own rows. They were checked by the tests, not on every run."""
    assembly = Assembly()
    for rows in read_tables().values():
        assembly.add(rows)
    return assembly


@cache
def own_catalogue() -> Catalogue:
    """The catalogue of our own rows."""
    return own().catalogue()


USER: Final = "[tool.valhalla-lint.catalogue]"


def load(user: Tables | None = None) -> Catalogue:
    """The catalogue of our rows and a user's (table name -> rows), the same object for equal rows.

    Raises CatalogueError with every mistake in the user's rows.
    """
    if not user:
        return own_catalogue()
    return with_rows(hashable(user))


def hashable(value: object) -> Any:  # noqa: ANN401 -- a value of TOML, made hashable
    """Tables as nested tuples of pairs."""
    if isinstance(value, Mapping):
        return ("table", tuple((key, hashable(item)) for key, item in value.items()))
    if isinstance(value, list | tuple):
        return ("list", tuple(hashable(item) for item in value))
    return value


def thawed(value: Any) -> Any:  # noqa: ANN401 -- as above
    """What `hashable` made, as dictionaries and lists again."""
    if isinstance(value, tuple):
        kind, items = value
        return {key: thawed(item) for key, item in items} if kind == "table" else [thawed(item) for item in items]
    return value


@cache
def with_rows(rows: Any) -> Catalogue:  # noqa: ANN401 -- as above
    """Our rows and more. Raises CatalogueError."""
    tables = thawed(rows)
    if problems := list(check(tables, USER)):
        raise CatalogueError(problems)
    assembly = Assembly()
    for ours in read_tables().values():
        assembly.add(ours)
    assembly.add(tables)
    return assembly.catalogue()


def about(name: str, catalogue: Catalogue | None = None) -> tuple[str, ...]:
    """What the rows say about a name, as sentences for `explain`; empty where they say nothing."""
    catalogue = catalogue or own_catalogue()
    owner, _, last = name.rpartition(".")
    found: list[str] = []
    for title, behaviour in (
        ("call", catalogue.calls.get(name)),
        ("method", catalogue.method(owner, last)),
        ("attribute", catalogue.attribute(owner, last)),
        ("any method of this name", catalogue.any_method(last) if owner != "*" else None),
    ):
        if behaviour is not None:
            found.append(f"{title}: {described(behaviour)}")
    if kind := catalogue.instance(name):
        found.append(f"a global of class {kind}")
    handler = catalogue.decorators.get(name) or catalogue.handler_bases.get(name)
    if handler is not None:
        found.append(f"its functions are called from outside; their parameters are of kind {handler.kind.value}")
    return tuple(found)


def described(behaviour: Behaviour) -> str:
    """One behaviour in a few words."""
    words = [f"source of kind {behaviour.source.value}"] if behaviour.source else []
    words += [
        f"sink ({sink.use.value}) at {', '.join(map(str, sink.arguments)) or 'every argument'}"
        for sink in behaviour.sinks
    ]
    words += [
        f"{name} {value!r}" for name, value in (("returns", behaviour.returns), ("guard", behaviour.guard)) if value
    ]
    words += [f"clears {named(behaviour.clears, RISK_NAMES)}"] if behaviour.clears else []
    words += [f"adds {named(behaviour.adds, MARK_NAMES)}"] if behaviour.adds else []
    return ", ".join(words) or "hands on what it is given"


def named(value: int, names: Mapping[str, int]) -> str:
    """The shortest list of words that a set of flags stands for."""
    rest = value
    found: list[str] = []
    for word, flag in sorted(names.items(), key=lambda item: -item[1].bit_count()):
        if flag & rest == flag:
            found.append(word)
            rest &= ~flag
    return " ".join(found)
