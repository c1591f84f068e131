"""One file with its facts, each computed when first asked for."""

import ast
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import repeat
from typing import TYPE_CHECKING, Any, cast

from valhalla_lint.core.parsed import Parsed
from valhalla_lint.core.regex import regex
from valhalla_lint.core.settings import Settings
from valhalla_lint.core.source import Source
from valhalla_lint.core.span import Span
from valhalla_lint.core.tier import TierDecision
from valhalla_lint.facts.calls import Stores, aliases, by_last_name, by_name, stores
from valhalla_lint.facts.comments import Comment, Lexed, lexed
from valhalla_lint.facts.constants import Constants
from valhalla_lint.facts.index import FunctionNode, Index, Node
from valhalla_lint.facts.joined import JoinedIndex
from valhalla_lint.facts.names import Names
from valhalla_lint.facts.parse import parse, split_lines
from valhalla_lint.facts.project import Project, project_of
from valhalla_lint.facts.reading import ModuleReader, module_text
from valhalla_lint.facts.scopes import JoinedScopes, Scopes
from valhalla_lint.facts.tiers import decide

if TYPE_CHECKING:  # loaded where they are first asked for: not every file needs them
    from valhalla_lint.facts.credentials import Credential

HASH = regex(r"#[^\n]*")
SHARED = (
    "lower",
    "hashes",
    "lines",
    "parsed",
    "index",
    "calls",
    "attributes",
    "scopes",
    "names",
    "packages",
    "constants",
)
"""Facts that depend on nothing but a file's text and place."""


class Module:
    """A source with its facts: what rules and the flow engine ask.

    Not safe to share between threads while facts are still being computed.
    """

    def __init__(self, source: Source, settings: Settings, read_module: ModuleReader = module_text) -> None:
        """Nothing is computed here. read_module: gives the texts of other modules of the project."""
        self.source = source
        self.settings = settings
        self.read_module = read_module

    def share(self, other: "Module") -> None:
        """Take over what another module of exactly the same text has found out about it already."""
        known = vars(other)
        vars(self).update((fact, known[fact]) for fact in SHARED if fact in known)

    @property
    def path(self) -> str:
        """The path as findings show it."""
        return self.source.path

    @property
    def text(self) -> str:
        """The whole text."""
        return self.source.text

    @cached_property
    def lower(self) -> str:
        """The text in lower case, for prefilters."""
        return self.source.text.lower()

    def mentions(self, words: frozenset[str]) -> bool:
        """Whether one of some words stands in the text, in whatever writing.

        words: in small letters, none with a blank or with what ends a line. Of a text that is read again and again,
        only pieces that have not been asked are searched.
        """
        parsed = self.source.parsed  # a text is not parsed for that
        if parsed is None or not parsed.pieces:
            lower = self.lower
            return any(word in lower for word in words)
        known: list[bool | None] = [*map(dict.get, self._facts_of_pieces, repeat(words))]  # hundreds, asked all at once
        return any(piece.mentions(words) for piece in parsed.pieces) if None in known else True in known

    @cached_property
    def _facts_of_pieces(self) -> list[dict[object, Any]]:
        pieces = self.source.parsed.pieces if self.source.parsed is not None else ()
        return [{} if piece.facts is None else piece.facts for piece in pieces]

    @cached_property
    def hashes(self) -> list[str]:
        """What stands from the first `#` of each line on: every comment of Python, and strings that look like one."""
        return HASH.findall(self.source.text) if "#" in self.source.text else []

    @cached_property
    def lines(self) -> list[str]:
        """The lines as Python counts them, without their ends."""
        return split_lines(self.source.text)

    @cached_property
    def parsed(self) -> Parsed:
        """The tree and what was wrong with the text, if anything."""
        if self.source.plain:
            from valhalla_lint.facts.text_files import TextKind, kind_of, text_tree

            kind = TextKind.DOCUMENT if self.source.document else kind_of(self.path)
            return Parsed(text_tree(self.lines, kind))
        if self.source.parsed is not None:
            return self.source.parsed
        if self.source.notebook is None:
            return parse(self.source.text)
        from valhalla_lint.facts.notebooks import parse_cells

        return parse_cells(self.source.text)

    @property
    def tree(self) -> ast.Module:
        """The tree; of a broken file only what could be read."""
        return self.parsed.tree

    @cached_property
    def index(self) -> Index:
        """Nodes by type, parents, stretches."""
        pieces = self.parsed.pieces
        return JoinedIndex(self.tree, pieces, self.parsed.kept) if pieces else Index(self.tree)

    @cached_property
    def calls(self) -> Mapping[str, Sequence[ast.Call]]:
        """The calls by the last name of what they call: the cheapest question whether a file holds one at all."""
        return self.index.grouped(ast.Call, by_last_name)

    @cached_property
    def attributes(self) -> Mapping[str, Sequence[ast.Attribute]]:
        """The attributes that are read, set or called, by their names."""
        return self.index.grouped(ast.Attribute, by_name)

    @cached_property
    def call_aliases(self) -> Mapping[str, frozenset[str]]:
        """The names that the file gives to functions, by the functions' own last names."""
        return aliases(self)

    @cached_property
    def attribute_values(self) -> Mapping[tuple[ast.ClassDef | None, str], Sequence[ast.expr]]:
        """What is assigned to attributes, by the class around the assignment and the attribute's name."""
        from valhalla_lint.facts.archives import attribute_values

        return attribute_values(self)

    @cached_property
    def dict_stores(self) -> Stores:
        """What is put into dictionaries after they were made."""
        return stores(self)

    @cached_property
    def scopes(self) -> Scopes:
        """Scopes and bindings."""
        index = self.index
        return JoinedScopes(index, self.parsed.kept) if isinstance(index, JoinedIndex) else Scopes(index)

    @cached_property
    def names(self) -> Names:
        """Imports and qualified names."""
        return Names(self.index, self.scopes, self.dotted, is_package=self.is_package)

    @cached_property
    def packages(self) -> frozenset[str]:
        """The packages (by the first part of their names) from which anything is imported, anywhere in the file."""
        return frozenset(item.target.partition(".")[0] for found in self.names.imports.values() for item in found)

    @cached_property
    def constants(self) -> Constants:
        """Constant folding."""
        return Constants(self.index, self.scopes)

    @cached_property
    def lexed(self) -> Lexed:
        """Comments and joined lines; reads the text once more, so ask only where it makes one likely."""
        if self.source.plain:
            from valhalla_lint.facts.text_files import text_comments

            return Lexed(text_comments(self.lines))
        if self.source.notebook is not None and self.parsed.problem:
            from valhalla_lint.facts.notebooks import cell_comments

            return Lexed(cell_comments(self.source.text), lexed(self).joined)
        return lexed(self)

    @property
    def comments(self) -> tuple[Comment, ...]:
        """All comments; ask only where the text makes one likely."""
        return self.lexed.comments

    @cached_property
    def project(self) -> Project:
        """The project that the file belongs to (an empty one where none can be told)."""
        return project_of(self.source.location)

    @cached_property
    def dotted(self) -> str:
        """The module's dotted import name, or "" where the project does not tell, or nobody can import it."""
        if self.source.notebook is not None:
            return ""
        return self.project.module_name(self.source.location)

    @property
    def is_package(self) -> bool:
        """Whether the file is a package's `__init__`."""
        return self.source.path.rpartition("/")[2] in ("__init__.py", "__init__.pyi")

    @cached_property
    def credentials(self) -> "tuple[Credential, ...]":
        """Hardcoded credentials, each with the one topic that it is reported as."""
        from valhalla_lint.facts.credentials import credentials

        return credentials(self)

    @cached_property
    def tier(self) -> TierDecision:
        """Production, test or script, with the reasons."""
        return decide(self)

    def nodes(self, kind: type[Node]) -> Sequence[Node]:
        """All nodes of exactly this class, scope by scope."""
        return self.index.nodes(kind)

    def parent(self, node: ast.AST) -> ast.AST | None:
        """The node above, None above the module."""
        return self.index.parents.get(node)

    def ancestors(self, node: ast.AST) -> Iterator[ast.AST]:
        """The nodes above, nearest first."""
        return self.index.ancestors(node)

    def name(self, expression: ast.AST | None) -> str | None:
        """The dotted name that an expression means through imports and aliases, or None."""
        return self.names.name(expression)

    def constant(self, expression: ast.AST | None) -> object:
        """The constant that an expression must have, or `valhalla_lint.facts.constants.MISSING`."""
        return self.constants.value(expression)

    def function(self, node: ast.AST) -> FunctionNode | None:
        """The nearest function around a node, or None."""
        return self.scopes.function(node)

    def definition(self, at: ast.AST | Span) -> str:
        """The dotted name of the definition around a node or a place, "" at module level."""
        if isinstance(at, ast.AST):
            return self.scopes.definition(at)
        before = self.lines[at.line - 1][: at.column] if at.line <= len(self.lines) else ""
        return self.scopes.definition_at(at.line, len(before.encode("utf-8", "surrogatepass")))

    def statement(self, node: ast.AST) -> ast.stmt | None:
        """The nearest statement that a node is part of (or is)."""
        if isinstance(node, ast.stmt):
            return node
        for above in self.index.ancestors(node):
            if isinstance(above, ast.stmt):
                return above
        return None

    def span(self, node: ast.AST) -> Span:
        """Where a node stands, in characters; nodes without a place of their own take their parent's."""
        while not hasattr(node, "lineno"):
            above = self.index.parents.get(node)
            if above is None:
                return Span(1, 0, 1, 0)
            node = above
        place = cast("ast.expr", node)
        line, end_line = place.lineno, place.end_lineno or place.lineno
        column = self.character(line, place.col_offset)
        end = self.character(end_line, place.end_col_offset if place.end_col_offset is not None else place.col_offset)
        if (end_line, end) < (line, column):  # positions that a host or an old f-string parser got wrong
            return Span(line, column, line, column)
        return Span(line, column, end_line, end)

    def character(self, line: int, offset: int) -> int:
        """The column in characters of a UTF-8 byte offset in a line, as `ast` counts it."""
        if not 1 <= line <= len(self.lines):
            return offset
        text = self.lines[line - 1]
        if text.isascii():
            return min(offset, len(text))
        return len(text.encode("utf-8", "surrogatepass")[:offset].decode("utf-8", "ignore"))

    def segment(self, node: ast.AST) -> str:
        """The source text of a node."""
        line = getattr(node, "lineno", 0)
        if line and line == node.end_lineno and line <= len(self.lines):  # type: ignore[attr-defined]  # as just asked
            text = self.lines[line - 1]
            if text.isascii():  # most are all that: offsets are columns
                return text[node.col_offset : node.end_col_offset]  # type: ignore[attr-defined]  # as above
        span = self.span(node)
        lines = self.lines
        if not 1 <= span.line <= span.end_line <= len(lines):
            return ""
        if span.line == span.end_line:
            return lines[span.line - 1][span.column : span.end_column]
        middle = lines[span.line : span.end_line - 1]
        return "\n".join([lines[span.line - 1][span.column :], *middle, lines[span.end_line - 1][: span.end_column]])
