"""Whatever the place is called: examples, defaults and texts are no findings, and using it is one."""

import ipaddress

from hypothesis import given
from hypothesis import strategies as st

from valhalla_lint.core.settings import Settings
from valhalla_lint.core.source import Source
from valhalla_lint.linter import Linter

LINTER = Linter(Settings(select=("VH302", "VH303")))
WORDS = st.from_regex(r"[a-z][a-z0-9]{1,8}", fullmatch=True)
PATHS = st.builds("/{}/{}/{}".format, st.sampled_from(["opt", "srv", "mnt", "var/lib"]), WORDS, WORDS)
DOCUMENTATION = st.sampled_from(["192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24"]).flatmap(
    lambda network: st.ip_addresses(network=ipaddress.IPv4Network(network))
)
PRIVATE = st.ip_addresses(network=ipaddress.IPv4Network("10.0.0.0/9"))


def codes(text: str) -> list[str]:
    return [finding.code for finding in LINTER.check(Source("src/app.py", text))]


@given(PATHS)
def test_a_path_counts_where_it_is_used_and_not_where_it_can_be_changed(path: str) -> None:
    assert codes(f"open({path!r})\n") == ["VH302"]
    assert codes(f"ROOT = os.environ.get('ROOT', {path!r})\n") == []
    assert codes(f"def load(root={path!r}): ...\n") == []
    assert codes(f"raise ValueError('nothing below {path}')\n") == []


@given(DOCUMENTATION, st.integers(min_value=1, max_value=65535))
def test_documentation_addresses_lead_nowhere(address: ipaddress.IPv4Address, port: int) -> None:
    assert codes(f"requests.get('http://{address}:{port}/')\n") == []


@given(PRIVATE, st.integers(min_value=1, max_value=65535))
def test_private_addresses_are_known_to_one_network(address: ipaddress.IPv4Address, port: int) -> None:
    assert codes(f"requests.get('http://{address}:{port}/')\n") == ["VH303"]
    assert codes(f"def fetch(url='http://{address}:{port}/'): ...\n") == []


@given(st.text(max_size=80))
def test_any_text_can_be_asked_about(text: str) -> None:
    codes(f"open({text!r}, host={text!r}, url='http://' + {text!r}, port=8000)\n")
