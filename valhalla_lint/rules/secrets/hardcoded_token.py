"""VH101 hardcoded-token."""

from collections.abc import Iterator

from valhalla_lint.core.finding import Confidence, Severity
from valhalla_lint.core.rule import Bad, Good, Hit, Rule
from valhalla_lint.core.tier import Tier
from valhalla_lint.facts.mending.credentials import credential_can_be_looked_up
from valhalla_lint.facts.module import Module


def check(module: Module, options: None) -> Iterator[Hit]:
    for found in module.credentials:
        if found.topic == "token":
            yield Hit(
                found.at,
                values={"kind": found.kind, "target": found.target or "an unnamed value"},
                confidence=found.confidence,
                reasons=found.reasons,
                loud=found.strong,
                secret=found.secret,
                mends=credential_can_be_looked_up(module, found),
            )


RULE = Rule(
    code="VH101",
    name="hardcoded-token",
    message="hardcoded {kind}: `{target}` is a literal",
    why=(
        "A credential in the source is known to everybody who can read the repository, now and in its history. "
        "It cannot be changed without a release, and it ends up in backups, logs and model training data."
    ),
    remedy="read it from the environment or a secret manager, and revoke the one that was written here",
    severity=Severity.HIGH,
    confidence=Confidence.MEDIUM,
    tiers={Tier.TEST: None, Tier.SCRIPT: Severity.MEDIUM},
    loud=True,
    cwe=(798, 259, 321),
    check=check,
    mends=True,
    bad=(
        Bad(
            """
            import os
            from dataclasses import dataclass


            @dataclass
            class Account:
                client_secret: str = "{{secret:32}}"  # VH101
                signing_secret: bytes = b"{{secret:31}}"  # VH101


            def connect(driver, auth_token="{{secret:30}}"):  # VH101
                apiKey = "{{secret:29}}"  # VH101
                os.environ["TRACING_API_KEY"] = "{{secret:28}}"  # VH101
                options = {"passphrase": "Tq7-vault-Kz9"}  # VH101
                return driver.connect(apiKey, password="moonlight-42", options=options)  # VH101
            """,
            note="Annotated fields, bytes, defaults, camel case, subscripts, keywords and keys of mappings.",
        ),
        Bad(
            """
            USER, ACCESS_TOKEN = "svc", "{{secret:32}}"  # VH101
            API_KEY = (
                "{{secret:16}}"  # VH101
                "{{secret:17}}"
            )
            SETTINGS = '''
            [service]
            password = {{secret:24}}  # VH101
            '''
            """,
            note="Tuples, implicit concatenation (once), configuration inside a string (on its own line).",
        ),
        Bad(
            """
            def sign_in(session, url):
                session.fetch(url, username="admin", password="password1")  # VH101
            """,
            note="A user that many systems have, with a password that is tried first.",
        ),
        Bad('token = "abc123"  # VH101\n', note="A weak value is reported with low confidence."),
        Bad(
            """
            def authorise(user, password):
                return user, password


            authorise("svc", "Tq7-vault-Kz9-Rm2x")  # VH101
            """,
            note="A positional argument by the name of the parameter.",
        ),
        Bad(
            """
            def connect(service):
                x = "{{secret:32}}"  # VH101
                return service.Client(api_key=x)
            """,
            note="A name that says nothing is bound once, and handed on by one that does.",
        ),
    ),
    good=(
        Good(
            """
            import os

            API_KEY = os.environ["API_KEY"]
            API_KEY_ENV = "SERVICE_API_KEY"
            password_field = "user_password"
            token_type = "Bearer"
            pad_token = "<|endoftext|>"
            MESSAGES = {"token_expired": "Please sign in again to continue.", "input_token": "NextToken"}
            secret_id = "incident/prod/vendor-api-token"
            sort_key = "name,version,arch"
            compass_heading = "north-north-east"
            """,
            note="Look-ups, names of variables and fields, pieces of text, messages, references.",
        ),
        Good(
            """
            ACCOUNTS = {"user1": {"password": "password1"}}


            def sign_in(session, url):
                session.fetch(url, username="username1", password="password1")
            """,
            note="User and password called by the names of their fields: an example.",
        ),
        Good(
            """
            def test_login(client):
                assert client.login("bob", password="letmein")
            """,
            path="tests/test_login.py",
            note="A throw-away password in a test.",
        ),
    ),
)
