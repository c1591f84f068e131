"""What else a name may mean that reads as a credential's: a folder, a position, a public key, what stands beside."""

import ast
from collections.abc import Iterator

from valhalla_lint.facts.secret_names import judge_name
from valhalla_lint.facts.words import last_name
from valhalla_lint.flow.units import Unit, once_a_unit
from valhalla_lint.flow.words import pieces

WORKING_FOLDER = "PWD"
"""What a shell calls the folder that it works in."""
FOLDERS = ("getcwd", "chdir", '"pwd"', "os.path", "pathlib", "current directory", "working directory", "path.split(")
"""Words of a file in which `pwd` is a folder, where it speaks of no password."""
POSITIONS = frozenset("since stream batch delta watermark paging continue skip".split())
"""Words in front of a token that is a place in a list or a stream."""
PUBLIC_HALVES = frozenset("signing master verify".split())
"""Words in front of the keys of other people's devices."""
CROSS_SIGNED = ("cross_signing", "cross-signing", "crosssigning", "device_keys", "devicekeys")
"""Words of a file in which devices and users have keys with a public half that is handed around."""
PRIVATE = frozenset("private secret seed".split())
SIDES = frozenset({"or"})
STORED_HASHES = frozenset({"htpasswd", "htdigest"})
"""Files of names and hashes of passwords."""
ABOUT = frozenset(
    """path paths file files filename dir folder id ids name names kind length len size count expiry expires
    fingerprint hash hashes""".split()
)
"""Last words of names of what belongs to a credential and is none."""
WHOSE = frozenset("user username login name realm email id iden scheme host port expiry expires prefix".split())
"""Last words of names of what stands beside a credential in a text or a record that is taken apart."""


def means_another_thing(name: str, kind: str, unit: Unit) -> bool:
    """Whether a name that reads as that of a credential of a kind means something else in this file."""
    parts = pieces(name)
    if name == WORKING_FOLDER or not STORED_HASHES.isdisjoint(parts):
        return True
    if kind == "password" and parts[-1] == "pwd":
        return _works_in_folders(unit)
    if not SIDES.isdisjoint(parts[:-1]) and judge_name("_".join(parts[: parts.index("or")])) is None:
        return True  # `path_or_token`: whoever shows it may show either
    if kind == "token":
        return not POSITIONS.isdisjoint(parts[:-1]) or name in _words_of_lists(unit)
    if kind == "key":
        return not PUBLIC_HALVES.isdisjoint(parts) and PRIVATE.isdisjoint(parts) and _signs_across(unit)
    return False


@once_a_unit
def _works_in_folders(unit: Unit) -> bool:
    text = unit.module.lower
    return not any(word in text for word in ("password", "passwd")) and any(word in text for word in FOLDERS)


@once_a_unit
def _words_of_lists(unit: Unit) -> frozenset[str]:
    """The names of a file whose values are looked for in a list of the program: `if token not in KEYWORDS`."""
    return frozenset(
        node.left.id
        for node in unit.module.nodes(ast.Compare)
        if isinstance(node.left, ast.Name)
        and isinstance(node.ops[0], ast.In | ast.NotIn)
        and last_name(node.comparators[0]).isupper()
    )


@once_a_unit
def rows(unit: Unit) -> frozenset[tuple[ast.AST, str]]:
    """The names, with their function, of what a database's session adds or deletes: their class says what is shown."""
    found: set[tuple[ast.AST, str]] = set()
    for node in unit.module.nodes(ast.Call):
        match node:
            case ast.Call(
                func=ast.Attribute(attr="add" | "delete" | "merge" | "refresh" | "expunge", value=owner),
                args=[ast.Name(id=name), *_],
            ) if last_name(owner).lower().endswith("session"):
                found.add((unit.module.scopes.scope(node), name))
            case _:
                pass
    return frozenset(found)


def is_in_mask(node: ast.expr, unit: Unit) -> bool:
    """Whether a part of a text stands beside repeated signs that hide the rest: `key[0] + "*" * 8`."""
    parents = unit.module.index.parents
    whole: ast.AST = node
    while isinstance(above := parents.get(whole), ast.BinOp | ast.FormattedValue | ast.JoinedStr):
        whole = above
    return any(
        isinstance(item, ast.BinOp)
        and isinstance(item.op, ast.Mult)
        and any(
            isinstance(side, ast.Constant) and isinstance(side.value, str) and not side.value.strip(HIDING)
            for side in (item.left, item.right)
        )
        for item in ast.walk(whole)
    )


HIDING = "*xX#.-_\u2022"


@once_a_unit
def _signs_across(unit: Unit) -> bool:
    return any(word in unit.module.lower for word in CROSS_SIGNED)


def is_about_secret(name: str) -> bool:
    """Whether a name says that it holds something that belongs to a credential: `private_key_path`, `token_id`."""
    parts = pieces(name)
    return len(parts) > 1 and parts[-1] in ABOUT and judge_name("_".join(parts[:-1])) is not None


def stands_beside(name: str) -> bool:
    """Whether a name says that it holds what stands beside a credential: `user, password = header.split(":")`."""
    parts = pieces(name)
    return bool(parts) and parts[-1] in WHOSE and judge_name(name) is None


@once_a_unit
def refused_for_form(unit: Unit) -> frozenset[ast.AST]:
    """The places of a file at which a value is read that is known to be none: empty, or of another type than text."""
    return frozenset(node for item in unit.module.nodes(ast.If) for node in _refused(item))


def _refused(node: ast.If) -> Iterator[ast.AST]:
    tests = node.test.values if isinstance(node.test, ast.BoolOp) and isinstance(node.test.op, ast.Or) else [node.test]
    names = {_without_form(test) for test in tests}
    name = names.pop()
    if name is None or names:
        return
    inside = [item for statement in node.body for item in ast.walk(statement)]
    read: list[ast.AST] = []
    for item in inside:
        if isinstance(item, ast.Name | ast.Attribute) and _dotted(item) == name:
            if not isinstance(item.ctx, ast.Load):
                return  # it has another value then
            read.append(item)
    yield from read


def _without_form(test: ast.expr) -> str | None:
    """What a test finds empty or of another type than text, None where it asks something else."""
    match test:
        case ast.UnaryOp(
            op=ast.Not(), operand=ast.Call(func=ast.Name(id="isinstance"), args=[ast.expr() as asked, *_])
        ):
            return _dotted(asked)
        case ast.UnaryOp(op=ast.Not(), operand=ast.Name() | ast.Attribute() as asked):
            return _dotted(asked)
        case ast.UnaryOp(
            op=ast.Not(), operand=ast.Call(func=ast.Attribute(value=ast.Name() as asked, attr="strip"), args=[])
        ):
            return _dotted(asked)
        case ast.Compare(
            left=ast.expr() as asked, ops=[ast.Is() | ast.Eq()], comparators=[ast.Constant(value=None | "")]
        ):
            return _dotted(asked)
        case ast.Compare(
            left=ast.Call(func=ast.Name(id="len"), args=[ast.expr() as asked]),
            ops=[ast.Eq()],
            comparators=[ast.Constant(value=0)],
        ):
            return _dotted(asked)
        case _:
            return None


def _dotted(node: ast.expr) -> str | None:
    return ast.unparse(node) if isinstance(node, ast.Name | ast.Attribute) else None
