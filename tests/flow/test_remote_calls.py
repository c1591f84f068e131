"""Servers of XML-RPC: what a function that they offer is given, comes from outside."""

from pathlib import Path

import pytest
from shop import check, codes

SERVER = """
import os
from xmlrpc.server import SimpleXMLRPCServer


def remove(note):
    os.remove(os.path.join("/srv/notes", note))


class Notes:
    def read(self, note):
        return open(os.path.join("/srv/notes", note)).read()

    def _raw(self, note):
        return open(os.path.join("/srv/notes", note), "rb").read()


server = SimpleXMLRPCServer(("localhost", 8000))
{offers}
"""


@pytest.mark.parametrize(
    ("offers", "lines"),
    [
        ("server.register_function(remove)", [7]),
        ("server.register_function(remove, 'delete')", [7]),
        ("server.register_instance(Notes())", [12]),
        ("notes = Notes()\nserver.register_instance(notes)", [12]),
        ("server.register_instance(None)", []),
        ("server.register_multicall_functions()", []),
    ],
)
def test_what_a_server_offers_is_called_from_outside(tmp_path: Path, offers: str, lines: list[int]) -> None:
    found = check(tmp_path, SERVER.format(offers=offers))
    assert [finding.span.line for finding in found if finding.code == "VH201"] == lines
    assert codes(found) == ["VH201"] * len(lines)
