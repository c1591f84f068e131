"""Records of the flow engine: frozen for the type checker alone, and cheap to define.

To refuse assignments at run time, `dataclasses` sets each field through a call, so that an object of four fields takes
three times as long to make. Values of the interpreter are made hundreds of times for a file; that nothing assigns to
them is proven before any of it runs, by mypy. And it compiles half a dozen functions for each class, and loads a parser
of Python's own tokens to do so, which takes longer than to judge a small file: here a class has one made for it.
"""

from collections.abc import Callable, Mapping
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeVar, dataclass_transform

Kind = TypeVar("Kind")

ABSENT = object()
"""Stands for what nobody has given."""


class _Field:
    """What is stated of a field besides its type."""

    __slots__ = ("compare", "default", "factory")

    def __init__(self, default: object, factory: Callable[[], object] | None, *, compare: bool) -> None:
        self.default = default
        self.factory = factory
        self.compare = compare


def field(
    *, default: object = ABSENT, default_factory: Callable[[], object] | None = None, compare: bool = True
) -> Any:  # noqa: ANN401 -- whatever the field holds
    """As that of `dataclasses`. compare: whether objects that differ in the field alone are different."""
    return _Field(default, default_factory, compare=compare)


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(*, eq: bool = True) -> Callable[[type[Kind]], type[Kind]]:
    """As `dataclass(frozen=True, slots=True)`. eq: whether objects with equal fields are equal."""
    return lambda kind: _record(kind, eq=eq)


@dataclass_transform(eq_default=False, field_specifiers=(field,))
def changing(kind: type[Kind]) -> type[Kind]:
    """As `dataclass(slots=True, eq=False)`: what collects something, and is like nothing but itself."""
    return _record(kind, eq=False)


def _record(kind: type[Kind], *, eq: bool) -> type[Kind]:
    """A class with slots for what is annotated in it, in place of one without."""
    names = tuple(kind.__annotations__)
    held = dict(kind.__dict__)
    stated = {name: held.pop(name) for name in names if name in held}
    fields = {
        name: item if isinstance(item, _Field) else _Field(item, None, compare=True) for name, item in stated.items()
    }
    for name in ("__dict__", "__weakref__"):
        held.pop(name, None)
    compared = tuple(name for name in names if name not in fields or fields[name].compare)
    held |= {"__slots__": names, "__match_args__": names, "__repr__": _shown, **_made(names, fields, compared, eq=eq)}
    made: type[Kind] = type(kind)(kind.__name__, kind.__bases__, held)  # type: ignore[misc]  # what makes classes
    return made


def _made(
    names: tuple[str, ...], fields: Mapping[str, _Field], compared: tuple[str, ...], *, eq: bool
) -> Mapping[str, object]:
    """The methods of a class that name its fields, compiled at once."""
    given: dict[str, object] = {"ABSENT": ABSENT}
    places, lines = [], []
    for name in names:
        item = fields.get(name)
        place, value = name, name
        if item is not None and item.factory is not None:
            given[f"_{name}"] = item.factory
            place, value = f"{name}=ABSENT", f"_{name}() if {name} is ABSENT else {name}"
        elif item is not None and item.default is not ABSENT:
            given[f"_{name}"] = item.default
            place = f"{name}=_{name}"
        places.append(place)
        lines.append(f" self.{name} = {value}\n")
    text = f"def __init__(self, {', '.join(places)}):\n{''.join(lines)}"
    wanted = ["__init__"]
    if eq:
        own, others = (", ".join(f"{item}.{name}" for name in compared) for item in ("self", "other"))
        text += f"def __hash__(self):\n return hash(({own},))\n"
        text += "def __eq__(self, other):\n"
        text += f" return ({own},) == ({others},) if other.__class__ is self.__class__ else NotImplemented\n"
        wanted += ["__hash__", "__eq__"]
    exec(text, given)  # noqa: S102 -- nothing but names of fields in our own classes
    return {name: given[name] for name in wanted}


def _shown(self: Any) -> str:  # noqa: ANN401 -- an object of any such class
    values = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__slots__)
    return f"{self.__class__.__qualname__}({values})"


if TYPE_CHECKING:
    from dataclasses import replace
else:

    def replace(item: Kind, /, **changes: object) -> Kind:
        """As `dataclasses.replace`, in half of the time. Raises TypeError."""
        kind = item.__class__
        names, known, read = _slots(kind)
        if not known.issuperset(changes):
            raise TypeError(kind.__name__)
        return kind(*map(changes.get, names, read(item)))

    @cache
    def _slots(kind: type) -> tuple[tuple[str, ...], frozenset[str], attrgetter]:
        return kind.__slots__, frozenset(kind.__slots__), attrgetter(*kind.__slots__)


__all__ = ("changing", "field", "frozen", "replace")
