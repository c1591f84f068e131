"""Text files that are no Python are judged by the facts by which Python's literals are."""

import pytest

from valhalla_lint.core.settings import Settings
from valhalla_lint.core.source import Source
from valhalla_lint.facts.minting import fill
from valhalla_lint.facts.text_files import is_looked_for, is_python, is_settings
from valhalla_lint.linter import Linter

SECRET = "{{secret:28}}"


def found(path: str, text: str) -> list[tuple[str, int, int]]:
    """Code, line, column of what is found in a text file, credentials minted first."""
    source = Source(path, fill(text), plain=True)
    return [(item.code, item.span.line, item.span.column) for item in Linter(Settings()).check(source)]


@pytest.mark.parametrize(
    ("path", "text", "column"),
    [
        ("a.yaml", f"service:\n  api_key: {SECRET}\n", 11),
        ("a.yaml", f'service:\n  api_key: "{SECRET}"  # a remark\n', 11),
        ("a.yaml", f"env:\n  - API_KEY={SECRET}\n", 12),
        ("a.yaml", f"name: API_KEY\nvalue: {SECRET}\n", 7),
        ("a.yaml", f"client_secret: |\n  {SECRET}\n", 2),
        ("a.toml", f"[x]\napi-token = '{SECRET}'\n", 12),
        ("a.ini", f"[x]\nPassword = {SECRET}\n", 11),
        (".env", f"DEBUG=1\nexport API_KEY={SECRET} OTHER=1\n", 15),
        (".env.local", f"DEBUG=1\nAPI_KEY={SECRET}\n", 8),
        ("Dockerfile", f"FROM x\nENV API_KEY={SECRET}\n", 12),
        ("a.json", f'{{\n"user": "x", "apiKey": "{SECRET}"}}\n', 23),
        ("a.sh", f"#!/bin/sh\ndocker run -e API_KEY={SECRET} image\n", 0),
        ("a.properties", f"x=1\ndb.password={SECRET}\n", 12),
        (".npmrc", f"\n//registry.test/:_authToken={SECRET}\n", 28),
        (".netrc", f"\nmachine x login y password {SECRET}\n", 27),
        ("client.ts", f'\nconst apiKey = "{SECRET}";\n', 15),
        ("a.txt", f"# notes\npassword: {SECRET}\n", 10),
        ("ü.yaml", f"a: ü\npässe: {{ü: 1, password: '{SECRET}'}}\n", 24),
    ],
)
def test_a_pair_with_a_telling_name(path: str, text: str, column: int) -> None:
    assert found(path, text) == [("VH101", 2, column)]


@pytest.mark.parametrize(
    "text",
    [
        "password: ${PASSWORD}",
        "password: {{ vault.password }}",
        "password: '{{ password }}'",
        "password: $PASSWORD",
        "password: $(cat /run/secrets/password)",
        "password: !vault |\n  $ANSIBLE_VAULT;1.1;AES256\n  62313365396662343061393464336163",
        "password: ENC[AES256_GCM,data:bm90IGEgc2VjcmV0,iv:abc=,type:str]",
        "password: <password>",
        "password: changeme",
        "password: ****",
        "password: null",
        "password:",
        "password_file: /run/secrets/password",
        "secretName: my-service-credentials",
        "token_url: https://login.test/oauth/token",
        "key: pip-linux-3.11",
        "js-tokens: ^4.0.0",
        "PyJWT==2.13.0",
        "hardcoded_password = package.plugins.general:hardcoded_password",
        "max_tokens: 4096",
        "api_key: # from the environment",
    ],
)
def test_references_templates_versions_and_placeholders_are_no_secrets(text: str) -> None:
    assert found("settings.yaml", text + "\n") == []


def test_shapes_of_providers_keys_and_addresses() -> None:
    text = (
        "hub: {{token:huggingface}}\n"
        "# the old one was {{token:github}}\n"
        "url: postgres://svc:{{secret:16}}@db.internal/x\n"
        "curl -H 'Authorization: Bearer {{secret:40}}' https://api.test\n"
        "key: |\n"
        "  -----BEGIN PRIVATE KEY-----\n"
        "  {{secret:64}}\n"
        "  {{secret:63}}\n"
        "  -----END PRIVATE KEY-----\n"
        "size: 8192\n"
    )
    assert [item[:2] for item in found("a.yaml", text)] == [
        ("VH102", 1),
        ("VH102", 2),
        ("VH104", 3),
        ("VH107", 4),
        ("VH103", 6),
    ]


def test_documents_are_read_as_texts_for_people() -> None:
    assert found("README.md", "Set `password: moonlight-42` and go.\npassword: moonlight-42\n") == []
    assert found("README.md", "For instance {{token:github}}.\n") == [("VH102", 1, 0)]


def test_other_rules_are_silent() -> None:
    assert found("a.yaml", 'path: /home/bob/models\nurl: http://10.0.0.1:8080/\ncode: "torch.load(x)"\n') == []


def test_answers_in_text_files() -> None:
    text = (
        f"# valhalla: ignore[VH101] -- opens a sandbox\napi_key: {SECRET}\n"
        f"api_token: {SECRET}  # noqa: VH101\n"
        f"other_token: {SECRET}  # noqa: VH102\n"
        'hint: "write # noqa: VH101 behind it"\n'
    )
    assert [item[:2] for item in found("a.yaml", text)] == [("VH101", 4), ("VH901", 4)]


def test_tests_and_scripts_weigh_less() -> None:
    assert found("tests/data/a.yaml", "password: moonlight-42\n") == []
    assert found("deploy/a.yaml", "password: moonlight-42\n") == [("VH101", 1, 10)]


@pytest.mark.parametrize(
    "line",
    [
        "a='" * 30_000,
        'x="\\"' * 30_000,
        "password: " * 20_000,
        "-" * 200_000,
        "//" * 100_000 + ":",
        "'" * 200_000,
        " #" * 100_000,
        "https://a:b" * 20_000,
        "-----BEGIN PRIVATE KEY-----" * 8_000,
        "a" * 300_000 + "='b'",
    ],
)
def test_hostile_lines_end_soon(line: str) -> None:
    found("a.yaml", f"{line}\n{line}\n")


def test_names() -> None:
    assert is_python("a.py", "")
    assert is_python("bin/tool", "#!/usr/bin/env python3\n")
    assert not is_python("bin/tool", "#!/bin/sh\n")
    assert not is_python("a.yaml", "#!/usr/bin/env python3\n")
    assert all(map(is_settings, (".env", ".env.prod", "prod.env", "Dockerfile", "a.YML", "a.json", ".npmrc")))
    assert not any(map(is_settings, ("a.js", "README", "a.md", "a.lock")))


def test_texts_for_people_are_looked_for_tables_are_not() -> None:
    assert all(map(is_looked_for, ("README.md", "docs/index.rst", "page.html", "a.yaml", ".env")))
    assert not any(map(is_looked_for, ("a.js", "rows.csv", "picture.svg", "LICENSE", "run.log")))


def test_names_of_settings_are_no_headers() -> None:
    assert found("secret.yaml", "  api-key: {{secret:40}}\n") == [("VH101", 1, 11)]
    assert found("nginx.yaml", "  x-api-key: {{secret:40}}\n") == [("VH107", 1, 13)]
