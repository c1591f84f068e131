"""The tables are well-formed, and what a user writes into them is checked."""

from typing import Any

import pytest

from valhalla_lint.flow.catalogue import CatalogueError, about, check, load, read_tables
from valhalla_lint.flow.labels import Kind, Risk, Use

TABLES = read_tables()


@pytest.mark.parametrize("name", sorted(TABLES))
def test_our_tables_have_no_mistake(name: str) -> None:
    assert list(check(TABLES[name], name)) == []
    assert TABLES[name]["library"]["name"]


def test_tables_cover_the_frameworks() -> None:
    libraries = {wheel for tables in TABLES.values() for wheel in tables["library"].get("wheels", {})}
    assert len(libraries) >= 25


def test_a_call_has_what_its_rows_say() -> None:
    found = load().behaviour("torch.load")
    assert found is not None
    assert [(sink.use, sink.arguments) for sink in found.sinks] == [(Use.LOAD, (0, "f"))]


def test_attributes_are_found_through_base_classes() -> None:
    found = load().attribute("fastapi.Request", "query_params")
    assert found is not None
    assert found.source is Kind.REQUEST
    assert load().attribute("fastapi.Request", "no_such_thing") is None


def test_methods_are_found_through_base_classes() -> None:
    found = load().method("pathlib.PosixPath", "read_text")
    assert found is not None
    assert found.sinks[0].arguments == (-1,)


def test_a_decorator_is_known_by_its_whole_or_its_last_name() -> None:
    catalogue = load()
    by_name = catalogue.decorator("flask.Flask.route", "route")
    by_last = catalogue.decorator(None, "route")
    assert by_name is not None
    assert by_last is not None
    assert (by_name.route, by_last.route) == ("flask", "any")
    assert catalogue.decorator(None, "cached_property") is None


def test_servicers_are_known_by_how_their_base_is_named() -> None:
    handler = load().base("inference_pb2_grpc.InferenceServicer")
    assert handler is not None
    assert "context" in handler.skips


def test_words_say_where_a_flow_can_end_and_begin() -> None:
    catalogue = load()
    assert {"rmtree", "read_text", "FileResponse"} <= catalogue.words("path")
    assert "from_pretrained" in catalogue.words("model")
    assert "from_pretrained" not in catalogue.words("path")
    assert {"query_params", "filename", "tool"} <= catalogue.source_words
    assert "getenv" in catalogue.weak_source_words
    assert {"args", "query_params", "match_info"} <= catalogue.request_words


def test_a_users_rows_add_to_ours() -> None:
    rows: dict[str, Any] = {
        "sink": [{"call": "acme.store.fetch", "use": "open", "args": [0, "name"]}],
        "clean": [{"call": ["acme.names.clean", "acme.names.slug"], "clears": ["path", "model"]}],
        "source": [{"method": "acme.Job.argument", "kind": "request"}],
        "type": [{"name": "acme.BigJob", "bases": ["acme.Job"]}],
        "handler": [{"decorator": "acme.task", "kind": "tool"}],
    }
    catalogue = load(rows)
    assert catalogue.behaviour("shutil.rmtree") is not None
    fetch, slug = catalogue.behaviour("acme.store.fetch"), catalogue.behaviour("acme.names.slug")
    argument = catalogue.method("acme.BigJob", "argument")
    assert fetch is not None
    assert fetch.sinks[0].arguments == (0, "name")
    assert slug is not None
    assert slug.clears & Risk.PARENT
    assert argument is not None
    assert argument.source is Kind.REQUEST
    assert catalogue.decorator("acme.task", "task") is not None
    assert load().behaviour("acme.store.fetch") is None
    assert load(rows) is catalogue


def test_all_mistakes_are_named_at_once_with_suggestions() -> None:
    rows: dict[str, Any] = {
        "sinks": [],
        "sink": [
            {"call": "acme.fetch", "use": "opn"},
            {"call": "acme.fetch", "method": "acme.A.fetch", "use": "open"},
            {"cal": "acme.fetch", "use": "open"},
            {"call": "acme.fetch", "use": "open", "args": "0"},
            {"method": "fetch", "use": "open"},
        ],
        "clean": [{"call": "acme.clean", "clears": ["paths"]}, {"call": "acme.clean"}],
        "source": ["acme.argument"],
    }
    with pytest.raises(CatalogueError) as raised:
        load(rows)
    problems = raised.value.problems
    assert len(problems) == 10
    assert any("unknown table 'sinks' (did you mean 'sink'?)" in problem for problem in problems)
    assert any("sink row 1: unknown use 'opn' (did you mean 'open'?)" in problem for problem in problems)
    assert any("sink row 2: exactly one of call, method, attribute is needed" in problem for problem in problems)
    assert any("sink row 3: unknown key 'cal' (did you mean 'call'?)" in problem for problem in problems)
    assert any("sink row 4: args is a list" in problem for problem in problems)
    assert any("sink row 5" in problem and "*.fetch" in problem for problem in problems)
    assert any("clean row 1: unknown clears 'paths' (did you mean 'path'?)" in problem for problem in problems)
    assert any("clean row 2: key 'clears' is missing" in problem for problem in problems)
    assert any("source row 1" in problem for problem in problems)
    assert all(problem.startswith("[tool.valhalla-lint.catalogue]: ") for problem in problems)


@pytest.mark.parametrize("value", [None, 1, [], {}, [[]], {"a": 1}, [None], True, 1.5])
@pytest.mark.parametrize("key", ["call", "use", "args"])
def test_odd_values_are_mistakes_and_no_tracebacks(key: str, value: object) -> None:
    row = {"call": "acme.fetch", "use": "open", key: value}
    problems = list(check({"sink": [row]}, "here"))
    assert problems or (key == "args" and value == [])


def test_a_name_can_be_explained() -> None:
    assert any("sink (delete) at 0, path" in line for line in about("shutil.rmtree"))
    assert any("clears path" in line for line in about("werkzeug.utils.secure_filename"))
    assert about("no.such.name") == ()
    for name in ("from_pretrained", "*.from_pretrained"):
        [line] = about(name)
        assert "sink (model) at 0" in line
