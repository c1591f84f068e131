"""Which numbers decide something and have no name, and what they should be called."""

import ast

import pytest

from valhalla_lint.core.settings import Settings
from valhalla_lint.core.source import Source
from valhalla_lint.facts.module import Module
from valhalla_lint.facts.numbers import Kind, Role, Verdict, judge, judged


def module(text: str, path: str = "src/app.py") -> Module:
    return Module(Source(path, text), Settings())


def verdicts(text: str) -> dict[str, Verdict]:
    """The verdicts of a text by spelling; a spelling that is judged twice fails."""
    found = list(judged(module(text)).values())
    assert len({verdict.spelling for verdict in found}) == len(found)
    return {verdict.spelling: verdict for verdict in found}


def function(body: str, head: str = "def handle(x):") -> str:
    return f"{head}\n    {body}\n"


@pytest.mark.parametrize(
    ("text", "role", "kind"),
    [
        (function("return len(x) > 4096"), Role.COMPARISON, Kind.LIMIT),
        (function("return x.load > 0.85"), Role.COMPARISON, Kind.THRESHOLD),
        (function("return abs(x) < 1e-6"), Role.COMPARISON, Kind.TOLERANCE),
        (function("return x.status_code == 404"), Role.COMPARISON, Kind.HTTP_STATUS),
        (function("return x.errno == 17"), Role.COMPARISON, Kind.ERRNO),
        (function("return x.elapsed > 30"), Role.COMPARISON, Kind.TIMEOUT),
        (function("return x.attempts >= 4"), Role.COMPARISON, Kind.RETRIES),
        (function("return x.port == 8443"), Role.COMPARISON, Kind.PORT),
        (function("return x in (2048,)"), Role.MEMBERSHIP, Kind.CODE),
        (function("return x * 0.9"), Role.ARITHMETIC, Kind.FACTOR),
        (function("return x.width // 64"), Role.ARITHMETIC, Kind.DIVISOR),
        (function("return x + 16"), Role.ARITHMETIC, Kind.OFFSET),
        (function("return x % 32"), Role.ARITHMETIC, Kind.ALIGNMENT),
        (function("return x % 60_000"), Role.ARITHMETIC, Kind.PERIOD),
        (function("return x & 0x1FF0"), Role.ARITHMETIC, Kind.MASK),
        (function("return x.norm() + 1e-8"), Role.ARITHMETIC, Kind.TOLERANCE),
        (function("sleep(0.5)"), Role.ARGUMENT, Kind.TIMEOUT),
        (function("return x.read(65537)"), Role.ARGUMENT, Kind.SIZE),
        (function("return min(x, 8)"), Role.ARGUMENT, Kind.LIMIT),
        (function("return make(x, 500)"), Role.ARGUMENT, Kind.SETTING),
        (function("os.kill(x, 9)"), Role.ARGUMENT, Kind.SIGNAL),
        (function("for attempt in range(3): x()"), Role.RANGE, Kind.RETRIES),
        (function("for i in range(5):\n        if x.ping(): return i"), Role.RANGE, Kind.RETRIES),
        (function("for i in range(4):\n        if x.row(i): break\n        sleep(x)"), Role.RANGE, Kind.RETRIES),
        (
            function("for i in range(4):\n        try: return x(i)\n        except OSError: pass"),
            Role.RANGE,
            Kind.RETRIES,
        ),
        (function("for i in range(10000): x(i)"), Role.RANGE, Kind.COUNT),
        (function("return x[7]"), Role.INDEX, Kind.COLUMN),
        (function("return x[:80]"), Role.SLICE, Kind.LENGTH),
        (function("return x[5:] if x.startswith('data:') else x"), Role.SLICE, Kind.LENGTH),
        (function("return x[:4] == b'RIFF'"), Role.SLICE, Kind.LENGTH),
        (function("return render(x), 404"), Role.RETURN, Kind.HTTP_STATUS),
        (function("return f'at most {218} tokens'"), Role.FORMAT, Kind.LIMIT),
    ],
)
def test_counts(text: str, role: Role, kind: Kind) -> None:
    (verdict,) = judged(module(text)).values()
    assert (verdict.role, verdict.kind) == (role, kind)


@pytest.mark.parametrize(
    "text",
    [
        "LIMIT = 10 * 1024 * 1024\n",
        "RATES = {'a': 8000, 'b': (16000, 44100)}\n",
        "def f(x=30, *, y=2**20): ...\n",
        function("return make(x, timeout=30, sizes=(64, 128))"),
        function("timeout = 30 if x else 60"),
        function("x.retries = 3"),
        function("x['max_length'] = 255"),
        "class Port(IntEnum):\n    ADMIN = 9901\n",
        "class Row(Model):\n    name = CharField(200)\n",
        "@lru_cache(128)\ndef f(): ...\n",
        "def f(x: Literal[404, 503]) -> Annotated[int, 404]: ...\n",
        "Name = Annotated[str, MaxLen(64)]\n",
        function("for i in range(3):\n        if x[i] > 0: return i"),
        function("for i in range(3):\n        try: x.check(i)\n        except OSError: return x"),
        function("return x == 2 or x.ndim == 3 or len(x.parts) == 4"),
        function("return x[0], x[2], x[-3], x[1:3], x.shape[3:]"),
        function("return x * 100, x * 255.0"),
        function("return int(x, 16), round(x, 3), os.chmod(x, 0o644), sys.exit(2)"),
        function("return x.permute(0, 4, 1, 2).view(1, 77, 768)"),
        function("return sys.version_info >= (3, 11) or x.version < (8, 0, 19)"),
        function("return (x >> 8) & 0xFF, x & 0xFFFF, 2**32 - 1, 1 << 20"),
        function("return -0.5 * (x - mu) ** 2 / 3.0 - math.log(10)"),
        function("return x**4 - 40 * x**3 + 352 * x"),
        function("return 180 * x / pi, x % 360"),
        function("print('-' * 40, x.ljust(20), '%d' % 79)"),
        function("return f'{x:>12}'"),
        function("return hash(x) * 1000003", "class C:\n  def __hash__(x):"),
        function("return 0 <= x <= 100 and x.month > 12 and x.weekday == 6"),
        function("return x.bits == 4 or x.verbosity > 9"),
        function("return x.get('k', 30)"),
        function("return x or 30"),
        function("raise HTTPException(404)"),
        function("return nn.Linear(768, 512)", "import torch\ndef layer(x):"),
        function("ax.text(0.05, 0.95, x)"),
        function("np.random.seed(1234)"),
        function("return x * 1j"),
        "def f(status: Literal[404, 503]): ...\nf(404)\n",
        function("return x > 1e999"),  # infinity
        function("return x[5:] if x.startswith('data') else x[:4] == 'abc'"),
        function("match x:\n        case 404: pass"),
        "for value in (404, 500, 777): print(value)\n",
    ],
)
def test_is_named_structure_or_doubtful(text: str) -> None:
    assert not judged(module(text))


@pytest.mark.parametrize(
    ("line", "other", "counted"),
    [
        ("return x.seconds / 3600", "return x.seconds * 3600", 2),
        ("return x.nbytes / 1024", "return x.nbytes // 1024", 2),
        ("return x.seconds / 3600", "return x.nbytes / 1024", 0),
        ("return x.get('k', 30)", "return x.get('k', 30)", 2),
        ("return x.get('k', 30)", "return x.get('j', 30)", 0),
        ("return x.hexdigest()[:12]", "return x.digest[:12]", 2),
        ("return x.hexdigest()[:12]", "return x.digest[:16]", 0),
    ],
)
def test_some_kinds_count_from_the_second_on(line: str, other: str, counted: int) -> None:
    found = judged(module(function(line) + function(other)))
    assert len(found) == counted
    assert all(verdict.recurs == counted for verdict in found.values())


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("def check(prompt):\n    if len(prompt) > 8192:\n        raise ValueError\n", "MAX_PROMPT_LENGTH"),
        ("def check(prompt):\n    assert len(prompt) <= 8192\n", "MAX_PROMPT_LENGTH"),
        ("def check(prompt):\n    if not 8192 >= len(prompt):\n        raise ValueError\n", "MAX_PROMPT_LENGTH"),
        ("def check(prompt):\n    if len(prompt) < 32:\n        raise ValueError\n", "MIN_PROMPT_LENGTH"),
        ("def slow(load):\n    return load > 0.85\n", "LOAD_THRESHOLD"),
        ("def scan(x):\n    return x > 4096\n", "SCAN_LIMIT"),
        ("class Encoder:\n    def __call__(self, d):\n        return d > 0.85\n", "ENCODER_THRESHOLD"),
        ("class Grid:\n    def f(self, z):\n        return z[:12]\n", "GRID_LENGTH"),
        ("def process_plugins(n):\n    return n[7:]\n", "PLUGINS_PREFIX_LENGTH"),
        ("def start():\n    deadline = time.monotonic() + 15\n", "DEADLINE_OFFSET"),
        ("def read_lines(text):\n    return text.split()[:20]\n", "LINES_LENGTH"),
        ("def prepare():\n    set_determinism(42)\n", "DETERMINISM_SETTING"),
        ("def parse_weekday(value):\n    return value > 600\n", "WEEKDAY_LIMIT"),
        ("async def listen():\n    async with asyncio.timeout(10): pass\n", "LISTEN_TIMEOUT"),
        ("def wait():\n    time.sleep(0.5)\n", "SLEEP_SECONDS"),
        ("def make():\n    password = get_random_string(30)\n", "PASSWORD_LENGTH"),
        ("def batches(rows, size): ...\nbatches(rows, 500)\n", "BATCHES_SIZE"),
        ("def pool():\n    workers = min(cpus * 2, 8)\n", "MAX_WORKERS"),
        ("def shrink(batch_size):\n    return int(batch_size * 0.9)\n", "BATCH_SIZE_FACTOR"),
        ("def key(url):\n    return url[7:]\n", "URL_PREFIX_LENGTH"),
        ("def key(url):\n    return url[-37:]\n", "URL_SUFFIX_LENGTH"),
        ("def key(url):\n    return url[:-41]\n", "URL_SUFFIX_LENGTH"),
        ("def read(fields):\n    return dict(user=fields[12])\n", "USER_INDEX"),
        ("def connect():\n    for attempt in range(5): dial()\n", "MAX_CONNECT_ATTEMPTS"),
        ("def age(a, b):\n    return a.seconds / 3600 - b.seconds / 3600\n", "SECONDS_PER_HOUR"),
    ],
)
def test_suggested_name_says_what_the_number_is(text: str, name: str) -> None:
    assert {verdict.suggested_name for verdict in judged(module(text)).values()} == {name}


def test_standard_library_names_come_ready() -> None:
    found = verdicts(function("return x.status in (404, 503) or x.errno == 17 or os.kill(x, 15)"))
    assert {spelling: verdict.ready for spelling, verdict in found.items()} == {
        "404": "http.HTTPStatus.NOT_FOUND",
        "503": "http.HTTPStatus.SERVICE_UNAVAILABLE",
        "17": "errno.EEXIST",
        "15": "signal.SIGTERM",
    }


def test_spelling_is_the_source_s_with_its_sign() -> None:
    found = verdicts(function("return x > -273.15 or x > 1_000_000 or x == 0x300"))
    assert set(found) == {"-273.15", "1_000_000", "0x300"}
    assert isinstance(found["-273.15"].whole, ast.UnaryOp)
    assert isinstance(found["0x300"].whole, ast.Constant)


def test_one_literal_gets_the_verdict_that_the_file_gives_it() -> None:
    subject = module(function("return x > 4096 and x[0] == 1"))
    everything = judged(subject)
    for node in subject.nodes(ast.Constant):
        assert judge(subject, node) == everything.get(node)
    assert len(everything) == 1


def test_deep_and_huge_numbers_do_no_harm() -> None:
    deep = "x = f(" + "-" * 80 + "7777)\n"
    long = "def f(x):\n    return x > " + " + ".join(["7777"] * 300) + "\n"
    huge = "def f(x):\n    return x > 0x" + "f" * 4000 + " or x > 1e999 or x * 3.5j > 7\n"
    for text in (deep, long, huge):
        judged(module(text))


def test_a_table_of_more_numbers_than_anybody_writes_by_hand_is_data() -> None:
    many = ", ".join(str(number) for number in range(100, 1100))
    assert not judged(module(f"def f(x):\n    return x in [{many}] or g({many})\n"))
    assert judged(module("def f(x):\n    return {" + ", ".join(f"'k{at}': x * 37" for at in range(200)) + "}\n"))
