"""`dure design` before the pipeline begins: its help, and options that are refused."""

import pytest

from dure.console.main import main


def test_help_names_every_option_and_exit_code(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["design", "--help"]) == 0
    shown = capsys.readouterr().out
    for word in ("SENTENCE", "--out", "--resume", "--model", "--lang", "--json", "--plain", "--timeout", "--deadline"):
        assert word in shown
    assert "130 interrupted" in shown


def test_an_unknown_language_is_wrong_use(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["design", "a shop", "--lang", "fr"]) == 2
    assert capsys.readouterr() == ("", "dure: --lang is 'fr'; give ko or en\n")


def test_an_unknown_language_of_the_environment_is_named_as_such(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DURE_LANG", "korean")
    assert main(["design", "a shop"]) == 2
    assert capsys.readouterr().err == "dure: DURE_LANG is 'korean'; give ko or en\n"


@pytest.mark.parametrize("minutes", ["0", "-1", "nan", "inf"])
def test_a_time_limit_must_be_above_zero(minutes: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["design", "a shop", "--timeout", minutes]) == 2
    assert "--timeout" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [["a", "b"], ["--fast"], ["--timeout", "soon"]])
def test_what_the_command_line_does_not_know_is_wrong_use(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["design", *arguments]) == 2
    assert capsys.readouterr().out == ""
