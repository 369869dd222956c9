"""The trace matrix of the gold design, whole and with holes."""

import json
from pathlib import Path
from typing import Any

import pytest

from dure_spec.artifacts import Artifacts
from dure_spec.derive.trace import trace_rows

_GOLD = Path(__file__).parents[2] / "data" / "gold_order_mgmt"
_FILES = {"prd": "1_prd", "ia": "2_ia", "erd": "3_erd", "backend": "4_backend", "frontend": "5_frontend"}


def _parts() -> dict[str, Any]:
    return {name: json.loads((_GOLD / f"{file}.json").read_text(encoding="utf-8")) for name, file in _FILES.items()}


def test_gold_design_gives_the_gold_matrix() -> None:
    rows = trace_rows(Artifacts.model_validate(_parts()))
    wanted = json.loads((_GOLD / "6_trace.json").read_text(encoding="utf-8"))
    assert [row.model_dump(mode="json") for row in rows] == wanted


def test_requirement_that_a_table_forgets_is_partial() -> None:
    parts = _parts()
    parts["erd"]["tables"][5]["reqs"] = []
    row = next(row for row in trace_rows(Artifacts.model_validate(parts)) if row.req == "FR-007")
    assert (row.status, row.gaps) == ("partial", ("table",))


def test_requirement_that_nothing_serves_is_missing() -> None:
    parts = _parts()
    new: dict[str, Any] = {**parts["prd"]["reqs"][1], "id": "FR-009", "ac": []}
    parts["prd"]["reqs"].append(new)
    row = trace_rows(Artifacts.model_validate(parts))[-1]
    assert (row.status, row.gaps) == ("missing", ("screen", "table", "op", "component"))


@pytest.mark.parametrize(
    ("change", "gaps"),
    [
        ({"entities": []}, ("screen", "component")),
        ({"kind": "batch"}, ("table", "op")),
        ({"pri": "W"}, ()),
    ],
)
def test_requirement_is_missing_only_what_it_needs(change: dict[str, Any], gaps: tuple[str, ...]) -> None:
    parts = _parts()
    parts["prd"]["reqs"].append({**parts["prd"]["reqs"][1], "id": "FR-009", "ac": [], **change})
    assert trace_rows(Artifacts.model_validate(parts))[-1].gaps == gaps


def test_stage_that_is_not_done_is_no_gap() -> None:
    parts = _parts()
    rows = trace_rows(Artifacts.model_validate({"prd": parts["prd"], "ia": parts["ia"]}))
    assert {(row.status, row.gaps) for row in rows} == {("full", ())}
    assert trace_rows(Artifacts()) == ()
