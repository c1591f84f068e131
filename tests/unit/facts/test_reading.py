"""Bytes become text, text with a note, or a reason; never an exception."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from valhalla_lint.core.source import Source, Unread
from valhalla_lint.facts.looks import MAX_BYTES
from valhalla_lint.facts.reading import read, source_of


def text_of(data: bytes) -> tuple[str, tuple[str, ...]]:
    source = source_of(data, "a.py", None)
    assert isinstance(source, Source)
    return source.text, source.notes


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"", ""),
        ("ü = 1\n".encode(), "ü = 1\n"),
        (b"\xef\xbb\xbfx = 1\r\n", "x = 1\r\n"),
        ("# coding: latin-1\nü = 1\n".encode("latin-1"), "# coding: latin-1\nü = 1\n"),
        (
            "#!/bin/python\n# vim: set fileencoding=cp1252 :\n€\n".encode("cp1252"),
            "#!/bin/python\n# vim: set fileencoding=cp1252 :\n€\n",
        ),
    ],
)
def test_clean_reads(data: bytes, text: str) -> None:
    assert text_of(data) == (text, ())


@pytest.mark.parametrize(
    ("data", "note"),
    [
        (b"x = 1\ny = '\xff'\n", "not valid UTF-8 (first on line 2)"),
        (b"# coding: martian\n", "unknown encoding (martian)"),
        (b"# coding: rot13\n", "unknown encoding (rot13)"),
        (b"# coding: punycode\n", "unknown encoding (punycode)"),
        (b"# coding: ascii\n'\xc3\xbc'\n", "declared encoding (ascii)"),
        ("x = 1\n".encode("utf-16"), "UTF-16"),
    ],
)
def test_bent_reads_say_so(data: bytes, note: str) -> None:
    text, notes = text_of(data)
    assert len(notes) == 1
    assert note in notes[0]
    assert text


def test_a_cookie_on_the_second_line_counts_only_below_a_comment() -> None:
    assert text_of(b"x = 1\n# coding: martian\n")[1] == ()


@pytest.mark.parametrize("data", [b"\x7fELF\0\0\1\2\3\0\0" * 9, b"x" * (MAX_BYTES + 1)])
def test_what_is_no_source_is_unread(data: bytes) -> None:
    assert isinstance(source_of(data, "a.py", None), Unread)


def test_the_file_system(tmp_path: Path) -> None:
    (tmp_path / "folder.py").mkdir()
    (tmp_path / "dangling.py").symlink_to(tmp_path / "nowhere")
    (tmp_path / "good.py").write_text("x = 1\n")
    reasons = {
        name: found.reason if isinstance(found := read(tmp_path / name, name), Unread) else "read"
        for name in ("good.py", "folder.py", "dangling.py", "missing.py")
    }
    assert reasons == {
        "good.py": "read",
        "folder.py": "a folder, not a file",
        "dangling.py": "a link that leads nowhere",
        "missing.py": "no such file",
    }


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no files here that say nothing of their size")
def test_a_file_that_does_not_tell_its_size_is_read_whole() -> None:
    found = read(Path("/proc/self/status"), "status.py")
    assert isinstance(found, Source)
    assert found.text.startswith("Name:")
    assert "Threads:" in found.text


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.py")
    found = read(tmp_path / "pipe.py", "pipe.py")
    assert isinstance(found, Unread)
    assert "pipe" in found.reason


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_no_permission(tmp_path: Path) -> None:
    place = tmp_path / "secret.py"
    place.write_text("x = 1\n")
    place.chmod(0)
    found = read(place, "secret.py")
    assert isinstance(found, Unread)
    assert "permission" in found.reason


@given(
    st.binary(max_size=300),
    st.sampled_from([b"", b"# coding: ", b"\xef\xbb\xbf# coding: ", b"\xff\xfe", b"#\n#coding="]),
)
def test_never_raises(data: bytes, start: bytes) -> None:
    found = source_of(start + data, "a.py", None)
    assert isinstance(found, Source | Unread)
