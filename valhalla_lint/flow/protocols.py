"""Functions that are called by protocol: applications of ASGI and of WSGI, Falcon's responders, receivers of messages.

The first two get the request in a dictionary. A resource is any object that is given to `add_route`, mostly in another
file; what tells its methods is what they are called, and their first two parameters. A method that is called for what
has been received (`data_received`, `lineReceived`) is handed what the other side sent.
"""

import ast
from collections.abc import Mapping

from valhalla_lint.facts.index import FunctionNode
from valhalla_lint.facts.scopes import parameters
from valhalla_lint.flow.labels import Handler, Kind
from valhalla_lint.flow.units import Unit
from valhalla_lint.flow.words import pieces

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
RESPONDER = Handler("falcon", Kind.HANDLER, skips=frozenset({"req", "resp"}))
RESPONSES = (("req", "resp"), ("req", "ws"))
"""The first two parameters of a responder, behind the object."""
RECEIVER = Handler("received", Kind.REMOTE)
RECEIVED = "received"
MESSAGES = frozenset("data line lines message msg datagram frame chunk packet payload string".split())
"""What the first parameter of such a method is called: not the name of a file in which a message lies."""
RESPONDERS = frozenset(
    "on_get on_post on_put on_delete on_patch on_head on_options on_websocket on_get_async on_post_async".split()
)
REQUESTS: Mapping[str, str] = {"req": "falcon.request.Request"}
"""The class of what a responder is called with."""
APPLICATION = 4
"""Parameters that an application has at most."""


def protocol_of(node: FunctionNode) -> Handler | None:
    """The protocol by which something calls a function, if its parameters are those of one."""
    args = node.args.args
    if len(args) < 2 or node.args.posonlyargs:  # noqa: PLR2004 -- the fewest of the three
        return None
    first, second = args[0].arg, args[1].arg
    bound = first == "self"
    if bound:
        if node.name in RESPONDERS and (second, args[2].arg if len(args) > 2 else "") in RESPONSES:  # noqa: PLR2004 -- as above
            return RESPONDER
        if second in MESSAGES and pieces(node.name)[-1:] == (RECEIVED,):
            return RECEIVER
        first = second
    if first not in OUTSIDE:  # nearly all: they are asked cheaply
        return None
    names = tuple(arg.arg for arg in args[1 if bound else 0 :])
    return PROTOCOLS.get(names) if len(names) < APPLICATION else None


def responder_route(unit: Unit, node: FunctionNode) -> str:
    """The path template of a responder: of the `add_route` in its file, else one whose every field is one segment.

    A field of a template is one segment unless it says something else.
    """
    owner = unit.module.scopes.class_of(node)
    for call in unit.module.calls.get("add_route", ()):
        match call.args:
            case [template, ast.Call(func=ast.Name(id=name)), *_] if owner is not None and name == owner.name:
                text = unit.module.constants.text(template)
                if text is not None:
                    return text
            case _:
                pass
    return "".join(f"/{{{arg.arg}}}" for arg in parameters(node))
