"""Classes that hold a few values, where tuples will not do: a quarter of what `dataclasses` take to define one.

Importing `dataclasses` loads `inspect` and with it the tokenizer, and each class is compiled from half a dozen texts. A
record is compiled from one, and sets its values without the detour that frozen dataclasses take, so that one is made in
half the time. That a frozen record does not change is a matter of types, which mypy checks; nothing stops it when run.
"""

from collections.abc import Callable
from typing import Any, TypeVar, dataclass_transform

Kind = TypeVar("Kind")
Kept = TypeVar("Kept")
NOT_GIVEN: Any = object()
"""Stands for an argument that is not given where each record needs a value of its own."""


class Held:
    """What is said of one value of a record beside its type."""

    __slots__ = ("compare", "default", "factory")

    def __init__(self, default: object, factory: Callable[[], object] | None, *, compare: bool) -> None:
        self.default = default
        self.factory = factory
        self.compare = compare


def held(*, default: Any = NOT_GIVEN, factory: Callable[[], Any] | None = None, compare: bool = True) -> Any:  # noqa: ANN401 -- of the type that is annotated
    """A value that each record makes anew (factory), or that does not count where records are compared."""
    return Held(default, factory, compare=compare)


@dataclass_transform(eq_default=False, frozen_default=True, field_specifiers=(held,))
def record(*, frozen: bool = True, eq: bool = False) -> Callable[[type[Kind]], type[Kind]]:
    """Make a class a record of what it annotates, in this order.

    frozen: what a record holds does not change; for whoever checks types. eq: records of the same class are equal where
    their values are, and can be told apart and kept by them; without it each is only equal to itself.
    """
    del frozen

    def made(kind: type[Kind]) -> type[Kind]:
        space = {key: value for key, value in vars(kind).items() if key not in ("__dict__", "__weakref__")}
        names = tuple(space["__annotations__"])
        said = {name: _said(space.pop(name)) for name in names if name in space}
        space.update(_methods(names, said, eq=eq), __slots__=names, __match_args__=names)
        changed: Any = type(kind.__name__, kind.__bases__, space)
        return changed  # type: ignore[no-any-return]  # the same class with slots

    return made


def _said(value: object) -> Held:
    return value if isinstance(value, Held) else Held(value, None, compare=True)


def _methods(names: tuple[str, ...], said: dict[str, Held], *, eq: bool) -> dict[str, Any]:
    """What a record's class needs to be made, shown, and compared."""
    around: dict[str, Any] = {"NOT_GIVEN": NOT_GIVEN}
    parameters, body = [], []
    for name in names:
        value = name
        default = ""
        if name in said:
            held = said[name]
            around[f"of_{name}"] = held.default if held.factory is None else held.factory
            default = f"=of_{name}" if held.factory is None else "=NOT_GIVEN"
            value = name if held.factory is None else f"of_{name}() if {name} is NOT_GIVEN else {name}"
        parameters.append(f"{name}{default}")
        body.append(f" self.{name} = {value}\n")
    text = f"def __init__(self, {', '.join(parameters)}):\n{''.join(body)}"
    if eq:
        compared = [name for name in names if name not in said or said[name].compare]
        mine, theirs = ("".join(f"{owner}.{name}, " for name in compared) for owner in ("self", "other"))
        text += (
            f"def __eq__(self, other):\n return ({mine}) == ({theirs}) if other.__class__ is self.__class__ else"
            f" NotImplemented\ndef __hash__(self):\n return hash(({mine}))\n"
        )
    before = set(around)
    exec(text, around)  # noqa: S102 -- made of the names of a class of ours, as `dataclasses` do it
    return {"__repr__": _shown, **{name: around[name] for name in around.keys() - before - {"__builtins__"}}}


def _shown(self: Any) -> str:  # noqa: ANN401 -- any record
    held = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__slots__)
    return f"{type(self).__name__}({held})"


def replace(record: Kept, /, **changes: object) -> Kept:
    """The same record with other values under some names. Raises TypeError for a name that it does not have."""
    kind: Any = record.__class__
    values = [changes.pop(name) if name in changes else getattr(record, name) for name in kind.__slots__]
    return kind(*values, **changes)  # type: ignore[no-any-return]  # of the same class
