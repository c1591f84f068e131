"""Showings of what only looks like a credential, or of one that opens nothing or cannot be read, each with a twin."""

from pathlib import Path

import pytest

from valhalla_lint.core.settings import Settings
from valhalla_lint.core.source import Source
from valhalla_lint.linter import Linter

LINTER = Linter(Settings(select=("VH501",)))

# What is shown, a program that shows it, and its twin in which a credential is shown.
SHOWINGS = (
    (
        "an identifier or an address of a secret",
        """
def store(vault, key_href, secret_uuid, private_key_fname, path_to_private_key):
    print('stored', secret_uuid, key_href, private_key_fname, path_to_private_key)
""",
        """
def store(vault, secret_value):
    print('stored', secret_value)
""",
    ),
    (
        "how it stands with a credential, or how long it took",
        """
def report(policy, credential_known, client_supports_credential_pause):
    print(policy.secret_scan_latency_ms, credential_known, client_supports_credential_pause)
""",
        """
def report(policy, old_credential):
    print(policy.scan_latency_ms, old_credential)
""",
    ),
    (
        "what a vault keeps it under",
        """
def password(vault, password_key, totp_secret_key):
    if not vault.get_secret(totp_secret_key):
        print('nothing under', totp_secret_key)
    print('kept under', password_key)
""",
        """
def password(vault, totp_secret_key):
    if not vault.check(totp_secret_key):
        print('refused', totp_secret_key)
""",
    ),
    (
        "a record of places",
        """
def start(paths):
    print('kept in', paths.client_secret)
""",
        """
def start(settings):
    print('kept in', settings.client_secret)
""",
    ),
    (
        "the kind of a credential",
        """
def pick(kind):
    raise ValueError(f'unsupported: {kind}')
def start(config):
    pick(config.azure_credential)
""",
        """
def pick(given):
    raise ValueError(f'unsupported: {given}')
def start(config):
    pick(config.azure_credential)
""",
    ),
    (
        "the word in front of a token",
        """
def log_in(log, auth_header):
    auth_type, token = auth_header.split(maxsplit=1)
    log.info('unknown way: %s', auth_type)
""",
        """
def log_in(log, auth_header):
    auth_type = token = auth_header.strip()
    log.info('unknown way: %s', auth_type)
""",
    ),
    (
        "what somebody may do",
        """
def judge(log, rights):
    authorization = rights.of()
    if authorization['allow']:
        log.debug('judged: %s', authorization)
""",
        """
def judge(log, request):
    authorization = request.of()
    if authorization:
        log.debug('judged: %s', authorization)
""",
    ),
    (
        "a section about cookies",
        """
def start(log, config):
    store = config['cookie']
    if 'cookie' in config:
        log.info('started with %s', config)
    log.info('kept in %s', store)
""",
        """
def start(log, headers):
    store = headers['cookie']
    log.info('started with %s', store)
""",
    ),
    (
        "keyword arguments of another method",
        """
class Client:
    def login(self, **kwargs):
        return kwargs['password']
    def find(self, **kwargs):
        print('find', kwargs)
""",
        """
class Client:
    def login(self, **kwargs):
        return kwargs['password']
    def find(self, **kwargs):
        print('find', kwargs)
        self.login(**kwargs)
""",
    ),
    (
        "an address without its password",
        """
def start(log, parts):
    dsn = make({**parts, 'password': None})
    log.info('postgres at %s', dsn)
""",
        """
def start(log, parts):
    dsn = make({**parts, 'timeout': None})
    log.info('postgres at %s', dsn)
""",
    ),
    (
        "another type than text",
        """
def use(api_key):
    assert isinstance(api_key, str), f'no text: {api_key}'
    if isinstance(api_key, (str, bytes)):
        return api_key
    else:
        raise TypeError(f'no text: {api_key}')
""",
        """
def use(api_key):
    assert isinstance(api_key, Key), f'no key: {api_key}'
    return api_key
""",
    ),
    (
        "no text, and bytes or a text",
        """
def use(api_key):
    if isinstance(api_key, str):
        return api_key
    elif api_key:
        print('no text', api_key)
""",
        """
def use(api_key):
    if isinstance(api_key, bytes):
        return api_key
    elif isinstance(api_key, str):
        print('a text', api_key)
""",
    ),
    (
        "what nothing was found by",
        """
def account(accounts, api_key):
    if api_key not in accounts:
        raise ValueError(f'Account with API key {api_key} does not exist.')
    old_api_key = accounts[api_key].api_key
    if old_api_key not in accounts:
        raise ValueError(f'Account with API key {old_api_key} does not exist.')
    return accounts[api_key]
""",
        """
def account(accounts, api_key):
    if not accounts[api_key].admin:
        raise ValueError(f'API key {api_key} has no rights.')
    return accounts[api_key]
""",
    ),
    (
        "a token by which nothing was found, and a password",
        """
def account(find, access_token):
    if find(access_token) is None:
        raise LookupError(f'no such token: {access_token}')
""",
        """
def account(find, password):
    if find(password) is None:
        raise LookupError(f'no such password: {password}')
""",
    ),
    (
        "something else that was not found",
        """
def page(find, access_token):
    if find(access_token, 'x') is None:
        raise LookupError(f'not found: {access_token}')
""",
        """
def page(find, access_token):
    if find('x', access_token) is None:
        raise LookupError(f'page not found with {access_token}')
""",
    ),
    (
        "a few characters and an ellipsis",
        """
def start(access_token):
    print(f'with {access_token[:8]}...')
    print('with ' + access_token[:6] + '***')
""",
        """
def start(access_token):
    print(f'with ...{access_token[-8:]}')
""",
    ),
    (
        "a few characters of a password",
        """
def start(api_key):
    print(f'with {api_key[:8]}...')
""",
        """
def start(password):
    print(f'with {password[:8]}...')
""",
    ),
    (
        "what a function hides",
        """
def fingerprint_token(value):
    return value[:6] + value[-4:]
def start(access_token):
    print('with', fingerprint_token(access_token))
""",
        """
def half_token(value):
    return value[:6] + value[-4:]
def start(access_token):
    print('with', half_token(access_token))
""",
    ),
    (
        "each value under its key",
        """
def put(key, disk):
    print('key', key)
def change(word, disk):
    disk.write(word)
def inject(disk, key, admin_password):
    makers = {'key': put, 'admin_password': change}
    for name, value in {'key': key, 'admin_password': admin_password}.items():
        makers[name](value, disk)
    print('done')
""",
        """
def put(key, disk):
    disk.write(key)
def change(word, disk):
    print('word', word)
def inject(disk, key, admin_password):
    makers = {'key': put, 'admin_password': change}
    for name, value in {'key': key, 'admin_password': admin_password}.items():
        makers[name](value, disk)
    print('done')
""",
    ),
    (
        "the id under which a credential was put away",
        """
def put(vault, secret):
    item_id = create_credential(vault, secret)
    print('put away as', item_id)
def create_credential(vault, credential):
    return credential
""",
        """
def put(vault, secret):
    made = create_credential(vault, secret)
    print('put away as', made)
def create_credential(vault, credential):
    return credential
""",
    ),
    (
        "how often one was replaced",
        """
import re
def replace(text, secret):
    text, occurrences = re.subn(secret, '', text)
    print('replaced', occurrences)
""",
        """
import re
def replace(text, secret):
    text, occurrences = re.subn('x', secret, text)
    print('replaced', secret)
""",
    ),
    (
        "words of a list of the program",
        """
# login
def clean(text):
    for token in LEAKING:
        if token in text:
            print('leaked', token)
""",
        """
# login
def clean(text, tokens):
    for token in tokens:
        if token in text:
            print('leaked', token)
""",
    ),
)


def codes(program: str) -> list[str]:
    return [finding.code for finding in LINTER.check(Source("src/app.py", program))]


@pytest.mark.parametrize("program", [pytest.param(row[1], id=row[0]) for row in SHOWINGS])
def test_no_credential_is_shown(program: str) -> None:
    assert codes(program) == []


@pytest.mark.parametrize("program", [pytest.param(row[2], id=row[0]) for row in SHOWINGS])
def test_the_credential_of_the_twin_is_told(program: str) -> None:
    assert codes(program) == ["VH501"]


def test_a_showing_in_another_file_is_told_once(tmp_path: Path) -> None:
    (tmp_path / "client.py").write_text("def send(data):\n    print('sending', data)\n")
    calls = "".join(f"def make{number}(password):\n    print('made')\n    send(password)\n" for number in range(3))
    user = tmp_path / "user.py"
    user.write_text("from client import send\n" + calls)
    (finding,) = LINTER.check(Source("user.py", user.read_text(), location=user))
    assert finding.span.line == 4
