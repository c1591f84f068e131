"""Settings from files and options; every mistake at once."""

import pickle
from dataclasses import dataclass
from pathlib import Path

import pytest

from valhalla_lint.config import Configuration, ConfigurationError, Overrides
from valhalla_lint.config.values import fit, from_text
from valhalla_lint.core.finding import Severity
from valhalla_lint.core.settings import Preset, Settings
from valhalla_lint.core.tier import Tier


def write(place: Path, text: str) -> Path:
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text, encoding="utf-8")
    return place


def settings(root: Path, file: str = "src/app.py", overrides: Overrides | None = None) -> Settings:
    return Configuration(overrides, base=root).settings_for(root / file)


def mistakes(root: Path, overrides: Overrides | None = None) -> list[str]:
    with pytest.raises(ConfigurationError) as caught:
        settings(root, overrides=overrides)
    return [str(problem).removeprefix(f"{root.as_posix()}/") for problem in caught.value.problems]


def test_without_a_file_there_are_defaults(tmp_path: Path) -> None:
    assert settings(tmp_path) == Settings(root=tmp_path.as_posix())


def test_everything_at_once(tmp_path: Path) -> None:
    write(
        tmp_path / "pyproject.toml",
        """
        [tool.valhalla-lint]
        select = ["VH1", "magic-number"]
        extend-select = ["VH906"]
        ignore = ["VH102"]
        preset = "audit"
        strict-tiers = true
        fail-on = "medium"
        exclude = ["old/"]
        respect-gitignore = false
        unsuppressable = ["VH103"]
        require-reason = false
        [tool.valhalla-lint.tiers]
        report = ["production", "script"]
        test = ["checks/"]
        [tool.valhalla-lint.per-file-ignores]
        "api/**" = ["VH301"]
        [[tool.valhalla-lint.catalogue.source]]
        call = "app.read"
        kind = "request"
        """,
    )
    found = settings(tmp_path)
    assert found.select == ("VH1", "VH301", "VH906")
    assert found.ignore == ("VH102",)
    assert (found.preset, found.strict_tiers, found.fail_on) == (Preset.AUDIT, True, Severity.MEDIUM)
    assert (found.exclude, found.respect_gitignore) == (("old/",), False)
    assert (found.unsuppressable, found.require_reason) == (("VH103",), False)
    assert found.tiers == {Tier.PRODUCTION, Tier.SCRIPT}
    assert found.tier_overrides.test == ("checks/",)
    assert found.per_file_ignores == {"api/**": ("VH301",)}
    assert found.catalogue == {"source": ({"call": "app.read", "kind": "request"},)}
    assert found.root == tmp_path.as_posix()


def test_tiers_may_be_a_list(tmp_path: Path) -> None:
    write(tmp_path / "valhalla-lint.toml", 'tiers = ["test"]\n')
    assert settings(tmp_path).tiers == {Tier.TEST}


def test_the_nearest_file_wins_and_files_without_our_table_are_passed_over(tmp_path: Path) -> None:
    write(tmp_path / "pyproject.toml", '[tool.valhalla-lint]\npreset = "audit"\n')
    write(tmp_path / "a" / "pyproject.toml", '[project]\nname = "valhalla-lint-user"\n')
    write(tmp_path / "b" / "valhalla-lint.toml", 'fail-on = "high"\n')
    write(tmp_path / "c" / "pyproject.toml", "broken = [\n")
    configuration = Configuration(base=tmp_path)
    assert configuration.settings_for(tmp_path / "a" / "x.py").preset is Preset.AUDIT
    assert configuration.settings_for(tmp_path / "b" / "deep" / "x.py").fail_on is Severity.HIGH
    assert configuration.settings_for(tmp_path / "b" / "deep" / "x.py").preset is Preset.DEFAULT
    assert configuration.settings_for(tmp_path / "c" / "x.py").preset is Preset.AUDIT
    assert configuration.settings_for(tmp_path / "x.py") is configuration.settings_for(tmp_path / "y.py")


def test_extend_builds_on_another_file(tmp_path: Path) -> None:
    write(
        tmp_path / "base.toml",
        'select = ["VH1"]\nextend-select = ["VH906"]\nfail-on = "high"\n[tiers]\ntest = ["a"]\nscript = ["b"]\n',
    )
    write(
        tmp_path / "sub" / "pyproject.toml",
        '[tool.valhalla-lint]\nextend = "../base.toml"\nfail-on = "low"\nextend-select = ["VH907"]\n'
        '[tool.valhalla-lint.tiers]\ntest = ["c"]\n',
    )
    found = settings(tmp_path, "sub/x.py")
    assert found.select == ("VH1", "VH906", "VH907")
    assert found.fail_on is Severity.LOW
    assert (found.tier_overrides.test, found.tier_overrides.script) == (("c",), ("b",))
    assert found.root == (tmp_path / "sub").as_posix()


def test_circles_end(tmp_path: Path) -> None:
    write(tmp_path / "valhalla-lint.toml", 'extend = "other.toml"\n')
    write(tmp_path / "other.toml", 'extend = "valhalla-lint.toml"\n')
    assert mistakes(tmp_path) == ["other.toml: extend: goes in a circle over 'valhalla-lint.toml'"]


def test_every_mistake_is_told_with_a_suggestion(tmp_path: Path) -> None:
    write(
        tmp_path / "valhalla-lint.toml",
        """
        extend = "missing.toml"
        selct = ["VH1"]
        ignore = ["VH1O1", "magic-numbr"]
        preset = "adit"
        strict-tiers = "yes"
        fail-on = "hihg"
        exclude = "old"
        [tiers]
        tests = ["checks/"]
        report = ["xyz"]
        [rules.magic-number]
        alowed = [1]
        allowed-values = "1"
        [rules.magic-nmber]
        [catalogue]
        sources = []
        sink = [1]
        """,
    )
    told = mistakes(tmp_path, Overrides(select=("VH301", "VHX"), tiers=("prod",)))
    assert told == [
        f"valhalla-lint.toml: extend: there is no file {(tmp_path / 'missing.toml').as_posix()}",
        "valhalla-lint.toml: selct: is not known here (did you mean select?)",
        (
            "valhalla-lint.toml: ignore: no rule is called 'VH1O1', and no code begins so (did you mean VH1?); "
            "no rule is called 'magic-numbr', and no code begins so (did you mean magic-number?)"
        ),
        "valhalla-lint.toml: preset: must be one of default, audit, not 'adit' (did you mean audit?)",
        "valhalla-lint.toml: strict-tiers: must be true or false, not 'yes'",
        "valhalla-lint.toml: fail-on: must be one of low, medium, high, not 'hihg' (did you mean high?)",
        "valhalla-lint.toml: exclude: must be a list of texts in quotes",
        "valhalla-lint.toml: tiers.tests: is not known here (did you mean test?)",
        "valhalla-lint.toml: tiers.report: 'xyz' is no tier; there are production, test, script",
        "valhalla-lint.toml: rules.magic-number.alowed: magic-number has no such option (did you mean allowed-values?)",
        "valhalla-lint.toml: rules.magic-number.allowed-values: must be a list of numbers",
        "valhalla-lint.toml: rules.magic-nmber: is not known here (did you mean magic-number?)",
        "valhalla-lint.toml: catalogue: unknown table 'sources' (did you mean 'source'?)",
        "valhalla-lint.toml: catalogue: sink row 1: a row is a table of keys and values",
        "--select: no rule is called 'VHX', and no code begins so",
        "--tiers: 'prod' is no tier; there are production, test, script (did you mean production?)",
    ]


def test_codes_of_a_pattern_that_are_no_list_are_told_with_the_pattern(tmp_path: Path) -> None:
    write(tmp_path / "valhalla-lint.toml", '[per-file-ignores]\n"a.py" = "VH1"\n')
    assert mistakes(tmp_path) == [
        'valhalla-lint.toml: per-file-ignores: \'a.py\' must have a list of texts in quotes: "a.py" = ["VH301"]'
    ]


def test_every_entry_of_a_list_that_is_wrong_is_told(tmp_path: Path) -> None:
    write(tmp_path / "valhalla-lint.toml", '[per-file-ignores]\n"a.py" = ["VH301", "nope"]\n"b.py" = ["VH1O1"]\n')
    told = mistakes(tmp_path, Overrides(select=("VH1O1", "VH301", "nope"), tiers=("prod", "test", "all")))
    nope = "no rule is called 'nope', and no code begins so"
    meant = "no rule is called 'VH1O1', and no code begins so (did you mean VH1?)"
    there = "there are production, test, script"
    assert told == [
        f"valhalla-lint.toml: per-file-ignores: {nope}; {meant}",
        f"--select: {meant}; {nope}",
        f"--tiers: 'prod' is no tier; {there} (did you mean production?); 'all' is no tier; {there}",
    ]


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"[tool.valhalla-lint\n", "is not TOML"),
        (b"[tool]\nvalhalla-lint = 3\n", "must be a table"),
        (b'[tool.valhalla-lint]\npreset = "\xff"\n', "is not UTF-8"),
    ],
)
def test_files_that_cannot_be_understood(tmp_path: Path, data: bytes, told: str) -> None:
    (tmp_path / "pyproject.toml").write_bytes(data)
    (mistake,) = mistakes(tmp_path)
    assert mistake.startswith("pyproject.toml: ")
    assert told in mistake


def test_options_of_the_host_come_over_the_file(tmp_path: Path) -> None:
    write(tmp_path / "valhalla-lint.toml", 'select = ["VH3"]\nignore = ["VH302"]\npreset = "audit"\n')
    found = settings(
        tmp_path,
        overrides=Overrides(select=("VH1",), extend_select=("VH906",), preset="default", tiers=("test",)),
    )
    assert (found.select, found.ignore) == (("VH1", "VH906"), ("VH302",))
    assert (found.preset, found.tiers) == (Preset.DEFAULT, frozenset({Tier.TEST}))


def test_rows_in_files_of_their_own(tmp_path: Path) -> None:
    write(tmp_path / "rows.toml", '[[source]]\ncall = "app.read"\nkind = "request"\n')
    write(
        tmp_path / "valhalla-lint.toml",
        '[catalogue]\nextend = ["rows.toml"]\n[[catalogue.clean]]\ncall = "a.b"\nclears = ["path"]\n',
    )
    assert {kind: len(rows) for kind, rows in settings(tmp_path).catalogue.items()} == {"source": 1, "clean": 1}
    write(tmp_path / "rows.toml", '[[source]]\ncall = "app.read"\nkind = "requst"\n')
    assert mistakes(tmp_path) == ["rows.toml: catalogue: source row 1: unknown kind 'requst' (did you mean 'request'?)"]


def test_isolated_reads_nothing(tmp_path: Path) -> None:
    write(tmp_path / "valhalla-lint.toml", "nonsense = 1\n")
    configuration = Configuration(base=tmp_path, isolated=True)
    assert configuration.settings_for(tmp_path / "a.py") == Settings(root=tmp_path.as_posix(), isolated=True)
    assert configuration.file_for(tmp_path / "a.py") is None


def test_options_of_rules(tmp_path: Path) -> None:
    write(tmp_path / "valhalla-lint.toml", "[rules.VH301]\nallowed_values = [90, 0.5]\n")
    (options,) = settings(tmp_path).rules.values()
    assert getattr(options, "allowed_values", None) == (90, 0.5)
    given = Overrides(rules={"magic-number": {"allowed-values": "7, 8.5"}})
    (options,) = settings(tmp_path, overrides=given).rules.values()
    assert getattr(options, "allowed_values", None) == (7, 8.5)


@dataclass(frozen=True)
class Options:
    flag: bool = True
    size: int = 1
    share: float = 0.5
    name: str = ""
    words: tuple[str, ...] = ()
    numbers: frozenset[float] = frozenset()
    limit: int | None = None


@pytest.mark.parametrize(
    ("text", "hint", "value"),
    [
        ("true", bool, True),
        ("off", bool, False),
        ("12", int, 12),
        ("1.5", float, 1.5),
        ("x", str, "x"),
        ("a, b\nc", tuple[str, ...], ("a", "b", "c")),
        ("1,2.5", frozenset[float], frozenset({1, 2.5})),
        (["1", "2"], frozenset[int], frozenset({1, 2})),
        ("3", int | None, 3),
    ],
)
def test_values_from_text(text: object, hint: object, value: object) -> None:
    assert fit(from_text(text, hint), hint) == value


@pytest.mark.parametrize(
    ("value", "hint"),
    [(1, bool), (True, int), (True, float), ("1", int), (1.5, int), ("a", tuple[str, ...]), ([True], frozenset[int])],
)
def test_values_that_do_not_fit(value: object, hint: object) -> None:
    with pytest.raises(Exception, match="must be"):
        fit(value, hint)


def test_a_worker_process_can_take_it_along(tmp_path: Path) -> None:
    write(tmp_path / "valhalla-lint.toml", "[rules.VH301]\nallowed-values = [90]\n")
    configuration = Configuration(base=tmp_path)
    before = configuration.settings_for(tmp_path / "a.py")
    assert pickle.loads(pickle.dumps(configuration)).settings_for(tmp_path / "a.py") == before  # noqa: S301 -- our own bytes
    with pytest.raises(ConfigurationError) as caught:
        settings(tmp_path, overrides=Overrides(preset="x"))
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)  # noqa: S301 -- our own bytes
