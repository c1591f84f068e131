"""Every rule that says it can be mended, mended; and what is not mended said so."""

import ast
import re
from collections.abc import Iterator

import pytest
from mending import changed, mend

from valhalla_lint.core.rule import Example, Rule
from valhalla_lint.core.settings import Settings
from valhalla_lint.core.source import Source
from valhalla_lint.facts.minting import fill, mint_secret
from valhalla_lint.fixes.diff import difference
from valhalla_lint.fixes.mend import Surgeon
from valhalla_lint.fixes.menders import all_menders
from valhalla_lint.linter import Linter
from valhalla_lint.rules import all_rules


def test_a_mender_for_every_rule_that_mends_and_for_no_other() -> None:
    assert [mender.code for mender in all_menders()] == [rule.code for rule in all_rules() if rule.mends]


def examples() -> Iterator[object]:
    for rule in all_rules():
        for number, example in enumerate(rule.bad):
            if rule.mends:
                yield pytest.param(rule, example, id=f"{rule.code}-{number}")


@pytest.mark.parametrize(("rule", "example"), list(examples()))
def test_what_is_said_to_be_fixable_is_fixed_and_the_rest_is_refused(rule: Rule, example: Example) -> None:
    options = {rule.code: rule.options(**example.options)} if rule.options is not None else {}
    linter = Linter(Settings(rules=options))
    source = Source(example.path, fill(example.text))
    fixable = {(item.code, item.span) for item in linter.check(source) if item.fixable and item.code == rule.code}
    once = Surgeon(linter).mend(source, unsafe=True)
    first = {(item.code, item.span) for fix in once.applied for item in fix.findings if item.code == rule.code}
    left = [item for item in linter.check(Source(example.path, once.text)) if item.code == rule.code and item.fixable]
    assert not left
    assert bool(fixable) == bool(first)
    ast.parse(once.text)
    again = Surgeon(linter).mend(Source(example.path, once.text), unsafe=True)
    assert again.text == once.text


def test_a_loader_loads_weights_only() -> None:
    text = "import torch\n\nTENSORS = torch.load(\n        path,\n        map_location='cpu',  # why\n    )\n"
    new = changed(text, "VH404")
    assert new == text.replace("# why\n", "# why\n        weights_only=True,\n")
    off = "import torch\n\n\ndef read(path):\n    return torch.load(path, weights_only=False)\n"
    assert changed(off, "VH404") == off.replace("False", "True")
    assert mend(off, "VH404").text == off
    unpacked = "import torch\n\n\ndef read(path, **more):\n    return torch.load(path, **more)\n"
    assert changed(unpacked, "VH404") == unpacked


@pytest.mark.parametrize(
    ("call", "mended"),
    [
        ("asyncio.to_thread(torch.load, path)", "asyncio.to_thread(torch.load, path, weights_only=True)"),
        ("pool.submit(torch.load, path)", "pool.submit(torch.load, path, weights_only=True)"),
        ("loop.run_in_executor(None, torch.load, path)", ""),
        ("partial(torch.load, mmap=True)(path)", "partial(torch.load, mmap=True, weights_only=True)(path)"),
        ("torch.load(path, **more)", ""),
    ],
)
def test_a_loader_that_is_handed_on_loads_weights_only(call: str, mended: str) -> None:
    head = "import asyncio\nfrom functools import partial\n\nimport torch\n\n\n"
    text = f"{head}def read(path, pool, loop, more):\n    return CALL\n"
    assert changed(text.replace("CALL", call), "VH404") == text.replace("CALL", mended or call)


def test_what_stands_in_the_way_of_the_flag_is_said() -> None:
    text = "import torch\n\nOPTIONS = {'mmap': True}\n\n\ndef read(path):\n    return torch.load(path, **OPTIONS)\n"
    [refusal] = mend(text, "VH404", unsafe=True).refused
    assert "unpacks" in refusal.reason


def test_one_call_inside_another() -> None:
    text = "import torch\n\n\ndef read(path):\n    return torch.load(torch.load(path))\n"
    result = mend(text, "VH404", unsafe=True)
    assert "torch.load(torch.load(path, weights_only=True), weights_only=True)" in result.text
    assert not result.refused


def test_an_extraction_is_filtered() -> None:
    unpack = "def unpack(bundle, to):\n    with tarfile.open(bundle) as tar:\n        tar.extractall(to,)\n"
    text = f"import tarfile\n\n\n{unpack}"
    assert changed(text, "VH204") == text.replace("(to,)", '(to, filter="data",)')
    handed = text.replace("tar.extractall(to,)", "asyncio.to_thread(tar.extractall, to)")
    assert changed(handed, "VH204") == handed.replace(", to)\n", ', to, filter="data")\n')
    either = text.replace("tarfile.open(bundle)", "opener(bundle)").replace(
        "def unpack(bundle, to):\n", "def unpack(bundle, to, opener=tarfile.open):\n"
    )
    assert changed(either, "VH204") == either


@pytest.mark.parametrize(
    ("line", "left"),
    [
        ("x = 1  # noqa: VH101\n", "x = 1\n"),
        ("x = 1  # noqa: VH101, E501\n", "x = 1  # noqa: E501\n"),
        ("x = 1  # why  # noqa: VH101\n", "x = 1  # why\n"),
        ("x = 1  # noqa: VH101  # why\n", "x = 1  # why\n"),
        ("x = 1  # valhalla: ignore[VH101,VH2] -- checked by hand\n", "x = 1\n"),
        ("# valhalla: ignore[VH101] -- checked by hand\nx = 1\n", "x = 1\n"),
        ("# valhalla: ignore-begin[VH101] -- b\nx = 1\n# valhalla: ignore-end[VH101]\n", "x = 1\n"),
        ('x = """\n# noqa: VH101\n"""\n', None),
    ],
)
def test_idle_suppressions_go(line: str, left: str | None) -> None:
    assert mend(line, "VH901", "VH101", "VH2").text == (line if left is None else left)


SECRET = mint_secret(32, "fixes")


@pytest.mark.parametrize(
    "text", ['API_TOKENS = {{"{}": "alice"}}\n', 'API_TOKENS = ["{}", "{}"]\n', 'API_TOKENS = ("{}", "{}")\n']
)
def test_one_variable_does_not_hold_several_credentials(text: str) -> None:
    text = text.format(SECRET, mint_secret(32, "another"))
    assert mend(text, "VH101", unsafe=True).text == text


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (
            'def bill():\n    return Client(api_key="{}")\n\n\ndef mail():\n    return Client(api_key="{}")\n',
            ["BILL_API_KEY", "MAIL_API_KEY"],
        ),
        ('clients = Client(api_key="{}"), Client(api_key="{}")\n', ["APP_API_KEY", "APP_API_KEY_2"]),
    ],
)
def test_different_credentials_of_one_name_get_different_variables(text: str, names: list[str]) -> None:
    new = changed(text.format(SECRET, mint_secret(32, "another")), "VH1")
    assert re.findall(r'os\.environ\["(\w+)"\]', new) == names


def test_the_same_credential_gets_one_variable() -> None:
    new = changed(f'clients = Client(api_key="{SECRET}"), Client(auth_token="{SECRET}")\n', "VH1")
    assert re.findall(r'os\.environ\["(\w+)"\]', new) == ["API_KEY", "API_KEY"]


def test_a_credential_is_read_from_the_environment_and_nowhere_in_the_file() -> None:
    text = f'"""Doc."""\nimport sys\n\n\ndef connect(driver):\n    return driver.connect(api_key="{SECRET}")\n'
    new = changed(text, "VH1")
    assert SECRET not in new
    assert "import os\nimport sys\n" in new
    assert 'api_key=os.environ["API_KEY"]' in new
    assert mend(text, "VH1").text == text


@pytest.mark.parametrize(
    "text",
    [
        f'API_KEY = "{SECRET}"\n# was {SECRET}\n',
        f'import os\n\nos.environ["API_KEY"] = "{SECRET}"\n',
        f'def f(os):\n    api_key = "{SECRET}"\n    return api_key\n',
        f'API_KEY = (\n    "{SECRET[:16]}"  # one\n    "{SECRET[16:]}"\n)\n',
    ],
)
def test_a_credential_that_would_stay_somewhere_is_left_to_people(text: str) -> None:
    result = mend(text, "VH1", unsafe=True)
    assert result.text == text
    assert result.refused


@pytest.mark.parametrize(
    ("line", "new"),
    [
        ('API_KEY = os.getenv("API_KEY", "{}")\n', 'API_KEY = os.environ["API_KEY"]\n'),
        ('API_KEY = os.environ.get("API_KEY") or "{}"\n', 'API_KEY = os.environ["API_KEY"]\n'),
        ('API_KEY = config("API_KEY", default="{}", cast=str)\n', 'API_KEY = config("API_KEY", cast=str)\n'),
        ('PARSER.add_argument("--auth-token", default="{}")\n', 'PARSER.add_argument("--auth-token", required=True)\n'),
    ],
)
def test_a_fallback_goes(line: str, new: str) -> None:
    assert changed("import os\n\n" + line.format(SECRET), "VH105") == "import os\n\n" + new


def test_no_diff_shows_more_than_four_characters_of_a_secret() -> None:
    other = mint_secret(40, "other")
    text = (
        f'TOKEN_SERVICE_API_KEY = "{SECRET}"\n# valhalla: ignore[VH101] -- known\nOLD_API_KEY = "{other}"\n'
        f'SPLIT_API_KEY = "{SECRET[:10]}" "{other[:20]}"\n'
    )
    result = mend(text, "VH1", unsafe=True)
    shown = difference("app.py", text, result.text, result.secrets)
    assert "-TOKEN_SERVICE_API_KEY" in shown
    for secret in (SECRET, other):
        assert not any(secret[at : at + 5] in shown for at in range(len(secret) - 4))


IMPORTS = "import os\nimport re\nfrom pathlib import Path\n\nfrom flask import request\n"
HEAD = f"{IMPORTS}\nBASE = '/srv/files'\n\n\ndef read():\n"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("not path.startswith(BASE)", "not Path(path).resolve().is_relative_to(Path(BASE).resolve())"),
        ("not str(path).startswith(str(BASE))", "not Path(path).resolve().is_relative_to(Path(BASE).resolve())"),
        ("os.path.commonprefix([path, BASE]) != BASE", "os.path.commonpath([path, BASE]) != BASE"),
    ],
)
def test_a_check_of_a_place_asks_for_the_folder(old: str, new: str) -> None:
    text = (
        HEAD + '    path = os.path.realpath(os.path.join(BASE, request.args["name"]))\n'
        f"    if {old}:\n        raise PermissionError\n    return open(path).read()\n"
    )
    assert changed(text, "VH2") == text.replace(old, new)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('not re.match(r"[a-z]+", name)', 'not re.fullmatch(r"[a-z]+", name)'),
        ('".." in name', '(".." in name or os.path.isabs(name))'),
    ],
)
def test_a_check_of_a_name_looks_at_all_of_it(old: str, new: str) -> None:
    text = (
        HEAD + f'    name = request.args["name"]\n    if {old}:\n        raise PermissionError\n'
        '    return open(os.path.join("files", name)).read()\n'
    )
    assert changed(text, "VH2") == text.replace(old, new)


def test_a_join_is_asked_whether_it_stays_inside() -> None:
    text = HEAD + '    path = os.path.join(BASE, request.args["name"])\n    return open(path).read()\n'
    new = changed(text, "VH2")
    guard = (
        "    if not Path(path).resolve().is_relative_to(Path(BASE).resolve()):\n"
        '        raise ValueError("the path leads out of its folder")\n'
    )
    assert new == text.replace("    return", guard + "    return")
    inline = HEAD + '    return open(os.path.join(BASE, request.args["name"])).read()\n'
    assert changed(inline, "VH2") == inline


def test_a_revision_is_never_invented() -> None:
    text = (
        'from transformers import AutoModel\n\nMODEL = AutoModel.from_pretrained("org/name", trust_remote_code=True)\n'
    )
    assert changed(text, "VH402", "VH403") == text


def test_a_broken_file_is_left_with_the_reason() -> None:
    text = "import torch\n\n\ndef read(path):\n    return torch.load(path)\n\n\ndef f(:\n"
    result = mend(text, "VH404", unsafe=True)
    assert result.text == text
    assert "only be read in part" in result.refused[0].reason


def test_a_model_name_that_is_put_below_nothing_is_to_be_looked_up() -> None:
    text = (
        "from flask import request\nfrom transformers import AutoModel\n\n\n"
        'def load():\n    return AutoModel.from_pretrained(request.json["model"])\n'
    )
    assert [item.reason for item in mend(text, "VH401", unsafe=True).refused] == [
        "look the name up in a list of known models, which only the project knows"
    ]
