"""What docs/design.md says of the configuration and of the validators is so."""

import re
import tomllib
from pathlib import Path

from dure_spec.config import AgentConfig, DesignConfig
from dure_spec.validators import VALIDATORS

_PAGE = (Path(__file__).parents[2] / "docs" / "design.md").read_text(encoding="utf-8")


def test_the_configuration_on_the_page_is_valid_and_shows_every_key() -> None:
    (block,) = re.findall(r"```toml\n(.*?)```", _PAGE, re.DOTALL)
    table = tomllib.loads(block)["design"]
    config = DesignConfig.model_validate(table)
    assert config.of("dba").tool_model == "openai:gpt-4.1-mini"
    assert set(DesignConfig.model_fields) - set(table) <= {"max_tool_calls"}
    assert set(config.of("ba").model_dump()) == set(AgentConfig.model_fields)


def test_the_page_lists_every_validator_by_id_and_name() -> None:
    rows = re.findall(r"^\| (V\d\d) \| (\w+) \|", _PAGE, re.MULTILINE)
    assert rows == [(validator.id, validator.name) for validator in VALIDATORS]
