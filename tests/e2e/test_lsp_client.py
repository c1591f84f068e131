"""The way of most days through the language server, by the client of pytest-lsp: it checks what the protocol allows."""

import sys
import urllib.parse
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

TEXT = "def check(prompt):\n    return len(prompt) > 8192\n"
COMMAND = [sys.executable, "-m", "valhalla_lint", "server"]


@pytest_lsp.fixture(  # type: ignore[untyped-decorator]  # pytest-lsp does not say what it makes of a fixture
    config=ClientServerConfig(server_command=COMMAND), params=["neovim", "emacs"]
)
async def client(
    lsp_client: LanguageClient, tmp_path: Path, request: pytest.FixtureRequest
) -> AsyncGenerator[None, None]:
    @lsp_client.feature(types.CLIENT_REGISTER_CAPABILITY)  # type: ignore[untyped-decorator]  # pygls' own decorator
    def _registered(_: types.RegistrationParams) -> None:
        """What the client says that it can do, it must be able to do."""

    folder = types.WorkspaceFolder(tmp_path.as_uri(), "project")
    await lsp_client.initialize_session(
        types.InitializeParams(
            capabilities=client_capabilities(request.param), root_uri=tmp_path.as_uri(), workspace_folders=[folder]
        )
    )
    yield
    await lsp_client.shutdown_session()


async def shown(client: LanguageClient, uri: str) -> list[types.Diagnostic]:
    """The diagnostics of a document, asked for or pushed as the editor wants it."""
    features = client.capabilities.text_document if client.capabilities is not None else None
    if features is not None and features.diagnostic is not None:
        asked = types.DocumentDiagnosticParams(types.TextDocumentIdentifier(uri))
        report = await client.text_document_diagnostic_async(asked)
        return [*report.items] if isinstance(report, types.RelatedFullDocumentDiagnosticReport) else []
    await client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    return [*client.diagnostics[uri]]


@pytest.mark.asyncio
async def test_a_finding_is_shown_mended_and_gone(client: LanguageClient, tmp_path: Path) -> None:
    uri = (tmp_path / "src" / "app.py").as_uri()
    client.text_document_did_open(
        types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, types.LanguageKind.Python, 1, TEXT))
    )
    (found,) = await shown(client, uri)
    assert (found.code, found.source) == ("VH301", "valhalla-lint")
    document = types.TextDocumentIdentifier(uri)
    hover = await client.text_document_hover_async(types.HoverParams(document, found.range.start))
    assert hover is not None
    params = types.CodeActionParams(document, found.range, types.CodeActionContext([found]))
    actions = await client.text_document_code_action_async(params)
    preferred = [item for item in actions or () if isinstance(item, types.CodeAction) and item.is_preferred]
    assert len(preferred) == 1
    assert preferred[0].edit is not None
    mended = "MAX_PROMPT = 8192\n\n\ndef check(prompt):\n    return len(prompt) > MAX_PROMPT\n"
    client.text_document_did_change(
        types.DidChangeTextDocumentParams(
            types.VersionedTextDocumentIdentifier(2, uri), [types.TextDocumentContentChangeWholeDocument(mended)]
        )
    )
    assert await shown(client, uri) == []
    client.text_document_did_close(types.DidCloseTextDocumentParams(document))


@pytest.mark.asyncio
async def test_the_page_of_a_rule_is_opened(client: LanguageClient, tmp_path: Path) -> None:
    uri = (tmp_path / "src" / "app.py").as_uri()
    client.text_document_did_open(
        types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, types.LanguageKind.Python, 1, TEXT))
    )
    (found,) = await shown(client, uri)
    params = types.CodeActionParams(types.TextDocumentIdentifier(uri), found.range, types.CodeActionContext([found]))
    actions = await client.text_document_code_action_async(params)
    offered = [item.title for item in actions or () if item.title == "VH301: show the page of magic-number"]
    window = client.capabilities.window if client.capabilities is not None else None
    if window is None or window.show_document is None:
        assert offered == []  # to an editor that could not show it
        return
    assert len(offered) == 1
    command = types.ExecuteCommandParams("valhalla-lint.explain", ["VH301"])
    for _ in range(2):  # the second time, the page is there already
        await client.workspace_execute_command_async(command)
    opened = {item.uri for item in client.shown_documents}
    (page,) = (Path(urllib.parse.unquote(urllib.parse.urlsplit(uri).path)) for uri in opened)
    assert page.read_text(encoding="utf-8").startswith("# VH301 magic-number\n")
