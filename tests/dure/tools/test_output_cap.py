"""Results too long for a message: cut where a character ends, kept once, readable in pages."""

import asyncio
import json
import os
import stat
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest

from dure.errors import ConfigError
from dure.messages import ToolCall, ToolResult
from dure.run import RunContext
from dure.tools.executor import execute
from dure.tools.function import tool
from dure.tools.output_cap import OutputCap
from dure.tools.output_files import OutputFiles
from dure.tools.output_reader import output_reader
from dure.tools.text_cuts import cut_after, cut_before
from dure.tools.toolbox import Toolbox

TEXTS: dict[str, str] = {}


@tool
async def fetch(which: str) -> str:
    """Fetch."""
    if which.startswith("fail"):
        raise ValueError(TEXTS[which])
    return TEXTS[which]


async def fetched(text: str, run: RunContext, cap: OutputCap, which: str = "it") -> ToolResult:
    TEXTS[which] = text
    call = ToolCall(id="c1", name="fetch", arguments=json.dumps({"which": which}))
    async with asyncio.timeout(10):
        (result,) = await execute([call], Toolbox((fetch,)), run, cap=cap)
    return result


async def read(run: RunContext, cap: OutputCap, **arguments: object) -> ToolResult:
    reader = output_reader(run, cap)
    assert reader is not None
    call = ToolCall(id="c2", name="read_tool_output", arguments=json.dumps(arguments))
    async with asyncio.timeout(10):
        (result,) = await execute([call], Toolbox((reader,)), run, cap=cap)
    return result


def cap_in(folder: Path, characters: int = 30_000, max_bytes: int = 10**9) -> OutputCap:
    return OutputCap(characters=characters, files=OutputFiles(folder=folder, max_bytes=max_bytes))


def files_in(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def id_in(text: str) -> str:
    return text.partition("output_id='")[2].partition("'")[0]


async def whole(run: RunContext, cap: OutputCap, output_id: str) -> str:
    """The output as a model reads it, page after page."""
    text, offset = "", 0
    while True:
        page = (await read(run, cap, output_id=output_id, offset=offset)).text
        header, _, body = page.partition("\n")
        assert len(page) <= cap.characters
        text += body
        if header.endswith("; this is the end]"):
            return text
        offset = int(header.partition("offset=")[2].removesuffix("]"))


@pytest.mark.parametrize("length", [1, 29_999, 30_000])
async def test_a_result_up_to_the_cap_is_whole_and_nothing_is_kept(length: int, tmp_path: Path) -> None:
    run = RunContext()
    assert (await fetched("x" * length, run, cap_in(tmp_path))).text == "x" * length
    assert files_in(tmp_path) == []
    assert output_reader(run, cap_in(tmp_path)) is None


async def test_a_longer_one_is_its_head_its_tail_and_how_to_read_on(tmp_path: Path) -> None:
    run, cap = RunContext(), cap_in(tmp_path)
    text = "".join(f"{number:07} " for number in range(5_000))
    result = await fetched(text, run, cap)
    head, marker, tail = result.text.split("\n\n")
    assert len(result.text) <= 30_000
    assert text.startswith(head)
    assert text.endswith(tail)
    assert len(head) == 2 * len(tail) == 19_800
    assert marker.startswith(f"[… {40_000 - len(head) - len(tail):,} of 40,000 characters left out; read on with ")
    assert marker.endswith(f"offset={len(head)}) …]")
    page = (await read(run, cap, output_id=id_in(marker), offset=len(head), limit=16)).text
    assert page == f"[characters 19800 to 19816 of 40000; read on with offset=19816]\n{text[19800:19816]}"
    assert await whole(run, cap, id_in(marker)) == text


@pytest.mark.parametrize("text", ["x" * 5_000_000, "재고 12개\n" * 100_000], ids=["5 MB in one line", "100,000 rows"])
async def test_huge_results_come_back_whole_from_their_pages(text: str, tmp_path: Path) -> None:
    run, cap = RunContext(), cap_in(tmp_path, characters=100_000)
    result = await fetched(text, run, cap)
    assert len(result.text) <= 100_000
    (file,) = files_in(tmp_path)
    assert file.read_text(encoding="utf-8") == text
    page = await read(run, cap, output_id=id_in(result.text), offset=len(text) - 7, limit=90_000)
    assert page.text.endswith(f"; this is the end]\n{text[-7:]}")


@pytest.mark.parametrize(
    "character",
    ["é", unicodedata.normalize("NFD", "각"), "👩‍👩‍👧‍👦", "👍🏽", "🇰🇷", "각"],
    ids=["combining", "Hangul letters", "family", "skin tone", "flag", "syllable"],
)
async def test_nothing_a_person_sees_as_one_character_is_cut(character: str, tmp_path: Path) -> None:
    run, cap = RunContext(), cap_in(tmp_path, characters=1_000)
    for shift in range(len(character) + 1):
        text = "." * shift + character * 1_500 + "."
        result = await fetched(text, run, cap)
        head, _, tail = result.text.split("\n\n")
        assert head.strip(".").replace(character, "") == tail.strip(".").replace(character, "") == ""
        assert await whole(run, cap, id_in(result.text)) == text


def test_a_cut_never_goes_far() -> None:
    marks = "e" + "\u0301" * 500 + "x"
    assert (cut_before(marks, 300), cut_after(marks, 300)) == (300, 300)
    assert (cut_before(marks, 20), cut_after(marks, 480)) == (0, 501)
    assert (cut_before("ab", 0), cut_after("ab", 0), cut_before("ab", 9), cut_after("ab", 2)) == (0, 0, 2, 2)
    assert (cut_before("a\r\nb", 2), cut_after("a\r\nb", 2)) == (1, 3)
    assert cut_after("e\u0301\u0301", 1) == 3


async def test_a_character_longer_than_a_page_is_read_all_the_same(tmp_path: Path) -> None:
    run, cap = RunContext(), cap_in(tmp_path, characters=1_000)
    text = "x" * 2_000 + "e" + "\u0301" * 30
    result = await fetched(text, run, cap)
    page = await read(run, cap, output_id=id_in(result.text), offset=2_000, limit=5)
    assert page.text.startswith("[characters 2000 to 2005 of 2031")


async def test_halves_of_surrogate_pairs_are_joined_or_replaced(tmp_path: Path) -> None:
    run, cap = RunContext(), cap_in(tmp_path, characters=1_000)
    assert (await fetched("\ud83d\ude00 \ud83d!", run, cap)).text == "😀 \ufffd!"
    result = await fetched("\ud83d\ude00\ud83d" * 1_000, run, cap)
    result.text.encode()
    assert await whole(run, cap, id_in(result.text)) == "😀\ufffd" * 1_000


async def test_line_ends_come_back_as_they_were(tmp_path: Path) -> None:
    run, cap = RunContext(), cap_in(tmp_path, characters=1_000)
    text = "a\r\nb\rc\n" * 300
    assert await whole(run, cap, id_in((await fetched(text, run, cap)).text)) == text


async def test_errors_are_capped_too(tmp_path: Path) -> None:
    result = await fetched("y" * 50_000, RunContext(), cap_in(tmp_path), which="fail")
    assert result.is_error
    assert len(result.text) <= 30_000
    assert result.text.startswith("fetch failed: yyy")
    assert "read_tool_output" in result.text


async def test_the_same_output_is_kept_once_and_a_page_never(tmp_path: Path) -> None:
    run, cap = RunContext(), cap_in(tmp_path, characters=1_000)
    first, second = [await fetched("z" * 5_000, run, cap) for _ in range(2)]
    assert first == second
    await read(run, cap, output_id=id_in(first.text), limit=800)
    assert len(files_in(tmp_path)) == 1


async def test_only_outputs_of_this_run_or_conversation_are_read(tmp_path: Path) -> None:
    cap = cap_in(tmp_path, characters=1_000)
    mine, other = RunContext(), RunContext()
    output_id = id_in((await fetched("a" * 5_000, mine, cap)).text)
    assert output_reader(other, cap) is None
    other_id = id_in((await fetched("b" * 5_000, other, cap)).text)
    result = await read(other, cap, output_id=output_id)
    assert (result.text, result.is_error) == (f"there is no output {output_id!r} here; there are: {other_id}", True)
    first, second, third = (RunContext(conversation_id=name) for name in ("c", "c", "d"))
    output_id = id_in((await fetched("c" * 5_000, first, cap)).text)
    assert (await read(second, cap, output_id=output_id)).text.endswith("c")
    assert output_reader(third, cap) is None


@pytest.mark.parametrize("output_id", ["../../etc/passwd", "/etc/passwd", "", "x", "a" * 20 + "/..", "..", "A" * 20])
async def test_an_id_is_never_a_path(output_id: str, tmp_path: Path) -> None:
    run, cap = RunContext(), cap_in(tmp_path, characters=1_000)
    await fetched("a" * 5_000, run, cap)
    result = await read(run, cap, output_id=output_id)
    assert result.is_error
    assert result.text.startswith("there is no output")


@pytest.mark.parametrize("wrong", [{"offset": -1}, {"limit": 0}, {"limit": 801}, {"offset": "x"}, {"path": "x"}])
async def test_a_page_that_cannot_be_is_refused(wrong: dict[str, object], tmp_path: Path) -> None:
    run, cap = RunContext(), cap_in(tmp_path, characters=1_000)
    output_id = id_in((await fetched("a" * 5_000, run, cap)).text)
    assert (await read(run, cap, **{"output_id": output_id, **wrong})).text.startswith("read_tool_output did not run")
    assert (await read(run, cap, output_id=output_id, offset=9_000)).text == (
        "[characters 5000 to 5000 of 5000; this is the end]\n"
    )


async def test_the_oldest_outputs_go_when_there_is_no_room(tmp_path: Path) -> None:
    own = tmp_path / "notes" / "of the application.txt"
    own.parent.mkdir()
    own.write_text("mine" * 10_000)
    (tmp_path / "mine.txt").write_text("mine" * 10_000)
    run, cap = RunContext(), cap_in(tmp_path, characters=1_000, max_bytes=12_000)
    beside = files_in(tmp_path)
    ids: list[str] = []
    for age, letter in enumerate("abc"):
        ids.append(id_in((await fetched(letter * 5_000, run, cap)).text))
        (path,) = (path for path in files_in(tmp_path) if path.stem == ids[-1])
        os.utime(path, (age, age))
        if letter == "a":
            path.with_name("notes.txt").write_text("mine" * 10_000)
            beside.append(path.with_name("notes.txt"))
    results = [await read(run, cap, output_id=one) for one in ids]
    assert [one.is_error for one in results] == [True, False, False]
    assert set(beside) < set(files_in(tmp_path))


async def test_an_output_that_cannot_be_kept_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    run, cap = RunContext(), cap_in(tmp_path / "file", characters=1_000)
    result = await fetched("a" * 5_000, run, cap)
    assert "characters left out; and could not be kept (NotADirectoryError) …]" in result.text
    assert output_reader(run, cap) is None


async def test_outputs_are_for_their_owner_only(tmp_path: Path) -> None:
    await fetched("a" * 5_000, RunContext(), cap_in(tmp_path, characters=1_000))
    (file,) = files_in(tmp_path)
    assert (stat.S_IMODE(file.stat().st_mode), stat.S_IMODE(file.parent.stat().st_mode)) == (0o600, 0o700)


def test_without_a_folder_outputs_are_removed_when_the_process_ends(tmp_path: Path) -> None:
    code = """
import asyncio, os, sys, tempfile, pathlib
from dure.run import RunContext
from dure.tools.output_cap import OutputCap
from dure.tools.output_reader import output_reader
cap, run = OutputCap(characters=1000), RunContext(conversation_id="c")
here = pathlib.Path(tempfile.gettempdir())
assert output_reader(RunContext(conversation_id="c"), cap) is None and not list(here.iterdir())
asyncio.run(cap.shortened("a" * 5000, run))
(folder,) = here.iterdir()
assert output_reader(run, cap) is not None and len(list(folder.rglob("*.txt"))) == 1
if os.fork() == 0:
    sys.exit()  # the folder is not its
os.wait()
assert len(list(folder.rglob("*.txt"))) == 1
sys.stdout.write(oct(folder.stat().st_mode)[-3:])
"""
    env = {**os.environ, "TMPDIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", code], env=env, capture_output=True, text=True, timeout=30, check=False
    )
    assert (done.stdout, done.stderr, list(tmp_path.iterdir())) == ("700", "", [])


def test_a_cap_that_leaves_no_room_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"at least 1,000 characters, not 10"):
        OutputCap(characters=10)
