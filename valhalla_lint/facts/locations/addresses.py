"""URLs, hosts, addresses and ports among a file's literals that lead to a service."""

import ast
import ipaddress
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

from valhalla_lint.core.regex import regex
from valhalla_lint.facts.locations.location import LONGEST, Location, Meaning, begins, goes_on, shown
from valhalla_lint.facts.locations.uses import Usage, Use, usage
from valhalla_lint.facts.module import Module
from valhalla_lint.facts.tables import table
from valhalla_lint.facts.words import last_name, words

SHORTEST = 7
"""The shortest address: `1.1.1.1`."""
URL = regex(r"(?P<scheme>[a-z][a-z0-9+]{1,14})://(?P<authority>[^/?#\s]*)(?P<rest>\S*)")
QUAD = regex(r"(?P<host>[0-9]{1,3}(?:\.[0-9]{1,3}){3})(?P<port>:[0-9]{1,5})?")
SLASHED = regex(r"[a-z][a-z0-9+]{1,14}://[^\s:/?#@]*:(?!\d{1,5}/)[^\s?#@{}%]+@")
"""An address whose password has a slash in it, which some programs take."""
NAMED = regex(r"(?P<host>\[::\]|[a-z][a-z0-9-]*(?:\.[a-z0-9][a-z0-9-]*)*)(?::(?P<port>[1-9][0-9]{1,4}))?")
"""A host by its name, with or without a port. Much else looks so: it is only believed where hosts are spoken of."""
HOST = regex(r"[a-z0-9_.:-]+")
SINGLE = regex(r"[a-z][a-z0-9_-]+")
TOP_LEVEL = regex(r"[a-z]{2,}")
WITH_PORT = regex(r":[0-9]+$")
DOTS_IN_QUAD = 3
FIRST_FREE_PORT, LAST_PORT = 1024, 65535
"""Below are the ports that a protocol owns (443): they are no choice of an installation."""
FAR_ENDS = frozenset({"remote", "client", "peer", "source", "src", "origin"})
"""Words of names of the other side of a connection: nothing listens there."""
INTERFACES = frozenset(
    {"api", "api-inference", "router", "uploads", "codeload", "files", "download", "downloads", "cdn"}
)
"""First labels of hosts that serve programs, also where the rest of the domain is for reading."""


class _Rules(NamedTuple):
    examples: frozenset[str]
    networks: tuple[ipaddress.IPv4Network | ipaddress.IPv6Network, ...]
    internal: frozenset[str]
    platform: frozenset[str]
    references: frozenset[str]
    labels: frozenset[str]
    paths: frozenset[str]
    code: frozenset[str]
    downloads: frozenset[str]
    schemes: frozenset[str]
    buckets: frozenset[str]
    calls: frozenset[str]
    keywords: frozenset[str]
    words: frozenset[str]
    connecting: frozenset[str]
    hosts: frozenset[str]
    files: frozenset[str]


@cache
def _rules() -> _Rules:
    found = table("locations/hosts")
    return _Rules(
        frozenset(found["example_hosts"]),
        tuple(ipaddress.ip_network(network) for network in found["example_networks"]),
        frozenset(found["internal_suffixes"]),
        frozenset(found["platform_hosts"]),
        frozenset(found["reference_hosts"]),
        frozenset(found["reference_labels"]),
        frozenset(found["reference_paths"]),
        frozenset(found["code_hosts"]),
        frozenset(found["download_parts"]),
        frozenset(found["schemes"]),
        frozenset(found["buckets"]),
        frozenset(found["network_calls"]),
        frozenset(found["address_keywords"]),
        frozenset(found["address_words"]),
        frozenset(found["connecting_calls"]),
        frozenset(found["host_words"]),
        frozenset(found["file_endings"]),
    )


def addresses(module: Module) -> Iterator[Location]:
    """The URLs, hosts, addresses and ports among a file's literals that lead to a service, whatever becomes of them."""
    for find, node, text in module.index.found("addresses", ast.Constant, _like_addresses):
        found = find(module, node, text)
        if found is not None:
            yield found
    yield from _ports(module)
    yield from _single_hosts(module)


Finder = Callable[[Module, ast.Constant, str], Location | None]


def _like_addresses(nodes: Sequence[ast.Constant]) -> Iterator[tuple[Finder, ast.Constant, str]]:
    """The literals that may be addresses at first sight, each with what tells whether it is one."""
    for node in nodes:
        text = node.value
        if not isinstance(text, str) or not SHORTEST <= len(text) <= LONGEST:
            continue
        if "://" in text:
            yield _url, node, text
        elif text == "localhost" or (text[0].isdigit() and text.count(".") == DOTS_IN_QUAD):
            yield _host, node, text
        elif (":" in text or "." in text) and " " not in text:
            yield _named_host, node, text


def _url(module: Module, node: ast.Constant, text: str) -> Location | None:
    match = URL.match(text)
    if match is None or match["scheme"] not in _rules().schemes or not begins(module, node):
        return None
    user, _, place = match["authority"].rpartition("@")
    if ":" in user or SLASHED.match(text):  # a password: a matter of credentials
        return None
    if not match["rest"] and ((goes_on(module, node) and not place.endswith(":")) or _is_user(module, node, place)):
        return None  # the host itself is still being put together
    host = place[1:].partition("]")[0] if place.startswith("[") else place.partition(":")[0]
    meaning = Meaning.BUCKET if match["scheme"] in _rules().buckets else host_meaning(host.lower(), match["rest"])
    if meaning is None or (meaning is Meaning.LOOPBACK and not WITH_PORT.search(place)):
        return None  # this machine, and a port that is chosen elsewhere
    used = usage(module, node)
    return Location(node, meaning, _connecting(used), shown(f"{match['scheme']}://{place}{match['rest']}"))


def _is_user(module: Module, node: ast.Constant, place: str) -> bool:
    """Whether what a text begins with is the user of an address (`f"https://svc:{password}@{host}"`, also as a sum)."""
    if not place.endswith(":"):
        return False
    whole: ast.AST = node
    for above in module.ancestors(node):
        if not isinstance(above, ast.JoinedStr | ast.BinOp):
            break
        whole = above
    if not isinstance(whole, ast.JoinedStr | ast.BinOp):
        return False
    return any(isinstance(part.value, str) and part.value.startswith("@") for part in _constants(whole))


def _constants(whole: ast.JoinedStr | ast.BinOp) -> Iterator[ast.Constant]:
    """The literal parts of an f-string or a sum."""
    queue: list[ast.expr] = [*whole.values] if isinstance(whole, ast.JoinedStr) else [whole]
    for item in queue:
        if isinstance(item, ast.BinOp):
            queue += [item.left, item.right]
        elif isinstance(item, ast.Constant):
            yield item


def _connecting(used: Usage) -> Use:
    """What is done with a URL, narrowed to what connects.

    A direct use counts where the call connects or the keyword says address, a name where it says address; elsewhere the
    literal is only handed on.
    """
    rules = _rules()
    match used.use:
        case Use.DIRECT:
            return used.use if used.callee in rules.calls or used.name in rules.keywords else Use.DATA
        case Use.NAMED:
            return used.use if rules.words.intersection(words(used.name)) else Use.DATA
        case _:
            return used.use


def _host(module: Module, node: ast.Constant, text: str) -> Location | None:
    match = QUAD.fullmatch(text)
    if match is None and text != "localhost":
        return None
    rules = _rules()
    used = usage(module, node)
    said = _key(module, node) or used.name
    spoken = frozenset(words(said))
    if not (spoken & rules.words or said in rules.keywords or used.callee in rules.calls):
        return None  # four numbers are a version, too
    meaning = host_meaning(match["host"] if match else text, "")
    if meaning is None or (meaning is Meaning.EVERYWHERE and spoken & FAR_ENDS):
        return None
    if meaning is Meaning.LOOPBACK and not (match and match["port"]) and not _is_beside_port(module, node):
        return None
    return Location(node, meaning, used.use, text)


def _key(module: Module, node: ast.Constant) -> str:
    """The text under which a literal stands in a mapping, "" for none."""
    match module.parent(node):
        case ast.Dict(keys=keys, values=values):
            key = next((key for key, value in zip(keys, values, strict=True) if value is node), None)
            return key.value if isinstance(key, ast.Constant) and isinstance(key.value, str) else ""
        case _:
            return ""


def _named_host(module: Module, node: ast.Constant, text: str) -> Location | None:
    """A host such as `kafka-0.prod.internal:9092`, told by where it stands."""
    match = NAMED.fullmatch(text)
    if match is None or not begins(module, node) or goes_on(module, node):
        return None
    host, port = match["host"], match["port"]
    dotted = "." in host
    if not dotted and (port is None or not FIRST_FREE_PORT <= int(port) <= LAST_PORT):
        return None  # `cuda:0`, `redis:7`
    rules = _rules()
    if port is None and host.rpartition(".")[2] in rules.files:
        return None  # `archive.zip`
    used = usage(module, node)
    said = _key(module, node) or used.name
    named = said in rules.keywords or bool(rules.hosts.intersection(words(said)))
    if not named and used.callee not in rules.connecting:
        return None
    meaning = host_meaning(host.strip("[]"), "")
    if meaning is None:
        return None
    if port is None and meaning is not Meaning.INTERNAL and not named and not _is_beside_port(module, node):
        return None
    return Location(node, meaning, used.use, text)


def _is_beside_port(module: Module, node: ast.Constant) -> bool:
    """Whether a host stands in a pair with a literal port, or before one in a call."""
    match module.parent(node):
        case ast.Tuple(elts=[_, ast.Constant(value=int(port))]):
            return port > 0
        case ast.Call(args=[first, ast.Constant(value=int(port)), *_]):
            return first is node and port > 0
        case _:
            return False


def _ports(module: Module) -> Iterator[Location]:
    """Literal ports that a call listens on or connects to: `port=8000`, `bind((host, 8000))`."""
    calls = _rules().calls
    for keyword in module.nodes(ast.keyword):
        if keyword.arg == "port":
            call = module.parent(keyword)
            if isinstance(call, ast.Call) and last_name(call.func) in calls:
                yield from _port(keyword.value)
    for call in module.index.found("calls with a pair", ast.Call, _with_pair):
        match call.args[0]:
            case ast.Tuple(elts=[host, port]) if last_name(call.func) in calls:
                if not isinstance(host, ast.Constant) or not host.value:  # a literal host says it already
                    yield from _port(port)
            case _:
                pass


def _with_pair(calls: Sequence[ast.Call]) -> Iterator[ast.Call]:
    return (call for call in calls if call.args and call.args[0].__class__ is ast.Tuple)


def _single_hosts(module: Module) -> Iterator[Location]:
    """Hosts without a domain before a literal port: `Redis("redis-master", 6379)`."""
    for last in _rules().connecting.intersection(module.calls):
        for call in module.calls[last]:
            match call.args:
                case [ast.Constant(value=str(host)) as node, ast.Constant(value=int(port)), *_]:
                    if SINGLE.fullmatch(host) and host != "localhost" and FIRST_FREE_PORT <= port <= LAST_PORT:
                        yield Location(node, Meaning.INTERNAL, usage(module, node).use, host)
                case _:
                    pass


def _port(node: ast.expr) -> Iterator[Location]:
    if isinstance(node, ast.Constant) and node.value.__class__ is int and FIRST_FREE_PORT <= node.value <= LAST_PORT:
        yield Location(node, Meaning.PORT, Use.DIRECT, str(node.value))


def host_meaning(host: str, rest: str) -> Meaning | None:
    """What a host (lower case, without port) is, None where nothing of one's own stands there; rest: what follows."""
    rules = _rules()
    if not HOST.fullmatch(host) or host in rules.platform or _is_covered(host, rules.examples):
        return None
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return _name_meaning(host, rest)
    if any(address in network for network in rules.networks if network.version == address.version):
        return None
    if address.is_unspecified:
        return Meaning.EVERYWHERE
    if address.is_loopback:
        return Meaning.LOOPBACK
    if address.is_multicast or address.is_link_local or address.is_reserved:
        return None
    return Meaning.INTERNAL if address.is_private else Meaning.SERVICE


def _name_meaning(host: str, rest: str) -> Meaning | None:
    rules = _rules()
    labels = host.split(".")
    if host == "localhost":
        return Meaning.LOOPBACK
    if len(labels) == 1:
        return Meaning.INTERNAL if SINGLE.fullmatch(host) else None
    if labels[-1] in rules.internal or host.endswith(".cluster.local"):
        return Meaning.INTERNAL
    if not TOP_LEVEL.fullmatch(labels[-1]):
        return None
    parts = [part for part in re.split(r"[/?#]", rest.lower()) if part]
    if _is_covered(host, rules.code):
        return Meaning.SERVICE if labels[0] in INTERFACES or rules.downloads.intersection(parts) else None
    if _is_covered(host, rules.references) and labels[0] not in INTERFACES:
        return None
    return None if labels[0] in rules.labels or (parts and parts[0] in rules.paths) else Meaning.SERVICE


def _is_covered(host: str, hosts: frozenset[str]) -> bool:
    """Whether a host is one of the given ones or lies below one."""
    labels = host.split(".")
    return any(".".join(labels[start:]) in hosts for start in range(len(labels)))
