"""How much of what people expect the proposals hold, over the shared one-line prompts."""

import json
from pathlib import Path

import pytest

from dure_spec.patterns import PatternEntity, propose

PROMPTS = Path(__file__).parents[4] / "shared" / "data" / "prompts" / "one_line_prompts.jsonl"


def _plain(text: str) -> str:
    return text.lower().replace(" ", "").replace("_", "")


def _names(entity: PatternEntity) -> list[str]:
    return [_plain(name) for name in (entity.en, entity.ko, *entity.synonyms_en, *entity.synonyms_ko)]


def test_nine_of_ten_expected_entities_are_proposed() -> None:
    if not PROMPTS.exists():
        pytest.skip("the shared prompts are not beside this checkout")
    wanted = missed = 0
    for line in PROMPTS.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        names = [name for entity in propose(row["prompt"]).entities for name in _names(entity)]
        for expected in row["expected_entities"]:
            options = [_plain(word) for word in expected.split("|")]
            wanted += 1
            missed += not any(word in name or name in word for word in options for name in names)
    assert wanted > 100
    assert missed <= wanted * 0.1
