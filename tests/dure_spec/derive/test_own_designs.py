"""Designs of the program alone, for every pattern of the catalogue and every shared sentence: nothing to repair."""

import json
from pathlib import Path

import pytest
from tests.support.own_designs import own_design

from dure_spec.artifacts import Artifacts
from dure_spec.patterns import shipped
from dure_spec.validators import VALIDATORS, Policy
from dure_spec.validators.index import build_index

_PROMPTS = Path(__file__).parents[4] / "shared" / "data" / "prompts" / "one_line_prompts.jsonl"
_ENGLISH = Policy(lang="en")
_OURS = frozenset({"V02", "V03", "V13", "V14", "V15"})
_PATTERNS = shipped().patterns


def _faults(artifacts: Artifacts) -> list[str]:
    """What the validators of interfaces say; the others would take most of the time."""
    index = build_index(artifacts)
    drafts = (
        draft for each in VALIDATORS if each.id in _OURS for check in each.checks for draft in check(index, _ENGLISH)
    )
    return [f"{draft.ref}: {draft.text.write('en', draft.values)}" for draft in drafts]


@pytest.mark.parametrize("number", range(len(_PATTERNS)), ids=[pattern.id for pattern in _PATTERNS])
def test_design_for_a_pattern_needs_no_repair(number: int) -> None:
    triggers = _PATTERNS[number].triggers
    word = triggers.ko[0] if number % 2 else triggers.en[0].rstrip("*")
    design = own_design(f"{word} 관리 시스템을 만들어줘" if number % 2 else f"Build a {word} system")
    assert design is not None
    assert _faults(design) == []


def test_designs_for_the_shared_sentences_need_no_repair() -> None:
    if not _PROMPTS.exists():
        pytest.skip("the shared prompts are not beside this checkout")
    rows = [json.loads(line) for line in _PROMPTS.read_text(encoding="utf-8").splitlines()]
    designs = {row["id"]: own_design(row["prompt"]) for row in rows}
    assert sum(design is not None for design in designs.values()) >= len(rows) * 0.8
    assert {name: _faults(design) for name, design in designs.items() if design and _faults(design)} == {}
