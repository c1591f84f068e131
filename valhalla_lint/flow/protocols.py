"""Functions that a server calls by protocol, with the request in a dictionary: applications of ASGI and of WSGI."""

from collections.abc import Mapping

from valhalla_lint.facts.index import FunctionNode
from valhalla_lint.flow.labels import Handler, Kind

OUTSIDE: Mapping[str, tuple[str, ...]] = {
    "scope": ("path", "raw_path", "query_string", "headers", "path_params"),
    "environ": ("PATH_INFO", "QUERY_STRING", "REQUEST_URI", "RAW_URI", "HTTP_COOKIE", "HTTP_REFERER"),
}
"""What of the request whoever sends it chooses, by the parameter that holds it. The rest is the server's."""
PROTOCOLS: Mapping[tuple[str, ...], Handler] = {
    ("scope", "receive", "send"): Handler("ASGI", Kind.REQUEST, skips=frozenset({"receive", "send"})),
    ("environ", "start_response"): Handler("WSGI", Kind.REQUEST, skips=frozenset({"start_response"})),
}
"""What calls a function, by the names of its parameters: both specifications use these, and so does all the code."""
MOST = 4


def protocol_of(node: FunctionNode) -> Handler | None:
    """The protocol by which a server calls a function, if its parameters are those of one."""
    args = node.args.args
    if not 1 < len(args) <= MOST or node.args.posonlyargs:
        return None
    names = tuple(arg.arg for arg in args)
    return PROTOCOLS.get(names[1:] if names[0] == "self" else names)
