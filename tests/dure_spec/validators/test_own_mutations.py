"""More mutations of the gold design, of our own making: every check of every validator's row meets one."""

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dure_spec.artifacts import Artifacts, Stage
from dure_spec.validators import VALIDATORS, Policy, judge

Mutate = Callable[[str, list[dict[str, Any]]], Artifacts]

_FILE = Path(__file__).parents[2] / "data" / "gold_order_mgmt" / "own_mutations.jsonl"
_STAGE: dict[str, Stage] = {"prd": "ba", "ia": "planner", "erd": "dba", "be": "backend", "fe": "frontend"}
_MUTATIONS = [json.loads(line) for line in _FILE.read_text(encoding="utf-8").splitlines()]


def test_every_validator_meets_several() -> None:
    counts = Counter(mutation["validator"] for mutation in _MUTATIONS)
    assert set(counts) == {validator.id for validator in VALIDATORS}
    assert min(counts.values()) >= 5


@pytest.mark.parametrize("mutation", _MUTATIONS, ids=[mutation["id"] for mutation in _MUTATIONS])
def test_one_mistake_is_found_in_its_place_and_counted_once(mutation: dict[str, Any], mutate: Mutate) -> None:
    artifacts = mutate(mutation["artifact"], mutation["patch"])
    judgement = judge(artifacts, _STAGE[mutation["artifact"]], Policy(lang="en"))
    place, kind = mutation["finding"]["loc"], (mutation["validator"], mutation["severity"])
    roots = [finding for finding in judgement.findings if finding.caused_by is None]
    assert any(
        (root.validator, root.severity) == kind and (place in root.ref or place in root.path) for root in roots
    ), judgement.findings
    assert {root.validator for root in roots} == {mutation["validator"]}, roots
    assert judgement.score == pytest.approx(mutation["stage_score"], abs=0.01)
