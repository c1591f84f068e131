"""The words that identifiers are made of, and the words that stand around an expression."""

import ast
from collections.abc import Iterator

from valhalla_lint.core.regex import regex

WORD = regex(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
MAX_NODES = 40
"""How many nodes of an expression are looked at for words; more says no more about what it is."""
MAX_DEPTH = 12
"""How deep an expression is followed to what it is about."""


def word_set(text: str) -> frozenset[str]:
    """The set of the words of a text: how vocabularies are written down."""
    return frozenset(text.split())


SPELLED_OPEN = frozenset("aefhilmnorsx")
"""Letters whose names begin with a vowel."""


def with_article(name: str) -> str:
    """A name behind the article that it is spoken with: a token, an AWS key, an npm token, an xAI key, a URL."""
    first = WORD.match(name)
    word = name.split(maxsplit=1)[0] if name else ""
    letters = word.isupper() or not set(word.lower()) & set("aeiouy") or (first is not None and len(first[0]) == 1)
    opens = word[:1].lower() in (SPELLED_OPEN if letters else frozenset("aeio"))
    return f"{'an' if opens else 'a'} {name}"


TRANSPARENT = word_set(
    """abs int float str round max min sum len mean sorted list tuple set median norm item cpu detach ceil floor
    absolute asarray array to squeeze unsqueeze reshape flatten view expand strip lower upper"""
)
"""Calls that say little about what their argument is."""
LIBRARIES = word_set("np numpy math cmath torch xp jnp tf F K sp scipy statistics operator")
"""Modules whose functions are written like methods: what they are about is their argument."""
SHALLOW = word_set("value values config self cls size shape length count data args kwargs")
"""Names that say what a thing is only together with what they belong to."""


def words(identifier: str) -> tuple[str, ...]:
    """The words of an identifier in lower case: `maxTokenCount` and `MAX_TOKEN_COUNT` both give max, token, count."""
    return tuple(found.lower() for found in WORD.findall(identifier))


def last_name(expression: ast.AST) -> str:
    """The last part of a name or attribute chain (also of what is called or subscripted); "" for other expressions."""
    match expression:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case ast.Call(func=inner) | ast.Subscript(value=inner):
            return last_name(inner) if not isinstance(inner, ast.Call | ast.Subscript) else ""
        case _:
            return ""


def mentioned(expression: ast.AST) -> frozenset[str]:
    """The words of all names, attributes, keys and keywords in an expression (of its first `MAX_NODES` nodes)."""
    found: set[str] = set()
    for identifier in identifiers(expression):
        found.update(words(identifier))
    return frozenset(found)


def identifiers(expression: ast.AST) -> Iterator[str]:
    """The identifiers in an expression, keys that are strings included."""
    queue: list[ast.AST] = [expression]
    for node in queue:
        match node:
            case ast.Name(id=name):
                yield name
            case ast.Attribute(attr=name):
                yield name
            case ast.Subscript(slice=ast.Constant(value=str(key))):
                yield key
            case ast.Call(args=[ast.Constant(value=str(key)), *_], func=ast.Attribute(attr="get" | "pop" | "getint")):
                yield key
            case ast.Call(args=[_, ast.Constant(value=str(key)), *_], func=ast.Name(id="getattr")):
                yield key
            case ast.Lambda():
                continue
            case _:
                pass
        if len(queue) < MAX_NODES:
            queue += children(node)


def children(node: ast.AST) -> list[ast.AST]:
    """The nodes directly below a node, contexts left out."""
    found: list[ast.AST] = []
    for name in node._fields:
        value = getattr(node, name, None)
        if value.__class__ is list:
            found += [item for item in value if isinstance(item, ast.AST)]
        elif name != "ctx" and isinstance(value, ast.AST):
            found.append(value)
    return found


def subject(expression: ast.AST | None) -> tuple[str, ...]:
    """The words that best name an expression: prompts, length for `len(self.prompts)`; () where nothing does."""
    return _subject(expression, MAX_DEPTH)


def _subject(node: ast.AST | None, depth: int) -> tuple[str, ...]:
    if node is None or depth <= 0:
        return ()
    match node:
        case ast.Name(id=name):
            return () if name in ("self", "cls") else words(name)
        case ast.Attribute(value=base, attr=name):
            own = words(name)
            return (*_subject(base, depth - 1)[-2:], *own) if name in SHALLOW else own
        case ast.Subscript(slice=ast.Constant(value=str(key))):
            return words(key)
        case ast.Subscript(value=base):
            return _subject(base, depth - 1)
        case ast.Call(func=ast.Name(id="len"), args=[only]):
            return (*_subject(only, depth - 1), "length")
        case ast.Call(func=ast.Attribute(attr="get" | "pop"), args=[ast.Constant(value=str(key)), *_]):
            return words(key)
        case ast.Call(func=function, args=arguments):
            name = last_name(function)
            if name in TRANSPARENT:
                return _subject(_handled(function, arguments), depth - 1) or words(name)
            return words(name)
        case ast.BinOp(left=left, right=right):
            return _subject(left, depth - 1) or _subject(right, depth - 1)
        case ast.UnaryOp(operand=inner) | ast.Await(value=inner) | ast.Starred(value=inner):
            return _subject(inner, depth - 1)
        case ast.NamedExpr(target=inner):
            return _subject(inner, depth - 1)
        case ast.IfExp(body=inner):
            return _subject(inner, depth - 1)
        case ast.BoolOp(values=[first, *_]):
            return _subject(first, depth - 1)
        case _:
            return ()


def _handled(function: ast.expr, arguments: list[ast.expr]) -> ast.expr | None:
    """What a call that says little is about: the object of a method, or else the first argument."""
    owner = function.value if isinstance(function, ast.Attribute) else None
    if owner is not None and (not arguments or last_name(owner) not in LIBRARIES):
        return owner
    return arguments[0] if arguments else None
