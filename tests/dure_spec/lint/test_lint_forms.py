"""The report as SARIF and as lines, and places in JSON texts."""

import json
from pathlib import Path
from typing import Any

import pytest

from dure_spec.artifacts.erd import Erd
from dure_spec.lint.config import LintOptions
from dure_spec.lint.json_lines import JsonLines
from dure_spec.lint.json_rewriting import Meaning, carried, in_the_style_of
from dure_spec.lint.linting import lint_files
from dure_spec.lint.report import LintReport
from dure_spec.lint.sarif_form import sarif_text
from dure_spec.lint.text_form import text_lines
from dure_spec.validators import VALIDATORS

_SCHEMA = "CREATE TABLE shops (id bigint PRIMARY KEY, price real, floor int);\nCREATE TABLE a (\n  b int\n);\n"


def _report(folder: Path) -> LintReport:
    path = folder / "my schema.sql"
    path.write_text(_SCHEMA, encoding="utf-8")
    return lint_files([str(path), str(folder / "none.sql")], LintOptions(lang="en")).report


def test_sarif_has_rules_levels_and_regions_for_code_scanning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    document: Any = json.loads(sarif_text(_report(tmp_path), lang="en", version="1.2.3"))
    assert document["version"] == "2.1.0"
    (run,) = document["runs"]
    driver = run["tool"]["driver"]
    assert driver["name"] == "dure"
    assert [rule["id"] for rule in driver["rules"]] == [validator.id for validator in VALIDATORS]
    assert all(rule["help"]["text"] and rule["shortDescription"]["text"] for rule in driver["rules"])
    results = {(each["ruleId"], each["message"]["text"].partition(":")[0]): each for each in run["results"]}
    price, keyless = results["V08", "shops.price"], results["V06", "a"]
    assert (price["ruleId"], price["level"]) == ("V08", "warning")
    assert (keyless["ruleId"], keyless["level"]) == ("V06", "error")
    assert all(driver["rules"][each["ruleIndex"]]["id"] == each["ruleId"] for each in run["results"])
    place = price["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "my%20schema.sql"
    region = place["region"]
    assert region["startLine"] == region["endLine"] == 1
    said = _SCHEMA.splitlines()[0][region["startColumn"] - 1 : region["endColumn"] - 1]
    assert said in ("price real", "real")
    assert len({result["partialFingerprints"]["dure/v1"] for result in run["results"]}) == len(run["results"])
    (invocation,) = run["invocations"]
    assert invocation["executionSuccessful"] is False
    assert "none.sql" in invocation["toolExecutionNotifications"][0]["message"]["text"]


def test_lines_are_coloured_only_where_asked_and_steer_no_terminal(tmp_path: Path) -> None:
    report = _report(tmp_path)
    plain = list(text_lines(report, lang="en", colours=False))
    coloured = list(text_lines(report, lang="en", colours=True))
    assert not any("\x1b" in line for line in plain)
    assert any("\x1b[1;31mcritical" in line for line in coloured)
    path = tmp_path / "evil.sql"
    path.write_text('CREATE TABLE "a\x1b[2Jb" (id int);\n', encoding="utf-8")
    evil = lint_files([str(path)], LintOptions(lang="en")).report
    assert not any("\x1b" in line for line in text_lines(evil, lang="en", colours=False))


_JSON = '{\n "tables": [\n  {"name": "a\\"~/b", "columns": []},\n  {"x/y": 1, "deep": {"t": [1,\n   {"z": 2}]}}\n ]\n}'


@pytest.mark.parametrize(
    ("pointer", "line", "token"),
    [
        ("/tables", 2, '"tables"'),
        ("/tables/0", 3, "{"),
        ("/tables/0/name", 3, '"name"'),
        ("/tables/1/x~1y", 4, '"x/y"'),
        ("/tables/1/deep/t/1/z", 5, '"z"'),
        ("/tables/1/deep/t/0", 4, "1"),
        ("/tables/1/deep/none/more", 4, '"deep"'),
        ("/none", 1, "{"),
    ],
)
def test_pointer_is_found_in_the_text(pointer: str, line: int, token: str) -> None:
    region = JsonLines(_JSON).region(pointer)
    assert region.line == line
    assert _JSON.splitlines()[line - 1][region.column - 1 : region.end_column - 1] == token


def _erd(*names: str, **more: object) -> dict[str, Any]:
    columns = [{"name": "id", "logical": "ID", "type": "bigint", "pk": True, "null": False}]
    tables = [
        {"name": name, "logical": name, "kind": "entity", "reqs": [], "columns": columns, **more} for name in names
    ]
    return {"meta": {"dialect": "mysql", "pk": "id", "audit": []}, "tables": tables, "relations": []}


def _meaning(value: object) -> Meaning:
    return Meaning.of(Erd.model_validate(value))


def test_what_did_not_change_stays_as_it_was_written() -> None:
    old = _erd("a", "b")
    new = _erd("a", "b")
    new["tables"][1]["uniques"] = [["id"]]
    written: Any = carried(old, _meaning(old), _meaning(new))
    assert written["tables"][0] is old["tables"][0]
    assert written["tables"][1] == {**old["tables"][1], "uniques": [["id"]]}
    fewer: Any = carried(old, _meaning(old), _meaning(_erd("b")))
    assert fewer["tables"] == [old["tables"][1]]
    more: Any = carried(old, _meaning(old), _meaning(_erd("new", "a", "b")))
    assert [table["name"] for table in more["tables"]] == ["new", "a", "b"]
    assert "indexes" not in more["tables"][0]


@pytest.mark.parametrize(
    "text",
    [
        '{"a":[1,2]}',
        '{"a": [1, 2]}\n',
        '{\n  "a": [\n    1,\n    2\n  ]\n}\n',
        '{\r\n\t"a": [\r\n\t\t1,\r\n\t\t2\r\n\t]\r\n}',
    ],
)
def test_json_keeps_its_style(text: str) -> None:
    assert in_the_style_of(text, {"a": [1, 2]}) == text
