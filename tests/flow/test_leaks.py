"""Ways in which a secret gets before people's eyes, each with a twin that shows no more than something about it."""

import pytest

from valhalla_lint.core.settings import Settings
from valhalla_lint.core.source import Source
from valhalla_lint.linter import Linter

LINTER = Linter(Settings(select=("VH501",)))

# Name of the way, the program with `<shown>` for what is shown, a secret, and something about it.
LEAKS = (
    (
        "lazy argument",
        """
import logging
log = logging.getLogger(__name__)
def login(user, password):
    log.info("login %s %s", user, <shown>)
""",
        "password",
        "bool(password)",
    ),
    (
        "lazy dict",
        """
import logging
log = logging.getLogger(__name__)
def login(user, api_key):
    log.info("login %(user)s %(key)s", {"user": user, "key": <shown>})
""",
        "api_key",
        "len(api_key)",
    ),
    (
        "extra fields",
        """
import logging
log = logging.getLogger(__name__)
def login(user, api_key):
    log.info("login", extra={"user": user, "key": <shown>})
""",
        "api_key",
        "len(api_key)",
    ),
    (
        "a logger that something is bound to",
        """
from loguru import logger
def login(user, password):
    logger.bind(user=user).warning("refused {}", <shown>)
""",
        "password",
        "bool(password)",
    ),
    (
        "a logger made on the spot",
        """
import logging
def login(user, password):
    logging.getLogger("audit").info("%s %s", user, <shown>)
""",
        "password",
        "len(password)",
    ),
    (
        "a logger in a variable of any name",
        """
import structlog
events = structlog.get_logger()
def login(user, password):
    child = events.bind(user=user)
    child.info("login", given=<shown>)
""",
        "password",
        "bool(password)",
    ),
    (
        "a logger that the object keeps",
        """
import logging
class Door:
    def __init__(self):
        self._audit = logging.getLogger("audit")
    def open(self, user, password):
        self._audit.info("%s %s", user, <shown>)
""",
        "password",
        "len(password)",
    ),
    (
        "what is bound to a logger",
        """
import structlog
log = structlog.get_logger()
def login(user, password):
    log.bind(user=user, given=<shown>).info("login")
""",
        "password",
        "bool(password)",
    ),
    (
        "asked for when it is shown",
        """
from loguru import logger
def login(api_key):
    logger.opt(lazy=True).debug("key {}", lambda: <shown>)
""",
        "api_key",
        "len(api_key)",
    ),
    (
        "a text in which another secret is replaced",
        """
import logging
def login(password, api_key):
    text = f"login with {<shown>}"
    logging.info(text.replace(api_key, "***"))
""",
        "password",
        "api_key",
    ),
    (
        "one of those that are known",
        """
import logging
def login(api_key, valid, expected):
    if api_key not in valid:
        raise KeyError("refused")
    if api_key == expected.key:
        logging.info("accepted %s", <shown>)
""",
        "api_key",
        "len(api_key)",
    ),
    (
        "settings in an answer",
        """
from fastapi.responses import JSONResponse
def debug(settings):
    return JSONResponse({"key": <shown>})
""",
        "settings.openai_api_key",
        "bool(settings.openai_api_key)",
    ),
    (
        "settings dumped",
        """
import logging
from pydantic_settings import BaseSettings
class Settings(BaseSettings):
    hub_token: str
def boot():
    logging.info("with %s", <shown>)
""",
        "Settings().model_dump()",
        'Settings().model_dump(exclude={"hub_token"})',
    ),
    (
        "f-string",
        """
import logging
def login(user, client_secret):
    logging.warning(f"bad secret {<shown>} of {user}")
""",
        "client_secret",
        "client_secret is None",
    ),
    (
        "self.logger",
        """
class Client:
    def __init__(self, api_key, logger):
        self.api_key = api_key
        self.logger = logger
    def call(self):
        self.logger.debug("calling with " + <shown>)
""",
        "self.api_key",
        "str(bool(self.api_key))",
    ),
    (
        "exception text",
        """
def check(access_token):
    if not access_token.startswith("x"):
        raise ValueError(f"bad token {<shown>}")
""",
        "access_token",
        "len(access_token)",
    ),
    (
        "exception arg",
        """
class AuthError(Exception):
    pass
def check(password):
    raise AuthError("wrong password", <shown>)
""",
        "password",
        "len(password)",
    ),
    (
        "assert",
        """
def check(access_token):
    assert access_token.isascii(), f"bad {<shown>}"
""",
        "access_token",
        "type(access_token)",
    ),
    (
        "span attr",
        """
from opentelemetry import trace
tracer = trace.get_tracer(__name__)
def call(api_key):
    with tracer.start_as_current_span("call") as span:
        span.set_attribute("key", <shown>)
""",
        "api_key",
        "len(api_key)",
    ),
    (
        "span attrs",
        """
from opentelemetry import trace
def call(api_key):
    span = trace.get_current_span()
    span.set_attributes({"key": <shown>})
""",
        "api_key",
        "len(api_key)",
    ),
    (
        "span event",
        """
from opentelemetry import trace
def call(api_key):
    span = trace.get_current_span()
    span.add_event("call", {"key": <shown>})
""",
        "api_key",
        "len(api_key)",
    ),
    (
        "sentry",
        """
import sentry_sdk
def call(api_key):
    sentry_sdk.set_tag("key", <shown>)
""",
        "api_key",
        "len(api_key)",
    ),
    (
        "flask json",
        """
import os
from flask import Flask, jsonify
app = Flask(__name__)
@app.get("/c")
def config():
    return jsonify(key=<shown>)
""",
        'os.environ["API_KEY"]',
        '"API_KEY" in os.environ',
    ),
    (
        "flask dict",
        """
import os
from flask import Flask
app = Flask(__name__)
@app.get("/c")
def config():
    return {"key": <shown>}
""",
        'os.environ["API_KEY"]',
        '"API_KEY" in os.environ',
    ),
    (
        "fastapi",
        """
from fastapi import FastAPI, HTTPException
app = FastAPI()
@app.get("/c")
def config(api_key: str):
    raise HTTPException(401, detail=f"bad {<shown>}")
""",
        "api_key",
        "len(api_key)",
    ),
    (
        "fastapi return",
        """
import os
from fastapi import FastAPI
app = FastAPI()
SECRET_KEY = os.environ["SECRET_KEY"]
@app.get("/c")
def config():
    return {"secret": <shown>}
""",
        "SECRET_KEY",
        "bool(SECRET_KEY)",
    ),
    (
        "django response",
        """
import os
from django.http import HttpResponse
def view(request):
    return HttpResponse(f"key {<shown>}")
""",
        "os.environ['API_KEY']",
        "bool(os.environ['API_KEY'])",
    ),
    (
        "getenv",
        """
import os
def main():
    print("key", <shown>)
""",
        'os.getenv("OPENAI_API_KEY")',
        'bool(os.getenv("OPENAI_API_KEY"))',
    ),
    (
        "getpass",
        """
import getpass
def main():
    pw = getpass.getpass()
    print(<shown>)
""",
        "pw",
        "len(pw)",
    ),
    (
        "SecretStr",
        """
import logging
from pydantic import BaseModel, SecretStr
log = logging.getLogger(__name__)
class Settings(BaseModel):
    api_key: SecretStr
def show(settings: Settings):
    log.info("key %s", <shown>)
""",
        "settings.api_key.get_secret_value()",
        "settings.api_key",
    ),
    (
        "SecretStr param",
        """
import logging
from pydantic import SecretStr
log = logging.getLogger(__name__)
def show(api_key: SecretStr):
    log.info("key %s", <shown>)
""",
        "api_key.get_secret_value()",
        "api_key",
    ),
    (
        "headers whole",
        """
import logging
import requests
log = logging.getLogger(__name__)
def call(url, api_key):
    headers = {"Authorization": f"Bearer {api_key}", "Accept": "x"}
    log.debug("sending %s", <shown>)
    return requests.get(url, headers=headers)
""",
        "headers",
        "sorted(headers)",
    ),
    (
        "request headers",
        """
import logging
from flask import Flask, request
app = Flask(__name__)
log = logging.getLogger(__name__)
@app.get("/")
def index():
    log.info("headers %s", <shown>)
    return ""
""",
        "request.headers",
        'request.headers.get("Accept")',
    ),
    (
        "auth header",
        """
import logging
from flask import Flask, request
app = Flask(__name__)
log = logging.getLogger(__name__)
@app.get("/")
def index():
    log.info("auth %s", <shown>)
    return ""
""",
        'request.headers.get("Authorization")',
        'request.headers.get("Accept")',
    ),
    (
        "environ whole",
        """
import os, logging
def main():
    logging.info("env %s", <shown>)
""",
        "os.environ",
        "sorted(os.environ)",
    ),
    (
        "config dataclass",
        """
import logging
from dataclasses import dataclass
@dataclass
class Config:
    host: str
    password: str
def start(config: Config):
    logging.info("config %s", <shown>)
""",
        "config",
        "config.host",
    ),
    (
        "config dataclass made",
        """
import logging
from dataclasses import dataclass
@dataclass
class Config:
    host: str
    password: str
def start(host, password):
    config = Config(host, password)
    logging.info("config %r", <shown>)
""",
        "config",
        "config.host",
    ),
    (
        "settings dump",
        """
import logging
from pydantic_settings import BaseSettings
class Settings(BaseSettings):
    host: str
    api_key: str
settings = Settings()
def start():
    logging.info("settings %s", <shown>)
""",
        "settings.model_dump()",
        "settings.host",
    ),
    (
        "dsn",
        """
import logging
def connect(user, password, host):
    url = f"postgresql://{user}:{password}@{host}/db"
    logging.info("connecting to %s", <shown>)
""",
        "url",
        "host",
    ),
    (
        "helper",
        """
import logging
def report(message):
    logging.info(message)
def connect(user, password):
    report(f"connect {user} {<shown>}")
""",
        "password",
        "len(password)",
    ),
    (
        "command",
        """
import subprocess, logging
def dump(password):
    cmd = ["mysqldump", "--password=" + password]
    logging.info("running %s", <shown>)
    subprocess.run(cmd)
""",
        "cmd",
        "cmd[0]",
    ),
    (
        "hash",
        """
import logging, hashlib
def store(password):
    logging.info("stored %s", <shown>)
""",
        "password",
        "hashlib.sha256(password.encode()).hexdigest()",
    ),
    (
        "exc_info",
        """
import logging
def login(password):
    try:
        connect(password)
    except Exception as e:
        logging.error("failed for %s", <shown>, exc_info=True)
""",
        "password",
        "type(e)",
    ),
    (
        "click",
        """
import click
def show(api_key):
    click.echo(<shown>)
""",
        "api_key",
        "bool(api_key)",
    ),
    (
        "structlog",
        """
import structlog
log = structlog.get_logger()
def login(user, password):
    log.info("login", user=user, password=<shown>)
""",
        "password",
        "bool(password)",
    ),
    (
        "loguru",
        """
from loguru import logger
def login(user, password):
    logger.info("login {} {}", user, <shown>)
""",
        "password",
        "bool(password)",
    ),
    (
        "stderr",
        """
import sys
def login(password):
    sys.stderr.write("pw " + <shown>)
""",
        "password",
        "str(bool(password))",
    ),
    (
        "print json",
        """
import json
def show(user, password):
    print(json.dumps({"user": user, "password": <shown>}))
""",
        "password",
        '"***"',
    ),
    (
        "base64",
        """
import base64, logging
def show(user, password):
    pair = base64.b64encode(f"{user}:{<shown>}".encode()).decode()
    logging.info("header %s", "Basic " + pair)
""",
        "password",
        "len(password)",
    ),
    (
        "slice",
        """
import logging
def show(api_key):
    logging.info("key %s", <shown>)
""",
        "api_key[:12]",
        "api_key[:4]",
    ),
    (
        "mask",
        """
import logging
def show(api_key):
    logging.info("key %s", <shown>)
""",
        "api_key.strip()",
        '"*" * len(api_key)',
    ),
    (
        "return error dict",
        """
import os
from fastapi import FastAPI
from fastapi.responses import JSONResponse
app = FastAPI()
@app.get("/x")
def x():
    key = os.environ["OPENAI_API_KEY"]
    return JSONResponse({"error": f"bad {<shown>}"})
""",
        "key",
        "len(key)",
    ),
    (
        "traceloop",
        """
import mlflow
def run(api_key):
    mlflow.log_param("key", <shown>)
""",
        "api_key",
        "len(api_key)",
    ),
    (
        "wandb",
        """
import wandb
def run(api_key):
    wandb.log({"key": <shown>})
""",
        "api_key",
        "len(api_key)",
    ),
)


def codes(program: str, shown: str) -> list[str]:
    return [finding.code for finding in LINTER.check(Source("src/app.py", program.replace("<shown>", shown)))]


@pytest.mark.parametrize(("program", "secret"), [pytest.param(row[1], row[2], id=row[0]) for row in LEAKS])
def test_secrets_that_are_shown_are_found(program: str, secret: str) -> None:
    assert codes(program, secret) == ["VH501"]


@pytest.mark.parametrize(("program", "about"), [pytest.param(row[1], row[3], id=row[0]) for row in LEAKS])
def test_what_is_only_about_a_secret_may_be_shown(program: str, about: str) -> None:
    assert codes(program, about) == []


@pytest.mark.parametrize(
    "program",
    [
        "def check(secrets):\n    for name, value in secrets.items():\n        print(name, bool(value))\n",
        "from pathlib import Path\n\n\ndef find(config):\n    print(Path(config['auth']['private_key']))\n",
        "def load(token, **rest):\n    rest['token'] = token\n    print(rest.get('revision'))\n",
        "def name_of(jwt_token, field):\n    print(jwt_token[field])\n",
        "def kind_of(access_token):\n    print(access_token.which_one())\n",
        "def show(page):\n    print('next page_token', page.token)\n",
        "def parse(minor_token, password):\n    raise ValueError(f'no version: {minor_token!r}')\n",
    ],
    ids=["names of secrets", "paths of keys", "other keys", "claims", "kinds", "pages", "pieces of text"],
)
def test_what_belongs_to_a_secret_is_none(program: str) -> None:
    assert codes(program, "") == []


WRITTEN = """
import logging

{bound}
log = logging.getLogger(__name__)


def login(user):
    log.info("login %s %s", user, {shown})
"""


@pytest.mark.parametrize(
    ("bound", "shown", "told"),
    [
        ('PASSWORD = "moonlight-42"', "PASSWORD", True),
        ('db_password = "moonlight-42"', 'f"as {db_password}"', True),
        ('PASSWORD = b"moonlight-42"', "PASSWORD.decode()", True),
        ('PASSWORD = "moonlight-42"', "len(PASSWORD)", False),
        ('PASSWORD_FIELD = "password"', "PASSWORD_FIELD", False),
        ('PASSWORD = ""', "PASSWORD", False),
        ('TOKEN_URL = "https://login.example.com/token"', "TOKEN_URL", False),
    ],
)
def test_a_credential_in_the_source_is_shown_like_one_from_elsewhere(bound: str, shown: str, *, told: bool) -> None:
    text = WRITTEN.format(bound=bound, shown=shown)
    assert [finding.code for finding in LINTER.check(Source(path="src/app.py", text=text))] == ["VH501"] * told


SCHEME = """
import logging


def authenticate(authorization):
    {body}
    logging.warning("unknown scheme %s", scheme)
"""


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("scheme = authorization.split(' ', 1)[0] if ' ' in authorization else 'none'", False),
        ("scheme = authorization.partition(' ')[0] if ' ' in authorization else 'none'", False),
        ("scheme = authorization.split(' ', 1)[0] if ' ' in authorization else authorization", True),
        ("scheme = authorization.split(' ', 1)[0]", True),
        ("scheme = authorization.split(' ', 1)[1] if ' ' in authorization else 'none'", True),
        ("scheme = authorization.split('.', 1)[0] if '.' in authorization else 'none'", True),
    ],
)
def test_the_first_word_of_a_header_with_a_space_is_no_secret(body: str, *, told: bool) -> None:
    text = SCHEME.format(body=body)
    assert [finding.code for finding in LINTER.check(Source(path="src/app.py", text=text))] == ["VH501"] * told


GUARDED = """
from flask import Flask, request

app = Flask(__name__)
ROOT = "/srv/files"


@app.route("/file", methods=["POST"])
def file():
    answer = ""
    name = request.headers.get("X-File-Name")
    if "../" in name:
        answer += "not below the root"
        return answer
    place = f"{ROOT}/{name}"
    answer += f"begins with {open(place).read()}"
    return answer
"""


def test_a_check_of_a_path_holds_also_where_secrets_are_followed() -> None:
    source = Source(path="src/app.py", text=GUARDED)
    alone = [finding.code for finding in Linter(Settings(select=("VH2",))).check(source)]
    together = [finding.code for finding in Linter(Settings(select=("VH2", "VH501"))).check(source)]
    assert together == alone


def test_a_secret_that_is_a_word_of_the_program_is_none() -> None:
    program = """
import logging
def login(api_key):
    if api_key == "EMPTY" or api_key in ("none", "local"):
        logging.info("no key: %s", api_key)
"""
    assert not LINTER.check(Source("src/app.py", program))
