"""What can be read of lines that are not Python: everything but the statements that are broken themselves.

Lines are cut where a statement of their own depth begins, as strings and brackets tell, else as indentation does; what
reads by itself is kept whole. Of a block, head and bodies are read apart and put together again, so that a function
with one broken line is still that function. What is broken to the core is tried with what helps it (`print x` is read
as a call), then line by line, and left out.
"""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from valhalla_lint.core.parsed import Part, Parts
from valhalla_lint.core.regex import regex
from valhalla_lint.facts.index import children
from valhalla_lint.facts.parse import LEXEME, logical_lines, move, tree_of

MAX_DEPTH = 24
"""Blocks inside each other up to which heads and bodies are read apart: each is parsed once for every one around it."""
WHITE = " \t\f"
CONTINUES = regex(r"(?:elif|else|except|finally)\b|[)\]}]")
"""What goes on with the statement above it at the same depth."""
BODIES = ("body", "orelse", "finalbody")
BLOCK = regex(r"(?:async\s+)?(?:def|class|if|for|while|with|elif)\b")
NAMED = regex(r"(?:async[ \t]+)?def[ \t]+\w+|class[ \t]+\w+")
ELIF = regex(r"elif\b")
BRANCH = regex(r"(?:else|finally|try|except\b[^:\n]*)[ \t]*:")
PRINT = regex(r"print(?=[ \t]+[^=\s(])[ \t]")
OLD_EXCEPT = regex(r"^([ \t\f]*except\b[^:\n]*),([ \t]*\w+[ \t]*:)")
OLD_PREFIX = regex(r"\b[uU][rR](?=[\"'])")


def recover(text: str, known: Parts | None = None, before: int = 0) -> tuple[list[ast.stmt], Parts]:
    """The statements of lines that are not Python together, at their places in the text; and what was read apart.

    known: what was read apart of an earlier text; parts with the same lines are taken over. Effect: it is used up,
    statements become part of the result. before: the number of lines before that text, where its statements stand.
    """
    lines = text.split("\n")
    memory = _Memory({key: [*parts] for key, parts in (known or {}).items()}, before)
    return _Stretch(lines, 0, len(lines), memory).apart(), memory.made


class _Memory:
    """What is known of the parts of an earlier text, and the parts of what is being read.

    A part that is taken over takes its own parts along; those of one that is gone can be taken by themselves. So no
    statement is ever taken twice.
    """

    def __init__(self, known: dict[tuple[str, int], list[Part]], before: int) -> None:
        self._known = known
        self._before = before
        self.made: dict[tuple[str, int], list[Part]] = {}

    def statements(self, stretches: Sequence["_Stretch"]) -> list[ast.stmt]:
        """What can be read of stretches that follow each other, each by itself."""
        found = [self._taken(stretch) for stretch in stretches]
        if None in found:
            self._dissolve()
        body: list[ast.stmt] = []
        for stretch, known in zip(stretches, found, strict=True):
            part = known or self._read(stretch)
            self.made.setdefault(stretch.key, []).append(part)
            body += part.body
        return body

    def _taken(self, stretch: "_Stretch") -> Part | None:
        known = self._known.get(stretch.key)
        if not known:
            return None
        part = known.pop()
        move(part.body, stretch.start - part.before - self._before)
        return part._replace(before=stretch.start)

    def _read(self, stretch: "_Stretch") -> Part:
        inside = _Memory(self._known, self._before)
        body = replace(stretch, memory=inside).statements()
        return Part(stretch.start, body, _shifted(inside.made, -stretch.start))

    def _dissolve(self) -> None:
        """Know the parts of those that are left instead."""
        left = [part for parts in self._known.values() for part in parts]
        self._known.clear()
        for part in left:
            for key, parts in _shifted(part.parts, part.before).items():
                self._known.setdefault(key, []).extend(parts)


def _shifted(parts: Parts, lines: int) -> dict[tuple[str, int], list[Part]]:
    """Parts as seen from some lines further up."""
    return {key: [part._replace(before=part.before + lines) for part in found] for key, found in parts.items()}


@dataclass(frozen=True, slots=True)
class _Part:
    """A head and the lines below it. last: where the last logical line of the head begins; body: where its lines do."""

    start: int
    last: int
    body: int
    end: int


@dataclass(frozen=True, slots=True)
class _Stretch:
    """Some of the lines of a text, and how many blocks they are in."""

    lines: Sequence[str]
    start: int
    end: int
    memory: _Memory
    depth: int = 0

    @property
    def key(self) -> tuple[str, int]:
        """Equal for stretches that read alike."""
        return "\n".join(self.lines[self.start : self.end]), self.depth

    def statements(self) -> list[ast.stmt]:
        """What can be read of them."""
        whole = self._read(self.start, self.lines[self.start : self.end])
        return self.apart() if whole is None else whole

    def apart(self) -> list[ast.stmt]:
        """The same where they are not Python together."""
        for brackets in (True, False):
            cuts = list(self._cuts(brackets=brackets))
            if len(cuts) > 1:
                cut = pairwise((*cuts, self.end))
                return self.memory.statements([replace(self, start=start, end=end) for start, end in cut])
        return self._block() or self.simple()

    def _read(self, start: int, lines: Sequence[str]) -> list[ast.stmt] | None:
        """The statements of lines that stand at a place, None where they are not Python."""
        first = next((line for line in lines if not _is_blank(line)), "")
        inside = _depth(first) > 0
        tree = tree_of("\n".join(["if 1:", *lines] if inside else lines))
        if not isinstance(tree, ast.Module):
            return None
        body = tree.body
        if inside and isinstance(body[0], ast.If):
            body[:1] = [*body[0].body, *body[0].orelse]
        move(body, start - inside)
        return body

    def _begins(self, *, brackets: bool) -> Iterator[int]:
        """The lines on which statements may begin. brackets: whether none begins inside a bracket."""
        text = "\n".join(self.lines[self.start : self.end])
        for start, _, _ in logical_lines(text, line=self.start, brackets=brackets):
            if start < self.end and not _is_blank(self.lines[start]):
                yield start

    def _cuts(self, *, brackets: bool) -> Iterator[int]:
        """The lines on which statements begin that are no part of the one before."""
        depth = -1
        decorated = False
        for number in self._begins(brackets=brackets):
            line = self.lines[number]
            here, text = _depth(line), line.lstrip(WHITE)
            if depth < 0:
                yield self.start
            elif here > depth or (here == depth and CONTINUES.match(text)):
                continue
            elif not decorated:
                yield number
            depth, decorated = here, text.startswith("@")

    def _block(self) -> list[ast.stmt] | None:
        """A block put together again; None for what is none."""
        parts: list[_Part] = []
        for brackets in (True, False) if self.depth < MAX_DEPTH else ():
            parts = list(self._parts(brackets=brackets))
            heads = [self.lines[part.start : part.body] for part in parts]
            for candidate in (heads, [_ended(head) for head in heads]) if _has_body(parts) else ():
                found = self._joined(parts, candidate)
                if found is not None:
                    return found
        if not _has_body(parts):
            return None
        return [statement for part in parts for statement in self._alone(part)]

    def _parts(self, *, brackets: bool) -> Iterator[_Part]:
        depth = start = last = body = -1
        for number in self._begins(brackets=brackets):
            here = _depth(self.lines[number])
            if depth < 0:
                depth, start, last = here, self.start, number
            elif here > depth:
                body = number if body < 0 else body
            elif body < 0:
                last = number
            else:
                yield _Part(start, last, body, number)
                start, last, body = number, number, -1
        if depth >= 0:
            yield _Part(start, last, body if body >= 0 else self.end, self.end)

    def _joined(self, parts: Sequence[_Part], heads: Sequence[Sequence[str]]) -> list[ast.stmt] | None:
        """Heads with what can be read of their bodies; None where the heads are not Python even so."""
        skeleton: list[str] = []
        bodies: dict[int, _Part] = {}
        for part, head in zip(parts, heads, strict=True):
            skeleton += head
            if part.body == part.end:
                last = max(number for number, line in enumerate(skeleton) if not _is_blank(line))
                skeleton[last] = _closed(skeleton[last])
                continue
            last = max(number for number in range(part.body, part.end) if not _is_blank(self.lines[number]))
            line = self.lines[part.body]
            skeleton += [""] * (last - part.body)
            skeleton.append(line[: len(line) - len(line.lstrip(WHITE))] + "pass")
            skeleton += [""] * (part.end - last - 1)
            bodies[last + 1] = part
        found = self._read(parts[0].start, skeleton)
        stack: list[ast.AST] = [*(found or ())]
        while stack:
            node = stack.pop()
            stack += children(node)
            for name in BODIES:
                match getattr(node, name, None):
                    case [ast.Pass(lineno=number)] as held if number in bodies:
                        held[:] = self._below(bodies[number]) or held
                    case _:
                        pass
        return found

    def _below(self, part: _Part) -> list[ast.stmt]:
        return (
            _Stretch(self.lines, part.body, part.end, self.memory, self.depth + 1).statements()
            if part.body < part.end
            else []
        )

    def _alone(self, part: _Part) -> list[ast.stmt]:
        """A head and its body without the other parts of a statement."""
        head = self.lines[part.start : part.body]
        last = self.lines[part.last : part.body]
        for lines in (head, last, *_meant(_ended(last))):
            blank = [""] * (len(head) - len(lines))
            found = self._joined([part], [[*blank, *lines]])
            if found is not None:
                return found
        return [*_Stretch(self.lines, part.start, part.body, self.memory).simple(), *self._below(part)]

    def simple(self) -> list[ast.stmt]:
        """What can be read of a statement that is broken to the core."""
        found = self._helped(self.start, self.end)
        if found is None and self.end - self.start > 1:
            lines = (self._helped(number, number + 1) for number in range(self.start, self.end))
            return [statement for line in lines for statement in line or ()]
        return found or []

    def _helped(self, start: int, end: int) -> list[ast.stmt] | None:
        text = "\n".join(self.lines[start:end])
        code = text.lstrip(WHITE)
        if (branch := BRANCH.match(code)) is not None:
            text = " " * (len(text) - len(code) + branch.end()) + code[branch.end() :]
            code = text.lstrip(WHITE)
        if not code.strip() or code.startswith("#"):
            return []
        margin = text[: len(text) - len(code)]
        for candidate in _helps(code):
            found = self._read(start, (margin + candidate).split("\n"))
            if found is not None:
                return found
        return None


def _is_blank(line: str) -> bool:
    code = line.lstrip(WHITE)
    return not code or code.startswith("#")


def _depth(line: str) -> int:
    """The column at which a line begins."""
    return len(line[: len(line) - len(line.lstrip(WHITE))].replace("\f", "").expandtabs())


def _closed(line: str) -> str:
    """The last line of a head that has no body, with one."""
    code = _code(line)
    return f"{code}{'' if code.endswith(':') else ':'} pass"


def _code(line: str) -> str:
    """A line without its comment."""
    comment = next((found.start() for found in LEXEME.finditer(line) if found.lastgroup == "comment"), len(line))
    return line[:comment].rstrip()


def _has_body(parts: Sequence[_Part]) -> bool:
    return any(part.body < part.end for part in parts)


def _ended(head: Sequence[str]) -> Sequence[str]:
    """The head of a block with the colon that it lacks, and with the `as` of `except E, e:`."""
    *above, last = head
    code = OLD_EXCEPT.sub(r"\1 as\2", _code(last))
    return [*above, code if code.endswith(":") or not code else f"{code}:"]


def _meant(head: Sequence[str]) -> Iterator[Sequence[str]]:
    """What the head of a block by itself may be meant to become, with as many lines."""
    yield head
    first, *rest = head
    code = first.lstrip(WHITE)
    margin = first[: len(first) - len(code)]
    if ELIF.match(code):
        yield [margin + ELIF.sub("if  ", code), *rest]
    if (named := NAMED.match(code)) is not None:
        yield [f"{margin}{named[0]}{':' if named[0].startswith('class') else '():'}", *("" for _ in rest)]


def _helps(text: str) -> Iterator[str]:
    """A text as it is, and with what helps a line that makes no sense by itself."""
    yield text
    *above, last = text.split("\n")
    if BLOCK.match(text):
        yield "\n".join([*above, _closed(last)]).replace("elif", "if  ", text.startswith("elif"))
    if text.startswith("@"):
        yield f" {text[1:]}"
    if PRINT.match(text):
        yield PRINT.sub("print(", "\n".join([*above, _code(last)]), count=1) + ")"
    if OLD_PREFIX.search(text):
        yield OLD_PREFIX.sub(" r", text)
