"""What docs/lint.md says of the configuration, the report and the exit codes is so."""

import re
import tomllib
from pathlib import Path

from dure_spec.config_file import ConfigFile
from dure_spec.lint.config import LintConfig, LintOptions, NamesConfig
from dure_spec.lint.json_form import json_text
from dure_spec.lint.linting import lint_files

_PAGE = (Path(__file__).parents[2] / "docs" / "lint.md").read_text(encoding="utf-8")


def test_the_configuration_on_the_page_is_valid_and_shows_every_key() -> None:
    (block,) = re.findall(r"```toml\n(.*?)```", _PAGE, re.DOTALL)
    table = tomllib.loads(block)["lint"]
    config = ConfigFile(None, {"lint": table}).section("lint", LintConfig)
    assert set(table) == set(LintConfig.model_fields)
    assert set(table["names"]) == set(NamesConfig.model_fields)
    assert config.names == NamesConfig()
    assert config.fail_on == LintConfig().fail_on


def test_the_page_names_every_key_of_the_report(tmp_path: Path) -> None:
    path = tmp_path / "a.sql"
    path.write_text("CREATE TABLE a (b int);", encoding="utf-8")
    report = lint_files([str(path)], LintOptions(lang="en")).report
    keys = set(re.findall(r'"(\w+)":', json_text(report, fail_on="major")))
    assert {key for key in keys - {"critical", "major", "minor"} if f"`{key}" not in _PAGE} == set()
