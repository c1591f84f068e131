"""Literal places in code: absolute paths and addresses of services, each with what it means.

What a literal means comes from its text (tables `data/locations/*.toml`) and from what is done with it
(`location_context`): the same text is a finding where it is used, and none where it is a default that a user can change,
a text for people, a route, or a place that is the same on every machine.
"""

import ast
import ipaddress
import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cache
from pathlib import PurePosixPath

from valhalla_lint.facts.location_context import Use, use
from valhalla_lint.facts.module import Module
from valhalla_lint.facts.tables import table
from valhalla_lint.facts.words import last_name, words


class Meaning(Enum):
    """What a literal place is, in the words that messages use."""

    ABSOLUTE = "an absolute path"
    HOME = "somebody's home folder"
    USER = "a path below the user's home folder"
    TEMPORARY = "a fixed name in a temporary folder that everybody can write to"
    DRIVE = "a path on a Windows drive"
    SHARE = "a network share"
    WEIGHTS = "an absolute path of model weights"
    INTERFACE = "an interface of the operating system"
    PROGRAM = "a place of installed programs"
    INTERNAL = "an address that only one network knows"
    LOOPBACK = "an address of this machine"
    EVERYWHERE = "an address that listens on every interface"
    SERVICE = "the address of a service"
    BUCKET = "a place in an object store"
    PORT = "a port"


@dataclass(frozen=True, slots=True)
class Location:
    """A literal place. shown: the text as messages quote it (cut, without user information)."""

    node: ast.Constant
    meaning: Meaning
    use: Use
    shown: str


LONGEST = 300
"""Longer literals are texts, not places."""
SHOWN = 60
DRIVE = re.compile(r"[A-Za-z]:[\\/](?![\\/])")
SHARE = re.compile(r"(?:\\\\|//)[A-Za-z0-9_-][A-Za-z0-9_.-]*[\\/][A-Za-z0-9_$.-]+")
ADDRESS = re.compile(r"(?P<scheme>[a-z][a-z0-9+]{1,14})://(?P<authority>[^/?#\s]*)(?P<rest>\S*)")
QUAD = re.compile(r"(?P<host>[0-9]{1,3}(?:\.[0-9]{1,3}){3})(?::[0-9]{1,5})?")
NOT_IN_PATHS = frozenset("\n\t <>|\"'()$^*?&=#,;")
FILE_WORDS = frozenset(
    """path paths dir dirs directory folder file files filename root cache location checkpoint ckpt weights output save load log
    logs workdir cwd mount volume store storage prefix home""".split()
)
TEMPORARY_CALLS = frozenset({"mkdtemp", "mkstemp", "TemporaryDirectory", "NamedTemporaryFile", "TemporaryFile", "SpooledTemporaryFile"})
"""Calls that make a name of their own below a folder."""
FILE_CALLS = frozenset(
    """open Path PurePath PosixPath join listdir scandir walk glob iglob exists isfile isdir makedirs mkdir remove unlink rmtree
    read_bytes write_bytes iterdir rglob is_file is_dir copy copyfile copy2 copytree move rename replace chdir stat load save read_csv to_csv read_text write_text read_json
    read_parquet from_pretrained save_pretrained torch_load FileHandler RotatingFileHandler load_model load_dataset chmod chown
    symlink link touch imread imwrite TemporaryDirectory NamedTemporaryFile mkdtemp mkstemp""".split()
)


def paths(module: Module) -> Iterator[Location]:
    """The absolute paths, home folders, drives and shares among a file's literals, whatever is done with them."""
    for node in module.nodes(ast.Constant):
        text = node.value
        if text.__class__ is not str or not 2 < len(text) <= LONGEST:  # noqa: PLR2004 -- "/x" at least
            continue
        first = text[0]
        if not (first in "/~\\" or text[1] == ":" and first.isalpha()):
            continue
        found = _path(module, node, text)
        if found is not None:
            yield found


def _path(module: Module, node: ast.Constant, text: str) -> Location | None:
    if not _begins(module, node):
        return None
    meaning = _path_meaning(text)
    if meaning is None and _container(text) and not _dynamic(module, node):
        meaning = Meaning.ABSOLUTE
        done, call, name = use(module, node)
        made = module.parent(node)
        calls = [last_name(item.func) for item in (made, call) if isinstance(item, ast.Call)]
        if not (set(words(name)) & FILE_WORDS or FILE_CALLS.intersection(calls)):
            return None
        return Location(node, _weights(text) or meaning, done, _shown(text))
    if meaning is None:
        return None
    done, call, _ = use(module, node)
    if meaning is Meaning.TEMPORARY and call is not None and last_name(call.func) in TEMPORARY_CALLS:
        return None
    return Location(node, meaning, done, _shown(text))


def _begins(module: Module, node: ast.Constant) -> bool:
    """Whether a literal is the beginning of its text: in an f-string or a sum, the first part."""
    below: ast.AST = node
    above = module.parent(node)
    while isinstance(above, ast.JoinedStr | ast.BinOp):
        if isinstance(above, ast.JoinedStr) and above.values[0] is not below:
            return False
        if isinstance(above, ast.BinOp) and above.left is not below:
            return False
        below = above
        above = module.parent(above)
    return True


def _dynamic(module: Module, node: ast.Constant) -> bool:
    return isinstance(module.parent(node), ast.JoinedStr)


def _path_meaning(text: str) -> Meaning | None:
    if DRIVE.match(text):
        if "\n" in text:
            return None
        return Meaning.HOME if re.match(r"[A-Za-z]:[\\/]+Users[\\/]+(?!Public)", text) else Meaning.DRIVE
    if text[0] == "\\":
        return Meaning.SHARE if SHARE.match(text) and not text.startswith(("\\\\?\\", "\\\\.\\")) else None
    if not NOT_IN_PATHS.isdisjoint(text):
        return None
    if text[0] == "~":
        return Meaning.USER if text[1] == "/" else None
    if text[0] != "/" or text[1] == "/":
        return None
    parts = text.split("/")[1:]
    rules = _path_rules()
    if parts[0] not in rules.roots:
        return None
    if _below(text, rules.temporary) or _below(text, rules.memory) and len(parts) > 2 and parts[2]:  # noqa: PLR2004 -- /dev/shm/NAME
        return Meaning.TEMPORARY
    if _below(text, rules.interfaces):
        return Meaning.INTERFACE
    if len(parts) < 2 or not parts[1]:  # noqa: PLR2004 -- a folder and something in it
        return None
    if parts[0] in ("home", "Users") and parts[1] not in ("Shared",):
        return Meaning.HOME
    if parts[0] == "root":
        return Meaning.HOME
    if _below(text, rules.programs):
        return Meaning.PROGRAM
    return _weights(text) or Meaning.ABSOLUTE


@dataclass(frozen=True, slots=True)
class _PathRules:
    roots: frozenset[str]
    containers: frozenset[str]
    interfaces: tuple[str, ...]
    programs: tuple[str, ...]
    temporary: tuple[str, ...]
    memory: tuple[str, ...]
    endings: tuple[str, ...]
    weights: frozenset[str]


@cache
def _path_rules() -> _PathRules:
    rows = table("locations/paths")
    return _PathRules(
        frozenset(rows["roots"]),
        frozenset(rows["container_roots"]),
        tuple(rows["interfaces"]),
        tuple(rows["programs"]),
        tuple(rows["temporary"]),
        tuple(rows["memory"]),
        tuple(rows["weights"]),
        frozenset(rows["weight_words"]),
    )


def _below(text: str, prefixes: tuple[str, ...]) -> bool:
    return text.startswith(prefixes) and any(
        text == prefix or text.startswith(prefix + "/") for prefix in prefixes
    )


def _container(text: str) -> bool:
    parts = text.split("/")
    return text[0] == "/" and parts[1] in _path_rules().containers and NOT_IN_PATHS.isdisjoint(text)


def _weights(text: str) -> Meaning | None:
    rules = _path_rules()
    path = PurePosixPath(text)
    if path.suffix.lower() in rules.endings and (path.suffix.lower() != ".bin" or set(words(text)) & rules.weights):
        return Meaning.WEIGHTS
    return None


def _shown(text: str) -> str:
    return text if len(text) <= SHOWN else text[:SHOWN] + "…"


# --- addresses --------------------------------------------------------------------------------------------------------


def addresses(module: Module) -> Iterator[Location]:
    """The URLs, hosts, addresses and ports among a file's literals that lead to a service, whatever is done with them."""
    for node in module.nodes(ast.Constant):
        text = node.value
        if text.__class__ is not str or not 3 < len(text) <= LONGEST:  # noqa: PLR2004 -- "::1" is the shortest
            continue
        if "://" in text:
            found = _url(module, node, text)
        elif text[0].isdigit() and text.count(".") >= 3 or text == "localhost":  # noqa: PLR2004 -- four numbers
            found = _host(module, node, text)
        else:
            continue
        if found is not None:
            yield found
    yield from _ports(module)


def _ports(module: Module) -> Iterator[Location]:
    """Literal ports that a call listens on or connects to: `port=8000`, `bind((host, 8000))`."""
    calls = _host_rules().calls
    for keyword in module.nodes(ast.keyword):
        if keyword.arg == "port" and _is_port(keyword.value):
            call = module.parent(keyword)
            if isinstance(call, ast.Call) and last_name(call.func) in calls:
                yield _port(keyword.value)
    for call in module.nodes(ast.Call):
        match call.args:
            case [ast.Tuple(elts=[host, port]), *_] if _is_port(port) and last_name(call.func) in calls:
                if not isinstance(host, ast.Constant) or not host.value:
                    yield _port(port)
            case _:
                pass


def _is_port(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value.__class__ is int and FIRST_FREE_PORT <= node.value <= LAST_PORT


def _port(node: ast.expr) -> Location:
    assert isinstance(node, ast.Constant)
    return Location(node, Meaning.PORT, Use.DIRECT, str(node.value))


FIRST_FREE_PORT, LAST_PORT = 1024, 65535
"""Below are the ports that a protocol owns (443): they are no choice of an installation."""


def _url(module: Module, node: ast.Constant, text: str) -> Location | None:
    match = ADDRESS.match(text)
    if match is None or not _begins(module, node):
        return None
    rules = _host_rules()
    if match["scheme"] not in rules.schemes:
        return None
    authority = match["authority"]
    if ":" in authority.rpartition("@")[0]:  # user information: a matter of credentials
        return None
    host = authority.rpartition("@")[2]
    host = host[1 : host.find("]")] if host.startswith("[") else host.partition(":")[0]
    if _dynamic(module, node) and not match["rest"] and not authority.endswith(":"):
        return None  # the host itself is still being put together
    meaning = _host_meaning(host.lower(), match["rest"], match["scheme"])
    if meaning is None or meaning is Meaning.LOOPBACK and not re.search(r":[0-9]+$", authority):
        return None  # this machine, and a port that is chosen elsewhere
    done, call, name = use(module, node)
    return Location(node, meaning, _network_use(done, call, name), _shown(f"{match['scheme']}://{authority.rpartition('@')[2]}{match['rest']}"))


def _network_use(done: Use, call: ast.Call | None, name: str) -> Use:
    """What is done with a URL, narrowed to what connects.

    A direct use counts where the call connects or the keyword says address, a name where it says address; elsewhere the
    literal is only handed on.
    """
    rules = _host_rules()
    match done:
        case Use.DIRECT:
            assert call is not None
            return done if last_name(call.func) in rules.calls or name in rules.keywords else Use.DATA
        case Use.NAMED:
            return done if rules.words.intersection(words(name)) else Use.DATA
        case _:
            return done


def _host(module: Module, node: ast.Constant, text: str) -> Location | None:
    match = QUAD.fullmatch(text)
    if match is None and text != "localhost":
        return None
    host = match["host"] if match else text
    done, call, name = use(module, node)
    rules = _host_rules()
    named = set(words(name))
    spoken = bool(named & rules.words) or name in rules.keywords
    if not spoken and not (call is not None and last_name(call.func) in rules.calls and _in_pair(module, node)):
        return None
    meaning = _host_meaning(host, "", "")
    if meaning is Meaning.EVERYWHERE and named & FAR_ENDS:
        return None
    if meaning is Meaning.LOOPBACK and ":" not in text and not _with_port(module, node):
        return None
    if meaning is None or meaning is Meaning.SERVICE and not match:
        return None
    return Location(node, meaning, done, text)


FAR_ENDS = frozenset({"remote", "client", "peer", "source", "src", "origin"})
"""Names of the other side of a connection: nothing listens there."""


def _with_port(module: Module, node: ast.Constant) -> bool:
    """Whether a host stands beside a literal port, in a pair or in a call."""
    match module.parent(node):
        case ast.Tuple(elts=[_, ast.Constant(value=int(port))]):
            return port > 0
        case _:
            return False


def _in_pair(module: Module, node: ast.Constant) -> bool:
    return isinstance(module.parent(node), ast.Tuple | ast.Call)


@dataclass(frozen=True, slots=True)
class _HostRules:
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
    calls: frozenset[str]
    keywords: frozenset[str]
    words: frozenset[str]


@cache
def _host_rules() -> _HostRules:
    rows = table("locations/hosts")
    return _HostRules(
        frozenset(rows["example_hosts"]),
        tuple(ipaddress.ip_network(network) for network in rows["example_networks"]),
        frozenset(rows["internal_suffixes"]),
        frozenset(rows["platform_hosts"]),
        frozenset(rows["reference_hosts"]),
        frozenset(rows["reference_labels"]),
        frozenset(rows["reference_paths"]),
        frozenset(rows["code_hosts"]),
        frozenset(rows["download_parts"]),
        frozenset(rows["schemes"]),
        frozenset(rows["network_calls"]),
        frozenset(rows["address_keywords"]),
        frozenset(rows["address_words"]),
    )


BUCKETS = frozenset({"s3", "gs", "hdfs", "abfs", "abfss", "wasb", "wasbs", "oss"})


def _host_meaning(host: str, rest: str, scheme: str) -> Meaning | None:
    """What a host (lower case, without port) is, None where nothing of one's own stands there."""
    rules = _host_rules()
    if not host or not re.fullmatch(r"[a-z0-9_.:-]+", host):
        return None
    if host in rules.platform or _covered(host, rules.examples):
        return None
    if scheme in BUCKETS:
        return Meaning.BUCKET
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return _named_host(host, rest)
    if any(address in network for network in rules.networks if network.version == address.version):
        return None
    if address.is_unspecified:
        return Meaning.EVERYWHERE
    if address.is_loopback:
        return Meaning.LOOPBACK
    if address.is_multicast or address.is_link_local or address.is_reserved:
        return None
    return Meaning.INTERNAL if address.is_private else Meaning.SERVICE


def _named_host(host: str, rest: str) -> Meaning | None:
    rules = _host_rules()
    labels = host.split(".")
    if host == "localhost":
        return Meaning.LOOPBACK
    if len(labels) == 1:
        return Meaning.INTERNAL if re.fullmatch(r"[a-z][a-z0-9_-]+", host) else None
    if labels[-1] in rules.internal or host.endswith(".cluster.local"):
        return Meaning.INTERNAL
    if not re.fullmatch(r"[a-z]{2,}", labels[-1]):
        return None
    parts = [part for part in re.split(r"[/?#]", rest.lower()) if part]
    if _covered(host, rules.code):
        return Meaning.SERVICE if rules.downloads & set(parts) else None
    if _covered(host, rules.references) and labels[0] not in ("api", "files", "download", "downloads", "cdn"):
        return None
    if labels[0] in rules.labels or parts and parts[0] in rules.paths:
        return None
    return Meaning.SERVICE


def _covered(host: str, hosts: frozenset[str]) -> bool:
    """Whether a host is one of the given ones or lies below one."""
    labels = host.split(".")
    return any(".".join(labels[start:]) in hosts for start in range(len(labels)))
