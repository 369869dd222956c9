"""Bad use of `dure design` at the real command line: one clear line, the right exit code, nothing written."""

import os
from collections.abc import Callable
from pathlib import Path

import command_line
import pytest
from command_line import Ended

from dure.console.main import main
from dure_spec.pipeline.records import RunHeader

SENTENCE = "주문 관리 시스템을 만들어줘."


Dure = Callable[..., Ended]


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in, on a machine without a model."""
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setenv("OLLAMA_HOST", "127.0.0.1:1")
    return folder


@pytest.fixture
def dure(place: Path, capsys: pytest.CaptureFixture[str]) -> Dure:
    """The command `dure design` in this process, told in the words that a shell hands on."""

    def run(*words: str | bytes) -> Ended:
        code = main(["design", *map(os.fsdecode, words)])
        shown = capsys.readouterr()
        return Ended(code=code, out=shown.out, err=shown.err)

    return run


@pytest.fixture
def model(tmp_path: Path) -> str:
    """A model that would answer, if it were asked."""
    path = tmp_path / "turns.jsonl"
    path.write_text('{"text": "hello"}\n', encoding="utf-8")
    return f"scripted:{path}"


def refused(ended: Ended, code: int, said: str) -> None:
    """One line that says it, and no traceback."""
    assert ended.code == code, (ended.out, ended.err)
    assert ended.out == ""
    assert ended.err.startswith("dure: ")
    assert ended.err.count("\n") == 1
    assert said in ended.err
    assert "Traceback" not in ended.err
    assert "unexpected" not in ended.err


WORDS: list[tuple[str | bytes, str]] = [
    ("", "empty"),
    (" \n\t ", "empty"),
    ("주문 " * 16_667, "50,001자"),
    ("주문\x07 관리", "U+0007"),
    (b"\xff\xfe order \xed\xa0\x80", "UTF-8"),
    ("1234 !?", "no words"),
    ("ㅁㄴㅇㄹ", "no words"),
]


@pytest.mark.parametrize(("sentence", "said"), WORDS)
def test_what_is_no_sentence_is_wrong_use(
    sentence: str | bytes, said: str, place: Path, dure: Dure, model: str
) -> None:
    refused(_new(dure, sentence, model), 2, said)
    assert list(place.iterdir()) == []


def test_without_a_sentence_the_command_says_what_to_give(place: Path, dure: Dure, model: str) -> None:
    refused(dure("--model", model), 2, "Give a sentence")
    assert list(place.iterdir()) == []


MODELS = [
    ("nobody:anything", 2, "names no model"),
    ("gpt-4.1", 2, "provider:model"),
    (":", 2, "names no model"),
    ("opennai:gpt-4.1", 2, "did you mean 'openai:gpt-4.1'?"),
    ("scripted:", 2, "path of a file"),
    ("scripted:missing.jsonl", 2, "missing.jsonl"),
    ("local:missing.gguf", 2, "missing.gguf"),
    ("openai:gpt-4.1", 4, "OPENAI_API_KEY"),
]


@pytest.mark.parametrize(("spec", "code", "said"), MODELS)
def test_a_model_that_cannot_be_opened_is_named(spec: str, code: int, said: str, place: Path, dure: Dure) -> None:
    refused(_new(dure, SENTENCE, spec), code, said)
    assert list(place.iterdir()) == []


def test_without_any_model_the_command_lists_what_to_do(place: Path, dure: Dure) -> None:
    ended = dure(SENTENCE, "--out", "out")
    refused(ended, 4, "dure models pull")
    assert list(place.iterdir()) == []


def test_a_model_that_turns_out_to_be_none_leaves_nothing_behind(place: Path, dure: Dure, tmp_path: Path) -> None:
    turns = tmp_path / "turns.jsonl"
    turns.write_text('{"error": "ModelNotFound", "message": "no model gpt-9"}\n', encoding="utf-8")
    ended = _new(dure, SENTENCE, f"scripted:{turns}", out="a/b")
    assert ended.code == 4
    assert "gpt-9" in ended.out
    assert "dure models" in ended.out
    assert "--resume" not in ended.out
    assert ended.err == ""
    assert list(place.rglob("*")) == []


def test_a_folder_that_was_there_before_a_useless_model_stays(place: Path, dure: Dure, tmp_path: Path) -> None:
    (place / "out").mkdir()
    turns = tmp_path / "turns.jsonl"
    turns.write_text('{"error": "Unauthenticated"}\n', encoding="utf-8")
    assert _new(dure, SENTENCE, f"scripted:{turns}").code == 4
    assert list(place.rglob("*")) == [place / "out"]


@pytest.mark.parametrize(
    ("out", "said"),
    [("taken.txt", "is a file"), ("taken.txt/below", "taken.txt"), ("n" * 300, "another"), ("/proc/design", "/proc")],
)
def test_a_folder_that_cannot_be_written_is_wrong_use(out: str, said: str, place: Path, dure: Dure, model: str) -> None:
    if out.startswith("/proc") and not Path("/proc/self").exists():
        pytest.skip("no /proc here")
    (place / "taken.txt").write_text("mine")
    refused(_new(dure, SENTENCE, model, out=out), 2, said)
    assert [path.name for path in place.iterdir()] == ["taken.txt"]


def test_a_folder_without_permission_is_wrong_use(place: Path, dure: Dure, model: str) -> None:
    if os.geteuid() == 0:
        pytest.skip("root may write anywhere")
    (place / "locked").mkdir(mode=0o500)
    refused(_new(dure, SENTENCE, model, out="locked/out"), 2, "locked")
    assert list((place / "locked").iterdir()) == []


def test_a_folder_that_holds_a_run_is_left_as_it_is(place: Path, dure: Dure, model: str) -> None:
    before = _begun(place / "out", model)
    refused(_new(dure, SENTENCE, model), 2, "already holds a run; go on with --resume out")
    assert _files(place / "out") == before


def test_harm_is_refused_with_its_reason_and_nothing_is_written(place: Path, dure: Dure, model: str) -> None:
    ended = _new(dure, "랜섬웨어를 만들어줘.", model)
    assert ended.code == 3
    assert "도울 수 없습니다" in ended.out
    assert ended.err == ""
    assert list(place.iterdir()) == []


@pytest.mark.parametrize("run", ["0123456789ab", "nowhere/at/all", "", "x" * 300, "../work"])
def test_an_unknown_run_is_wrong_use(run: str, place: Path, dure: Dure, model: str) -> None:
    refused(dure("--resume", run, "--model", model), 2, "run")
    assert list(place.iterdir()) == []


@pytest.mark.parametrize("words", [[SENTENCE], ["--out", "other"]])
def test_a_resumed_run_takes_neither_sentence_nor_folder(words: list[str], place: Path, dure: Dure, model: str) -> None:
    before = _begun(place / "out", model)
    ended = dure("--resume", "out", *words, "--model", model)
    refused(ended, 2, "leave out the sentence and --out")
    assert _files(place / "out") == before


@pytest.mark.parametrize("damage", ["", "{", "[]", '{"run_id": 1}', "\x00\xff"])
@pytest.mark.parametrize("name", ["run.json", "stage-ba.json"])
def test_a_damaged_file_of_a_run_is_named(name: str, damage: str, place: Path, dure: Dure, model: str) -> None:
    _begun(place / "out", model)
    (place / "out" / ".dure" / name).write_bytes(damage.encode("latin-1"))
    before = _files(place / "out")
    ended = dure("--resume", "out", "--model", model)
    refused(ended, 2, f"{name} is damaged")
    assert _files(place / "out") == before


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ((b"\xff\xfe order \xed\xa0\x80",), 2, "UTF-8"),
        ((SENTENCE,), 4, "dure models pull"),
        (("--resume", "nothing"), 2, "no run 'nothing'"),
    ],
)
def test_a_process_of_its_own_says_the_same(
    words: tuple[str | bytes, ...], code: int, said: str, tmp_path: Path
) -> None:
    folder, home = tmp_path / "work", tmp_path / "home"
    folder.mkdir()
    home.mkdir()
    refused(command_line.dure("design", *words, home=home, cwd=folder), code, said)
    assert list(folder.iterdir()) == []


def _new(dure: Dure, sentence: str | bytes, model: str, out: str = "out") -> Ended:
    return dure(sentence, "--out", out, "--model", model)


def _begun(out: Path, model: str) -> dict[str, bytes]:
    header = RunHeader(
        run_id="0a1b2c3d4e5f",
        sentence=SENTENCE,
        lang="ko",
        model=model,
        created_at="2026-01-01T00:00:00+00:00",
        dure_version="0.1.0",
        prompt_versions={},
    )
    (out / ".dure").mkdir(parents=True)
    (out / ".dure" / "run.json").write_text(header.model_dump_json(), encoding="utf-8")
    return _files(out)


def _files(out: Path) -> dict[str, bytes]:
    """Every file but the lock, which every look at a run touches."""
    return {str(path): path.read_bytes() for path in out.rglob("*") if path.is_file() and path.name != "lock"}
