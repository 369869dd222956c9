"""`dure prompts`: what is printed and written, and the exit codes."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
import pytest
from redis import Redis

from dure.console.main import main
from dure.prompts import PackagedPrompts, PromptKey
from dure_spec.agents.prompt_files import load_prompts

TEXT = PackagedPrompts("dure_spec").texts()[PromptKey("ko", "ba")].decode()
VERSION = load_prompts("ko")["ba"].version

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """A command line in a folder of its own: exit code, what is printed, what is complained of."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")

    def call(*words: str) -> tuple[int, str, str]:
        code = main(["prompts", *words])
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return call


def edit(old: str, new: str) -> None:
    """Change the Korean analyst's prompt in the folder `own`."""
    path = Path("own/ko/ba.md")
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def listed(run: Run, *words: str) -> list[dict[str, Any]]:
    code, out, _ = run("list", "--json", *words)
    assert code == 0
    return json.loads(out)["prompts"]


def test_the_packaged_prompts_are_listed(run: Run) -> None:
    code, out, _ = run("list")
    assert (code, len(out.splitlines())) == (0, 13)
    assert out.splitlines()[1].split() == ["ba", "ko", VERSION, "packaged"]
    rows = listed(run, "--lang", "en")
    assert [row["stage"] for row in rows] == ["ba", "planner", "dba", "backend", "frontend", "supervisor"]
    assert {(row["lang"], row["source"], row["changed"]) for row in rows} == {("en", "packaged", False)}


def test_what_is_exported_edited_and_refreshed_is_listed_as_changed(run: Run) -> None:
    assert run("export", "own")[0] == 0
    edit("당신은", "그대는")
    code, out, _ = run("refresh", "--source", "own")
    assert code == 0
    new = out.strip().rpartition(" ")[2]
    assert out == f"ko/ba: {VERSION} → {new}\n"
    assert run("refresh", "--source", "own") == (0, f"nothing changed in {Path.cwd()}/own\n", "")
    changed = [row for row in listed(run, "--source", "own") if row["changed"]]
    assert [(row["lang"], row["stage"], row["version"], row["source"]) for row in changed] == [
        ("ko", "ba", new, f"{Path.cwd()}/own")
    ]
    assert "changed" in run("list", "--source", "own")[1].splitlines()[1]


def test_the_source_is_that_of_the_option_then_the_environment_then_the_file(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("export", "own")
    shutil.copytree("own", "other")
    Path("dure.toml").write_text('[design]\nprompts = "own"\n', encoding="utf-8")
    assert {row["source"] for row in listed(run)} == {f"{Path.cwd()}/own"}
    monkeypatch.setenv("DURE_PROMPTS", "other")
    assert {row["source"] for row in listed(run)} == {f"{Path.cwd()}/other"}
    assert {row["source"] for row in listed(run, "--source", "packaged")} == {"packaged"}


def test_a_refresh_of_faulty_prompts_tells_every_fault_and_fails(run: Run) -> None:
    run("export", "own")
    edit("시스템: $system\n$items", "시스템: $systems\n$items")
    code, out, _ = run("refresh", "--source", "own")
    assert (code, out.splitlines()) == (
        1,
        [
            "ko/ba [sentences] $system: the placeholder is missing; write $system where its value belongs",
            "ko/ba [sentences] $systems: no value is ever given for this placeholder; "
            "remove it, or write $$ for a dollar sign (there are: $items, $system)",
            f"2 faults in {Path.cwd()}/own: the prompts in use stay",
        ],
    )
    code, out, _ = run("refresh", "--source", "own", "--json")
    answer = json.loads(out)
    assert (code, answer["status"], len(answer["faults"])) == (1, "faulty", 2)
    code, _, err = run("list", "--source", "own")
    assert (code, err.count("\n")) == (2, 1)
    assert "(nothing is kept of an earlier time; without a source" in err


def test_a_folder_that_disappeared_fails_the_refresh_and_the_list_shows_what_was_kept(
    run: Run, caplog: pytest.LogCaptureFixture
) -> None:
    run("export", "own")
    run("refresh", "--source", "own")
    shutil.rmtree("own")
    code, out, _ = run("refresh", "--source", "own")
    assert (code, out.count("\n")) == (1, 1)
    assert "is not there" in out
    assert all(row["source"].startswith(f"{Path.cwd()}/own, kept ") for row in listed(run, "--source", "own"))
    assert "going on with the prompts kept of an earlier time" in caplog.text


def test_a_prompt_is_shown_as_it_stands(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run("show", "ko/ba") == (0, TEXT, "")
    assert run("show", "ba", "--lang", "ko") == (0, TEXT, "")
    monkeypatch.setenv("DURE_LANG", "ko")
    assert run("show", "ba", "--version", VERSION) == (0, TEXT, "")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("show", "nobody"), "no prompt 'nobody'; there are: ba, planner, dba, backend, frontend, supervisor"),
        (("show", "fr/ba"), "no prompt 'fr/ba'"),
        (("show", "../ba"), "no prompt '../ba'"),
        (("show", "ko/ba", "--lang", "en"), "'ko/ba' and --lang en are two languages; give one"),
        (("show", "ba", "--lang", "fr"), "--lang is 'fr'; give ko or en"),
        (("list", "--lang", "fr"), "--lang is 'fr'; give ko or en"),
        (("show", "ko/ba", "--version", "latest"), "'latest' is no version; give the 12 digits"),
        (("show", "ko/ba", "--version", "0" * 12), "packaged keeps no version 000000000000 of ko/ba"),
        (("diff", "--from", "0" * 12), "a version belongs to one prompt"),
        (("list", "--source", "ftp://x"), "prompts cannot come from 'ftp'://"),
        (("list", "--source", "redis://a:se/same@h"), "the redis:// URL of the prompts cannot be read"),
        (("export", "packaged"), "packaged prompts cannot be changed; give a folder"),
        (("refresh", "--url", "http://h", "--source", "own"), "--url asks a service, which has a source of its own"),
        (("refresh", "--url", "ftp://h"), "--url must be the address of a service"),
        (("refresh", "--url", "http://me:sesame@h"), "--url must be the address of a service"),
        (("refresh", "--url", "http://127.0.0.1:1"), "set DURE_ADMIN_TOKEN to the token of the service"),
        (("frobnicate",), "No such command 'frobnicate'"),
    ],
)
def test_wrong_use_is_one_line_that_says_what_to_do(words: tuple[str, ...], said: str, run: Run) -> None:
    code, out, err = run(*words)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(f"dure: {said}")
    assert "same@" not in err


def test_a_diff_shows_what_the_prompts_in_use_change(run: Run) -> None:
    run("export", "own")
    assert run("diff", "--source", "own") == (0, "no difference\n", "")
    edit("당신은 업무", "그대는 업무")
    code, out, _ = run("diff", "--source", "own")
    lines = out.splitlines()
    assert (code, lines[:3]) == (0, ["--- ko/ba (packaged)", f"+++ ko/ba ({Path.cwd()}/own)", "@@ -1,5 +1,5 @@"])
    assert [line[:4] for line in lines if line[0] in "+-"][2:] == ["-당신은", "+그대는"]
    assert "\x1b" not in out
    assert run("diff", "en/ba", "--source", "own") == (0, "no difference\n", "")


def test_a_diff_is_coloured_where_it_is_wanted(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    run("export", "own")
    edit("당신은 업무", "그대는 업무")
    monkeypatch.setenv("FORCE_COLOR", "1")
    out = run("diff", "ko/ba", "--source", "own")[1]
    assert "\x1b[31m-당신은" in out
    assert "\x1b[32m+그대는" in out


def test_an_export_does_not_write_over_edited_files(run: Run) -> None:
    code, out, _ = run("export", "own")
    assert (code, out.splitlines()[-1]) == (0, f"{Path.cwd()}/own: 12 written, 0 as they were")
    assert Path("own/ko/ba.md").read_text(encoding="utf-8") == TEXT
    edit("당신은", "그대는")
    Path("own/en/ba.md").unlink()
    code, out, err = run("export", "own")
    assert (code, out) == (2, "")
    assert err == f"dure: {Path.cwd()}/own holds other versions of ko/ba; --force puts these in their place\n"
    assert not Path("own/en/ba.md").exists()  # nothing was written
    assert run("export", "own", "--force")[0] == 0
    assert Path("own/ko/ba.md").read_text(encoding="utf-8") == TEXT


def test_an_export_to_the_source_itself_adds_what_is_missing(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DURE_PROMPTS", "own")
    assert run("export", "own")[1].splitlines()[-1].endswith("12 written, 0 as they were")
    edit("당신은", "그대는")
    Path("own/en/ba.md").unlink()
    assert run("export", "own")[1].splitlines()[-1].endswith("1 written, 11 as they were")
    assert "그대는" in Path("own/ko/ba.md").read_text(encoding="utf-8")


def test_faulty_prompts_are_not_exported(run: Run) -> None:
    run("export", "own")
    edit("시스템: $system\n$items", "시스템")
    code, out, err = run("export", "other", "--source", "own")
    assert (code, out, Path("other").exists()) == (2, "", False)
    assert err.startswith(f"dure: nothing was exported: {Path.cwd()}/own has faulty prompts: ko/ba [sentences] $items")


@pytest.mark.parametrize("server", ["redis_url", "postgres_url"])
def test_a_server_keeps_every_version_that_was_exported(server: str, run: Run, request: pytest.FixtureRequest) -> None:
    url: str = request.getfixturevalue(server)
    _emptied(url)
    run("export", "own")
    assert run("export", url)[0] == 0
    edit("당신은", "그대는")
    code, out, _ = run("export", url, "--source", "own")
    assert (code, len(out.splitlines())) == (0, 2)
    new = out.splitlines()[0].rpartition(" ")[2]
    history = json.loads(run("history", "ko/ba", "--source", url, "--json")[1])
    assert [(row["version"], row["current"], row["packaged"]) for row in history["versions"]] == [
        (new, True, False),
        (VERSION, False, True),
    ]
    assert "current" in run("history", "ko/ba", "--source", url)[1]
    assert run("show", "ko/ba", "--source", url)[1].startswith("=== system\n그대는")
    assert run("show", "ko/ba", "--source", url, "--version", VERSION)[1] == TEXT
    back = run("diff", "ko/ba", "--source", url, "--from", new, "--to", VERSION)[1]
    assert [line[:4] for line in back.splitlines() if line[0] in "+-"][2:] == ["-그대는", "+당신은"]
    code, _, err = run("export", url)  # the packaged ones again: that would go back
    assert (code, "holds other versions of ko/ba; --force" in err) == (2, True)
    assert run("export", url, "--force")[0] == 0
    assert not any(row["changed"] for row in listed(run, "--source", url))
    assert "4711" not in json.dumps(listed(run, "--source", url))


def _emptied(url: str) -> None:
    if url.startswith("redis"):
        with Redis.from_url(url) as client:  # pyright: ignore[reportUnknownMemberType] - its keywords are untyped
            client.execute_command("FLUSHDB")  # pyright: ignore[reportUnknownMemberType] - as above
        return
    with psycopg.connect(url) as connection:
        connection.execute("DROP TABLE IF EXISTS dure_prompts")


def test_the_history_of_a_prompt_without_a_source_is_the_packaged_version(run: Run) -> None:
    answer = json.loads(run("history", "ko/ba", "--json")[1])
    assert answer == {
        "prompt": "ko/ba",
        "source": "packaged",
        "versions": [{"version": VERSION, "added_at": None, "current": True, "packaged": True}],
    }
