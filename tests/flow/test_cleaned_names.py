"""Names that the project's own cleaners make harmless, each beside a twin that leaves a way up."""

from pathlib import Path

import pytest
from shop import WEB, check, codes

READ = "    return open(ROOT + '/' + name).read()\n"
PARTS = "    parts = [part for part in re.split({pattern}, name) if part]\n"
LAST = "    name = next((part for part in reversed(parts) if part not in {'.', '..'}), '')\n"


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [("r'[\\\\/]+'", []), ("r'/|\\\\'", []), ("r'[,;]+'", ["VH201"]), ("r'(/|\\\\)'", ["VH201"])],
    ids=["either separator", "one or the other", "other characters", "separators come back"],
)
def test_one_part_of_a_text_that_a_pattern_splits_at_separators(
    tmp_path: Path, pattern: str, expected: list[str]
) -> None:
    body = "    import re\n" + PARTS.format(pattern=pattern) + LAST
    assert codes(check(tmp_path, WEB + body + READ)) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (PARTS + LAST, []),
        (PARTS + "    name = parts[-1]\n", []),
        (PARTS + "    name = '/'.join(parts)\n", ["VH201"]),
    ],
    ids=["the next", "the last", "all together"],
)
def test_one_part_holds_no_separator_and_all_together_do(tmp_path: Path, body: str, expected: list[str]) -> None:
    text = "    import re\n" + body.replace("{pattern}", r"r'[\\/]+'")
    assert codes(check(tmp_path, WEB + text + READ)) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("f'{address.netloc}.md'", []),
        ("f\"{address.netloc}+{address.path[1:].replace('/', '_')}+.md\"", []),
        ("address.hostname", []),
        ("address.path", ["VH201"]),
        ("f'{address.netloc}/{address.path}'", ["VH201"]),
        ("name.netloc", ["VH201"]),
    ],
    ids=["the host", "behind the host", "its name", "the path", "the path behind the host", "of something else"],
)
def test_the_host_of_an_address_holds_no_separator(tmp_path: Path, name: str, expected: list[str]) -> None:
    body = f"    from urllib.parse import urlparse\n    address = urlparse(name)\n    name = {name}\n"
    assert codes(check(tmp_path, WEB + body + READ)) == expected
