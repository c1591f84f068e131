"""The notebooks that are open, as the editor tells of them: cells in their order, each with its text."""

from dataclasses import dataclass, field

from lsprotocol import types

from valhalla_lint.hosts.lsp.orders import Document, HeldCell
from valhalla_lint.hosts.lsp.positions import Encoding, Places

SYNC = types.NotebookDocumentSyncOptions(
    [types.NotebookDocumentFilterWithNotebook(types.NotebookDocumentFilterNotebookType("jupyter-notebook"))], save=True
)
"""All cells: credentials stand in texts for people, too."""


@dataclass(slots=True)
class _Notebook:
    cells: list[types.NotebookCell]
    languages: dict[str, str] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)

    def take(self, item: types.TextDocumentItem) -> None:
        """Take the text of a cell."""
        self.languages[item.uri] = str(getattr(item.language_id, "value", item.language_id))
        self.texts[item.uri] = item.text


class Notebooks:
    """The notebooks of one editor.

    Editors send single edits for cells even where whole texts were agreed on for files, so the texts are kept here.
    """

    def __init__(self) -> None:
        """None is open."""
        self._held: dict[str, _Notebook] = {}

    def open(self, params: types.DidOpenNotebookDocumentParams) -> str:
        """Take a notebook; its address."""
        uri = params.notebook_document.uri
        held = self._held[uri] = _Notebook([*params.notebook_document.cells])
        for item in params.cell_text_documents:
            held.take(item)
        return uri

    def change(self, params: types.DidChangeNotebookDocumentParams, encoding: Encoding) -> tuple[str, list[str]]:
        """Take over what has changed; the notebook's address, and those of cells that are gone."""
        uri = params.notebook_document.uri
        held, changed = self._held[uri], params.change.cells
        gone: list[str] = []
        if changed is None:
            return uri, gone
        if (structure := changed.structure) is not None:
            start = structure.array.start
            held.cells[start : start + structure.array.delete_count] = structure.array.cells or []
            for item in structure.did_open or ():
                held.take(item)
            gone = [item.uri for item in structure.did_close or ()]
            for cell in gone:
                held.texts.pop(cell, None)
        for told in changed.data or ():
            held.cells = [told if cell.document == told.document else cell for cell in held.cells]
        for content in changed.text_content or ():
            cell = content.document.uri
            for edit in content.changes:
                held.texts[cell] = edited(held.texts.get(cell, ""), edit, encoding)
        return uri, gone

    def close(self, uri: str) -> list[str]:
        """Forget a notebook; the addresses of its cells."""
        held = self._held.pop(uri, None)
        return [cell.document for cell in held.cells] if held is not None else []

    def of_cell(self, cell: str) -> str | None:
        """The address of the notebook that a cell is part of."""
        return next((uri for uri, held in self._held.items() if cell in held.texts), None)

    def document(self, uri: str) -> Document | None:
        """A notebook as it is now; None for what is none."""
        held = self._held.get(uri)
        if held is None:
            return None
        cells = (
            HeldCell(
                cell.document,
                held.languages.get(cell.document, ""),
                held.texts.get(cell.document, ""),
                code=cell.kind is types.NotebookCellKind.Code,
            )
            for cell in held.cells
        )
        return Document(uri, "jupyter", "", tuple(cells))


def edited(text: str, edit: types.TextDocumentContentChangeEvent, encoding: Encoding) -> str:
    """A text after one change of it, or the whole new text."""
    if not isinstance(edit, types.TextDocumentContentChangePartial):
        return edit.text
    places = Places(text, encoding)
    start, end = (places.offset(at.line, places.column(at)) for at in (edit.range.start, edit.range.end))
    return f"{text[:start]}{edit.text}{text[end:]}"
