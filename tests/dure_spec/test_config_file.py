"""`dure.toml`: found where people put it, and wrong in one line that names the file and the key."""

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from dure.errors import ConfigError
from dure_spec.config import DesignConfig, design_config
from dure_spec.config_file import MAX_BYTES, read_config

GOOD = """
[design]
autofix = "minor"
model = "openai:a"
retries = 1
[design.agents.dba]
model = "openai:b"
"""


def written(folder: Path, text: str | bytes) -> Path:
    """A file with this text."""
    path = folder / "dure.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_without_a_file_every_setting_has_its_default(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert design_config(environ={}) == DesignConfig()


def test_the_nearest_file_above_the_folder_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(tmp_path, GOOD)
    (tmp_path / "a" / "b").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "a" / "b")
    assert design_config(environ={}).autofix == "minor"


def test_an_agent_takes_what_it_leaves_open_from_all(tmp_path: Path) -> None:
    config = design_config(written(tmp_path, GOOD), environ={})
    assert (config.of("dba").model, config.of("dba").retries) == ("openai:b", 1)
    assert (config.of("ba").model, config.of("ba").retries) == ("openai:a", 1)


def test_the_environment_stands_above_the_file(tmp_path: Path) -> None:
    path = written(tmp_path, '[design]\nprompts = "here"\n')
    assert design_config(path, environ={"DURE_PROMPTS": " there "}).prompts == "there"
    assert design_config(path, environ={"DURE_PROMPTS": " "}).prompts == str(tmp_path / "here")


@pytest.mark.parametrize("value", ["redis://127.0.0.1/0", "packaged"])
def test_only_a_folder_is_looked_for_beside_the_file(tmp_path: Path, value: str) -> None:
    assert design_config(written(tmp_path, f'[design]\nprompts = "{value}"\n'), environ={}).prompts == value


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[design]\nautofixx = 'all'", "unknown key design.autofixx; did you mean 'autofix'?"),
        ("[design.agents.dbaa]\n", "design.agents.dbaa: Input should be 'ba'"),
        ("[design.agents.dba]\nmodle = 'x:y'", "unknown key design.agents.dba.modle; did you mean 'model'?"),
        ("[design]\nautofix = 'some'", "design.autofix: Input should be 'off', 'minor' or 'all'"),
        ("[design]\nmodel = 'gpt-4.1'", "design.model: 'gpt-4.1' is no model; write provider:model"),
        ("[design]\nmodel = 4", 'design.model: write it in quotes, as "…"'),
        ("[design]\nretries = true", "design.retries: write a whole number without quotes"),
        ("[design]\nthinking_tokens = '9'", "design.thinking_tokens: write a whole number without quotes"),
        ("[design]\nprompt_caching = 1", "design.prompt_caching: write true or false without quotes"),
        ("[desing]\nretries = 1", "unknown table desing; did you mean 'design'?; there are: design, lint"),
        ("a = " + "[" * 100_000, "is no TOML"),
        ("[design]\nretries = -1", "design.retries: Input should be greater than or equal to 0"),
        ("[design", "is no TOML"),
        ("design = 3", "design: write it as a table of keys"),
        (b"\xff\xfe[design]", "is not UTF-8: byte 0"),
        ("#" * (MAX_BYTES + 1), "is larger than"),
    ],
)
def test_what_is_wrong_is_said_in_one_line_with_its_place(tmp_path: Path, text: str | bytes, said: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(ConfigError) as caught:
        design_config(path, environ={})
    message = str(caught.value)
    assert said in message
    assert str(path) in message
    assert "\n" not in message or "is no TOML" in message


def test_a_byte_order_mark_and_an_empty_file_are_no_fault(tmp_path: Path) -> None:
    assert design_config(written(tmp_path, b"\xef\xbb\xbf" + GOOD.encode()), environ={}).autofix == "minor"
    assert design_config(written(tmp_path, ""), environ={}) == DesignConfig()


def test_a_file_that_was_named_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="there is no file"):
        read_config(tmp_path / "no.toml")
    with pytest.raises(ConfigError, match="cannot read"):
        read_config(tmp_path)


def test_a_pipe_is_read_and_an_endless_file_is_not_read_to_its_end(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with ThreadPoolExecutor(1) as writers:
        writers.submit(pipe.write_text, GOOD)
        assert design_config(pipe, environ={}).autofix == "minor"
    with pytest.raises(ConfigError, match="/dev/zero is larger than"):
        read_config(Path("/dev/zero"))


def test_a_link_that_leads_nowhere_is_told_of_and_a_folder_of_that_name_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(tmp_path, GOOD)
    inner = tmp_path / "inner"
    (inner / "dure.toml").mkdir(parents=True)
    monkeypatch.chdir(inner)
    assert design_config(environ={}).autofix == "minor"
    (inner / "dure.toml").rmdir()
    (inner / "dure.toml").symlink_to("nowhere.toml")
    with pytest.raises(ConfigError, match=r"there is no file .*inner/dure.toml"):
        design_config(environ={})


def test_a_folder_that_is_gone_has_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    try:
        assert read_config().path is None
    finally:
        os.chdir(tmp_path)
