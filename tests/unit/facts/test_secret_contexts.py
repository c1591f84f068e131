"""Every way in which Python, and the texts inside it, bind a credential to a name.

Each program is tried with a strongly random value, with a password that somebody made up, and with a placeholder: the
first is found in all of them, the second where the place leaves no doubt, the third nowhere.
"""

import base64
from pathlib import Path

import pytest

from valhalla_lint.core.settings import Settings
from valhalla_lint.core.source import Source
from valhalla_lint.facts.minting import mint_secret
from valhalla_lint.facts.providers import mint_token
from valhalla_lint.linter import Linter

LINTER = Linter(Settings(select=("VH1",)))
WEAK = "Tq7-vault-Kz9"
PLACEHOLDER = "changeme"

# Name of the context, the code of the finding, the program. `{v}` is the value, `{a}` and `{b}` are two halves of it.
CONTEXTS = (
    ("assign", "VH101", 'password = "{v}"'),
    ("annotated", "VH101", 'password: str = "{v}"'),
    ("tuple", "VH101", 'user, password = "svc", "{v}"'),
    ("nested tuple", "VH101", '(a, (user, password)) = 1, ("svc", "{v}")'),
    ("chained", "VH101", 'password = backup = "{v}"'),
    ("star", "VH101", '*rest, password = 1, 2, "{v}"'),
    ("attribute", "VH101", 'self.password = "{v}"'),
    ("attribute of its owner", "VH101", 'settings.access.token = "{v}"'),
    ("entry of variables", "VH101", 'V1EnvVar(name="DB_PASSWORD", value="{v}")'),
    ("entry of variables dict", "VH101", 'x = [{"name": "DB_PASSWORD", "value": "{v}"}]'),
    ("subscript", "VH101", 'config["password"] = "{v}"'),
    ("nested subscript", "VH101", 'config["db"]["password"] = "{v}"'),
    ("dict", "VH101", 'x = {"password": "{v}"}'),
    ("dict bytes key", "VH101", 'x = {b"password": "{v}"}'),
    ("dict()", "VH101", 'x = dict(password="{v}")'),
    ("keyword", "VH101", 'f(password="{v}")'),
    ("default", "VH101", 'def f(password="{v}"): ...'),
    ("kw default", "VH101", 'def f(*, password="{v}"): ...'),
    ("lambda default", "VH101", 'g = lambda password="{v}": 1'),
    ("class field", "VH101", 'class A:\n    password = "{v}"'),
    (
        "dataclass",
        "VH105",
        'from dataclasses import dataclass, field\n@dataclass\nclass A:\n    password: str = field(default="{v}")',
    ),
    (
        "pydantic",
        "VH105",
        'from pydantic import BaseModel, Field\nclass A(BaseModel):\n    password: str = Field(default="{v}")',
    ),
    (
        "pydantic SecretStr",
        "VH101",
        'from pydantic import BaseModel, SecretStr\nclass A(BaseModel):\n    password: SecretStr = SecretStr("{v}")',
    ),
    ("attrs", "VH105", 'import attr\n@attr.s\nclass A:\n    password = attr.ib(default="{v}")'),
    ("environ", "VH101", 'import os\nos.environ["DB_PASSWORD"] = "{v}"'),
    ("environ.setdefault", "VH105", 'import os\nos.environ.setdefault("DB_PASSWORD", "{v}")'),
    ("environ.update dict", "VH101", 'import os\nos.environ.update({"DB_PASSWORD": "{v}"})'),
    ("environ.update kw", "VH101", 'import os\nos.environ.update(DB_PASSWORD="{v}")'),
    ("update pairs", "VH101", 'import os\nos.environ.update([("DB_PASSWORD", "{v}")])'),
    ("putenv", "VH101", 'import os\nos.putenv("DB_PASSWORD", "{v}")'),
    ("dict |=", "VH101", 'import os\nos.environ |= {"DB_PASSWORD": "{v}"}'),
    ("setattr", "VH101", 'setattr(self, "password", "{v}")'),
    ("monkeypatch.setenv", "VH101", 'm.setenv("DB_PASSWORD", "{v}")'),
    ("config.set", "VH101", 'config.set("db", "password", "{v}")'),
    ("setter method", "VH101", 'client.set_password("{v}")'),
    ("setter api key", "VH101", 'client.set_api_key("{v}")'),
    ("compare", "VH106", 'if password == "{v}": pass'),
    ("compare rev", "VH106", 'if "{v}" == password: pass'),
    ("match", "VH106", 'match password:\n    case "{v}":\n        pass'),
    ("match dict", "VH106", 'match d:\n    case {"password": "{v}"}:\n        pass'),
    ("fstring whole", "VH101", 'password = f"{v}"'),
    ("concat", "VH101", 'password = "{a}" + "{b}"'),
    ("implicit", "VH101", 'password = ("{a}"\n  "{b}")'),
    ("join", "VH101", 'password = "".join(["{a}", "{b}"])'),
    ("bytes", "VH101", 'password = b"{v}"'),
    ("format lit", "VH101", 'password = "{}".format("{v}")'),
    ("format name", "VH101", 'url = "x={}&y".format(token, api_key="{v}")'),
    ("format template", "VH101", 'c = "password={}".format("{v}")'),
    ("format template kw", "VH101", 'c = "password={p}".format(p="{v}")'),
    ("percent template", "VH101", 'c = "password=%s" % "{v}"'),
    ("percent template tuple", "VH101", 'c = "user=%s password=%s" % ("svc", "{v}")'),
    ("percent dict", "VH101", 'c = "%(password)s" % {"password": "{v}"}'),
    ("triple config", "VH101", "c = '''\n[db]\npassword = {v}\n'''"),
    ("triple yaml", "VH101", "c = '''\ndb:\n  password: {v}\n'''"),
    ("triple env", "VH101", "c = '''\nexport DB_PASSWORD={v}\n'''"),
    ("triple xml", "VH101", "c = '''\n<password>{v}</password>\n'''"),
    ("triple xml attr", "VH101", "c = '''\n<db password=\"{v}\"/>\n'''"),
    ("url", "VH104", 'u = "https://svc:{v}@db.internal/x"'),
    ("token as the user of an address", "VH104", 'u = "https://{v}:x-oauth-basic@git.internal/x.git"'),
    ("address whose user is called a token", "VH104", 'u = "https://x-access-token:{v}@git.internal/x.git"'),
    ("dsn", "VH104", 'u = "postgresql://svc:{v}@db.internal/x"'),
    ("dsn with a slash", "VH104", 'u = "amqp://svc:{v}/{v}@mq.internal"'),
    ("redis", "VH104", 'u = "redis://:{v}@cache.internal/0"'),
    ("dsn kv", "VH101", 'u = "host=db user=svc password={v} dbname=x"'),
    ("odbc", "VH101", 'u = "Driver=X;Server=db;UID=svc;PWD={v};"'),
    ("odbc Password", "VH101", 'u = "Server=db;User Id=svc;Password={v};"'),
    ("header compared", "VH106", 'if request.headers["Authorization"] == "Bearer {v}": pass'),
    ("header", "VH107", 'h = {"Authorization": "Bearer {v}"}'),
    ("header basic", "VH107", 'h = {"Authorization": "Basic {pair}"}'),
    ("header x-api-key", "VH107", 'h = {"X-API-Key": "{v}"}'),
    ("header line", "VH107", 'h = "Authorization: Bearer {v}"'),
    ("header add", "VH107", 'r.add_header("Authorization", "Bearer {v}")'),
    ("header tuple", "VH107", 'h = [("Authorization", "Bearer {v}")]'),
    ("header subscript", "VH107", 'r.headers["Authorization"] = "Bearer {v}"'),
    ("header concat", "VH107", 'h = {"Authorization": "Bearer " + "{v}"}'),
    ("header format", "VH107", 'h = {"Authorization": "Bearer {}".format("{v}")}'),
    ("header percent", "VH107", 'h = {"Authorization": "Bearer %s" % "{v}"}'),
    ("header update", "VH107", 's.headers.update({"X-API-Key": "{v}"})'),
    ("auth tuple", "VH107", 'requests.get(u, auth=("svc", "{v}"))'),
    ("basic_auth tuple", "VH107", 'Elasticsearch(u, basic_auth=("svc", "{v}"))'),
    ("auth assign", "VH107", 'session.auth = ("svc", "{v}")'),
    ("auth var", "VH107", 'auth = ("svc", "{v}")'),
    ("HTTPBasicAuth", "VH107", 'HTTPBasicAuth("svc", "{v}")'),
    ("HTTPBasicAuth kw", "VH101", 'HTTPBasicAuth(username="svc", password="{v}")'),
    ("command opt", "VH101", 'c = "mysql --password={v} db"'),
    ("command list", "VH101", 'c = ["mysql", "--password={v}", "db"]'),
    ("command list of several words", "VH101", 'c = ["push", "--api-key", "{v}"]'),
    ("command list 2", "VH101", 'c = ["mysql", "--password", "{v}"]'),
    ("mysql -p", "VH101", 'c = "mysql -usvc -p{v} db"'),
    ("curl -u", "VH101", 'os.system("curl -u svc:{v} https://x.internal")'),
    ("curl list", "VH101", 'c = ["curl", "-u", "svc:{v}", "https://x.internal"]'),
    ("sshpass", "VH101", 'c = "sshpass -p {v} ssh host"'),
    ("env command", "VH101", 'os.system("PGPASSWORD={v} psql")'),
    ("sql create", "VH101", "q = \"CREATE USER svc WITH PASSWORD '{v}'\""),
    ("sql identified", "VH101", "q = \"CREATE USER svc IDENTIFIED BY '{v}'\""),
    ("sql alter", "VH101", "q = \"ALTER ROLE svc PASSWORD '{v}'\""),
    ("sql set", "VH101", "q = \"SET PASSWORD FOR svc = '{v}'\""),
    ("sql where", "VH101", "q = \"SELECT * FROM u WHERE password = '{v}'\""),
    ("cookies csrf", "VH101", 'cookies = {"csrftoken": "{v}"}'),
    ("cookie header", "VH107", 'h = {"Cookie": "sessionid={v}; path=/"}'),
    ("query", "VH104", 'u = "https://x.internal/a?access_token={v}&b=1"'),
    ("query only", "VH104", 'u = "/a?api_key={v}"'),
    ("form body", "VH104", 'd = "user=svc&password={v}"'),
    ("json", "VH101", 'd = \'{"password": "{v}"}\''),
    ("json escaped", "VH101", 'd = "{\\"password\\": \\"{v}\\"}"'),
    ("json loads", "VH101", 'd = json.loads(\'{"password": "{v}"}\')'),
    ("positional own", "VH101", 'def connect(user, password): ...\nconnect("svc", "{v}")'),
    ("positional class", "VH101", 'class C:\n    def __init__(self, user, password): ...\nC("svc", "{v}")'),
    (
        "positional dataclass",
        "VH101",
        'from dataclasses import dataclass\n@dataclass\nclass C:\n    user: str\n    password: str\nC("svc", "{v}")',
    ),
    ("positional method", "VH101", 'class C:\n    def connect(self, user, password): ...\nC().connect("svc", "{v}")'),
    (
        "positional partial",
        "VH101",
        'from functools import partial\ndef connect(user, password): ...\npartial(connect, "svc", "{v}")',
    ),
    (
        "namedtuple",
        "VH101",
        'from collections import namedtuple\nC = namedtuple("C", ["user", "password"])\nC("svc", "{v}")',
    ),
    ("getenv or", "VH105", 'import os\np = os.getenv("DB_PASSWORD") or "{v}"'),
    ("getenv default", "VH105", 'import os\np = os.getenv("DB_PASSWORD", "{v}")'),
    ("environ.get", "VH105", 'import os\np = os.environ.get("DB_PASSWORD", "{v}")'),
    ("get kw default", "VH105", 'import os\np = os.environ.get("DB_PASSWORD", default="{v}")'),
    ("ternary", "VH101", 'import os\npassword = os.environ["P"] if x else "{v}"'),
    ("if none", "VH101", 'password = os.getenv("P")\nif not password:\n    password = "{v}"'),
    ("b64encode", "VH107", 'import base64\nh = base64.b64encode(b"svc:{v}")'),
    ("b64encode str", "VH107", 'import base64\nh = base64.b64encode("svc:{v}".encode())'),
    ("look-up by a call", "VH105", 'k = settings("DB_PASSWORD", cast=str, default="{v}")'),
    ("argparse default of several words", "VH105", 'p.add_argument("--api-key", default="{v}")'),
    ("argparse default", "VH105", 'p.add_argument("--password", default="{v}")'),
    ("click option", "VH105", '@click.option("--password", default="{v}")\ndef f(password): ...'),
    ("walrus", "VH101", 'if (password := "{v}"): pass'),
    ("named constant key", "VH101", 'PASSWORD = "password"\nx = {PASSWORD: "{v}"}'),
    ("type alias", "VH101", 'password: "str" = "{v}"'),
    ("global const list of dict", "VH101", 'USERS = [{"name": "svc", "password": "{v}"}]'),
    ("decorator kw", "VH101", '@auth(password="{v}")\ndef f(): ...'),
    ("broken", "VH101", 'print "old"\npassword = "{v}"'),
    ("smtp login", "VH101", 's.login("svc", "{v}")'),
    ("jwt", "VH101", 'jwt.encode(x, "{v}")'),
    ("hmac", "VH101", 'hmac.new(b"{v}", m)'),
    ("Fernet", "VH101", 'Fernet(b"{v}")'),
    ("compare_digest", "VH106", 'hmac.compare_digest(password, "{v}")'),
    ("walrus call", "VH101", 'client = Client(api_key="{v}")'),
    ("openai attr", "VH101", 'openai.api_key = "{v}"'),
    ("class kw", "VH101", 'class A(Base, password="{v}"): ...'),
    ("f call default", "VH105", 'cfg.get("db", "password", fallback="{v}")'),
    ("object.__setattr__", "VH101", 'object.__setattr__(self, "password", "{v}")'),
    ("telling cookie", "VH101", 's.cookies.set("password", "{v}")'),
    ("unredirected header", "VH107", 'r.add_unredirected_header("X-API-Key", "{v}")'),
    ("compare_digest encoded", "VH106", 'hmac.compare_digest(form.password.encode(), b"{v}")'),
    ("compare_digest both encoded", "VH106", 'hmac.compare_digest(password.encode(), "{v}".encode())'),
    ("compare stripped", "VH106", 'if os.environ["DB_PASSWORD"].strip() == "{v}": pass'),
    ("getattr or", "VH105", 'p = getattr(args, "password", None) or "{v}"'),
    ("subscript or", "VH105", 'p = config["password"] or "{v}"'),
    ("ternary of a look-up", "VH105", 'p = os.environ["DB_PASSWORD"] if known else "{v}"'),
    ("default_var", "VH105", 'p = Variable.get("db_password", default_var="{v}")'),
    ("keyword from a look-up", "VH105", 'import os\nconnect(password=os.environ.get("DB_PW", "{v}"))'),
    ("a name in between", "VH101", 'value = "{v}"\nclient = Client(password=value)'),
    ("names in between", "VH101", 'value = "{v}"\nother = value\nclient = Client(password=other)'),
    (
        "an attribute in between",
        "VH101",
        'class A:\n  def __init__(self):\n    self.value = "{v}"\n  def go(self):\n    f(password=self.value)',
    ),
    (
        "an attribute of the class",
        "VH107",
        'class A:\n    value = "{v}"\n    def go(self):\n        return {"Authorization": f"Bearer {self.value}"}',
    ),
    ("a name of the module", "VH101", 'VALUE = "{v}"\ndef f():\n    return {"password": VALUE}'),
    ("a name behind a scheme", "VH107", 'value = "{v}"\nh = {"Authorization": f"Bearer {value}"}'),
    ("a name added to a scheme", "VH107", 'value = "{v}"\nh = {"Authorization": "Bearer " + value}'),
    ("a name that is put into the environment", "VH101", 'import os\nvalue = "{v}"\nos.environ["DB_PASSWORD"] = value'),
    ("glued short option in a list", "VH101", 'run(["mysql", "-u", "root", "-p{v}", "db"])'),
    ("short option in a list", "VH101", 'run(["sshpass", "-p", "{v}", "ssh", host])'),
    ("pair called credentials", "VH107", 'credentials = ("svc", "{v}")'),
    ("cast", "VH101", 'password = cast(str, "{v}")'),
    ("ini read_string", "VH101", 'c.read_string("[a]\\npassword={v}\\n")'),
)

# Where the place is too vague for anything but a strongly random value.
ONLY_STRONG = (
    ("enum", "VH101", 'from enum import Enum\nclass A(Enum):\n    PASSWORD = "{v}"'),
    ("compare in", "VH106", 'if password in ("{v}", "zq81-Kw7x-Pq0"): pass'),
    ("fstring part", "VH101", 'password = f"{v}{x}"'),
    ("fstring with a choice", "VH107", 'h = {"Authorization": f"Bearer {x if x else \'{v}\'}"}'),
    ("concat var", "VH101", 'password = "{v}" + suffix'),
    ("percent", "VH101", 'password = "{v}%s" % n'),
    ("command list f", "VH101", 'c = ["mysql", f"--password={v}", "db"]'),
    ("cookies kw", "VH107", 'requests.get(u, cookies={"session": "{v}"})'),
    ("cookies dict", "VH107", 'cookies = {"sessionid": "{v}"}'),
    ("set_cookie", "VH107", 'resp.set_cookie("session", "{v}")'),
    ("cookies.set", "VH107", 's.cookies.set("sessionid", "{v}")'),
    ("cookies subscript", "VH107", 's.cookies["sessionid"] = "{v}"'),
    ("return", "VH101", 'def get_password():\n    return "{v}"'),
    ("return property", "VH101", '@property\ndef password(self):\n    return "{v}"'),
    ("look-up by any method", "VH105", 'k = env.str("SESSION_SECRET", "{v}")'),
    ("lambda", "VH101", 'api_token = lambda: "{v}"'),
    ("return secret", "VH101", 'def get_client_secret():\n    return "{v}"'),
    ("keys of a mapping", "VH101", 'API_TOKENS = {"{v}": "alice", "x": "bob"}'),
    ("keys of an annotated mapping", "VH101", 'API_TOKENS: dict[str, str] = {"{v}": "alice", "x": "bob"}'),
    ("entry of a form", "VH101", 'x = {"name": "password", "value": "{v}"}'),
    ("query key", "VH104", 'u = "https://maps.internal/a?q=1&key={v}"'),
    ("query signature", "VH104", 'u = "https://store.internal/a?sv=2023-11-03&sig={v}"'),
    ("compare not in", "VH106", 'if password not in {"{v}", "zq81-Kw7x-Pq0"}: raise ValueError'),
    ("values of a mapping", "VH101", 'API_TOKENS = {"openai": "{v}"}'),
    ("values of a mapping of keys", "VH101", 'PROVIDER_KEYS = {"openai": "{v}"}'),
    ("put into a mapping of keys", "VH101", 'API_TOKENS[name] = "{v}"'),
    ("statement left out", "VH101", 'x = 1\n# API_KEY = "{v}"'),
    ("loop", "VH101", 'for api_key in ["{v}"]:\n    use(api_key)'),
    ("class called so", "VH101", 'c = AzureKeyCredential("{v}")'),
    ("type called so", "VH101", 'from typing import NewType\nApiKey = NewType("ApiKey", str)\nx = ApiKey("{v}")'),
    ("function called so", "VH101", 'c = grpc.access_token_call_credentials("{v}")'),
    ("augassign", "VH101", 'password += "{v}"'),
    ("comment", "VH101", "x = 1  # password: {v}"),
    ("docstring", "VH101", '"""Use password {v} here."""'),
    ("log", "VH101", 'log.info("password {v}")'),
)


DIGEST = "9f86d081884c7d659a2feaa0c55ad015"


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        (f'# API_KEY = "{DIGEST}"', {"VH101"}),
        (f"# the API_KEY {DIGEST} is stored as its hash", set()),
        (f'"""Its api_key is kept as api_key={DIGEST} there."""', set()),
    ],
    ids=["left out", "prose", "docstring"],
)
def test_hexadecimal_keys_of_comments_are_believed_in_statements_that_were_left_out(
    program: str, expected: set[str]
) -> None:
    assert codes(program, "") == expected


@pytest.mark.parametrize(
    "program",
    [
        'value = "{v}"\nvalue = ask()\nclient = Client(password=value)',  # bound twice
        'def f(value="{v}"):\n    return Client(password=value)',
        'value = "{v}"\nclient = Client(label=value)',
        'class A:\n  value = "{v}"\n  def set(self, value):\n    self.value = value\n    f(password=self.value)',
        'a = b\nb = a\nuse(password=a, label="{v}")',
        'run(["mkdir", "-p{v}"])',
    ],
)
def test_values_that_only_may_be_handed_on_are_not_told(program: str) -> None:
    assert not codes(program, mint_secret(32, "a"))


def test_the_evidence_says_where_a_value_gets_its_name() -> None:
    (found,) = LINTER.check(
        Source("src/app.py", f'value = "{mint_secret(32, "a")}"\n\nclient = Client(password=value)\n')
    )
    assert found.span.line == 1
    assert any(reason.endswith("line 3") for reason in found.reasons)


def codes(program: str, value: str) -> set[str]:
    pair = base64.b64encode(f"svc:{value}".encode()).decode()
    text = program.replace("{v}", value).replace("{a}", value[:5]).replace("{b}", value[5:]).replace("{pair}", pair)
    return {finding.code for finding in LINTER.check(Source("src/app.py", text + "\n"))}


@pytest.mark.parametrize(("code", "program"), [pytest.param(*row[1:], id=row[0]) for row in (*CONTEXTS, *ONLY_STRONG)])
def test_random_values_are_found_in_every_context(code: str, program: str) -> None:
    assert codes(program, mint_secret(32, "a")) == {code}


@pytest.mark.parametrize(("code", "program"), [pytest.param(*row[1:], id=row[0]) for row in CONTEXTS])
def test_passwords_are_found_in_every_context_that_leaves_no_doubt(code: str, program: str) -> None:
    assert codes(program, WEAK) == {code}


@pytest.mark.parametrize("program", [pytest.param(row[2], id=row[0]) for row in ONLY_STRONG])
def test_passwords_are_not_believed_where_the_place_is_vague(program: str) -> None:
    assert not codes(program, WEAK)


@pytest.mark.parametrize(
    "program",
    [pytest.param(row[2], id=row[0]) for row in (*CONTEXTS, *ONLY_STRONG) if "{pair}" not in row[2]],
)
def test_placeholders_are_found_in_none(program: str) -> None:
    assert not codes(program, PLACEHOLDER)


@pytest.mark.parametrize(
    "program",
    [
        'x = get_credential("{v}")',  # by its name
        'x = delete_token("{v}")',
        'PUBLIC_KEYS = {"issuer": "{v}"}',
        "DB_PASSWORD = 'ENC({v})'",  # sealed
        "DB_PASSWORD = '{cipher}{v}'",
        "DB_PASSWORD = 'vault:v1:{v}'",
    ],
)
def test_what_is_no_credential_is_found_in_none(program: str) -> None:
    assert not codes(program, mint_secret(32, "a"))


KEY_LINES = ("-----BEGIN PRIVATE KEY-----", mint_secret(64, "k"), mint_secret(60, "l"), "-----END PRIVATE KEY-----")


@pytest.mark.parametrize(
    "program",
    [
        'K = "\\n".join([\n{lines}])\n'.replace("{lines}", "".join(f'    "{line}",\n' for line in KEY_LINES)),
        "K = (\n    " + "\n    + ".join(f'"{line}\\n"' for line in KEY_LINES) + "\n)\n",
        "K = [\n    " + ",\n    ".join(f'"{line}"' for line in KEY_LINES) + "\n]\npassword = ask()\n",
        "K = (\n    " + ",\n    ".join(f'"{line}"' for line in KEY_LINES) + "\n)\npassword = ask()\n",
    ],
    ids=["joined", "sum", "list", "tuple"],
)
def test_a_private_key_in_lines_of_their_own_is_told_where_it_begins(program: str) -> None:
    (found,) = LINTER.check(Source("src/app.py", program))
    assert (found.code, found.span.line) == ("VH103", 2)


def test_one_token_is_told_once_however_it_is_read() -> None:
    token = mint_token("github", "once")
    for program in (
        f'run(["git", "clone", "https://x-access-token:{token}@code.internal/w.git"])\n',
        f"# export GITHUB_TOKEN={token}\nx = 1\n",
    ):
        assert [found.code for found in LINTER.check(Source("src/app.py", program))] == ["VH102"]


LIBRARY = """
from dataclasses import dataclass


def connect(user, password, *, retries=3): ...


class Client:
    def __init__(self, host, api_key): ...


@dataclass
class Account:
    user: str
    access_token: str
"""


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        ("from shop.db import connect\nconnect('svc', '{v}')\n", ["VH101"]),
        ("from shop import db\ndb.connect('svc', '{v}')\n", ["VH101"]),
        ("import shop.db as d\nd.connect('svc', '{v}')\n", ["VH101"]),
        ("from .db import Client\nClient('db.internal', '{v}')\n", ["VH101"]),
        ("from shop.db import Account\nAccount('svc', '{v}')\n", ["VH101"]),
        ("from shop import connect\nconnect('svc', '{v}')\n", ["VH101"]),
        ("from shop.db import connect\nconnect('{v}', value)\n", []),
        ("from shop.db import connect\nconnect(*pair, '{v}')\n", []),
        ("from shop.gone import connect\nconnect('svc', '{v}')\n", []),
        ("from elsewhere import connect\nconnect('svc', '{v}')\n", []),
    ],
)
def test_arguments_of_functions_of_other_modules_by_their_parameters(
    tmp_path: Path, program: str, expected: list[str]
) -> None:
    package = tmp_path / "shop"
    package.mkdir()
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'shop'\n")
    (package / "__init__.py").write_text("from .db import connect\n")
    (package / "db.py").write_text(LIBRARY)
    source = Source("shop/app.py", program.replace("{v}", WEAK), location=package / "app.py")
    assert [finding.code for finding in LINTER.check(source)] == expected
