"""`valhalla-lint review` as a person runs it: what it finds, that others find the same, that nothing of a tree runs."""

# ruff: noqa: E501 -- programs and names of figures stand on one line each

import io
import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import pytest
from repositories import bare, commit, environment, git, lay

from valhalla_lint.facts.providers import mint_token
from valhalla_lint.hosts.cli import main
from valhalla_lint.review import snapshot

ROOT = Path(__file__).parents[2]
SKELETON = ROOT.parent / "shared" / "eval" / "review" / "moonep_skeleton.py"
FORMATS = ("json", "markdown", "html")

PROJECT: Mapping[str, str | bytes] = {
    "README.md": "# Rays\n\nFast, with a REST API and Prometheus metrics.\n\n```\nfast in a code block\n```\n",
    "LICENSE": "Permission is hereby granted, free of charge, to any person obtaining a copy of it. The above copyright "
    "notice and this permission notice shall be included.\n",
    "setup.py": "from setuptools import setup\n\nsetup(name='rays', install_requires=['numpy==2.1.0'], license='MIT')\n",
    "csrc/rays.cu": "// kernel\n",
    "figures/draw.py": "import matplotlib.pyplot as plt\n\nplt.plot([1, 2])\n",
    "rays/__init__.py": "from rays import api\n",
    "rays/api.py": "import os\n\nfrom rays import core, shapes, _native\n\n\ndef limit(count):\n    assert count > 0\n"
    '    return int(os.environ.get("RAYS_LIMIT", 4)) * count\n\n\nprint(core, shapes, _native)\n',
    "rays/shapes.py": "FLAT = 2\n",
    "rays/core.py": "import numpy\n\nSHAPE = numpy.zeros(3)\n",
    "tests/__init__.py": "",
    "tests/helpers.py": "VALUE = 1\n",
    "tests/conftest.py": "",
    "tests/test_api.py": "from rays import api\n\n\ndef test_limit():\n    assert api.limit(1) == 4\n",
    "benchmarks/bench_api.py": "from rays import api\nfrom tests import helpers\n\nprint(api, helpers)\n",
}


def run(*arguments: str | Path, code: int = 0) -> str:
    """Run the command in this process; returns what it prints."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        status = main.run(["review", *map(str, arguments)])
    assert status == code, err.getvalue()
    return out.getvalue() or err.getvalue()


def run_elsewhere(*arguments: str | Path, **variables: str) -> None:
    """Run the command in a process and an environment of its own."""
    command = [sys.executable, "-P", "-m", "valhalla_lint", "review", *map(str, arguments)]
    subprocess.run(command, capture_output=True, check=True, env={**os.environ, **variables}, timeout=300)


def reports(target: str | Path, folder: Path, **variables: str) -> tuple[bytes, ...]:
    """The three reports about a repository."""
    folder.mkdir(parents=True)
    outputs = [argument for kind in FORMATS for argument in ("--output", f"{kind}:{folder / kind}")]
    arguments = (target, *outputs, "--link-base", "https://example.invalid/rays")
    if variables:
        run_elsewhere(*arguments, **variables)
    else:
        run(*arguments)
    return tuple((folder / kind).read_bytes() for kind in FORMATS)


def read(target: str | Path, folder: Path, *more: str) -> dict[str, Any]:
    """The JSON report about a repository."""
    run(target, "--output", f"json:{folder / 'found.json'}", *more)
    found: dict[str, Any] = json.loads((folder / "found.json").read_bytes())
    return found


def figures(found: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {row["id"]: row for row in (*found["panel"], *found["topology"]["figures"])}


def outcomes(found: dict[str, Any]) -> dict[str, str]:
    return {answer["id"]: answer["outcome"] for layer in found["layers"] for answer in layer["answers"]}


def reasons(found: dict[str, Any]) -> dict[str, str]:
    return {row["path"]: row["reason"] for row in found["unread"]}


@pytest.fixture(name="repository")
def _repository(tmp_path: Path) -> Path:
    commit(tmp_path / "rays", PROJECT)
    return tmp_path / "rays"


def test_the_panel_counts_and_names_what_it_counted(repository: Path, tmp_path: Path) -> None:
    found = read(repository, tmp_path)
    shown = figures(found)
    assert shown["source.python"]["value"] == "11"
    assert shown["source.roots"]["items"] == ["benchmarks 1", "figures 1", "rays 4", "setup.py 1", "tests 4"]
    assert shown["source.native"]["items"] == ["csrc/rays.cu"]
    assert shown["tests.by_folder"]["value"] == "4"
    assert shown["tests.by_name"]["items"] == ["tests/test_api.py"]
    assert shown["tests.support"]["items"] == ["tests/__init__.py", "tests/conftest.py", "tests/helpers.py"]
    assert shown["project.build"]["items"] == ["setup.py"]
    assert shown["project.licences"]["items"] == ["LICENSE MIT"]
    assert shown["project.pins"]["items"] == ["numpy==2.1.0 setup.py"]
    assert [item.split()[0] for item in shown["project.undeclared"]["items"]] == ["matplotlib"]
    assert [item.split()[0] for item in shown["project.unresolved"]["items"]] == ["rays._native"]
    assert [item.split()[0] for item in shown["project.environment"]["items"]] == ["RAYS_LIMIT"]
    assert shown["topology.hub.out"]["value"] == "rays.api"
    assert shown["topology.wrong_way"]["items"] == ["benchmarks/bench_api.py:2 [script] → tests.helpers [test]"]
    assert shown["topology.cycles"]["value"] == "0"
    assert shown["history.commits"]["value"] == "1"
    assert all(row["definition"] for row in found["panel"])
    claims = {claim["subject"]: claim["outcome"] for claim in found["claims"]}
    assert claims == {"speed": "yes", "HTTP interface": "no", "metrics and monitoring": "no"}
    assert len(found["checklist"]) == 7


@pytest.mark.skipif(not SKELETON.exists(), reason="the file set of a published review is not beside this repository")
def test_a_published_review_is_matched(tmp_path: Path) -> None:
    made = subprocess.run([sys.executable, SKELETON, tmp_path / "moonep"], capture_output=True, check=True, timeout=60)
    wanted = json.loads(made.stdout)
    found = read(tmp_path / "moonep", tmp_path)
    shown = figures(found)
    series, ours = wanted["series"], wanted["ours"]
    assert found["target"]["revision"] == wanted["commit"]
    assert int(shown["source.supported"]["value"]) == series["source_files"]
    assert int(shown["source.python"]["value"]) == series["python_files"]
    assert shown["source.roots"]["reading"].split(", ") == series["module_roots"]
    assert int(shown["tests.by_folder"]["value"]) == series["test_files"]
    assert int(shown["project.ci"]["value"]) == series["ci_workflows"]
    assert int(shown["project.licences"]["value"]) == series["licence_files"]
    assert int(shown["risk.series"]["value"]) == series["risk_hits_as_the_series_counts"]
    assert shown["project.build"]["items"] == ours["build_files"]
    assert shown["source.native"]["items"] == ours["native_sources_present_not_analysed"]
    assert int(shown["tests.by_name"]["value"]) == ours["test_files_by_name"]
    assert int(shown["tests.support"]["value"]) == ours["test_support_files"]
    assert shown["source.roots"]["items"] == [
        f"{root} {ours['files_by_root'][root]}" for root in series["module_roots"]
    ]
    assert shown["topology.hub.out"]["value"] == ours["hub_by_outgoing_imports"]
    assert [item.split()[0] for item in shown["project.unresolved"]["items"]] == ours[
        "unresolved_imports_inside_the_package"
    ]
    assert [item.split(":")[0] for item in shown["topology.wrong_way"]["items"]] == ours[
        "development_code_importing_tests"
    ]
    assert [item.split()[0] for item in shown["project.undeclared"]["items"]] == ours["undeclared_imports"]
    assert sorted({item.split()[0] for item in shown["project.environment"]["items"]}) == ours["env_names"]
    assert [item.split()[0] for item in shown["project.pins"]["items"]] == ours["declared_pins"]
    assert int(shown["topology.cycles"]["value"]) == ours["import_cycles"]


def test_the_same_commit_gives_the_same_bytes_wherever_it_lies(repository: Path, tmp_path: Path) -> None:
    first = reports(repository, tmp_path / "first")
    git(tmp_path, "clone", "-q", "--no-local", str(repository), "clone")
    git(tmp_path, "clone", "-q", "--no-local", "--bare", str(repository), "bare.git")
    git(repository, "worktree", "add", "-q", "--detach", str(tmp_path / "elsewhere" / "tree"))
    (tmp_path / "clone" / "rays" / "api.py").write_text("changed, but not committed\n", encoding="utf-8")
    (tmp_path / "tmp").mkdir()
    strange = {
        "TZ": "Pacific/Kiritimati",
        "LC_ALL": "C",
        "LANG": "C",
        "TMPDIR": str(tmp_path / "tmp"),
        "HOME": "/nowhere",
    }
    assert reports(tmp_path / "clone", tmp_path / "second", **strange) == first
    assert reports(f"{tmp_path / 'bare.git'}@main", tmp_path / "third", PYTHONHASHSEED="1") == first
    assert reports(tmp_path / "elsewhere" / "tree", tmp_path / "fourth", COLUMNS="20") == first
    assert not list((tmp_path / "tmp").iterdir())
    for text in first:
        assert str(tmp_path).encode() not in text


def test_a_review_can_be_verified(repository: Path, tmp_path: Path) -> None:
    found = read(repository, tmp_path)
    assert run(repository, "--verify", tmp_path / "found.json").startswith("the same: ")
    changed = commit(repository, {"rays/core.py": "import numpy\n\nSHAPE = numpy.zeros(4)\n"})
    assert run(repository, "--verify", tmp_path / "found.json").startswith("the same: ")  # the commit that it names
    told = run(f"{repository}@{changed}", "--verify", tmp_path / "found.json", code=1)
    assert "target.revision" in told
    assert "files[rays/core.py].object_id" in told
    name, digest = found["made"]["tables"][0]
    found["made"]["tables"][0] = [name, digest[::-1]]
    found["basics"] = []
    (tmp_path / "found.json").write_text(json.dumps(found), encoding="utf-8")
    told = run(repository, "--verify", tmp_path / "found.json", code=1)
    assert told.startswith(f"made.tables[{name}]"), "what explains the rest stands first"
    assert "basics" in told
    (tmp_path / "found.json").write_text("[]", encoding="utf-8")
    assert "is no review" in run(repository, "--verify", tmp_path / "found.json", code=2)


def test_a_folder_or_archive_has_the_content_of_its_commit(repository: Path, tmp_path: Path) -> None:
    at_commit = read(repository, tmp_path)
    lay(tmp_path / "plain", PROJECT)
    with zipfile.ZipFile(tmp_path / "rays.zip", "w") as archive:
        for name, content in PROJECT.items():
            archive.writestr(f"rays-1.0/{name}", content)
    (tmp_path / "plain" / "loop").symlink_to(".")
    for source, rows in ((tmp_path / "plain", {"loop"}), (tmp_path / "rays.zip", set())):
        run("--source", source, "--output", f"json:{tmp_path / 'other.json'}")
        found = json.loads((tmp_path / "other.json").read_bytes())
        if not rows:
            assert found["target"]["digest"] == at_commit["target"]["digest"]
        assert outcomes(found) == {**outcomes(at_commit), "history-secrets": "not applicable"}
        assert set(reasons(found)) == rows


def test_two_commits_are_compared_and_the_commit_behind_a_hit_is_named(repository: Path, tmp_path: Path) -> None:
    first = git(repository, "rev-parse", "HEAD")
    commit(repository, {"rays/core.py": "import numpy\n\nSHAPE = numpy.zeros(5)\n"})
    guilty = commit(
        repository,
        {"rays/load.py": "import torch\n\n\ndef load(path):\n    return torch.load(path, weights_only=False)\n"},
    )
    commit(
        repository,
        {
            "rays/load.py": "import torch\n\nNAME = 1\n\n\ndef load(path):\n    return torch.load(path, weights_only=False)\n"
        },
    )
    outputs = ("--output", f"json:{tmp_path / 'both.json'}", "--output", f"html:{tmp_path / 'both.html'}")
    run("compare", f"{repository}@{first}", repository, *outputs, "--link-base", "https://example.invalid/rays")
    found = json.loads((tmp_path / "both.json").read_bytes())
    assert found["same"]
    assert {(item["hit"]["path"], item["hit"]["code"], item["commit"]) for item in found["added"]} == {
        ("rays/load.py", "VH404", guilty),
        ("rays/load.py", "B614", guilty),
    }
    assert not found["gone"]
    assert {row["id"]: row["values"] for row in found["figures"]}["source.python"] == ["11", "12"]
    modules = {row["id"]: row["values"] for row in found["by_module"]}
    assert modules["rays/load.py production bandit"] == ["0 (-)", "1 (142.86)", "+1 (new)"]
    packages = {row["id"]: row["values"] for row in found["modules"]}
    assert packages["rays production bandit"] == ["1 (62.50)", "2 (86.96)", "+1 (+24.46)"]
    assert "New hits" in run("compare", f"{repository}@{first}", repository)
    page = (tmp_path / "both.html").read_text(encoding="utf-8")
    assert f'href="https://example.invalid/rays/commit/{guilty}"' in page
    assert f"https://example.invalid/rays/blob/{git(repository, 'rev-parse', 'HEAD')}/rays/load.py#L7" in page
    assert str(tmp_path) not in page


def test_projects_of_different_repositories_stand_side_by_side(repository: Path, tmp_path: Path) -> None:
    commit(tmp_path / "other", {"<b>.py": "x = 1\n", "pyproject.toml": '[project]\nname = "<b>other"\n'})
    outputs = ("--output", f"json:{tmp_path / 'both.json'}", "--output", f"html:{tmp_path / 'both.html'}")
    run("compare", repository, tmp_path / "other", *outputs)
    found = json.loads((tmp_path / "both.json").read_bytes())
    assert (found["same"], found["added"], found["by_module"]) == (False, [], [])
    page = (tmp_path / "both.html").read_text(encoding="utf-8")
    assert "New hits" not in page
    assert "<b>" not in page


def test_the_commit_behind_a_silenced_line_is_named(repository: Path, tmp_path: Path) -> None:
    guilty = commit(repository, {"rays/run.py": "import subprocess  # nosec\n"})
    commit(repository, {"rays/run.py": "# first\nimport subprocess  # nosec\n"})
    found = read(repository, tmp_path)
    (answer,) = [item for layer in found["layers"] for item in layer["answers"] if item["id"] == "suppressions"]
    (place,) = answer["positive"]["places"]
    assert (place["path"], place["line"]) == ("rays/run.py", 2)
    assert place["note"] == f"B404: nosec, line since {guilty[:12]}"


def test_secrets_are_counted_and_never_shown(tmp_path: Path) -> None:
    token = mint_token("github", "in the tree")
    old = mint_token("github", "in the history")
    repository = tmp_path / "leaky"
    leak = commit(repository, {"leaky/__init__.py": "", "leaky/old.py": f'TOKEN = "{old}"\n'})
    reached = f"https://me:{token}@example.invalid/x?key={token}"
    files = {
        "leaky/old.py": "TOKEN = None\n",
        "leaky/new.py": f'from flask import Flask\n\napp = Flask("x")\nPASSWORD = "{token}"\n\n\n@app.get("/{token}")\ndef get():\n    return 1\n',
        "requirements.txt": f"thing @ {reached}\n",
        "README.md": f"Fast: see {reached}\n",
        "Dockerfile": f"FROM x\nUSER {token}\n",
        ".github/workflows/x.yml": f"jobs:\n  a:\n    steps:\n      - uses: a/{token}@v1\n",
    }
    commit(repository, files)
    assert outcomes(read(repository, tmp_path))["history-secrets"] == "unknown"
    outputs = [argument for kind in FORMATS for argument in ("--output", f"{kind}:{tmp_path / kind}")]
    run(repository, *outputs, "--history-secrets")
    found = json.loads((tmp_path / "json").read_bytes())
    assert outcomes(found)["credentials"] == "yes"
    assert outcomes(found)["history-secrets"] == "yes"
    assert leak[:12] in (tmp_path / "json").read_text(encoding="utf-8")
    assert run(repository, "--verify", tmp_path / "json").startswith("the same: ")
    for kind in FORMATS:
        text = (tmp_path / kind).read_text(encoding="utf-8")
        for secret in (token, old):
            assert secret[8:16] not in text


def test_names_of_the_tree_stay_text_in_every_report(tmp_path: Path) -> None:
    evil = "a<img src=x onerror=alert(1)>|`b`.py"
    commit(
        tmp_path / "evil",
        {evil: "assert 1\n", "pyproject.toml": '[project]\nname = "</title><script>alert(1)</script>"\n'},
    )
    _, markdown, html = reports(tmp_path / "evil", tmp_path / "out")
    assert b"<script>alert" not in html
    assert b"<img" not in html
    assert b"<script>" not in markdown.replace(b"\\<script\\>", b"")
    rows = [line for line in markdown.decode().splitlines() if line.startswith("| ") and "onerror" in line]
    assert all("|`b`" not in line.replace("\\|", "") for line in rows)


@pytest.mark.parametrize("branch", ["", "@main", "@v1", "@refs/heads/main", "@HEAD~1^0", "@{short}"])
def test_revisions_are_found(branch: str, tmp_path: Path) -> None:
    repository = tmp_path / "a@b"
    commit(repository, PROJECT)
    commit(repository, {"new.py": ""})
    git(repository, "tag", "-a", "v1", "-m", "one")
    git(repository, "pack-refs", "--all")
    head = git(repository, "rev-parse", "HEAD")
    wanted = git(repository, "rev-parse", "HEAD~1") if "~" in branch else head
    target = f"{repository}{branch.replace('{short}', head[:7])}"
    assert read(target, tmp_path)["target"]["revision"] == wanted


@pytest.mark.parametrize("wrong", ["@nowhere", "@-x", "@main:rays", "@--output=x", "@main@{1}", "@0123456789"])
def test_what_is_no_commit_is_said(wrong: str, repository: Path) -> None:
    assert "in this repository" in run(f"{repository}{wrong}", code=2)


# Hostile repositories -------------------------------------------------------------------------------------------------


def snapshot_of(folder: Path) -> dict[str, tuple[int, int]]:
    """Every file below a folder with its size and time of change."""
    return {str(path): (path.lstat().st_size, path.lstat().st_mtime_ns) for path in folder.rglob("*")}


def test_nothing_of_a_repository_runs_and_nothing_is_written(repository: Path, tmp_path: Path) -> None:
    canary = tmp_path / "canary"
    script = tmp_path / "run.sh"
    script.write_text(f"#!/bin/sh\ntouch {canary}\ncat\n", encoding="utf-8")
    script.chmod(0o755)
    lay(repository, {".gitattributes": "* filter=evil diff=evil merge=evil\n", "valhalla-lint.toml": "exclude = ['*']\n",
                     ".bandit": "[bandit]\nskips: B101\n"})  # fmt: skip
    git(repository, "add", "-A")
    git(repository, "commit", "-q", "-m", "evil")
    for key in ("core.fsmonitor", "core.sshCommand", "core.pager", "core.editor", "filter.evil.smudge", "filter.evil.clean",
                "diff.evil.textconv", "diff.evil.command", "diff.external", "uploadpack.packObjectsHook", "core.hooksPath",
                "alias.cat-file", "alias.rev-parse", "credential.helper", "gpg.program", "log.showSignature"):  # fmt: skip
        git(repository, "config", key, "true" if key == "log.showSignature" else str(script))
    for hook in ("post-checkout", "pre-commit", "reference-transaction", "post-index-change"):
        (repository / ".git" / "hooks" / hook).write_bytes(script.read_bytes())
        (repository / ".git" / "hooks" / hook).chmod(0o755)
    before = snapshot_of(repository)
    plain = read(repository, tmp_path, "--history-secrets")
    run("compare", f"{repository}@HEAD~1", repository)
    assert not canary.exists()
    assert snapshot_of(repository) == before
    assert any(hit["code"] == "B101" for hit in plain["risk"]["hits"])


def test_missing_objects_are_rows_and_nothing_is_fetched(repository: Path, tmp_path: Path) -> None:
    canary = tmp_path / "canary"
    script = tmp_path / "fetch.sh"
    script.write_text(f"#!/bin/sh\ntouch {canary}\nexit 1\n", encoding="utf-8")
    script.chmod(0o755)
    git(repository, "config", "uploadpack.allowFilter", "true")
    git(tmp_path, "clone", "-q", "--no-local", "--no-checkout", "--filter=blob:none", f"file://{repository}", "partial")
    partial = tmp_path / "partial"
    git(partial, "config", "remote.origin.url", "ssh://example.invalid/x")
    git(partial, "config", "core.sshCommand", str(script))
    found = read(partial, tmp_path)
    assert not canary.exists()
    assert reasons(found)["rays/api.py"] == "object is missing or broken in this copy"
    assert len(found["files"]) == len(PROJECT)


def test_a_shallow_copy_says_so(repository: Path, tmp_path: Path) -> None:
    commit(repository, {"more.py": ""})
    git(tmp_path, "clone", "-q", "--no-local", "--depth=1", f"file://{repository}", "shallow")
    found = figures(read(tmp_path / "shallow", tmp_path))
    assert found["history.commits"]["value"] == "at least 1"
    assert "shallow" in found["history.commits"]["reading"]


def test_objects_from_elsewhere_are_refused(repository: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--shared", str(repository), "borrower")
    assert "alternates" in run(tmp_path / "borrower", code=2)
    thief = tmp_path / "thief"
    thief.mkdir()
    (thief / ".git").write_text(f"gitdir: {repository / '.git'}\n", encoding="utf-8")
    assert "does not point back" in run(thief, code=2)
    linked = tmp_path / "linked"
    linked.mkdir()
    (linked / ".git").symlink_to(repository / ".git")
    assert "is a link" in run(linked, code=2)
    inside = tmp_path / "inside"
    commit(inside, {"a.py": ""})
    objects = inside / ".git" / "objects"
    target = next(path for path in (repository / ".git" / "objects").iterdir() if len(path.name) == 2)
    if not (objects / target.name).exists():
        (objects / target.name).symlink_to(target)
        assert "links" in run(inside, code=2)
    (inside / ".git" / "commondir").write_text(str(repository / ".git"), encoding="utf-8")
    assert "commondir" in run(inside, code=2) or "links" in run(inside, code=2)
    assert "no git repository" in run(tmp_path, code=2)


def test_broken_objects_are_rows(repository: Path, tmp_path: Path) -> None:
    name = git(repository, "rev-parse", "HEAD:rays/core.py")
    place = repository / ".git" / "objects" / name[:2] / name[2:]
    place.chmod(0o644)
    place.write_bytes(b"no zlib stream")
    other = git(repository, "rev-parse", "HEAD:tests")
    tree = repository / ".git" / "objects" / other[:2] / other[2:]
    tree.unlink()
    found = read(repository, tmp_path)
    assert "rays/core.py" in reasons(found)
    assert "missing" in reasons(found)["tests/"]
    assert figures(found)["source.python"]["value"] == "7"


def test_content_under_a_wrong_id_is_not_believed(repository: Path, tmp_path: Path) -> None:
    name = git(repository, "rev-parse", "HEAD:rays/core.py")
    false = git(repository, "hash-object", "-w", "--stdin", text=b"import os\n")
    objects = repository / ".git" / "objects"
    place = objects / name[:2] / name[2:]
    place.chmod(0o644)
    place.write_bytes((objects / false[:2] / false[2:]).read_bytes())
    assert "rays/core.py" in reasons(read(repository, tmp_path))


def test_odd_names_links_and_submodules_are_rows(tmp_path: Path) -> None:
    repository = tmp_path / "odd.git"
    made = bare(repository, b"")
    blob = git(repository, "hash-object", "-w", "--stdin", text=b"x = 1\n").encode()
    link = git(repository, "hash-object", "-w", "--stdin", text=b"/etc/passwd").encode()
    pointer = git(
        repository, "hash-object", "-w", "--stdin", text=b"version https://git-lfs.github.com/spec/v1\noid x\n"
    ).encode()
    inner = git(repository, "mktree", "-z", text=b"100644 blob " + blob + b"\tx.py\0").encode()
    entries = b"\0".join(
        sorted(
            [
                b"100644 blob " + blob + b"\tCase.py",
                b"100644 blob " + blob + b"\tcase.py",
                b"100644 blob " + blob + b"\tlatin\xe9.py",
                b"100644 blob " + blob + b"\tline\nbreak.py",
                b"100644 blob " + pointer + b"\tmodel.safetensors",
                b"120000 blob " + link + b"\tpasswd.py",
                b"160000 commit " + made.encode() + b"\tvendor",
                b"040000 tree " + inner + b"\t..",
                b"040000 tree " + inner + b"\t.git",
                b"040000 tree " + inner + b"\tplain",
            ],
            key=lambda line: bytes(line).partition(b"\t")[2],
        )
    )
    tree = git(repository, "mktree", "-z", text=entries + b"\0")
    git(repository, "update-ref", "refs/heads/main", git(repository, "commit-tree", tree, "-m", "odd"))
    found = read(repository, tmp_path)
    rows = reasons(found)
    assert "never followed" in rows["passwd.py"]
    assert made in rows["vendor"]
    assert "`..`" in rows["../x.py"]
    assert "`.git`" in rows[".git/x.py"]
    assert "not UTF-8" in rows["latin\\xe9.py"]
    assert "do not print" in rows["line\\nbreak.py"]
    assert "in case only" in rows["Case.py"]
    shown = figures(found)
    assert shown["content.pointers"]["items"] == ["model.safetensors"]
    assert shown["content.links"]["value"] == shown["content.submodules"]["value"] == "1"
    assert not (tmp_path / "x.py").exists()


def test_a_tree_that_stands_for_billions_of_files_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshot, "MAX_ENTRIES", 2_000)
    repository = tmp_path / "bomb.git"
    bare(repository, b"")
    blob = git(repository, "hash-object", "-w", "--stdin", text=b"x = 1\n")
    line = f"100644 blob {blob}"
    tree = ""
    for _ in range(9):
        tree = git(repository, "mktree", text="".join(f"{line}\tf{number}\n" for number in range(12)).encode())
        line = f"040000 tree {tree}"
    git(repository, "update-ref", "refs/heads/main", git(repository, "commit-tree", tree, "-m", "bomb"))
    assert "2,000 entries" in reasons(read(repository, tmp_path))["/"]


def test_sha256_repositories_are_read(tmp_path: Path) -> None:
    repository = tmp_path / "modern"
    repository.mkdir()
    git(repository, "init", "-q", "-b", "main", "--object-format=sha256")
    commit(repository, PROJECT)
    found = read(repository, tmp_path)
    assert found["target"]["object_format"] == "sha256"
    assert len(found["target"]["revision"]) == 64
    assert figures(found)["source.python"]["value"] == "11"


@pytest.mark.slow
def test_large_trees_and_large_files_end(tmp_path: Path) -> None:
    repository = tmp_path / "large.git"
    bare(repository, b"")
    blob = git(repository, "hash-object", "-w", "--stdin", text=b"x = 1\n")
    huge = git(repository, "hash-object", "-w", "--stdin", text=b"\0" * 200_000_000)
    many = "".join(f"100644 blob {blob}\tf{number:06}.txt\n" for number in range(100_000))
    folder = git(repository, "mktree", text=many.encode())
    tree = git(repository, "mktree", text=f"040000 tree {folder}\tmany\n100644 blob {huge}\tweights.bin\n".encode())
    git(repository, "update-ref", "refs/heads/main", git(repository, "commit-tree", tree, "-m", "large"))
    found = read(repository, tmp_path)
    assert len(found["files"]) == 100_001
    assert "larger than" in reasons(found)["weights.bin"]


@pytest.mark.slow
def test_the_page_works_in_a_browser(repository: Path, tmp_path: Path) -> None:
    browser = next((path for path in ("/usr/bin/chromium", "/usr/bin/chromium-browser") if Path(path).exists()), None)
    if browser is None:
        pytest.skip("no Chromium here")
    reports(repository, tmp_path / "out")
    page = (tmp_path / "out" / "html").rename(tmp_path / "review.html")
    shown = subprocess.run(
        [browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync",
         f"--user-data-dir={tmp_path / 'profile'}", "--dump-dom", f"file://{page}#assert-validation"],
        capture_output=True, check=True, timeout=120, env=environment(),
    ).stdout.decode()  # fmt: skip
    opened = shown.partition('id="assert-validation"')[2].partition(">")[0]
    assert 'open=""' in opened  # our script ran under the page's own policy
    assert 'href="https://example.invalid/rays/blob/' in shown


def test_what_was_written_is_said(repository: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    err = io.StringIO()
    with redirect_stdout(io.StringIO()) as out, redirect_stderr(err):
        assert main.run(["review", str(repository), "--output", f"html:{page}"]) == 0
    assert (out.getvalue(), err.getvalue()) == ("", f"{page}: html written\n")


def test_a_repository_without_commits_is_pointed_to_the_folder(tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet")
    lay(tmp_path, {"a.py": "x = 1\n"})
    err = io.StringIO()
    with redirect_stdout(io.StringIO()), redirect_stderr(err):
        assert main.run(["review", str(tmp_path)]) == 2
    assert "no commit at HEAD" in err.getvalue()
    assert "--source" in err.getvalue()
