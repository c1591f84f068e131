"""Memory is held in large pages where that is worth it, and nothing breaks where it cannot be."""

from pathlib import Path

import pytest

from valhalla_lint.hosts.lsp import memory

AREA = """{begin:x}-{end:x} {rights} 00000000 00:00 {node} {name}
Size:               {size} kB
KernelPageSize:        4 kB
Rss:                {used} kB
Pss:                {used} kB
VmFlags: rd wr mr mw me ac
"""


def area(begin: int, size: int, used: int, *, rights: str = "rw-p", node: int = 0, name: str = "") -> str:
    end = begin + size * 1024
    return AREA.format(begin=begin, end=end, size=size, used=used, rights=rights, node=node, name=name)


def test_only_memory_of_no_file_that_is_in_use_is_gathered() -> None:
    maps = "".join(
        (
            area(0x10000000, 4096, 4000, rights="r-xp", node=7, name="/usr/lib/libpython3.11.so"),
            area(0x20000000, 4096, 4000, rights="rw-p", node=7, name="/usr/lib/libpython3.11.so"),
            area(0x30000000, 4096, 3000, name="           [heap]"),
            area(0x40000000, 8192, 40),
            area(0x50000000, 8192, 40, name="          [stack]"),
            area(0x60000000, 2048, 2048),
            area(0x70000000, 4096, 4096, rights="r--p"),
        )
    )
    assert [begin for begin, _ in memory.in_use(maps)] == [0x30000000, 0x60000000]


def test_where_the_system_says_no_nothing_is_done(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "enabled").write_text("always madvise [never]\n", encoding="ascii")
    (tmp_path / "hpage_pmd_size").write_text("2097152\n", encoding="ascii")
    monkeypatch.setattr(memory, "SETTING", tmp_path)
    assert memory.gather_pages() == 0


@pytest.mark.parametrize("held", ["", "nonsense", "-1"])
def test_a_system_that_tells_nothing_of_use_is_left_alone(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, held: str
) -> None:
    monkeypatch.setattr(memory, "SETTING", tmp_path / "none")
    assert memory.gather_pages() == 0
    monkeypatch.setattr(memory, "SETTING", tmp_path)
    (tmp_path / "enabled").write_text("[always]", encoding="ascii")
    (tmp_path / "hpage_pmd_size").write_text(held, encoding="ascii")
    assert memory.gather_pages() == 0
