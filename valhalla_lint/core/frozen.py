"""Frozen dataclasses for what is made by the thousand: frozen for the type checker alone.

To refuse assignments at run time, `dataclasses` sets each field through a call, so that an object of four fields takes
three times as long to make. Values of the interpreter are made hundreds of times for a file; that nothing assigns to
them is proven before any of it runs, by mypy.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, TypeVar, dataclass_transform

Kind = TypeVar("Kind")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(*, eq: bool = True) -> Callable[[type[Kind]], type[Kind]]:
    """As `dataclass(frozen=True, slots=True)`. eq: whether objects with equal fields are equal."""
    return dataclass(slots=True, eq=eq, unsafe_hash=eq)


if TYPE_CHECKING:
    from dataclasses import replace
else:

    def replace(item: Kind, /, **changes: object) -> Kind:
        """As `dataclasses.replace` of an object with several slots, in half of the time. Raises TypeError."""
        kind = item.__class__
        names, known, read = _slots(kind)
        if not known.issuperset(changes):
            raise TypeError(kind.__name__)
        return kind(*map(changes.get, names, read(item)))

    @cache
    def _slots(kind: type) -> tuple[tuple[str, ...], frozenset[str], attrgetter]:
        return kind.__slots__, frozenset(kind.__slots__), attrgetter(*kind.__slots__)


__all__ = ("frozen", "replace")
