"""The server: what an editor tells, and what it is told."""

import asyncio

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from valhalla_lint import __version__
from valhalla_lint.config import OWN_FILE, SHARED_FILE, Configuration
from valhalla_lint.hosts.lsp.actions import KINDS, actions
from valhalla_lint.hosts.lsp.diagnostics import SOURCE, diagnostics
from valhalla_lint.hosts.lsp.hover import hover
from valhalla_lint.hosts.lsp.session import Document, Judged, Session

CALM = 0.25
"""Seconds without a keystroke after which a changed document is judged."""
SETTINGS_FILES = (OWN_FILE, SHARED_FILE)
WATCHED = "**/*.toml"
"""Also what a configuration file builds on with `extend`."""


class Server:
    """One editor's server. Diagnostics are pushed, unless the editor asks for them itself; never both."""

    def __init__(self, given: Configuration) -> None:
        """given: what the options say."""
        # Whole texts instead of edits: no disagreement about what ends a line can ever make the two texts differ.
        self.editor = LanguageServer(SOURCE, __version__, text_document_sync_kind=types.TextDocumentSyncKind.Full)
        self._session = Session(given)
        self._waiting: dict[str, asyncio.TimerHandle] = {}
        self._judged: dict[str, Judged] = {}
        self._open: dict[str, None] = {}

    @property
    def pulls(self) -> bool:
        """Whether the editor asks for diagnostics itself."""
        features = self.editor.client_capabilities.text_document
        return features is not None and features.diagnostic is not None

    @property
    def _related(self) -> bool:
        features = self.editor.client_capabilities.text_document
        publish = features.publish_diagnostics if features is not None else None
        asked = features.diagnostic if features is not None else None
        return bool(
            (publish is not None and publish.related_information) or (asked is not None and asked.related_information)
        )

    def start(self) -> None:
        """Take the folders of the workspace, and ask to be told of changed configuration files."""
        self.folders()
        workspace = self.editor.client_capabilities.workspace
        watching = workspace.did_change_watched_files if workspace is not None else None
        if watching is not None and watching.dynamic_registration:
            self.editor.client_register_capability(
                types.RegistrationParams(
                    [
                        types.Registration(
                            "configuration",
                            types.WORKSPACE_DID_CHANGE_WATCHED_FILES,
                            types.DidChangeWatchedFilesRegistrationOptions([types.FileSystemWatcher(WATCHED)]),
                        )
                    ]
                )
            )

    def folders(self) -> None:
        """Take the folders of the workspace as they are now."""
        workspace = self.editor.workspace
        uris = [*workspace.folders]
        if not uris and workspace.root_uri:
            uris = [workspace.root_uri]
        self._session.use(uris)
        self.reload()

    def reload(self) -> None:
        """Read the configuration anew, and judge anew what is open."""
        self._session.reload()
        self.everything()

    def everything(self) -> None:
        """Judge anew what is open, or have the editor ask again."""
        self._judged.clear()
        if not self.pulls:
            for uri in self._open:
                self.soon(uri)
            return
        workspace = self.editor.client_capabilities.workspace
        if workspace is not None and workspace.diagnostics is not None and workspace.diagnostics.refresh_support:
            self.editor.workspace_diagnostic_refresh(None)

    def judged(self, uri: str) -> Judged | None:
        """What an open document gives, judged anew only if it has changed; None for one that is not open."""
        if uri not in self._open:
            return None
        held = self.editor.workspace.get_text_document(uri)
        document = Document(uri, held.language_id or "", held.source)
        known = self._judged.get(uri)
        if known is None or known.document != document:
            known = self._judged[uri] = self._session.judge(document)
        return known

    def diagnostics(self, uri: str) -> list[types.Diagnostic]:
        """The diagnostics of an open document."""
        judged = self.judged(uri)
        if judged is None:
            return []
        return diagnostics(judged, self.editor.workspace.position_encoding, related=self._related)

    def publish(self, uri: str) -> None:
        """Judge a document now, and push what it gives."""
        if (waiting := self._waiting.pop(uri, None)) is not None:
            waiting.cancel()
        if uri in self._open and not self.pulls:
            held = self.editor.workspace.get_text_document(uri)
            self.editor.text_document_publish_diagnostics(
                types.PublishDiagnosticsParams(uri, self.diagnostics(uri), held.version)
            )

    def opened(self, uri: str) -> None:
        """Remember a document under the very address that the editor gave it: pygls keeps another spelling."""
        self._open[uri] = None
        self.publish(uri)

    def soon(self, uri: str) -> None:
        """Judge a document when the keyboard has been still for a moment."""
        if self.pulls:
            return
        if (waiting := self._waiting.pop(uri, None)) is not None:
            waiting.cancel()
        self._waiting[uri] = asyncio.get_running_loop().call_later(CALM, self.publish, uri)

    def saved(self, uri: str) -> None:
        """A document lies on disk now: what others take from it may have changed."""
        if uri.endswith(SETTINGS_FILES):
            self.reload()
            return
        kept = self.judged(uri)
        self.everything()
        if kept is not None:
            self._judged[uri] = kept
        self.publish(uri)

    def closed(self, uri: str) -> None:
        """Forget a document, and what was said of it."""
        if (waiting := self._waiting.pop(uri, None)) is not None:
            waiting.cancel()
        self._judged.pop(uri, None)
        self._open.pop(uri, None)
        if not self.pulls:
            self.editor.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))


def wired(given: Configuration) -> Server:
    """A server with all that it listens to."""
    server = Server(given)
    feature = server.editor.feature

    @feature(types.INITIALIZED)
    def _started(_: types.InitializedParams) -> None:
        server.start()

    @feature(types.TEXT_DOCUMENT_DID_OPEN)
    def _opened(params: types.DidOpenTextDocumentParams) -> None:
        server.opened(params.text_document.uri)

    @feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def _changed(params: types.DidChangeTextDocumentParams) -> None:
        server.soon(params.text_document.uri)

    @feature(types.TEXT_DOCUMENT_DID_SAVE)
    def _saved(params: types.DidSaveTextDocumentParams) -> None:
        server.saved(params.text_document.uri)

    @feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def _closed(params: types.DidCloseTextDocumentParams) -> None:
        server.closed(params.text_document.uri)

    @feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def _files(_: types.DidChangeWatchedFilesParams) -> None:
        server.reload()

    @feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    def _settings(_: types.DidChangeConfigurationParams) -> None:
        server.reload()

    @feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    def _folders(_: types.DidChangeWorkspaceFoldersParams) -> None:
        server.folders()

    @feature(
        types.TEXT_DOCUMENT_DIAGNOSTIC,
        types.DiagnosticOptions(inter_file_dependencies=True, workspace_diagnostics=False, identifier=SOURCE),
    )
    def _asked(params: types.DocumentDiagnosticParams) -> types.RelatedFullDocumentDiagnosticReport:
        return types.RelatedFullDocumentDiagnosticReport(server.diagnostics(params.text_document.uri))

    @feature(types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(list(KINDS)))
    def _actions(params: types.CodeActionParams) -> list[types.CodeAction]:
        judged = server.judged(params.text_document.uri)
        if judged is None:
            return []
        try:
            return list(actions(judged, params, server.editor.workspace.position_encoding))
        except Exception as error:  # noqa: BLE001 -- what cannot be worked out is not offered, and said in the log
            told = f"no actions: an error of this tool ({type(error).__name__})"
            server.editor.window_log_message(types.LogMessageParams(types.MessageType.Error, told))
            return []

    @feature(types.TEXT_DOCUMENT_HOVER)
    def _hover(params: types.HoverParams) -> types.Hover | None:
        judged = server.judged(params.text_document.uri)
        return None if judged is None else hover(judged, params.position, server.editor.workspace.position_encoding)

    return server


def serve(given: Configuration) -> int:
    """Serve on standard input and output until the editor ends it. Raises ConfigurationError for wrong options."""
    given.settings_for(None)
    wired(given).editor.start_io()
    return 0
