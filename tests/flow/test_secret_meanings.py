"""Names that read as a credential's and mean something else, each with a twin in which a credential is shown."""

import pytest

from valhalla_lint.core.settings import Settings
from valhalla_lint.core.source import Source
from valhalla_lint.linter import Linter

LINTER = Linter(Settings(select=("VH501",)))

# What the names mean, a program in which no credential is shown, and its twin.
MEANINGS = (
    (
        "a folder",
        """
import os
def copy(pwd, api_key):
    print('working in', os.path.join(pwd, 'a'))
""",
        """
def enter(user, pwd, api_key):
    print('login', user, pwd)
""",
    ),
    (
        "a position",
        """
def page(api, since_token):
    print('authorized since', since_token)
""",
        """
def page(api, auth_token):
    print('authorized by', auth_token)
""",
    ),
    (
        "a lock",
        """
'''Holders of a lock token.'''
def authorize(token):
    print('lock purged', token)
""",
        """
'''Holders of a ticket.'''
def authorize(token):
    print('ticket purged', token)
""",
    ),
    (
        "one thing or the other",
        """
def share(path_or_token):
    print('shared', path_or_token)
""",
        """
def share(api_key_or_token):
    print('shared', api_key_or_token)
""",
    ),
    (
        "the public half of a key",
        """
def verify(device_keys, signing_key, access_token):
    print('signed by', signing_key)
""",
        """
def sign(device_keys, private_signing_key, access_token):
    print('signed by', private_signing_key)
""",
    ),
    (
        "an encrypted key",
        """
def show(api_key_crypted):
    print('in the file', api_key_crypted)
""",
        """
def show(api_key_decrypted):
    print('in the file', api_key_decrypted)
""",
    ),
    (
        "a name of the project's own",
        """
def drop(db_uri):
    print('dropped', db_uri)
""",
        """
import sqlalchemy
def drop(db_uri):
    print('dropped', db_uri)
""",
    ),
    (
        "a word of a list",
        """
def parse(token, password):
    if token not in KEYWORDS:
        raise ValueError(f'no keyword: {token}')
""",
        """
def parse(token, password):
    if token not in revoked:
        raise ValueError(f'not revoked: {token}')
""",
    ),
    (
        "what a secret is called",
        """
def names(secrets):
    for item in secrets:
        print(item['key'])
""",
        """
def values(secrets):
    for item in secrets:
        print(item['value'])
""",
    ),
    (
        "an entry of a database",
        """
def revoke(db, api_token):
    db.session.delete(api_token)
    print('revoked', api_token)
""",
        """
def revoke(db, api_token):
    db.revoked.delete(api_token)
    print('revoked', api_token)
""",
    ),
    (
        "where a key lies",
        """
def load(args):
    private_key_path = args.private_key
    print('no file', private_key_path)
""",
        """
def load(args):
    private_key_text = args.private_key
    print('no key', private_key_text)
""",
    ),
    (
        "where a key lies, for who is called",
        """
def main(args):
    load(args.private_key)
def load(private_key_file):
    print('no key', private_key_file)
""",
        """
def main(args):
    load(args.private_key)
def load(text):
    print('no key', text)
""",
    ),
    (
        "who has a token",
        """
def renew(store, text):
    user, until = store.get_user_from_access_token(text)
    print(user, until)
""",
        """
def renew(store, text):
    found, until = store.get_access_token(text)
    print(found, until)
""",
    ),
    (
        "what is given with a token",
        """
def make(store):
    iden, api_key = store.generate_api_key()
    print('made', iden)
""",
        """
def make(store):
    iden, api_key = store.generate_api_key()
    print('made', api_key)
""",
    ),
    (
        "who logs in",
        """
def enter(auth_value, password):
    user, rest = auth_value.split(':', 1)
    print('refused', user)
""",
        """
def enter(auth_value, password):
    user, rest = auth_value.split(':', 1)
    print('refused', rest)
""",
    ),
    (
        "what a token says",
        """
def claims(jwt_token, keys):
    print('password', jwt_token.decode('utf-8', keys, claims=True))
""",
        """
def claims(jwt_token, keys):
    print('password', jwt_token.decode('utf-8', errors='replace'))
""",
    ),
    (
        "what is refused for its form",
        """
def use(api_key):
    if not isinstance(api_key, str) or len(api_key) == 0:
        raise ValueError(f'{api_key} is no key')
""",
        """
def use(api_key):
    if not isinstance(api_key, str) or len(api_key) != 40:
        raise ValueError(f'{api_key} is no key')
""",
    ),
    (
        "what is asked for where it is missing",
        """
def use(api_key):
    if not api_key:
        print('no key', api_key)
""",
        """
def use(api_key):
    if not api_key:
        api_key = ask()
    print('new key', api_key)
""",
    ),
    (
        "a mask",
        """
def show(secret):
    print(secret[0] + '*' * 10 + secret[-1])
""",
        """
def show(secret):
    print(secret + '*' * 10)
""",
    ),
    (
        "an object with a text of its own",
        """
class Mailer:
    def __init__(self, host, password):
        self.host = host
        self.password = password
    def __str__(self):
        return self.host
def start(host, password):
    print(Mailer(host, password))
""",
        """
class Mailer:
    def __init__(self, host, password):
        self.host = host
        self.password = password
    def __str__(self):
        return self.host + self.password
def start(host, password):
    print(Mailer(host, password))
""",
    ),
    (
        "an object without a text",
        """
class Mailer:
    def __init__(self, password):
        self.key = password
def start(password):
    made = Mailer(password)
    raise ValueError(f'not awaited: {made}')
""",
        """
class Mailer:
    def __init__(self, password):
        self.key = password
def start(password):
    made = Mailer(password)
    raise ValueError(f'not awaited: {made.key}')
""",
    ),
    (
        "a function that makes the exception",
        """
def use(api_key):
    raise refusal(403, api_key)
""",
        """
def use(api_key):
    raise Refusal(403, api_key)
""",
    ),
)


def codes(program: str) -> list[str]:
    return [finding.code for finding in LINTER.check(Source("src/app.py", program))]


@pytest.mark.parametrize("program", [pytest.param(row[1], id=row[0]) for row in MEANINGS])
def test_a_name_may_mean_something_else(program: str) -> None:
    assert codes(program) == []


@pytest.mark.parametrize("program", [pytest.param(row[2], id=row[0]) for row in MEANINGS])
def test_the_same_name_of_a_credential_is_told(program: str) -> None:
    assert codes(program) == ["VH501"]


def test_a_secret_is_not_told_of_as_a_path_would_be() -> None:
    program = """
import os
def load(folder, api_key):
    place = f"{folder}/{api_key}"
    if os.path.exists(place):
        print("there is", place)
"""
    (finding,) = LINTER.check(Source("src/app.py", program))
    assert finding.message == "api_key reaches print()"
    assert finding.span.line == 6  # where it is shown, not where it is joined
    assert not any("folder" in step.text or "exists" in step.text for step in finding.steps)


def test_what_a_command_shows_to_who_runs_it_is_less_sure() -> None:
    shown = "def create(user):\n    {}(f'key: {{user.api_key}}')\n"
    (echoed,) = LINTER.check(Source("src/app.py", "import click\n" + shown.format("click.echo")))
    (printed,) = LINTER.check(Source("src/app.py", shown.format("print")))
    assert (echoed.confidence.name, printed.confidence.name) == ("LOW", "MEDIUM")
