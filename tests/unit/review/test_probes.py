"""Each question is shown a tree that answers it one way and a tree that answers it the other way."""

# ruff: noqa: E501 -- a program stands on few lines, beside the answers that it must give

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import pytest
from repositories import lay

from valhalla_lint.core.evidence import Answer, Outcome
from valhalla_lint.review.plain import FolderTree
from valhalla_lint.review.probes import LAYERS, probes
from valhalla_lint.review.review import review

YES, NO, UNKNOWN, OUTSIDE = Outcome.YES, Outcome.NO, Outcome.UNKNOWN, Outcome.NOT_APPLICABLE

PROJECT = (
    '[project]\nname = "pack"\nversion = "1"\nrequires-python = ">=3.11"\nlicense = "MIT"\ndependencies = '
    '["requests>=2.31"]\n'
)
ROUTE = (
    'from fastapi import FastAPI\n\napp = FastAPI()\n\n\n@app.get("/items")\ndef items() -> list[str]:\n    return []\n'
)
TORCH = "import torch\n\n\n"


@dataclass(frozen=True)
class Case:
    """A tree and the answers that it must give."""

    files: Mapping[str, str]
    answers: Mapping[str, Outcome]
    name: str = field(kw_only=True)


CASES = [
    Case(
        {
            "pyproject.toml": PROJECT
            + '[dependency-groups]\ndev = ["pytest>=8"]\n[tool.ruff]\nline-length = 99\n[tool.mypy]\nstrict = true\n'
            "[tool.coverage.run]\nbranch = true\n[build-system]\nrequires = ['hatchling']\nbuild-backend = 'hatchling.build'\n",
            "uv.lock": "version = 1\n",
            "CHANGELOG.md": "# 1\n",
            "SECURITY.md": "Write to us.\n",
            "CONTRIBUTING.md": "Test first.\n",
            ".pre-commit-config.yaml": "repos:\n  - hooks:\n      - id: ruff-format\n",
            ".github/dependabot.yml": "version: 2\n",
            ".github/workflows/test.yml": "on: push\npermissions: {}\njobs:\n  test:\n    steps:\n"
            "      - uses: actions/checkout@1af3b93b6815bc44a9784bd300feb67ff0d1eeb3\n      - run: pytest\n      - run: bandit -r src\n",
            "docs/conf.py": 'extensions = ["sphinx.ext.autodoc"]\n',
            "docs/design/layers.md": "# Layers\n",
            "src/pack/__init__.py": '"""Pack."""\n\n__all__ = ["add"]\n\n\ndef add(one: int, other: int) -> int:\n'
            '    """Add.\n\n    Args:\n        one: a number.\n        other: another.\n    """\n    return one + other\n',
            "src/pack/py.typed": "",
            "examples/first.py": "from pack import add\n\nadd(1, 2)\n",
            "tests/integration/test_all.py": "from pack import add\n\n\ndef test_add() -> None:\n    assert add(1, 2) == 3\n",
        },
        {
            "src-layout": YES, "split-dependencies": YES, "lock-file": YES, "lower-bounds": YES, "python-version": YES,
            "type-hints": YES, "ships-types": YES, "docstrings": YES, "docstring-drift": YES, "linter": YES, "formatter": YES,
            "type-checker": YES, "coverage": YES, "dependency-updates": YES, "changelog": YES, "security-policy": YES,
            "contributing": YES, "documentation-build": YES, "api-documentation": YES, "design-documents": YES,
            "examples-parse": YES, "packages-tested": YES, "integration-tests": YES, "ci-tests": YES, "pinned-actions": YES,
            "licence-metadata": YES, "workflow-permissions": YES, "untrusted-workflows": NO, "scanners": YES, "public-names": YES,
            "acyclic": YES, "declared-imports": OUTSIDE, "own-exceptions": NO, "history-secrets": OUTSIDE,
        },
        name="a well kept project",
    ),
    Case(
        {
            "pyproject.toml": '[project]\nname = "pack"\ndependencies = ["requests"]\nlicense = { text = "ours" }\n',
            ".github/workflows/deploy.yml": "on: pull_request_target\njobs:\n  go:\n    steps:\n      - uses: actions/checkout@v4\n"
            "        with:\n          ref: ${{ github.event.pull_request.head.sha }}\n      - run: echo pytest is not run # pytest\n".replace(
                "echo pytest is not run # pytest", "echo nothing"
            ),
            "pack/__init__.py": "",
            "pack/one.py": "from pack import two\nimport yaml\n\n\ndef add(a, b):\n"
            '    """Add.\n\n    :param a: a number\n    :param c: gone\n    """\n    return a + b\n',
            "pack/two.py": "from pack import one\nfrom pack import missing\n\n\ndef take(a):\n    return one.add(a, 1)\n",
            "examples/broken.py": "def f(:\n",
        },
        {
            "src-layout": NO, "split-dependencies": NO, "lock-file": NO, "lower-bounds": NO, "python-version": NO, "type-hints": NO,
            "ships-types": NO, "docstring-drift": NO, "linter": NO, "formatter": NO, "type-checker": NO, "coverage": NO,
            "changelog": NO, "security-policy": NO, "documentation-build": NO, "api-documentation": OUTSIDE, "examples-parse": NO,
            "packages-tested": NO, "ci-tests": NO, "pinned-actions": NO, "licence-metadata": NO, "workflow-permissions": NO,
            "untrusted-workflows": YES, "acyclic": NO, "declared-imports": NO, "resolved-imports": NO, "public-names": NO,
        },
        name="a badly kept project",
    ),
    Case(
        {
            "pack/__init__.py": "",
            "pack/base.py": "from abc import ABC, abstractmethod\n\n\nclass Store(ABC):\n    @abstractmethod\n    def get(self): ...\n\n\n"
            "class Disk(Store):\n    def get(self): ...\n\n\nclass Net(Store):\n    def get(self): ...\n\n\n"
            'STORES = {"disk": Disk, "net": Net}\n\n\nclass StoreError(Exception):\n    pass\n',
            "pack/plugins.py": "from importlib.metadata import entry_points\n\n\ndef load():\n    return entry_points(group='pack')\n",
            "pack/settings.py": "import os\n\nfrom pydantic_settings import BaseSettings\n\n\nclass Settings(BaseSettings):\n    api_key: str\n\n\n"
            'TOKEN = os.environ["PACK_API_KEY"]\n',
            "pack/state.py": "CACHE = {}\n\n\ndef put(key, value):\n    CACHE[key] = value\n",
        },
        {
            "strategies": YES, "registries": YES, "plugins": YES, "settings-class": YES, "global-state": YES, "environment": YES,
            "secrets-without-default": YES, "own-exceptions": YES, "god-modules": NO, "wrong-way-imports": NO, "resolved-imports": YES,
        },
        name="patterns",
    ),
    Case(
        {
            "pack/__init__.py": "from tests.helpers import thing\n",
            "tests/__init__.py": "",
            "tests/helpers.py": "thing = 1\n",
            "benchmarks/bench_all.py": "from tests import helpers\n\nprint(helpers)\n",
            "pack/big.py": "\n".join(f"def f{number}():\n    return {number}" for number in range(1100)),
        },
        {"wrong-way-imports": YES, "scripts-import-tests": YES, "benchmarks": YES, "god-modules": YES, "plugins": NO,
         "registries": NO, "strategies": OUTSIDE, "settings-class": NO, "environment": OUTSIDE, "global-state": NO},
        name="edges that should not be",
    ),
    Case(
        {
            "serve/__init__.py": "",
            "serve/app.py": ROUTE
            + "import logging\n\nfrom fastapi import Query\nfrom fastapi.middleware.cors import CORSMiddleware\n\n"
            "logger = logging.getLogger(__name__)\n"
            'app.add_middleware(CORSMiddleware, allow_origins=["*"])\n\n\n'
            '@app.post("/say")\ndef say(prompt: str, n: int = Query(1, le=8)):\n    logger.info("got %s", prompt)\n'
            '    return [{"role": "system", "content": f"You help {prompt}"}]\n',
        },
        {
            "http-entries": YES, "middleware": YES, "open-origins": YES, "field-bounds": YES, "inputs-logged": YES,
            "system-prompts": YES, "structured-logging": NO, "authentication": NO, "body-limits": NO, "concurrency-limits": NO,
            "grpc-entries": NO, "interface-entries": NO, "command-entries": NO, "metrics": NO, "engines": NO,
        },
        name="an open service",
    ),
    Case(
        {
            "serve/__init__.py": "",
            "serve/app.py": ROUTE.replace("def items", "async def items")
            + "import asyncio\n\nimport prometheus_client\nimport structlog\nfrom fastapi import Depends\nfrom fastapi.security import HTTPBearer\n\n"
            "GATE = asyncio.Semaphore(4)\nMAX_CONTENT_LENGTH = 1000\nprint(prometheus_client, structlog, Depends, HTTPBearer)\n"
            'MESSAGE = [{"role": "system", "content": "You help."}]\n',
            "serve/grpc_server.py": "import pb_grpc\n\n\nclass Say(pb_grpc.SayServicer):\n    pass\n",
            "serve/main.py": "import argparse\n\nimport gradio as gr\nimport vllm\n\nparser = argparse.ArgumentParser()\ndemo = gr.Blocks()\nprint(vllm)\n",
        },
        {
            "authentication": YES, "body-limits": YES, "concurrency-limits": YES, "metrics": YES, "structured-logging": YES,
            "open-origins": NO, "system-prompts": NO, "field-bounds": NO, "grpc-entries": YES, "command-entries": YES,
            "interface-entries": YES, "engines": YES,
        },
        name="a guarded service",
    ),
    Case(
        {
            "train/__init__.py": "",
            "train/loop.py": TORCH
            + "from torch.nn.functional import scaled_dot_product_attention\n\ntry:\n    import flash_attn\nexcept ImportError:\n"
            "    flash_attn = None\n\n\nclass PagedKVCache:\n    pass\n\n\nclass RequestQueue:\n    pass\n\n\n"
            "def run(model):\n    torch.manual_seed(0)\n    try:\n        return scaled_dot_product_attention(model.to('cuda'), 1, 2)\n"
            "    except torch.cuda.OutOfMemoryError:\n        torch.cuda.empty_cache()\n        raise\n",
            "train/many.py": "import torch.distributed\nimport torch.profiler\n\nprint(torch)\n",
            "csrc/kernel.cu": "// kernel\n",
            "weights/model.pt": "x",
        },
        {
            "attention-back-ends": YES, "optional-accelerators": YES, "batching": YES, "kv-cache": YES, "accelerator-memory": YES,
            "out-of-memory": YES, "fixed-devices": YES, "seeds": YES, "distributed": YES, "profiling": YES,
            "compiled-extensions": YES, "unsafe-model-files": YES, "benchmarks": UNKNOWN,
        },
        name="a trainer with evidence",
    ),
    Case(
        {"train/__init__.py": "", "train/loop.py": TORCH + "import xformers\n\n\ndef run(model, device):\n    return model.to(device)\n"},
        {
            "attention-back-ends": NO, "optional-accelerators": NO, "batching": UNKNOWN, "kv-cache": NO, "accelerator-memory": NO,
            "out-of-memory": NO, "fixed-devices": NO, "seeds": NO, "distributed": NO, "profiling": NO,
            "compiled-extensions": NO, "unsafe-model-files": NO,
        },
        name="a trainer without",
    ),
    Case(
        {
            "pack/__init__.py": "",
            "pack/bad.py": "import pickle\nimport subprocess\n\nimport requests\n\n\n"
            "def run(command, data):\n    assert command\n    subprocess.run(command, shell=True)\n    eval(command)\n    pickle.loads(data)\n"
            '    requests.get("https://example.invalid", verify=False)\n    try:\n        return 1\n    except Exception:\n        pass\n'
            "    raise Exception('no')\n",
            "Dockerfile": "FROM python:3.12\nRUN pip install .\n",
        },
        {
            "assert-validation": YES, "shells": YES, "dynamic-code": YES, "unsafe-loading": YES, "request-timeouts": NO,
            "tls-verification": YES, "swallowed-exceptions": YES, "untyped-raises": YES, "container-user": NO,
        },
        name="careless code",
    ),
    Case(
        {
            "pack/__init__.py": "",
            "pack/good.py": "import logging\n\nimport requests\n\n\ndef run(command: str) -> None:\n    if not command:\n"
            '        raise ValueError(command)\n    requests.get("https://example.invalid", timeout=5)\n    try:\n        int(command)\n'
            "    except Exception:\n        logging.exception('no number')\n",
            "Dockerfile": "FROM python:3.12\nUSER app\n",
        },
        {
            "assert-validation": NO, "shells": NO, "dynamic-code": NO, "unsafe-loading": NO, "request-timeouts": YES,
            "tls-verification": NO, "swallowed-exceptions": NO, "untyped-raises": NO, "container-user": YES, "suppressions": NO,
            "credentials": NO,
        },
        name="careful code",
    ),
    Case(
        {
            "clients/python/pyproject.toml": PROJECT,
            "clients/python/uv.lock": "version = 1\n",
            "clients/python/Makefile": "test:\n\tpytest --cov=pack tests\n",
            "clients/python/pack/__init__.py": "",
            "clients/python/pack/calls.py": "from openai.types.chat import ChatCompletion\nimport grpc_status\nimport anything_else\n\n"
            "print(ChatCompletion, grpc_status)\n",
            "integration-tests/pyproject.toml": '[project]\nname = "trials"\ndependencies = ["pytest"]\nlicense = "MIT"\n',
            "integration-tests/test_all.py": "def test_all():\n    assert True\n",
            "server/pyproject.toml": '[project]\nname = "server"\ndependencies = ["grpcio-status", "openai"]\n',
            "mkdocs.yml": "site_name: pack\nmarkdown_extensions:\n  - toc\n",
            "docs/api.md": "# API\n\n::: pack.calls\n",
            "docs/tip.md": "::: tip\n",
            "router/main.rs": "fn main() {}\n",
        },
        {
            "integration-tests": YES, "coverage": YES, "lock-file": NO, "engines": NO, "api-documentation": YES, "http-entries": UNKNOWN,
            "grpc-entries": UNKNOWN, "metrics": UNKNOWN, "design-documents": UNKNOWN, "benchmarks": UNKNOWN, "declared-imports": NO,
        },
        name="several projects and a server in another language",
    ),
    Case(
        {
            "pyproject.toml": '[project]\nname = "pack"\ndependencies = ["acme-widgets>=1"]\n',
            "Makefile": "docs:\n\tdoc-builder build pack docs\n",
            "docs/index.md": "# Pack\n",
            "examples/pack_benchmark/run.py": "import pack\n\nprint(pack)\n",
            "pack/__init__.py": "import torch\nimport widgets_core\n\nprint(torch, widgets_core)\n",
            "pack/chat.py": "from langchain_core.messages import SystemMessage\n\nfrom pack.texts import rules\n\n\n"
            'def say(logger, model, seed):\n    logger.info("sent %s", model.system_prompt)\n    model.kv_cache_clear()\n'
            "    return SystemMessage(content=rules(model))\n",
            "pack/texts.py": "def rules(model):\n    return model.text\n",
        },
        {
            "documentation-build": YES, "api-documentation": NO, "benchmarks": YES, "inputs-logged": YES, "system-prompts": UNKNOWN,
            "kv-cache": YES, "seeds": YES, "batching": UNKNOWN, "http-entries": NO,
        },
        name="said in other words",
    ),
    Case(
        {
            "serve/__init__.py": "",
            "serve/app.py": ROUTE + "import asyncio\n\nGATE = asyncio.Lock()\n",
            "serve/rpc.py": "import grpc\nimport pb_grpc\n\n\nclass Say(pb_grpc.SayServicer):\n    pass\n\n\n"
            'def start():\n    return grpc.aio.server(options=[("grpc.max_receive_message_length", 1)])\n',
            "serve/box.py": "class Box:\n    def __init__(self, size):\n        assert size\n",
        },
        {"concurrency-limits": YES, "body-limits": YES, "assert-validation": YES, "system-prompts": OUTSIDE},
        name="limits of other forms",
    ),
    Case(
        {
            "pyproject.toml": '[project]\nname = "pack"\ndependencies = ["acme-widgets>=1"]\n',
            "pack/__init__.py": "import widgets_core\n\nprint(widgets_core)\n",
        },
        {"declared-imports": UNKNOWN, "lower-bounds": YES},
        name="a distribution of a like name",
    ),
    Case(
        {
            "pyproject.toml": PROJECT.replace("requests>=2.31", "httpx>=0.27") + '[tool.ruff.format]\nquote-style = "single"\n',
            ".github/workflows/test.yml": "jobs:\n  test:\n    steps:\n      - run: uvx hatch test -acp\n",
            "ollama/__init__.py": "import httpx\n\nprint(httpx)\n",
            "ollama/config.py": 'def limit(app):\n    app.config["MAX_CONTENT_LENGTH"] = 1\n',
            "ollama/app.py": ROUTE + "from fastapi.middleware.cors import CORSMiddleware\n\n"
            "app.add_middleware(CORSMiddleware, allow_origins=list(ROUTES))\n",
        },
        {"formatter": YES, "coverage": YES, "engines": UNKNOWN, "request-timeouts": UNKNOWN, "open-origins": UNKNOWN, "lower-bounds": YES, "body-limits": YES},
        name="a client that is itself what others use",
    ),
    Case(
        {
            "part/pyproject.toml": PROJECT,
            "part/uv.lock": "version = 1\n",
            "whole/setup.py": "from setuptools import setup\n\nsetup(name='whole', install_requires=read('requirements.txt'))\n",
            "whole/pack/__init__.py": "",
            ".github/workflows/ci.yml": "jobs:\n  test:\n    steps:\n      - run: bazel test //pack/...\n",
        },
        {"ci-tests": YES, "lower-bounds": UNKNOWN, "lock-file": UNKNOWN},
        name="dependencies that code computes",
    ),
    Case(
        {"pack/__init__.py": "import subprocess  # nosec\n"},
        {"suppressions": YES},
        name="silenced",
    ),
    Case(
        {"README.md": "# Nothing here\n"},
        {"src-layout": OUTSIDE, "lock-file": OUTSIDE, "type-hints": OUTSIDE, "acyclic": OUTSIDE, "shells": OUTSIDE,
         "http-entries": OUTSIDE, "ci-tests": OUTSIDE, "container-user": OUTSIDE, "kv-cache": OUTSIDE},
        name="no code at all",
    ),
]  # fmt: skip


def answers(folder: Path) -> dict[str, Answer]:
    """All answers about a folder."""
    with FolderTree(folder) as tree:
        found = review(tree)
    return {answer.id: answer for layer in found.layers for answer in layer.answers}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_trees_are_answered_as_a_reader_would(case: Case, tmp_path: Path) -> None:
    found = answers(lay(tmp_path, case.files))
    told = {name: (found[name].outcome.value, found[name].reading, found[name].because) for name in case.answers}
    assert {name: outcome for name, (outcome, _, _) in told.items()} == {
        name: outcome.value for name, outcome in case.answers.items()
    }, told


@cache
def _asked() -> dict[str, set[Outcome]]:
    shown: dict[str, set[Outcome]] = {}
    for case in CASES:
        for name, outcome in case.answers.items():
            shown.setdefault(name, set()).add(outcome)
    return shown


LINTER_HITS = {
    # Their answers are the hits of rules that have tests of their own; only the counting is the probe's.
    "all-interfaces", "archives", "credentials", "generation-parameters", "model-names", "model-revisions", "path-flows", "remote-code", "secrets-logged",
    "torn-checkpoints", "weak-hashes",
}  # fmt: skip


def test_every_question_is_asked_here() -> None:
    known = {probe.id for layer, _ in LAYERS for probe in probes(layer)}
    assert set(_asked()) <= known
    assert known - set(_asked()) <= LINTER_HITS


def test_questions_read_as_questions() -> None:
    for layer, _ in LAYERS:
        for probe in probes(layer):
            assert probe.question.endswith("?"), probe.id
            assert not probe.how.endswith("."), probe.id
            assert (probe.good is None) == (not probe.remedy), probe.id


@pytest.fixture(name="ask")
def _ask(tmp_path: Path) -> Callable[[Mapping[str, str]], dict[str, Answer]]:
    return lambda files: answers(lay(tmp_path, files))


def test_evidence_names_file_line_and_blob(ask: Callable[[Mapping[str, str]], dict[str, Answer]]) -> None:
    found = ask({"pack/__init__.py": "", "pack/a.py": "\n\ndef f(x):\n    assert x\n"})
    (place,) = found["assert-validation"].positive.places
    assert (place.path, place.line) == ("pack/a.py", 4)
    assert len(place.object_id) == 40


def test_remedies_stand_only_at_the_worse_answer(ask: Callable[[Mapping[str, str]], dict[str, Answer]]) -> None:
    for answer in ask({"pack/__init__.py": "", "pyproject.toml": PROJECT}).values():
        worse = answer.good is not None and answer.outcome in (YES, NO) and answer.outcome is not answer.good
        assert bool(answer.remedy) == worse, answer.id
