"""Production, test or script, whatever the project's own folder is called."""

from pathlib import Path

import pytest

from valhalla_lint.core.settings import Settings, TierOverrides
from valhalla_lint.core.source import Source
from valhalla_lint.core.tier import Flag, Tier, TierDecision
from valhalla_lint.facts.module import Module

TEST = "def test_it():\n    assert 1\n"


def decided(
    path: str, text: str = "x = 1\n", location: Path | None = None, settings: Settings | None = None
) -> TierDecision:
    return Module(Source(path, text, location=location), settings or Settings()).tier


@pytest.mark.parametrize(
    ("path", "tier"),
    [
        ("src/app.py", Tier.PRODUCTION),
        ("app.py", Tier.PRODUCTION),
        ("src/contest/latest.py", Tier.PRODUCTION),
        ("src/attestation/protest.py", Tier.PRODUCTION),
        ("src/app/tools/search.py", Tier.PRODUCTION),
        ("src/app/docs/views.py", Tier.PRODUCTION),
        ("utils/search.py", Tier.PRODUCTION),
        ("src/app/conf.py", Tier.PRODUCTION),
        ("train.py", Tier.PRODUCTION),
        ("tests/test_login.py", Tier.TEST),
        ("pkg/sub/tests/helpers.py", Tier.TEST),
        ("Tests/Helpers.py", Tier.TEST),
        ("src/app/testing/fakes.py", Tier.TEST),
        ("src/app/test_login.py", Tier.TEST),
        ("src/app/login_test.py", Tier.TEST),
        ("integration_tests/run.py", Tier.TEST),
        ("conftest.py", Tier.TEST),
        ("docs/conftest.py", Tier.TEST),
        ("scripts/seed_dev_data.py", Tier.SCRIPT),
        ("src/app/examples/simple.py", Tier.SCRIPT),
        ("benchmarks/speed.py", Tier.SCRIPT),
        ("bench_speed.py", Tier.SCRIPT),
        ("figure/plot.py", Tier.SCRIPT),
        ("tools/gen_tables.py", Tier.SCRIPT),
        ("src/docs/build.py", Tier.SCRIPT),
        ("docs/conf.py", Tier.SCRIPT),
        ("conf.py", Tier.SCRIPT),
        ("notebooks/explore.py", Tier.SCRIPT),
        ("explore.ipynb", Tier.SCRIPT),
        ("setup.py", Tier.SCRIPT),
        ("noxfile.py", Tier.SCRIPT),
        (".github/release.py", Tier.SCRIPT),
        ("", Tier.PRODUCTION),
        ("stdin", Tier.PRODUCTION),
    ],
)
def test_by_path(path: str, tier: Tier) -> None:
    assert decided(path).tier is tier


def test_a_shebang_or_a_main_guard_moves_nothing() -> None:
    text = '#!/usr/bin/env python\nif __name__ == "__main__":\n    serve()\n'
    assert decided("serve.py", text).tier is Tier.PRODUCTION


@pytest.mark.parametrize(
    ("text", "tier"),
    [
        ("import pytest\n", Tier.TEST),
        ("from unittest import TestCase\n", Tier.TEST),
        ("import pytest_asyncio_helper\n", Tier.PRODUCTION),
        ("from unittest.mock import sentinel\n", Tier.PRODUCTION),
        ("from unittest import mock\n", Tier.PRODUCTION),
        ("def later():\n    import pytest\n", Tier.PRODUCTION),
        ("try:\n    import pytest\nexcept ImportError:\n    pytest = None\n", Tier.PRODUCTION),
        ('"""Words about pytest."""\n', Tier.PRODUCTION),
    ],
)
def test_by_content(text: str, tier: Tier) -> None:
    assert decided("src/app/helpers.py", text).tier is tier


@pytest.mark.parametrize("above", ["tests", "scripts", "tests/examples", "docs"])
@pytest.mark.parametrize("marker", ["pyproject.toml", "setup.py", ".git"])
def test_nothing_above_the_project_counts(tmp_path: Path, above: str, marker: str) -> None:
    root = tmp_path / above / "project"
    root.mkdir(parents=True)
    (root / marker).touch()
    for shown in ("src/app.py", f"../{above}/project/src/app.py", (root / "src/app.py").as_posix()):
        assert decided(shown, location=root / "src" / "app.py").tier is Tier.PRODUCTION
        assert decided(shown, location=root / "tests" / "app.py").tier is Tier.TEST


def test_a_file_elsewhere_is_judged_by_its_package_alone(tmp_path: Path) -> None:
    folder = tmp_path / "tests" / "package"
    folder.mkdir(parents=True)
    (folder / "__init__.py").touch()
    place = folder / "app.py"
    assert decided(place.as_posix(), location=place).tier is Tier.PRODUCTION
    assert decided("package/app.py", location=place).tier is Tier.PRODUCTION


def test_installed_packages_begin_below_site_packages(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").touch()
    base = tmp_path / "tests" / "lib" / "site-packages"
    assert decided("x", location=base / "flask" / "app.py").tier is Tier.PRODUCTION
    assert decided("x", location=base / "flask" / "tests" / "app.py").tier is Tier.TEST


def write(root: Path, text: str, *files: str) -> None:
    root.mkdir(parents=True, exist_ok=True)
    (root / "pyproject.toml").write_text(text)
    for name in files:
        place = root / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text("")


def test_an_entry_point_is_production(tmp_path: Path) -> None:
    write(
        tmp_path,
        '[project]\nname = "app"\n[project.scripts]\nserve = "app.scripts.serve:main"\n',
        "src/app/__init__.py",
        "src/app/scripts/__init__.py",
        "src/app/scripts/serve.py",
    )
    found = decided("src/app/scripts/serve.py", location=tmp_path / "src/app/scripts/serve.py")
    assert found.tier is Tier.PRODUCTION
    assert "serve" in found.reasons[0]
    assert decided("x", location=tmp_path / "src/app/scripts/seed.py").tier is Tier.SCRIPT


def test_testpaths_decide(tmp_path: Path) -> None:
    write(tmp_path, '[tool.pytest.ini_options]\ntestpaths = ["checks", "src"]\n', "checks/helpers.py", "src/app.py")
    found = decided("checks/helpers.py", location=tmp_path / "checks/helpers.py")
    assert found.tier is Tier.TEST
    assert "checks" in found.reasons[0]
    assert decided("src/app.py", location=tmp_path / "src/app.py").tier is Tier.PRODUCTION


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("pytest.ini", "[pytest]\ntestpaths = checks\n"),
        ("tox.ini", "[tox]\n[pytest]\ntestpaths =\n    checks\n"),
        ("setup.cfg", "[tool:pytest]\ntestpaths = checks more\n"),
    ],
)
def test_testpaths_of_other_files(tmp_path: Path, file: str, text: str) -> None:
    write(tmp_path, "")
    (tmp_path / file).write_text(text)
    assert decided("checks/a.py", location=tmp_path / "checks" / "a.py").tier is Tier.TEST


def test_a_declared_package_may_be_called_like_a_folder_of_scripts(tmp_path: Path) -> None:
    write(
        tmp_path,
        '[tool.hatch.build.targets.wheel]\npackages = ["src/examples", "app"]\n',
        "src/examples/__init__.py",
        "app/__init__.py",
    )
    assert decided("x", location=tmp_path / "src/examples/serve.py").tier is Tier.PRODUCTION
    assert decided("x", location=tmp_path / "src/examples/tests/a.py").tier is Tier.TEST
    assert decided("x", location=tmp_path / "bin/release.py").tier is Tier.SCRIPT


def test_named_like_a_test_but_production(tmp_path: Path) -> None:
    write(tmp_path, '[tool.pytest.ini_options]\ntestpaths = ["tests"]\n', "app/__init__.py")
    handler = "def connection(request):\n    return request\n"
    assert decided("x", handler, tmp_path / "app/test_connection.py").tier is Tier.PRODUCTION
    assert decided("x", TEST, tmp_path / "app/test_connection.py").tier is Tier.TEST


def test_what_is_only_called_a_test_asserts_something(tmp_path: Path) -> None:
    write(tmp_path, "", "app/__init__.py")
    decorator = "def test_id(value):\n    def put(function):\n        function.id = value\n    return put\n"
    message = "class TestConnection:\n    name: str\n"
    for text in (decorator, message):
        assert decided("x", text, tmp_path / "app/test_connection.py").tier is Tier.PRODUCTION
    asserting = "def test_id(value):\n    assert value\n"
    assert decided("x", asserting, tmp_path / "app/test_connection.py").tier is Tier.TEST


def test_a_name_inside_a_package_needs_what_tests_hold(tmp_path: Path) -> None:
    write(tmp_path, "", "app/commands/__init__.py")
    command = tmp_path / "app/commands/test.py"
    assert decided("x", "class Command:\n    pass\n", command).tier is Tier.PRODUCTION
    assert decided("x", "from django.test import TestCase\n", command).tier is Tier.TEST
    assert decided("x", "", tmp_path / "app/commands/testing.py").tier is Tier.TEST


def test_tools_that_are_a_package_are_production(tmp_path: Path) -> None:
    write(tmp_path, "", "tools/__init__.py", "tools/web/search.py", "loose/tools/run.py")
    assert decided("x", location=tmp_path / "tools/search.py").tier is Tier.PRODUCTION
    assert decided("x", location=tmp_path / "tools/web/search.py").tier is Tier.PRODUCTION
    assert decided("x", location=tmp_path / "loose/tools/run.py").tier is Tier.SCRIPT


def test_overrides_come_first(tmp_path: Path) -> None:
    settings = Settings(
        root=tmp_path.as_posix(),
        tier_overrides=TierOverrides(
            production=("tests/live/**",), test=("tests/live/fake.py",), vendored=("*_copy.py",)
        ),
    )
    live = decided("tests/live/run.py", location=tmp_path / "tests/live/run.py", settings=settings)
    assert (live.tier, live.flags) == (Tier.PRODUCTION, frozenset())
    assert "tests/live/**" in live.reasons[0]
    assert decided("x", location=tmp_path / "tests/live/fake.py", settings=settings).tier is Tier.TEST
    assert decided("x", location=tmp_path / "src/a_copy.py", settings=settings).flags == {Flag.VENDORED}


@pytest.mark.parametrize(
    ("path", "text", "flags"),
    [
        ("src/model_pb2.py", "", {Flag.GENERATED}),
        ("src/a.py", "# Generated by the compiler.  DO NOT EDIT!\nx = 1\n", {Flag.GENERATED}),
        ("src/a.py", "# -*- coding: utf-8 -*-\n# This file was automatically generated.\n", {Flag.GENERATED}),
        ("src/a.py", '"""A table.\n\nGenerated from spec.json; do not\nmodify by hand.\n"""\n', {Flag.GENERATED}),
        ("src/a.py", "# Generated by Django 4.2 on 2024-01-01\n", {Flag.GENERATED}),
        ("src/a.py", '"""Keeps auto-generated names apart from those that people gave."""\n', set()),
        ("src/a.py", "x = 1\n# Generated by the compiler. DO NOT EDIT!\n", set()),
        ("src/a.py", 'TEXT = "this file was generated"\n', set()),
        ("src/app/_vendor/six.py", "", {Flag.VENDORED}),
        ("src/app/inventory/vendors.py", "", set()),
        ("src/app.pyi", "", {Flag.STUB}),
    ],
)
def test_flags(path: str, text: str, flags: set[Flag]) -> None:
    assert decided(path, text).flags == flags
