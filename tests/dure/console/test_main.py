"""`dure` itself: help without imports, the nearest name, one line for an error, the right exit code."""

import io
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
import typer

from dure.console.main import main
from dure.errors import Cancelled, ConfigError, DureError, ModelUnavailable


@dataclass(frozen=True, slots=True, kw_only=True)
class Installed:
    """An entry point as a package would bring it."""

    name: str = "grow"
    value: str = "dure.console.render:app"
    found: object = None
    error: Exception | None = None

    def load(self) -> object:
        """What importing the module gives."""
        if self.error is not None:
            raise self.error
        return self.found


def command(act: Callable[[], None]) -> dict[str, Installed]:
    """A Typer app of one command that does this."""
    app = typer.Typer()
    app.command()(act)
    return {"grow": Installed(found=app)}


def raising(error: BaseException) -> dict[str, Installed]:
    """A command that ends with this error."""

    def act() -> None:
        raise error

    return command(act)


def test_help_lists_commands_with_the_first_sentence_of_their_module(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"], {"grow": Installed(error=AssertionError("the help imported the command"))}) == 0
    assert "  grow  Text for terminals: made harmless, measured in cells" in capsys.readouterr().out


@pytest.mark.parametrize("value", ["no_such_package.cli:app", "no_such_package:app", "dure.console.nowhere:app", ""])
def test_help_shows_a_broken_command_as_unavailable_and_the_others_as_usual(
    value: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--help"], {"broken": Installed(name="broken", value=value), "grow": Installed()}) == 0
    shown = capsys.readouterr().out
    assert "  broken  (unavailable: " in shown
    assert "  grow    Text for terminals" in shown


def test_help_survives_a_module_that_is_no_python(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "half_written.py").write_text("def (")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    assert main(["--help"], {"grow": Installed(value="half_written:app")}) == 0
    assert "grow  (unavailable: SyntaxError" in capsys.readouterr().out


def test_no_command_at_all_shows_the_help_and_counts_as_wrong_use(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([], {}) == 2
    assert capsys.readouterr().out.startswith("Usage: dure COMMAND")


def test_version_is_the_installed_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"], {}) == 0
    assert capsys.readouterr().out.startswith("dure 0.")


def test_an_unknown_command_names_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["grwo"], {"grow": Installed()}) == 2
    said = capsys.readouterr().err
    assert said == "dure: no command 'grwo'; did you mean 'grow'? (dure --help lists them)\n"


def test_an_unknown_command_near_to_nothing_lists_what_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["주문"], {"grow": Installed()}) == 2
    assert "there are: grow" in capsys.readouterr().err


def test_an_option_before_the_command_is_wrong_use(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--quick"], {}) == 2
    assert "'--quick'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (ConfigError("the folder is a file"), 2),
        (ModelUnavailable("no model here"), 4),
        (DureError("it did not work"), 1),
        (Cancelled("stopped"), 130),
    ],
)
def test_an_error_of_ours_is_one_line_and_its_own_exit_code(
    error: Exception, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["grow"], raising(error)) == code
    assert capsys.readouterr() == ("", f"dure: {error}\n")


def test_an_error_of_several_lines_is_still_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["grow"], raising(DureError("first\n  second"))) == 1
    assert capsys.readouterr().err == "dure: first second\n"


def test_an_unforeseen_error_is_one_line_that_says_how_to_see_more(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["grow"], raising(KeyError("stage"))) == 1
    assert capsys.readouterr().err == "dure: unexpected KeyError: 'stage'; DURE_DEBUG=1 shows where\n"


def test_debug_adds_the_traceback(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DURE_DEBUG", "1")
    assert main(["grow"], raising(ConfigError("wrong"))) == 2
    said = capsys.readouterr().err
    assert "Traceback" in said
    assert said.endswith("dure: wrong\n")


def test_ctrl_c_gives_130(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["grow"], raising(KeyboardInterrupt())) == 130
    assert "Traceback" not in capsys.readouterr().err


def test_a_command_chooses_its_exit_code() -> None:
    assert main(["grow"], raising(typer.Exit(3))) == 3
    assert main(["grow"], command(lambda: None)) == 0


def test_wrong_options_of_a_command_are_one_line_and_wrong_use(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["grow", "--fast"], command(lambda: None)) == 2
    assert capsys.readouterr().err == "dure: No such option: --fast (dure grow --help shows how to call it)\n"


def test_a_group_without_its_subcommand_shows_its_help(capsys: pytest.CaptureFixture[str]) -> None:
    app = typer.Typer(no_args_is_help=True, rich_markup_mode=None)
    app.command("one")(lambda: None)
    app.command("two")(lambda: None)
    assert main(["grow"], {"grow": Installed(found=app)}) == 2
    shown = "".join(capsys.readouterr())
    assert "one" in shown
    assert "two" in shown


def test_a_command_that_does_not_import_is_named_with_its_reason(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["grow"], {"grow": Installed(error=ModuleNotFoundError("No module named 'temporalio'"))}) == 1
    said = capsys.readouterr().err
    assert said.startswith("dure: command 'grow' is unavailable: ModuleNotFoundError: No module named 'temporalio'")
    assert said.count("\n") == 1


def test_an_entry_point_that_is_no_command_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["grow"], {"grow": Installed(found=7)}) == 1
    assert "is neither a Typer app nor a command" in capsys.readouterr().err


def test_a_message_that_the_terminal_cannot_encode_is_still_said(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with (tmp_path / "err").open("w", encoding="ascii") as ascii_only:
        monkeypatch.setattr(sys, "stderr", ascii_only)
        assert main(["grow"], raising(ConfigError("문장이 비었습니다"))) == 2
    assert (tmp_path / "err").read_text(encoding="ascii").startswith("dure: \\ubb38")


def printing() -> None:
    """What a Korean design prints."""
    sys.stdout.write("설계 완료 → 🐝\n")


def test_a_terminal_that_knows_no_hangul_gets_escapes_instead_of_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    held = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(held, encoding="ascii", errors="strict"))
    assert main(["grow"], command(printing)) == 0
    sys.stdout.flush()
    assert held.getvalue() == b"\\uc124\\uacc4 \\uc644\\ub8cc \\u2192 \\U0001f41d\n"


def test_a_closed_standard_output_does_not_stop_a_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    assert main(["grow"], command(printing)) == 0
    sys.stdout.close()
