"""The server under a real Neovim: what it shows and offers, and what comes of it. Skipped without one."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

NEOVIM = shutil.which("nvim")
TEXT = """LABEL = "🙂"


def check(prompt):
    return ("🙂", len(prompt) > 8192)


def fits(batch):
    return len(batch) < 37
"""
SCRIPT = """\
if vim.fn.has('nvim-0.11') == 0 then vim.cmd('cquit 77') end
local told = {}

local function until_(what, wanted)
  if not vim.wait(60000, wanted, 50) then error('waited in vain for ' .. what) end
end

local function shown()
  return vim.tbl_map(function(item)
    return { code = item.code, text = item.message, line = item.lnum, column = item.col, last = item.end_col }
  end, vim.diagnostic.get(0))
end

local function lines() return vim.api.nvim_buf_get_lines(0, 0, -1, true) end

local function act(title)
  vim.lsp.buf.code_action({ apply = true, filter = function(item) return item.title:find(title, 1, true) ~= nil end })
end

local function run()
  vim.lsp.config('valhalla_lint', {
    cmd = { vim.env.SERVER_PYTHON, '-m', 'valhalla_lint', 'server' },
    filetypes = { 'python' },
    root_markers = { 'valhalla-lint.toml', 'pyproject.toml', '.git' },
  })
  vim.lsp.enable('valhalla_lint')
  vim.cmd.edit('app.py')
  vim.bo.filetype = 'python'
  until_('findings', function() return #vim.diagnostic.get(0) == 2 end)
  told.opened = shown()

  vim.api.nvim_buf_set_lines(0, 8, 9, true, { '    return len(batch) < 37 or len(batch) == 41' })
  until_('a finding more', function() return #vim.diagnostic.get(0) == 3 end)
  vim.api.nvim_buf_set_lines(0, 8, 9, true, { '    return not batch' })
  until_('two findings less', function() return #vim.diagnostic.get(0) == 1 end)
  told.changed = shown()

  vim.api.nvim_win_set_cursor(0, { 5, told.changed[1].column })
  local float = nil
  vim.lsp.buf.hover()
  until_('the hover', function()
    for _, window in ipairs(vim.api.nvim_list_wins()) do
      if vim.api.nvim_win_get_config(window).relative ~= '' then float = window end
    end
    return float ~= nil
  end)
  told.hover = table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(float), 0, -1, true), '\\n')
  vim.api.nvim_win_close(float, true)

  local page = nil
  vim.api.nvim_create_autocmd('BufWinEnter', { pattern = '*.md', callback = function(event) page = event.buf end })
  local window = vim.api.nvim_get_current_win()
  act('VH301: show the page')
  until_('the page', function() return page ~= nil end)
  told.page = vim.api.nvim_buf_get_lines(page, 0, 1, true)[1]
  told.writable = vim.fn.filewritable(vim.api.nvim_buf_get_name(page))
  vim.api.nvim_set_current_win(window)
  vim.cmd.buffer('app.py')

  vim.api.nvim_win_set_cursor(0, { 5, told.changed[1].column })
  act('VH301: name 8192')
  until_('the change', function() return not table.concat(lines(), '\\n'):find('> 8192', 1, true) end)
  until_('no finding', function() return #vim.diagnostic.get(0) == 0 end)
  told.mended = table.concat(lines(), '\\n') .. '\\n'
  vim.cmd.write()

  for _, client in ipairs(vim.lsp.get_clients()) do client:stop() end
  until_('the end', function() return #vim.lsp.get_clients() == 0 end)
end

local fine, problem = pcall(run)
told.problem = not fine and problem or nil
vim.fn.writefile({ vim.json.encode(told) }, 'told.json')
vim.cmd(fine and 'qall!' or 'cquit 1')
"""
TOO_OLD = 77


@pytest.mark.slow
@pytest.mark.skipif(NEOVIM is None, reason="there is no Neovim")
def test_neovim_shows_findings_and_pages_and_mends(tmp_path: Path) -> None:
    assert NEOVIM is not None
    project = tmp_path / "project"
    project.mkdir()
    (project / "pyproject.toml").write_text("")
    (project / "app.py").write_text(TEXT, encoding="utf-8")
    (tmp_path / "script.lua").write_text(SCRIPT, encoding="utf-8")
    private = {f"XDG_{kind}_HOME": str(tmp_path / kind.lower()) for kind in ("CONFIG", "DATA", "STATE", "CACHE")}
    done = subprocess.run(
        [NEOVIM, "--headless", "--clean", "-n", "-l", str(tmp_path / "script.lua")],
        cwd=project,
        env={**os.environ, **private, "SERVER_PYTHON": sys.executable, "LC_ALL": "C.UTF-8"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    if done.returncode == TOO_OLD:
        pytest.skip("this Neovim is older than 0.11")
    told = json.loads((project / "told.json").read_text(encoding="utf-8"))
    assert "problem" not in told, (told["problem"], done.stderr)
    first, second = told["opened"]
    assert (first["code"], first["line"], second["line"]) == ("VH301", 4, 8)
    assert first["text"].startswith("[production] 8192 ")
    line = TEXT.splitlines()[4].encode()
    assert line[first["column"] : first["last"]] == b"8192"  # Neovim counts bytes, the protocol does not
    assert [item["line"] for item in told["changed"]] == [4]
    assert "# VH301 magic-number" in told["hover"]
    assert told["page"] == "# VH301 magic-number"
    assert told["writable"] == 0 or os.geteuid() == 0  # to the superuser every file is writable
    mended = told["mended"]
    assert mended == (project / "app.py").read_text(encoding="utf-8")
    assert "8192" in mended.replace("> 8192", "")
    assert "    return not batch\n" in mended
