"""What else a name may mean that reads as a credential's: a folder, a position, a public key, what stands beside."""

import ast
from collections.abc import Sequence

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
    """path paths file files filename fname dir folder id ids uuid uuids guid href name names kind length len size count
    expiry expires fingerprint hash hashes""".split()
)
"""Last words of names of what belongs to a credential and is none."""
STATES = frozenset("known available present ready loaded configured ms seconds secs latency duration pause".split())
"""Last words of names that say how it stands with a credential, or how long something took."""
POINTING = frozenset("path file filename folder dir location link name route".split())
TOWARDS = frozenset("to of for".split())
"""Words that lead from the name of a place to what is there: `path_to_private_key`."""
ABILITIES = frozenset("supports requires needs".split())
"""Words anywhere in a name that make it the answer to a question."""
ELSEWHERE = frozenset("paths files filenames names columns fields".split())
"""Last words of names of records that hold where things are, or how they are called: `paths.client_secret`."""
IDENTIFIERS = frozenset("id ids uuid uuids".split())
PIECES = frozenset("split rsplit splitlines findall finditer tokenize".split())
"""Functions that take a text apart."""
ANSWERED = frozenset("content text delta".split())
"""Keys under which a language model's answer stands, in pieces that are called tokens as well."""
KEEPERS = frozenset("get fetch read load retrieve resolve lookup find".split())
"""First words of names of functions that give what is kept under a name."""
WHOSE = frozenset(
    """user username login name realm email id iden scheme type host port expiry expires prefix
    count counts occurrences number""".split()
)
"""Last words of names of what stands beside a credential in a text or a record that is taken apart."""


def means_another_thing(name: str, kind: str, unit: Unit) -> bool:
    """Whether a name that reads as that of a credential of a kind means something else in this file."""
    parts = pieces(name)
    if name == WORKING_FOLDER or not STORED_HASHES.isdisjoint(parts):
        return True
    if _is_no_value(parts, kind) or name in _names_of_secrets(unit):
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


def _is_no_value(parts: Sequence[str], kind: str) -> bool:
    """Whether a name that speaks of a credential says that it holds a place, a state, or what one is called."""
    if len(parts) == 1:
        return False
    if parts[-1] in ABOUT or parts[-1] in STATES or not ABILITIES.isdisjoint(parts):
        return True
    if parts[0] in POINTING and parts[1] in TOWARDS:
        return True
    return kind in ("password", "secret") and parts[-1] in ("key", "keys")  # under which it is kept


@once_a_unit
def _names_of_secrets(unit: Unit) -> frozenset[str]:
    """The names of a file that are handed to what gives a secret by its name: `vault.get_secret(totp_secret_key)`."""
    found: set[str] = set()
    for node in unit.module.nodes(ast.Call):
        parts = pieces(last_name(node.func))
        if node.args and parts and not KEEPERS.isdisjoint(parts) and not KEPT.isdisjoint(parts):
            name = last_name(node.args[0])
            if name and pieces(name)[-1:] in (("key",), ("secret",)):
                found.add(name)
    return frozenset(found)


KEPT = frozenset({"secret", "secrets"})


def is_of_places(node: ast.AST) -> bool:
    """Whether a node reads an attribute of a record of places or names: `paths.client_secret` is a file."""
    if not isinstance(node, ast.Attribute):
        return False
    parts = pieces(last_name(node.value))
    return bool(parts) and parts[-1] in ELSEWHERE


@once_a_unit
def permissions(unit: Unit) -> frozenset[str]:
    """The names of a file that hold what somebody may do: `authorization["allow"]`; the header is a text."""
    found: set[str] = set()
    for node in unit.module.nodes(ast.Subscript):
        match node:
            case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=str(key))):
                if judge_name(key) is None:
                    found.add(name)
            case _:
                pass
    return frozenset(found)


@once_a_unit
def without_password(unit: Unit) -> frozenset[tuple[ast.AST, str]]:
    """The names, with their function, of addresses that were made without a password, or with stars in its place."""
    return frozenset(
        (unit.module.scopes.scope(node), target.id)
        for node in unit.module.nodes(ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name) and any(_leaves_out(item) for item in ast.walk(node.value))
    )


def _leaves_out(node: ast.AST) -> bool:
    match node:
        case ast.Dict(keys=keys, values=values):
            return any(
                isinstance(key, ast.Constant) and key.value in ("password", "pwd", "passwd") and _is_blank(value)
                for key, value in zip(keys, values, strict=True)
            )
        case ast.keyword(arg="password" | "pwd" | "passwd", value=value):
            return _is_blank(value)
        case _:
            return False


def _is_blank(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and (
        node.value is None or (isinstance(node.value, str) and not node.value.strip(HIDING))
    )


@once_a_unit
def _works_in_folders(unit: Unit) -> bool:
    text = unit.module.lower
    return not any(word in text for word in ("password", "passwd")) and any(word in text for word in FOLDERS)


@once_a_unit
def _words_of_lists(unit: Unit) -> frozenset[str]:
    """The names of a file whose values are words: of a list of the program, of a text, or of a model's answer."""
    found = {
        node.left.id
        for node in unit.module.nodes(ast.Compare)
        if isinstance(node.left, ast.Name)
        and isinstance(node.ops[0], ast.In | ast.NotIn)
        and last_name(node.comparators[0]).isupper()
    }
    for loop in unit.module.nodes(ast.For):
        if isinstance(loop.target, ast.Name) and _gives_words(loop.iter):
            found.add(loop.target.id)
    for bound in unit.module.nodes(ast.Assign):
        match bound:
            case ast.Assign(
                targets=[ast.Name(id=name)],
                value=ast.Subscript(slice=ast.Constant(value=key))
                | ast.Call(func=ast.Attribute(attr="get"), args=[ast.Constant(value=key), *_]),
            ) if key in ANSWERED:
                found.add(name)
            case _:
                pass
    return frozenset(found)


def _gives_words(node: ast.expr) -> bool:
    if isinstance(node, ast.Call):
        return last_name(node.func) in PIECES
    name = last_name(node)
    return name.isupper() and OWNERS_OF_TOKENS.isdisjoint(pieces(name))


OWNERS_OF_TOKENS = frozenset("access auth api oauth bearer jwt refresh session bot user".split())
"""Words in the names of lists of tokens that open something."""


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
CUT = 8
"""First characters of a token or key that may be shown before an ellipsis: enough to know it again."""
ELLIPSES = ("...", "\u2026", "**", "\u2022")


def is_cut(node: ast.Subscript, unit: Unit) -> bool:
    """Whether the first characters of a text are shown before an ellipsis: `f"{token[:8]}..."`, `token[:6] + "…"`.

    Not its last: the first ones of many tokens are those of all tokens of their provider.
    """
    bounds = node.slice
    if not isinstance(bounds, ast.Slice) or bounds.step is not None or bounds.lower is not None:
        return False
    upper = unit.module.constant(bounds.upper) if bounds.upper is not None else None
    if not isinstance(upper, int) or not 0 < upper <= CUT:
        return False
    part: ast.AST = node
    parents = unit.module.index.parents
    if isinstance(parents.get(part), ast.FormattedValue):
        part = parents[part]
    match above := parents.get(part):
        case ast.JoinedStr(values=values):
            place = next((index for index, item in enumerate(values) if item is part), 0)
            after = values[place + 1 : place + 2]
        case ast.BinOp(op=ast.Add(), left=left, right=right):
            further = parents.get(above)
            if left is part:
                after = [right]
            else:
                after = [further.right] if isinstance(further, ast.BinOp) and further.left is above else []
        case _:
            return False
    return any(_text(item).startswith(ELLIPSES) for item in after)


def _text(node: ast.expr) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


@once_a_unit
def _signs_across(unit: Unit) -> bool:
    return any(word in unit.module.lower for word in CROSS_SIGNED)


def is_about_secret(name: str) -> bool:
    """Whether a name says that it holds something that belongs to a credential: `private_key_path`, `token_id`."""
    parts = pieces(name)
    if not parts[1:]:
        return False
    if parts[-1] in IDENTIFIERS:
        return True  # `item_id = vault.create_credential(…)`
    return parts[-1] in ABOUT and judge_name("_".join(parts[:-1])) is not None


def takes_no_secret(name: str) -> bool:
    """Whether a parameter takes something else, by its name: the kind of a credential, or what was made of one."""
    return is_about_secret(name) or pieces(name)[-1:] in (("type",), ("kind",), ("hashed",), ("digest",))


def stands_beside(name: str) -> bool:
    """Whether a name says that it holds what stands beside a credential: `user, password = header.split(":")`."""
    parts = pieces(name)
    return bool(parts) and parts[-1] in WHOSE and judge_name(name) is None
