"""What the server asks of the process that judges, and what comes back: plain data, nothing of the protocol."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from valhalla_lint.core.finding import Finding


@dataclass(frozen=True, slots=True)
class HeldCell:
    """A cell of a notebook, as a document. code: whether it is run at all."""

    uri: str
    language: str
    text: str = field(repr=False)
    code: bool = True


@dataclass(frozen=True, slots=True)
class Document:
    """An open document: its address, what the editor takes it for, and its text as it stands there, saved or not.

    cells: of a notebook, which has no text of its own.
    """

    uri: str
    language: str
    text: str = field(repr=False)
    cells: tuple[HeldCell, ...] = ()


@dataclass(frozen=True, slots=True)
class Judge:
    """What does a document give? Answered by a verdict."""

    uri: str


@dataclass(frozen=True, slots=True)
class Offer:
    """What can be done about some findings of a document? Answered by remedies.

    quick: each finding by itself. rules: all findings of these rules, as far as that is safe. everything: all that is
    safe to mend.
    """

    uri: str
    quick: tuple[Finding, ...] = ()
    rules: tuple[str, ...] = ()
    everything: bool = False


@dataclass(frozen=True, slots=True)
class Pages:
    """What do the pages of some rules say? Answered by texts, in the order of the codes."""

    codes: tuple[str, ...]


Question = Judge | Offer | Pages


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a document gave.

    path: as findings show it, relative to base where it lies there. text: what was judged, without a byte order mark.
    problem: why it could not be judged, "" where it could. reads: the texts of other modules that the verdict rests
    on, None where there was none to read; it holds as long as they stay as they are.
    """

    document: Document
    path: str = "untitled"
    base: Path = field(default_factory=Path)
    findings: tuple[Finding, ...] = ()
    problem: str = ""
    reads: Mapping[Path, str | None] = field(default_factory=dict, repr=False)

    @property
    def text(self) -> str:
        """What was judged: the text without a byte order mark."""
        return self.document.text.removeprefix("\ufeff")


@dataclass(frozen=True, slots=True)
class Remedy:
    """A text that answers a finding, or many: proven, or it would not be here.

    title: "" for what is done to a whole document. finding: what it is offered at; None for a whole document. code: the
    only rule that it serves, "" for all of them. preferred: it mends the finding, and the program does what it did.
    cells: of a notebook, the new texts of the cells that change, by their numbers from 1; then text is of no use.
    """

    title: str
    text: str = field(repr=False)
    finding: Finding | None = None
    code: str = ""
    preferred: bool = False
    cells: Mapping[int, str] = field(default_factory=dict, repr=False)


Answer = Verdict | tuple[Remedy, ...] | tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Order:
    """One question, with what has changed since the one before.

    documents: texts by address, None for what was closed. folders: those of the workspace, where they have changed.
    reload: whether configurations, and what is remembered of the file system, are read anew.
    """

    number: int
    question: Question
    documents: Mapping[str, Document | None] = field(default_factory=dict)
    folders: tuple[str, ...] | None = None
    reload: bool = False
