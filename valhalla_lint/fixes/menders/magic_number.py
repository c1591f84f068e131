"""VH301: a number becomes a constant of its module, or the name that the standard library has for it."""

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from valhalla_lint.core.finding import Finding
from valhalla_lint.facts.module import Module
from valhalla_lint.facts.numbers import Role, Verdict, judged
from valhalla_lint.facts.numbers.calls import makers
from valhalla_lint.facts.numbers.extraction import obstacle
from valhalla_lint.facts.numbers.places import is_number, place
from valhalla_lint.facts.words import last_name, words
from valhalla_lint.fixes.fix import Constant, Edit, Fix, Mender, Refusal, Replaced
from valhalla_lint.fixes.head import head_index
from valhalla_lint.fixes.identifiers import MAX_NUMBER, binds, imported_as, is_free, words_of
from valhalla_lint.fixes.introspection import sees_new_names
from valhalla_lint.fixes.text import Places
from valhalla_lint.fixes.visibility import is_public_elsewhere

EQUAL_ROLES = (Role.COMPARISON, Role.MEMBERSHIP)
"""Where a member of an int enumeration does exactly what its number does."""
SAYING_LITTLE = frozenset({"max", "min", "default", "expected", "limit", "value", "setting", "number"})


@dataclass(frozen=True, slots=True)
class _Use:
    """A finding with what is known of its number."""

    finding: Finding
    verdict: Verdict
    place: tuple[str, str]


def plan(module: Module, findings: Sequence[Finding]) -> Iterator[Fix | Refusal]:
    """One fix for each name that is needed, for all numbers that it stands for."""
    by_span = {module.span(verdict.whole): verdict for verdict in judged(module).values()}
    uses: list[_Use] = []
    for finding in findings:
        verdict = by_span.get(finding.span)
        reason = obstacle(module, verdict.whole) if verdict is not None else "the number is not found any more"
        if verdict is None or reason:
            yield Refusal(finding, reason)
        elif verdict.ready:
            yield _known(module, finding, verdict)
        else:
            uses.append(_Use(finding, verdict, _place(module, verdict)))
    naming = _Naming.of(module)
    taken = set(naming.taken)
    for group in _groups(uses):
        yield from _named(module, group, naming, taken)


def _place(module: Module, verdict: Verdict) -> tuple[str, str]:
    """The definition around a number and what it meets there: numbers that agree in both mean the same."""
    found = place(module.index.parents, verdict.node, makers())
    partner = ast.dump(found.partner) if found is not None and found.partner is not None else ""
    return module.definition(verdict.node), partner


def _groups(uses: Sequence[_Use]) -> Iterator[list[_Use]]:
    """The uses of one constant each: the same value, and the same name or the same place."""
    groups: list[list[_Use]] = []
    by_key: dict[tuple[object, ...], list[_Use]] = {}
    for use in sorted(uses, key=lambda item: item.finding.span):
        value = ast.dump(use.verdict.whole)
        keys: list[tuple[object, ...]] = [("name", value, use.verdict.suggested_name)]
        if use.place[1]:
            keys.append(("place", value, *use.place))
        group = next((by_key[key] for key in keys if key in by_key), None)
        if group is None:
            group = []
            groups.append(group)
        group.append(use)
        for key in keys:
            by_key.setdefault(key, group)
    yield from groups


# --- names that exist already -----------------------------------------------------------------------------------------


def _known(module: Module, finding: Finding, verdict: Verdict) -> Fix | Refusal:
    """The name that the standard library has: `HTTPStatus.NOT_FOUND`, `errno.ENOENT`, `signal.SIGTERM`."""
    root, _, member = verdict.ready.rpartition(".")
    package, _, owner = root.rpartition(".")
    written = imported_as(module, verdict.node, verdict.ready)
    imports: tuple[str, ...] = ()
    if written is None:
        name = owner if package else root
        if binds(module, verdict.node, name) or "*" in module.names.imports:
            return Refusal(finding, f"{name} means something else here")
        imports = (f"from {package} import {owner}" if package else f"import {root}",)
        written = f"{name}.{member}"
    edits, replaced = _exchange(module, [verdict], written)
    return Fix(
        code="VH301",
        findings=(finding,),
        edits=edits,
        replaced=replaced,
        safe=owner == "HTTPStatus" and verdict.role in EQUAL_ROLES,
        summary=f"write {written} for {verdict.spelling}",
        imports=imports,
    )


# --- new names --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Naming:
    """How this module names constants.

    taken: every word of its text. prefix: "_" where a new public name could be seen or looked up elsewhere.
    annotation: `Final`, as this module writes it, where its constants are annotated so.
    existing: its constants with numbers, by name. looked_at: whether the module could come upon a new name.
    """

    taken: frozenset[str]
    prefix: str
    annotation: str
    existing: Mapping[str, ast.expr]
    looked_at: bool

    @classmethod
    def of(cls, module: Module) -> "_Naming":
        """Read the habits of a module."""
        existing: dict[str, ast.expr] = {}
        annotations: list[ast.expr] = []
        for statement in module.tree.body:
            match statement:
                case ast.Assign(targets=[ast.Name(id=name)], value=value) if name.isupper():
                    existing[name] = value
                case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value) if name.isupper():
                    existing[name] = value
                    annotations.append(statement.annotation)
                case _:
                    pass
        typed = (item for item in annotations if isinstance(item, ast.Name | ast.Attribute))
        final = next((item for item in typed if last_name(item) == "Final"), None)
        written = imported_as(module, final, module.name(final) or "?") if final is not None else None
        private = bool(existing) and all(name.startswith("_") for name in existing)
        hidden = private or "*" in module.names.imports or is_public_elsewhere(module)
        return cls(
            taken=frozenset(words_of(module.text)),
            prefix="_" if hidden else "",
            annotation=written or "",
            existing={name: value for name, value in existing.items() if is_number(value)},
            looked_at=sees_new_names(module),
        )


def _named(module: Module, group: Sequence[_Use], naming: _Naming, taken: set[str]) -> Iterator[Fix | Refusal]:
    """A constant for a group of numbers that mean the same. Effect: its name is added to `taken`."""
    findings = tuple(use.finding for use in group)
    verdicts = [use.verdict for use in group]
    first = verdicts[0]
    names = [item.suggested_name for item in verdicts]
    said = next((name for name in names if not name.startswith("EXPECTED")), names[0])
    known = _existing(module, verdicts, said, naming)
    if known is not None:
        edits, replaced = _exchange(module, verdicts, known)
        yield Fix("VH301", findings, edits, replaced, safe=True, summary=f"write {known} for {first.spelling}")
        return
    name = next((item for item in _names(module, first, said, naming.prefix) if is_free(item, taken)), None)
    if name is None or _star_import_follows(module, verdicts):
        reason = "every telling name is taken" if name is None else "a later import of everything could take the name"
        yield from (Refusal(finding, reason) for finding in findings)
        return
    taken.add(name)
    edits, replaced = _exchange(module, verdicts, name)
    times = f" ({len(group)} times)" if len(group) > 1 else ""
    yield Fix(
        code="VH301",
        findings=findings,
        edits=edits,
        replaced=replaced,
        safe=not naming.looked_at,
        summary=f"name {first.spelling} {name}{times}",
        constants=(Constant(name, first.spelling, first.whole, naming.annotation),),
    )


def _exchange(module: Module, verdicts: Sequence[Verdict], name: str) -> tuple[tuple[Edit, ...], tuple[Replaced, ...]]:
    """The edits that write a name for numbers, with a blank where a keyword is glued to one."""
    places = Places(module.text)
    edits: list[Edit] = []
    new = ast.parse(name, mode="eval").body
    for verdict in verdicts:
        start, end = places.range(module.span(verdict.whole))
        before = " " if _is_word(module.text[start - 1 : start]) else ""
        after = " " if _is_word(module.text[end : end + 1]) else ""
        edits.append(Edit(start, end, f"{before}{name}{after}"))
    return tuple(edits), tuple(Replaced(verdict.whole, new) for verdict in verdicts)


def _is_word(character: str) -> bool:
    return character == "_" or character.isalnum()


def _names(module: Module, verdict: Verdict, said: str, prefix: str) -> Iterator[str]:
    """Names for a number, the best first: as suggested, then with what stands around it in front."""
    yield prefix + said
    around = [part for part in module.definition(verdict.node).split(".") if part]
    for count in range(1, len(around) + 1):
        in_front = [word for part in around[-count:] for word in words(part) if word != "init" and word.isascii()]
        if in_front:
            yield prefix + _with_front(in_front, said)
    stem = [word for word in words(module.path.rpartition("/")[2].partition(".")[0]) if word.isascii()]
    if stem:
        yield prefix + _with_front(stem, said)
    yield from (f"{prefix}{said}_{number}" for number in range(2, MAX_NUMBER))


def _with_front(parts: Sequence[str], said: str) -> str:
    """More words in a name, behind the MAX, MIN, … that it may begin with."""
    head, _, rest = said.partition("_")
    spoken = rest.split("_") if head in ("MAX", "MIN", "DEFAULT", "EXPECTED") and rest else said.split("_")
    front = [head] if spoken != said.split("_") else []
    more = [part.upper() for part in parts if part.upper() not in spoken]
    name = "_".join([*front, *more, *spoken])
    return f"N_{name}" if name[0].isdigit() else name


def _existing(module: Module, verdicts: Sequence[Verdict], said: str, naming: _Naming) -> str | None:
    """A constant of the module with the same value and the same role, that is there before all of the numbers."""
    value = ast.dump(verdicts[0].whole)
    for name, known in naming.existing.items():
        if ast.dump(known) != value or not _same_role(name, said):
            continue
        bound = module.scopes.bindings(module.tree).get(name, ())
        if len(bound) != 1 or any(name in item.names for item in module.nodes(ast.Global)):
            continue
        visible = all(module.scopes.binding_scope(item.node, name) is module.tree for item in verdicts)
        if visible and all(_top(module, known) < _top(module, item.node) for item in verdicts):
            return name
    return None


def _same_role(name: str, said: str) -> bool:
    """Whether two names say the same: the words of one are all in the other, and they say more than "maximum"."""
    one, other = frozenset(words(name)), frozenset(words(said))
    return one == other or (len((one & other) - SAYING_LITTLE) > 1 and (one <= other or other <= one))


def _top(module: Module, node: ast.AST) -> int:
    """Which statement of the module's body a node belongs to."""
    at = node
    for above in module.ancestors(node):
        if isinstance(above, ast.Module):
            break
        at = above
    return module.tree.body.index(at)  # type: ignore[arg-type]  # below the module there are statements


def _star_import_follows(module: Module, verdicts: Sequence[Verdict]) -> bool:
    """Whether everything of another module is imported after the place where a constant is put."""
    if "*" not in module.names.imports:
        return False
    index = head_index(module.tree, [item.whole for item in verdicts])
    return any(
        isinstance(node, ast.ImportFrom) and node.names[0].name == "*"
        for statement in module.tree.body[index:]
        for node in ast.walk(statement)
    )


MENDER = Mender("VH301", plan)
