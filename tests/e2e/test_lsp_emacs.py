"""The server under a real Emacs with eglot: what it shows and offers, and what comes of it. Skipped without one."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from repositories import git

EMACS = shutil.which("emacs")
TEXT = 'LABEL = "🙂"\n\n\ndef check(prompt):\n    return ("🙂", len(prompt) > 8192)\n'
SCRIPT = """\
(unless (require 'eglot nil t) (kill-emacs 77))
(setq eglot-sync-connect 60 eglot-autoreconnect nil eglot-confirm-server-initiated-edits nil)
(add-to-list 'eglot-server-programs `(python-mode . (,(getenv "SERVER_PYTHON") "-m" "valhalla_lint" "server")))
(defun until (wanted)
  "Wait until WANTED says so, for a minute."
  (let ((end (+ (float-time) 60)))
    (while (and (not (funcall wanted)) (< (float-time) end))
      (flymake-start)
      (accept-process-output nil 0.1))))
(find-file "app.py")
(python-mode)
(apply #'eglot (eglot--guess-contact))
(until #'flymake-diagnostics)
(let* ((shown (car (flymake-diagnostics)))
       (begin (flymake-diagnostic-beg shown))
       (end (flymake-diagnostic-end shown))
       (action (elt (eglot-code-actions begin end) 0)))
  (princ (format "shown %s\\n" (flymake-diagnostic-text shown)))
  (princ (format "at %s\\n" (buffer-substring-no-properties begin end)))
  (princ (format "offered %s\\n" (plist-get action :title)))
  (if (fboundp 'eglot-execute)
      (eglot-execute (eglot-current-server) action)
    (eglot--apply-workspace-edit (plist-get action :edit))))
(until (lambda () (not (flymake-diagnostics))))
(princ (format "left %d\\n" (length (flymake-diagnostics))))
(save-buffer)
(eglot-shutdown (eglot-current-server))
(kill-emacs 0)
"""
WITHOUT_EGLOT = 77


@pytest.mark.slow
@pytest.mark.skipif(EMACS is None, reason="there is no Emacs")
def test_emacs_shows_a_finding_and_mends_it(tmp_path: Path) -> None:
    assert EMACS is not None
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "app.py").write_text(TEXT, encoding="utf-8")
    (tmp_path / "script.el").write_text(SCRIPT)
    git(tmp_path, "init", "-q")  # what Emacs takes for a project
    done = subprocess.run(
        [EMACS, "-q", "--batch", "-l", "script.el"],  # with the site's own start: it knows where packages are
        cwd=tmp_path,
        env={**os.environ, "SERVER_PYTHON": sys.executable, "HOME": str(tmp_path), "LC_ALL": "C.UTF-8"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    if done.returncode == WITHOUT_EGLOT:
        pytest.skip("this Emacs has no eglot")
    told = dict(line.split(" ", 1) for line in done.stdout.splitlines() if " " in line)
    assert "[VH301]: [production] 8192" in told["shown"], done.stderr
    assert told["at"] == "8192"
    assert told["offered"].startswith("VH301: name 8192 ")
    assert told["left"] == "0"
    name = told["offered"].rsplit(" ", 1)[1]
    mended = (tmp_path / "app.py").read_text(encoding="utf-8")
    assert mended.count(name) == 2
    assert f"len(prompt) > {name})" in mended
