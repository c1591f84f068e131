"""The server: what an editor tells, and what it is told."""

import asyncio
import logging
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path

from valhalla_lint import __version__
from valhalla_lint.config import OWN_FILE, SHARED_FILE, Configuration
from valhalla_lint.hosts.lsp.analyst import Analyst, LostError
from valhalla_lint.hosts.lsp.diagnostics import SOURCE, located
from valhalla_lint.hosts.lsp.memory import gather_pages
from valhalla_lint.hosts.lsp.notebooks import SYNC, Notebooks
from valhalla_lint.hosts.lsp.orders import Document, Judge, Verdict
from valhalla_lint.hosts.lsp.pages import PageFiles
from valhalla_lint.hosts.lsp.positions import Encoding

CALM = 0.25
"""Seconds without a keystroke after which a changed document is judged, whatever that costs."""
BRIEF = 0.05
"""Seconds that pass at least: keys that are struck together make one change."""
PATIENCE = 2.0
"""A document is left alone so many times as long as its last judgement took: a third of the time is for judging."""
SETTINGS_FILES = (OWN_FILE, SHARED_FILE)
PYTHON = (".py", ".pyi", ".pyw")
NOTEBOOK = ".ipynb"
WATCHED = ("**/*.toml", "**/*.py")
"""Configuration, also what it builds on with `extend`; and the modules that flow leads through."""


def calm(cost: float | None) -> float:
    """The seconds after the last keystroke in which a document is left alone, by what its last judgement cost."""
    return CALM if cost is None else min(CALM, max(BRIEF, PATIENCE * cost))


class OutdatedError(JsonRpcException):
    """The answer to a request that a newer text has made pointless; the editor is to ask again."""

    CODE = types.LSPErrorCodes.ServerCancelled.value
    MESSAGE = "Superseded by a change"

    def __init__(self) -> None:
        super().__init__(data=types.DiagnosticServerCancellationData(retrigger_request=True))


class Server:
    """One editor's server. Diagnostics are pushed, unless the editor asks for them itself; never both.

    A verdict is kept until its document changes, or something that it rests on. At most one task judges a document;
    a change cancels it, and with it the work in the process that judges.
    """

    def __init__(self, given: Configuration) -> None:
        """given: what the options say."""
        # Whole texts instead of edits: no disagreement about what ends a line can ever make the two texts differ.
        self.editor = LanguageServer(
            SOURCE,
            __version__,
            text_document_sync_kind=types.TextDocumentSyncKind.Full,
            notebook_document_sync=SYNC,
        )
        self.notebooks = Notebooks()
        self.analyst = Analyst(given)
        self.pages = PageFiles()
        self._open: dict[str, None] = {}
        self._new: dict[str, None] = {}
        self._verdicts: dict[str, Verdict] = {}
        self._judging: dict[str, asyncio.Task[Verdict]] = {}
        self._interest: Counter[str] = Counter()
        self._pushing: dict[str, asyncio.Task[None]] = {}
        self._typed: dict[str, float] = {}
        self._cost: dict[str, float] = {}
        self._touched: dict[Path, int] = {}
        self._changes = 0
        self._refresh: asyncio.TimerHandle | None = None

    # -- what the editor can do ---------------------------------------------------------------------------------------

    @property
    def encoding(self) -> Encoding:
        """What columns count, as negotiated."""
        return self.editor.workspace.position_encoding

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

    # -- the workspace ------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Take the folders of the workspace, and ask to be told of files that change behind the editor's back."""
        self.folders()
        self.analyst.start()
        workspace = self.editor.client_capabilities.workspace
        watching = workspace.did_change_watched_files if workspace is not None else None
        if watching is not None and watching.dynamic_registration:
            watchers = [types.FileSystemWatcher(pattern) for pattern in WATCHED]
            options = types.DidChangeWatchedFilesRegistrationOptions(watchers)
            registration = types.Registration("files", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
            self.editor.client_register_capability(types.RegistrationParams([registration]))

    def folders(self) -> None:
        """Take the folders of the workspace as they are now."""
        workspace = self.editor.workspace
        uris = tuple(workspace.folders)
        if not uris and workspace.root_uri:
            uris = (workspace.root_uri,)
        self.analyst.folders(uris)
        self.reload()

    def reload(self) -> None:
        """Read the configuration anew, and judge anew what is open."""
        self.analyst.reload()
        self._changes += 1
        self.outdated(self._open)

    def files(self, changed: Iterable[types.FileEvent]) -> None:
        """Files have changed on the disk. Those that are open are known better from the editor."""
        modules: list[Path] = []
        for event in changed:
            path = to_fs_path(event.uri)
            if path is None or event.type is not types.FileChangeType.Changed or not path.endswith(PYTHON):
                self.reload()
                return
            modules.append(Path(path))
        self._resting_on(*modules)

    # -- verdicts -----------------------------------------------------------------------------------------------------

    async def verdict(self, uri: str) -> Verdict | None:
        """What an open document gives, judged anew only if need be; None for one that is not open.

        Raises OutdatedError where the document changes before it is judged.
        """
        uri = self.notebooks.of_cell(uri) or uri
        if uri not in self._open or uri in self._verdicts:
            return self._verdicts.get(uri)
        task = self._judging.get(uri)
        if task is None:
            task = self._judging[uri] = asyncio.create_task(self._judge(uri))
        self._interest[uri] += 1
        try:
            await asyncio.wait((task,))
        finally:
            self._interest[uri] -= 1
            if not self._interest[uri] and self._judging.get(uri) is task:  # whoever asked has gone
                self._drop(uri)
        if task.cancelled():
            raise OutdatedError
        return task.result()

    async def _judge(self, uri: str) -> Verdict:
        loop = asyncio.get_running_loop()
        await asyncio.sleep(self._typed.get(uri, 0) + calm(self._cost.get(uri)) - loop.time())
        while True:
            before, start = self._changes, loop.time()
            try:
                answer = await self.analyst.ask(Judge(uri))
            except LostError as error:
                answer = Verdict(self.document(uri), problem=str(error))
            if not any(self._touched.get(place, 0) > before for place in answer.reads):
                break
        if not self._cost:
            loop.call_later(CALM, gather_pages)  # now all is loaded that it takes to answer
        self._cost[uri] = loop.time() - start
        self._verdicts[uri] = answer
        del self._judging[uri]
        return answer

    def _drop(self, uri: str) -> None:
        """Forget the verdict on a document, also the one that is being reached."""
        self._verdicts.pop(uri, None)
        task = self._judging.pop(uri, None)
        if task is not None:
            task.cancel()

    def document(self, uri: str) -> Document:
        """An open document as the editor holds it."""
        notebook = self.notebooks.document(uri)
        if notebook is not None:
            return notebook
        held = self.editor.workspace.get_text_document(uri)
        return Document(uri, held.language_id or "", held.source)

    def diagnostics(self, verdict: Verdict | None, uri: str) -> list[types.Diagnostic]:
        """A verdict as the editor shows it; of a notebook, what stands in one of its cells."""
        if verdict is None:
            return []
        told = located(verdict, self.encoding, related=self._related)
        return [diagnostic for place, diagnostic in told if place == uri or not verdict.document.cells]

    # -- documents ----------------------------------------------------------------------------------------------------

    def opened(self, uri: str) -> None:
        """Remember a document under the very address that the editor gave it: pygls keeps another spelling."""
        self._open[uri] = None
        if not Path(to_fs_path(uri) or "").is_file():
            self._new[uri] = None
        self._took(uri)

    def changed(self, uri: str) -> None:
        """A document is being typed in: it is judged when the keyboard has been still for a moment."""
        self._typed[uri] = asyncio.get_running_loop().time()
        self._took(uri)

    def saved(self, uri: str) -> None:
        """A document lies on disk now. What is no module may be configuration; a module may be new to others."""
        self._typed.pop(uri, None)
        if uri in self._new or not uri.endswith((*PYTHON, NOTEBOOK)):
            self._new.pop(uri, None)
            self.reload()
        else:
            self._changes += 1
            self.outdated([uri, *self._open])  # not every editor tells of files that others have changed

    def closed(self, uri: str) -> None:
        """Forget a document, and what was said of it; from now on others read it from the disk."""
        self._open.pop(uri, None)
        self._new.pop(uri, None)
        self._typed.pop(uri, None)
        self._cost.pop(uri, None)
        self._drop(uri)
        self.analyst.document(uri, None)
        if (pushing := self._pushing.pop(uri, None)) is not None:
            pushing.cancel()
        self.clear([*self.notebooks.close(uri), uri])
        self._resting_on(uri)

    def clear(self, uris: Iterable[str]) -> None:
        """Show nothing any more in documents that are gone."""
        for uri in uris if not self.pulls else ():
            self.editor.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    def _took(self, uri: str) -> None:
        self._drop(uri)
        self.analyst.document(uri, self.document(uri))
        self.push(uri)
        self._resting_on(uri)

    def _resting_on(self, *changed: str | Path) -> None:
        """Judge anew what rests on modules that have changed."""
        self._changes += 1
        places = {Path(path) for item in changed if (path := item if isinstance(item, Path) else to_fs_path(item))}
        self._touched.update(dict.fromkeys(places, self._changes))
        self.outdated(uri for uri, verdict in [*self._verdicts.items()] if not places.isdisjoint(verdict.reads))

    # -- telling the editor -------------------------------------------------------------------------------------------

    def outdated(self, uris: Iterable[str]) -> None:
        """Judge documents anew that have not changed themselves, or have the editor ask again."""
        found = [*dict.fromkeys(uris)]
        for uri in found:
            self._drop(uri)
            self.push(uri)
        workspace = self.editor.client_capabilities.workspace
        if found and self.pulls and workspace is not None and workspace.diagnostics is not None:
            if self._refresh is not None:
                self._refresh.cancel()
            if workspace.diagnostics.refresh_support:
                loop = asyncio.get_running_loop()
                self._refresh = loop.call_later(CALM, self.editor.workspace_diagnostic_refresh, None)

    def push(self, uri: str) -> None:
        """Judge a document and push what it gives, if the editor does not ask for it."""
        if (pushing := self._pushing.pop(uri, None)) is not None:
            pushing.cancel()
        if not self.pulls:
            self._pushing[uri] = asyncio.create_task(self._push(uri))

    async def _push(self, uri: str) -> None:
        cells = [cell.uri for cell in self.document(uri).cells]
        version = None if cells else self.editor.workspace.get_text_document(uri).version
        try:
            verdict = await self.verdict(uri)
        except OutdatedError:
            return  # what came in between pushes by itself
        for place in cells or (uri,):
            params = types.PublishDiagnosticsParams(place, self.diagnostics(verdict, place), version)
            self.editor.text_document_publish_diagnostics(params)


EXPECTED = ("Cancel notification", "Unsupported client-provided TextDocumentContentChangeEvent")


class Quiet(logging.Filter):
    """Leaves out of the log what is no error.

    Requests that were overtaken, cancellations that came too late, and single edits of cells, which pygls does not
    expect where whole texts were agreed on (see `valhalla_lint.hosts.lsp.notebooks`).
    """

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a line stays."""
        error = record.exc_info[1] if record.exc_info else None
        return not isinstance(error, OutdatedError) and not str(record.msg).startswith(EXPECTED)
