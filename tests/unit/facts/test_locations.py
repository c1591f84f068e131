"""What literal places mean, and what is done with them."""

import pytest

from valhalla_lint.core.settings import Settings
from valhalla_lint.core.source import Source
from valhalla_lint.facts.locations import Location, Meaning, Use, addresses, paths
from valhalla_lint.facts.minting import mint_secret
from valhalla_lint.facts.module import Module
from valhalla_lint.linter import Linter


def module(text: str, path: str = "src/app.py") -> Module:
    return Module(Source(path, text), Settings())


def only(found: list[Location]) -> Location | None:
    assert len(found) <= 1
    return found[0] if found else None


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("/opt/models/labels.txt", Meaning.ABSOLUTE),
        ("/opt/models/base.safetensors", Meaning.WEIGHTS),
        ("/srv/models/weights.bin", Meaning.WEIGHTS),
        ("/srv/firmware/boot.bin", Meaning.ABSOLUTE),
        ("/home/alice/notes", Meaning.HOME),
        ("/Users/alice/notes", Meaning.HOME),
        ("C:\\Users\\alice\\notes", Meaning.HOME),
        ("D:/models/base", Meaning.DRIVE),
        ("\\\\fileserver\\models", Meaning.SHARE),
        ("~/.cache/models", Meaning.USER),
        ("/tmp/lock", Meaning.TEMPORARY),  # noqa: S108 -- the text under test
        ("/dev/shm/ring", Meaning.TEMPORARY),  # noqa: S108 -- as above
        ("/dev/shm", Meaning.INTERFACE),  # noqa: S108 -- as above
        ("/dev/null", Meaning.INTERFACE),
        ("/proc/self/status", Meaning.INTERFACE),
        ("/usr/bin/env", Meaning.PROGRAM),
        ("/api/v1/models", None),
        ("/opt", None),
        ("/v1/chat", None),
        ("//host/share", None),
        ("/(?P<name>.*)/", None),
        ("s3:notes", None),
        ("\\d+\\w", None),
        ("\\\\?\\C:\\long", None),
    ],
)
def test_meaning_of_a_path(text: str, meaning: Meaning | None) -> None:
    found = only(list(paths(module(f"def f():\n    return g({text!r})\n"))))
    assert (found.meaning if found else None) is meaning


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("https://api.moonep.ai/v1", Meaning.SERVICE),
        ("http://10.3.0.17:8000", Meaning.INTERNAL),
        ("http://gateway.internal/v1", Meaning.INTERNAL),
        ("redis://queue:6379/0", Meaning.INTERNAL),
        ("http://localhost:8000", Meaning.LOOPBACK),
        ("http://[::1]:8000", Meaning.LOOPBACK),
        ("http://0.0.0.0:8000", Meaning.EVERYWHERE),
        ("s3://weights/base", Meaning.BUCKET),
        ("https://github.com/moonep/base/releases/v1.tar.gz", Meaning.SERVICE),
        ("https://api.github.com/repos/moonep/base", Meaning.SERVICE),
        ("https://api-inference.huggingface.co/models/moonep/base", Meaning.SERVICE),
        ("https://github.com/moonep/base", None),
        ("http://localhost", None),
        ("https://example.com/v1", None),
        ("https://api.example.org", None),
        ("http://192.0.2.7:8000", None),
        ("http://198.51.100.1", None),
        ("http://203.0.113.9", None),
        ("http://www.w3.org/2000/svg", None),
        ("https://docs.moonep.ai/urls", None),
        ("https://www.apache.org/licenses/LICENSE-2.0", None),
        ("https://json-schema.org/draft/2020-12/schema", None),
        ("http://169.254.169.254/latest", None),
        ("postgres://user:word/more@db.internal/x", None),
        ("postgres://user:word@db.internal/x", None),
        ("https://{host}/v1", None),
        ("file://name", None),
    ],
)
def test_meaning_of_a_url(text: str, meaning: Meaning | None) -> None:
    found = only(list(addresses(module(f"def f():\n    return requests.get({text!r})\n"))))
    assert (found.meaning if found else None) is meaning


@pytest.mark.parametrize("text", ["https://hooks.moonep.ai/t/{}", "https://api.moonep.ai/bot1:{}/send", "/srv/{}/x.db"])
def test_a_key_in_a_place_is_not_quoted(text: str) -> None:
    key = mint_secret(32, "place")
    code = f"def f():\n    return open({text.format(key)!r})\n"
    (found,) = [*addresses(module(code)), *paths(module(code))]
    assert not any(key[at : at + 5] in found.shown for at in range(len(key) - 4))
    assert found.shown.startswith(text[:5])


@pytest.mark.parametrize(
    ("code", "meaning"),
    [
        ("out = Path('/exports').joinpath(name)", Meaning.ABSOLUTE),
        ("session = InferenceSession('/models/rank.onnx')", Meaning.WEIGHTS),
        ("handler = RotatingFileHandler('/logs/api.log')", Meaning.ABSOLUTE),
        ("model = build('/models/rank.safetensors')", Meaning.WEIGHTS),
        ("reply = client.get('/exports/today')", None),
        ("open('/')", None),
        ("route = PurePosixPath('/exports') / name", None),
        ("x = build('/models/rank')", None),
    ],
)
def test_what_opens_files_takes_no_routes(code: str, meaning: Meaning | None) -> None:
    found = only(list(paths(module(f"def f():\n    {code}\n"))))
    assert (found.meaning if found else None) is meaning


@pytest.mark.parametrize(
    ("code", "codes"),
    [
        ("SMTP('smtp.moonep.ai', 587)", ["VH303"]),
        ("HTTPSConnection('api.moonep.ai', 8443)", ["VH303"]),
        ("StrictRedis('redis-master', 6379)", ["VH303"]),
        ("SMTP(host, 587)", ["VH301"]),
        ("sqlite3.connect('state.db')", []),
    ],
)
def test_a_port_behind_a_host_is_told_with_it(code: str, codes: list[str]) -> None:
    found = Linter(Settings(select=("VH3",))).check(Source("src/app.py", f"def f(host):\n    return {code}\n"))
    assert [item.code for item in found] == codes


@pytest.mark.parametrize(
    ("text", "use"),
    [
        ("open('/opt/x/y')", Use.DIRECT),
        ("open(os.path.join('/opt/x/y', name))", Use.DIRECT),
        ("with open('/opt/x/y') as handle: pass", Use.DIRECT),
        ("Path('/opt/x/y').read_text()", Use.DIRECT),
        ("subprocess.run(['ls', '-l', '/opt/x/y'])", Use.DIRECT),
        ("show(['ls', '-l', '/opt/x/y'])", Use.DATA),
        ("root = '/opt/x/y'", Use.NAMED),
        ("ROOT = Path('/opt/x/y')", Use.NAMED),
        ("DEFAULT_ROOT = '/opt/x/y'", Use.DEFAULT),
        ("root = os.environ.get('ROOT', '/opt/x/y')", Use.DEFAULT),
        ("root = os.environ.get('ROOT') or '/opt/x/y'", Use.DEFAULT),
        ("root = root if root else '/opt/x/y'", Use.DEFAULT),
        ("if root is None:\n    root = '/opt/x/y'", Use.DEFAULT),
        ("try: root = find()\nexcept KeyError: root = '/opt/x/y'", Use.DEFAULT),
        ("def f(root='/opt/x/y'): ...", Use.DEFAULT),
        ("class Settings:\n    root: str = '/opt/x/y'", Use.DEFAULT),
        ("class Settings:\n    ROOT = '/opt/x/y'", Use.DEFAULT),
        ("class Store:\n    ROOT = '/opt/x/y'", Use.NAMED),
        ("parser.add_argument('--root', default='/opt/x/y')", Use.DEFAULT),
        ("def f(root=typer.Option(Path('/opt/x/y'), envvar='ROOT')): ...", Use.DEFAULT),
        ("root = typer.Option('/opt/x/y', '--root')", Use.DEFAULT),
        ("raise ValueError('/opt/x/y')", Use.TEXT),
        ("log.info('/opt/x/y')", Use.TEXT),
        ("f(help='/opt/x/y')", Use.TEXT),
        ("'/opt/x/y'", Use.TEXT),
        ("path.startswith('/opt/x/y')", Use.TEST),
        ("path == '/opt/x/y'", Use.TEST),
        ("os.path.exists('/opt/x/y')", Use.TEST),
        ("@app.get('/opt/x/y')\ndef f(): ...", Use.ROUTE),
        ("app.mount('/opt/x/y', other)", Use.ROUTE),
        ("client.get('/opt/x/y')", Use.ROUTE),
        ("roots = ['/opt/x/y', 'other']", Use.DATA),
        ("roots['/opt/x/y']", Use.DATA),
    ],
)
def test_use(text: str, use: Use) -> None:
    found = only(list(paths(module(text + "\n"))))
    assert found is not None
    assert found.use is use


def test_constants_of_a_settings_module_are_defaults() -> None:
    found = only(list(paths(module("ROOT = '/opt/x/y'\n", "src/pkg/settings.py"))))
    assert found is not None
    assert found.use is Use.DEFAULT


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("sock.bind((host, 8000))", ["8000"]),
        ("sock.bind(('', 8000))", ["8000"]),
        ("app.run(port=8000)", ["8000"]),
        ("app.run(port=0)", []),
        ("sock.connect((host, 443))", []),
        ("socket.create_connection(('10.0.0.7', 9000))", ["10.0.0.7"]),
        ("socket.create_connection(('127.0.0.1', port))", []),
        ("socket.create_connection(('127.0.0.1', 9000))", ["127.0.0.1"]),
        ("grpc.insecure_channel('scheduler.svc:50051')", ["scheduler.svc:50051"]),
        ("server.add_insecure_port('[::]:50051')", ["[::]:50051"]),
        (
            "Producer(bootstrap_servers='kafka-0.kafka.svc.cluster.local:9092')",
            ["kafka-0.kafka.svc.cluster.local:9092"],
        ),
        ("Producer(bootstrap_servers=['kafka:9092', 'queue:9092'])", ["kafka:9092", "queue:9092"]),
        ("client.connect('broker.internal', port)", ["broker.internal"]),
        ("Mail(host='smtp.moonep.ai')", ["smtp.moonep.ai"]),
        ("store = {'host': 'db.prod.internal', 'port': port}", ["db.prod.internal"]),
        ("store = {'host': '10.0.0.7', 'port': port}", ["10.0.0.7"]),
        ("layer = {'name': 'db.prod.internal'}", []),
        ("grpc.insecure_channel(f'{host}:50051')", []),
        ("bus.connect('signal:ready')", []),
        ("config.get('model.layers')", []),
        ("torch.device('cuda:0')", []),
        ("run(image='redis:7')", []),
        ("Mail(host='smtp.example.com')", []),
        ("version = '10.0.0.7'", []),
        ("remote_ip = '0.0.0.0'", []),
        ("host = '0.0.0.0'", ["0.0.0.0"]),  # noqa: S104 -- the text under test
    ],
)
def test_hosts_and_ports(text: str, shown: list[str]) -> None:
    assert [found.shown for found in addresses(module(text + "\n"))] == shown


def test_an_address_is_shown_without_its_user() -> None:
    found = only(list(addresses(module("requests.get('https://alice@api.moonep.ai/v1')\n"))))
    assert found is not None
    assert found.shown == "https://api.moonep.ai/v1"


@pytest.mark.parametrize(
    "text",
    ["f'https://oauth2:{token}@{host}/base.git'", "'https://svc:' + token + '@git.internal/base.git'"],
)
def test_a_user_and_a_password_that_is_filled_in_are_no_host(text: str) -> None:
    assert not list(addresses(module(f"run(['git', 'clone', {text}])\n")))
