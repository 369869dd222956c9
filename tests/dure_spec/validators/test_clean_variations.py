"""Right designs that look unlike the gold one: no gate may find anything in them."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dure_spec.artifacts import STAGES, Artifacts
from dure_spec.validators import judge

Vary = Callable[[dict[str, list[dict[str, Any]]]], Artifacts]

_FILE = Path(__file__).parents[2] / "data" / "gold_order_mgmt" / "clean_variations.jsonl"
_VARIATIONS = [json.loads(line) for line in _FILE.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("variation", _VARIATIONS, ids=[variation["id"] for variation in _VARIATIONS])
def test_right_design_has_no_finding_at_any_gate(variation: dict[str, Any], vary: Vary) -> None:
    artifacts = vary(variation["changes"])
    assert {stage: judge(artifacts, stage).findings for stage in STAGES} == dict.fromkeys(STAGES, ())
