"""A literal together with the name that it is bound to."""

import ast
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from valhalla_lint.facts.literals import Leaf, leaves
from valhalla_lint.facts.secret_names import NameVerdict, is_header, judge_name
from valhalla_lint.facts.strings import Reason

if TYPE_CHECKING:
    from valhalla_lint.facts.module import Module


class Bound(NamedTuple):
    """A literal and the name that it is bound to.

    topic: "token", "fallback", "comparison" or "authorization". partial: only a constant part of what is bound.
    needs_strong: the place is too vague for anything but a strongly random value. sequence: one of several in a list.
    around: other words of the place (the function that is called).
    text_tokens: the file speaks of tokens as pieces of text.
    line: where the literal gets the name, if it stands elsewhere under a name that says nothing; else 0.
    """

    literal: ast.AST
    text: str
    target: str
    verdict: NameVerdict
    topic: str
    partial: bool = False
    needs_strong: bool = False
    sequence: bool = False
    around: str = ""
    text_tokens: bool = False
    line: int = 0


PASSWORD = NameVerdict("password", 3.0, Reason(3.0, "it stands where the function takes a password"))
SIGNING_KEY = NameVerdict("key", 2.5, Reason(2.5, "it stands where the function takes a key"))
TRIED = NameVerdict("password", 1.5, Reason(1.5, "it stands where the function tries a password"))
HEADER = NameVerdict("token", 3.0, Reason(3.0, "it is the value of a header that carries credentials"))
SETTINGS_TOO = frozenset({"api-key", "private-token"})
"""Headers whose names are, in files of settings, those of the settings."""
Holder = ast.Name | ast.Attribute
MAX_NAMES = 3
"""Names that are followed from one to the next until a literal stands behind one."""
TEXT_TOKENS = ("tokeniz", "tokenis", "lexer", "eos_token", "detokenize", "lark", "pygments", "tokenfilter", "parser")


class Binder:
    """Turns places into `Bound` values; holds only what it was made with."""

    def __init__(self, module: "Module", telling: Mapping[str, NameVerdict]) -> None:
        self.module = module
        self.telling = telling
        self.context = "\n".join(sorted(telling))
        """What `telling` holds, as a context of questions about nodes."""

    @cached_property
    def text_tokens(self) -> bool:
        """Whether the file speaks of tokens as pieces of text."""
        return any(word in self.module.lower for word in TEXT_TOKENS)

    def bound(
        self,
        name: str,
        value: ast.AST | None,
        topic: str = "token",
        *,
        verdict: NameVerdict | None = None,
        needs_strong: bool = False,
        fallback_topic: str = "fallback",
    ) -> Iterator[Bound]:
        """The literals of a value under a name, if the name (or the verdict given for it) is telling."""
        header = topic in ("token", "fallback") and ("-" in name or name[:1].isupper()) and is_header(name)
        if header and name in SETTINGS_TOO and self.module.source.plain:
            header = False
        found = verdict or judge_name(name)
        if found is None or (header and found.kind == "weak"):
            found = HEADER if header else None
        if found is None or value is None or found.kind == "weak":
            return
        for leaf, line in self._leaves(value, header=header):
            if leaf.sequence and not found.plural and not isinstance(value, ast.BoolOp | ast.IfExp):
                continue
            chosen = "authorization" if header else fallback_topic if leaf.fallback else topic
            yield Bound(
                literal=leaf.node,
                text=leaf.text,
                target=name,
                verdict=found,
                topic=chosen,
                partial=leaf.partial,
                needs_strong=needs_strong or leaf.partial or leaf.returned,
                sequence=leaf.sequence,
                around=leaf.around,
                text_tokens=self.text_tokens,
                line=line,
            )

    def _leaves(self, value: ast.AST, *, header: bool) -> Iterator[tuple[Leaf, int]]:
        """The literals of a value, also behind a name that one plain assignment binds to them and that says nothing.

        Those come with the line of the value. What a telling name is bound to is found where it is bound.
        """
        for leaf in leaves(value):
            yield leaf, 0
        for place in _places(value, header=header):
            held = self._held(place, MAX_NAMES)
            for leaf in leaves(held) if held is not None else ():
                yield leaf, place.lineno

    def _held(self, place: Holder, left: int) -> ast.Constant | None:
        """The literal that a name or an attribute of the object itself holds, and nothing else."""
        verdict = judge_name(place.attr if isinstance(place, ast.Attribute) else place.id)
        if left <= 0 or (verdict is not None and verdict.kind != "weak"):
            return None
        match self._bound_to(place):
            case ast.Constant() as held:
                return held
            case ast.Name() | ast.Attribute() as other:
                return self._held(other, left - 1)
            case _:
                return None

    def _bound_to(self, place: Holder) -> ast.expr | None:
        scopes = self.module.scopes
        match place:
            case ast.Name():
                return scopes.value_of(place)
            case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=attr):
                owner = scopes.owner(place)
                if owner is None:
                    return None
                given = self.module.attribute_values.get((owner, attr), ())
                of_class = scopes.sole_value(owner, attr)
                return of_class if not given else given[0] if len(given) == 1 and of_class is None else None
            case _:
                return None


def _places(value: ast.AST, *, header: bool) -> Iterator[Holder]:
    """The names and attributes whose values a value is made of: it is one, or puts one behind a header's scheme."""
    match value:
        case ast.Name() | ast.Attribute():
            yield value
        case ast.JoinedStr(values=[*_, ast.FormattedValue(value=ast.Name() | ast.Attribute() as place)]) if header:
            yield place
        case ast.BinOp(op=ast.Add(), right=ast.Name() | ast.Attribute() as place) if header:
            yield place
        case _:
            pass
