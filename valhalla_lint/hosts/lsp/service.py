"""The server put together: which message of the protocol is answered by what."""

import logging
from collections.abc import Sequence
from dataclasses import replace

from lsprotocol import types

from valhalla_lint.config import Configuration
from valhalla_lint.hosts.lsp.actions import EXPLAIN, KINDS, actions, explanations, kinds, offer, resolvable, several
from valhalla_lint.hosts.lsp.analyst import LostError
from valhalla_lint.hosts.lsp.diagnostics import SOURCE
from valhalla_lint.hosts.lsp.hover import hover, pointed_at
from valhalla_lint.hosts.lsp.orders import Offer, Pages, Verdict
from valhalla_lint.hosts.lsp.positions import Places
from valhalla_lint.hosts.lsp.server import OutdatedError, Quiet, Server

OPTIONS = types.CodeActionOptions(list(KINDS), resolve_provider=True)
DIAGNOSTIC = types.DiagnosticOptions(inter_file_dependencies=True, workspace_diagnostics=False, identifier=SOURCE)


class Offers:
    """The code actions of a server."""

    def __init__(self, server: Server) -> None:
        """Nothing is asked here."""
        self._server = server

    async def at(self, params: types.CodeActionParams) -> list[types.CodeAction]:
        """What can be done in a range."""
        server = self._server
        verdict = await server.verdict(params.text_document.uri)
        asked = offer(verdict, params, server.encoding) if verdict is not None else None
        if verdict is None or asked is None:
            return []
        codes = several(verdict, asked.quick)
        pages = explanations(asked.quick) if self._shows_documents else []
        if self._resolves:
            found = await self._worked_out(verdict, asked, kinds(params))
            return [*found, *(resolvable(verdict.document.uri, code) for code in codes), *pages]
        asked = replace(asked, rules=(*asked.rules, *codes))
        return [*await self._worked_out(verdict, asked, kinds(params)), *pages]

    async def resolve(self, action: types.CodeAction) -> types.CodeAction:
        """An action that was offered without being worked out, with its edit; without one where nothing can be done."""
        match action.data:
            case {"uri": str(uri), "code": str(code)}:
                verdict = await self._server.verdict(uri)
                if verdict is not None:
                    for found in await self._worked_out(verdict, Offer(uri, rules=(code,))):
                        action.edit = found.edit
        return action

    async def explain(self, code: str) -> str:
        """The page of a rule, which the editor is told to show if it can; "" for a code of no rule."""
        server = self._server
        for page in await server.analyst.ask(Pages((code,))):
            if self._shows_documents:
                try:
                    uri = server.pages.put(code, page)
                except OSError as error:
                    told = f"the page cannot be written: {error.strerror or error}"
                    server.editor.window_show_message(types.ShowMessageParams(types.MessageType.Error, told))
                else:
                    server.editor.window_show_document(types.ShowDocumentParams(uri, take_focus=True))
            return page
        return ""

    @property
    def _shows_documents(self) -> bool:
        window = self._server.editor.client_capabilities.window
        return window is not None and window.show_document is not None and window.show_document.support

    @property
    def _resolves(self) -> bool:
        features = self._server.editor.client_capabilities.text_document
        support = features.code_action.resolve_support if features is not None and features.code_action else None
        return support is not None and "edit" in support.properties

    def _version(self, uri: str) -> int | None:
        workspace = self._server.editor.client_capabilities.workspace
        edits = workspace.workspace_edit if workspace is not None else None
        if edits is None or not edits.document_changes:
            return None
        return self._server.editor.workspace.get_text_document(uri).version

    async def _worked_out(self, verdict: Verdict, asked: Offer, named: Sequence[str] = ()) -> list[types.CodeAction]:
        uri = verdict.document.uri
        version = None if verdict.document.cells else self._version(uri)
        try:
            remedies = await self._server.analyst.ask(asked)
        except LostError as error:
            told = f"no actions: {error}"
            self._server.editor.window_log_message(types.LogMessageParams(types.MessageType.Error, told))
            return []
        if verdict.document != self._server.document(uri):
            raise OutdatedError  # the places of the answer are those of a text that is no more
        return [*actions(verdict, remedies, self._server.encoding, version, named)]


def wired(given: Configuration) -> Server:
    """A server with all that it listens to."""
    server = Server(given)
    offers = Offers(server)
    feature = server.editor.feature

    @feature(types.INITIALIZED)
    def _started(_: types.InitializedParams) -> None:
        server.start()

    @feature(types.TEXT_DOCUMENT_DID_OPEN)
    def _opened(params: types.DidOpenTextDocumentParams) -> None:
        server.opened(params.text_document.uri)

    @feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def _changed(params: types.DidChangeTextDocumentParams) -> None:
        server.changed(params.text_document.uri)

    @feature(types.TEXT_DOCUMENT_DID_SAVE)
    def _saved(params: types.DidSaveTextDocumentParams) -> None:
        server.saved(params.text_document.uri)

    @feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def _closed(params: types.DidCloseTextDocumentParams) -> None:
        server.closed(params.text_document.uri)

    @feature(types.NOTEBOOK_DOCUMENT_DID_OPEN)
    def _notebook_opened(params: types.DidOpenNotebookDocumentParams) -> None:
        server.opened(server.notebooks.open(params))

    @feature(types.NOTEBOOK_DOCUMENT_DID_CHANGE)
    def _notebook_changed(params: types.DidChangeNotebookDocumentParams) -> None:
        uri, gone = server.notebooks.change(params, server.encoding)
        server.clear(gone)
        server.changed(uri)

    @feature(types.NOTEBOOK_DOCUMENT_DID_SAVE)
    def _notebook_saved(params: types.DidSaveNotebookDocumentParams) -> None:
        server.saved(params.notebook_document.uri)

    @feature(types.NOTEBOOK_DOCUMENT_DID_CLOSE)
    def _notebook_closed(params: types.DidCloseNotebookDocumentParams) -> None:
        server.closed(params.notebook_document.uri)

    @feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def _files(params: types.DidChangeWatchedFilesParams) -> None:
        server.files(params.changes)

    @feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    def _settings(_: types.DidChangeConfigurationParams) -> None:
        server.reload()

    @feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    def _folders(_: types.DidChangeWorkspaceFoldersParams) -> None:
        server.folders()

    @feature(types.TEXT_DOCUMENT_DIAGNOSTIC, DIAGNOSTIC)
    async def _asked(params: types.DocumentDiagnosticParams) -> types.RelatedFullDocumentDiagnosticReport:
        verdict = await server.verdict(params.text_document.uri)
        return types.RelatedFullDocumentDiagnosticReport(server.diagnostics(verdict, params.text_document.uri))

    @feature(types.TEXT_DOCUMENT_CODE_ACTION, OPTIONS)
    async def _actions(params: types.CodeActionParams) -> list[types.CodeAction]:
        return await offers.at(params)

    @feature(types.CODE_ACTION_RESOLVE)
    async def _resolve(action: types.CodeAction) -> types.CodeAction:
        return await offers.resolve(action)

    @server.editor.command(EXPLAIN)
    async def _explain(code: str) -> str:
        return await offers.explain(code)

    @feature(types.TEXT_DOCUMENT_HOVER)
    async def _hover(params: types.HoverParams) -> types.Hover | None:
        verdict = await server.verdict(params.text_document.uri)
        if verdict is None:
            return None
        cells = {cell.uri: (number, cell.text) for number, cell in enumerate(verdict.document.cells, 1)}
        number, text = cells.get(params.text_document.uri, (0, verdict.text))
        findings, codes = pointed_at(verdict, params.position, Places(text, server.encoding), number)
        return hover(findings, await server.analyst.ask(Pages(codes)) if codes else ())

    return server


def serve(given: Configuration) -> int:
    """Serve on standard input and output until the editor ends it. Raises ConfigurationError for wrong options."""
    given.settings_for(None)
    for name in ("pygls.protocol.json_rpc", "pygls.workspace.text_document"):
        logging.getLogger(name).addFilter(Quiet())
    server = wired(given)
    try:
        server.editor.start_io()
    finally:
        server.analyst.stop()
        server.pages.remove()
    return 0
