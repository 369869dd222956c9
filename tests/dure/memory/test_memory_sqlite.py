"""Conversations in a file: durable, shared by processes, and clear about faults."""

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from dure.errors import ConfigError
from dure.memory.codec import FORMAT
from dure.memory.sqlite import SqliteMemory
from dure.messages import AssistantMessage, Message, UserMessage

WRITER = """
import asyncio, sys
from dure.memory.sqlite import SqliteMemory
from dure.messages import AssistantMessage, UserMessage

async def main(path, name, turns):
    memory = SqliteMemory(path)
    for number in range(int(turns)):
        said = [UserMessage(text=f"{name} {number}"), *(AssistantMessage(text="가" * 500) for _ in range(9))]
        await memory.append(name, said)
        print(number, flush=True)
    await memory.close()

asyncio.run(main(*sys.argv[1:]))
"""
TURN: tuple[Message, ...] = (UserMessage(text="몇 개?"), AssistantMessage(text="열두 개"))


def writer(path: Path, name: str, turns: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path), name, str(turns)], stdout=subprocess.PIPE, text=True
    )


async def test_a_conversation_outlives_its_store(tmp_path: Path) -> None:
    path = tmp_path / "new folder" / "대화.db"
    async with asyncio.timeout(10), SqliteMemory(path, synchronous="FULL") as memory:
        await memory.append("a", TURN)
    async with asyncio.timeout(10), SqliteMemory(str(path)) as memory:
        assert await memory.load("a") == TURN
    assert [one.name for one in path.parent.iterdir()] == [path.name], "the log is folded in and nothing left open"


async def test_the_file_is_private_and_can_be_read_by_people(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    async with asyncio.timeout(10), SqliteMemory(path) as memory:
        await memory.append("a", TURN)
    assert path.stat().st_mode & 0o777 == 0o600
    assert "열두 개".encode() in path.read_bytes()


def test_one_store_serves_several_event_loops(tmp_path: Path) -> None:
    memory = SqliteMemory(tmp_path / "a.db")
    asyncio.run(memory.append("a", TURN))
    assert asyncio.run(memory.load("a")) == TURN
    asyncio.run(memory.close())


async def test_a_closed_store_says_so(tmp_path: Path) -> None:
    memory = SqliteMemory(tmp_path / "a.db")
    await memory.close()
    with pytest.raises(ConfigError, match=r"a\.db.* was closed"):
        await memory.load("a")


def test_a_killed_process_leaves_whole_turns_only(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    process = writer(path, "a", 100_000)
    assert process.stdout is not None
    acknowledged = -1
    for line in process.stdout:
        acknowledged = int(line)
        if acknowledged >= 20:
            process.send_signal(signal.SIGKILL)
            break
    process.communicate(timeout=10)
    said = asyncio.run(_loaded(path, "a"))
    assert len(said) % 10 == 0
    users = [message.text for message in said[::10] if isinstance(message, UserMessage)]
    assert users == [f"a {number}" for number in range(len(said) // 10)]
    assert len(users) > acknowledged, "nothing that was acknowledged is lost"


def test_several_processes_write_to_one_file_from_its_first_moment(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    processes = [writer(path, "shared", 25) for _ in range(3)]
    for process in processes:
        process.communicate(timeout=60)
    assert [process.returncode for process in processes] == [0, 0, 0]
    said = asyncio.run(_loaded(path, "shared"))
    assert len(said) == 3 * 25 * 10
    assert all(isinstance(message, UserMessage) == (position % 10 == 0) for position, message in enumerate(said))


async def test_a_cancelled_append_is_whole_or_absent(tmp_path: Path) -> None:
    async with asyncio.timeout(10), SqliteMemory(tmp_path / "a.db") as memory:
        for _ in range(20):
            task = asyncio.ensure_future(memory.append("a", TURN))
            await asyncio.sleep(0)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        assert len(await memory.load("a")) % len(TURN) == 0


@pytest.mark.parametrize("content", [b"this is no database, but a letter to somebody" * 30, b"SQLite format 3\0torn"])
async def test_a_file_that_is_no_database_is_named_with_what_to_do(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a.db"
    path.write_bytes(content)
    async with asyncio.timeout(10), SqliteMemory(path) as memory:
        for _ in range(2):
            with pytest.raises(ConfigError, match=r"a\.db.*restore a copy of it, or move it away"):
                await memory.append("a", TURN)
    assert path.read_bytes() == content


async def test_a_torn_file_is_named_with_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    async with asyncio.timeout(10), SqliteMemory(path) as memory:
        for _ in range(50):
            await memory.append("a", (UserMessage(text="가" * 1000), *TURN))
    os.truncate(path, path.stat().st_size // 2)
    async with asyncio.timeout(10), SqliteMemory(path) as memory:
        with pytest.raises(ConfigError, match=r"a\.db.*(damaged)"):
            await memory.load("a")


async def test_a_database_of_something_else_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE message (x)")
        connection.execute("PRAGMA user_version = 1")
    connection.close()
    before = path.read_bytes()
    async with asyncio.timeout(10), SqliteMemory(path) as memory:
        with pytest.raises(ConfigError, match=r"other\.db.* of something else"):
            await memory.load("a")
    assert path.read_bytes() == before


async def test_a_file_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    async with asyncio.timeout(10), SqliteMemory(path) as memory:
        await memory.append("a", TURN)
    changed(path, "PRAGMA user_version = 99")
    async with asyncio.timeout(10), SqliteMemory(path) as memory:
        with pytest.raises(ConfigError, match=r"newer dure \(version 99\)"):
            await memory.load("a")


@pytest.mark.parametrize(
    ("statement", "fault"),
    [
        (f"UPDATE message SET format = {FORMAT + 1} WHERE position = 1", "install a newer dure"),
        ("UPDATE message SET body = '{\"role\":' WHERE position = 1", "it is damaged"),
    ],
)
async def test_a_message_that_cannot_be_read_is_named(tmp_path: Path, statement: str, fault: str) -> None:
    path = tmp_path / "a.db"
    async with asyncio.timeout(10), SqliteMemory(path) as memory:
        await memory.append("가", TURN)
    changed(path, statement)
    async with asyncio.timeout(10), SqliteMemory(path) as memory:
        with pytest.raises(ConfigError, match=rf"message 1 of conversation '가' in .*a\.db.*{fault}"):
            await memory.load("가")


async def test_a_file_that_another_process_keeps_locked_is_waited_for_and_then_named(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    async with asyncio.timeout(10), SqliteMemory(path, patience=0.05) as memory:
        await memory.append("a", TURN)
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(ConfigError, match=r"a\.db.*another process kept it locked"):
            await memory.append("a", TURN)
        assert await memory.load("a") == TURN, "reading goes on"
        other.execute("ROLLBACK")
        other.close()
        await memory.append("a", TURN)
        assert await memory.load("a") == (*TURN, *TURN)


async def test_a_new_file_that_another_process_is_making_is_waited_for_too(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    async with asyncio.timeout(10), SqliteMemory(path, patience=0.05) as memory:
        with pytest.raises(ConfigError, match=r"a\.db.*another process kept it locked"):
            await memory.load("a")
        other.execute("ROLLBACK")
        other.close()
        assert await memory.load("a") == ()


async def test_a_replacement_that_fails_gives_the_file_free_again(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    async with asyncio.timeout(10), SqliteMemory(path, patience=0.05) as memory:
        await memory.append("a", TURN)
        changed(path, "UPDATE message SET body = '' WHERE position = 0")
        with pytest.raises(ConfigError, match="message 0 of conversation 'a'"):
            await memory.replace("a", TURN, ())
        async with SqliteMemory(path, patience=0.05) as second:
            await second.append("b", TURN)


async def test_a_failed_append_leaves_nothing(tmp_path: Path) -> None:
    async with asyncio.timeout(10), SqliteMemory(tmp_path / "a.db") as memory:
        with pytest.raises(ConfigError, match="`extra` must be JSON"):
            await memory.append("a", (*TURN, AssistantMessage(text="x", extra={"x": object()})))
        assert await memory.load("a") == ()


async def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    async with asyncio.timeout(10), SqliteMemory(tmp_path / "file" / "a.db") as memory:
        with pytest.raises(ConfigError, match="give another path"):
            await memory.load("a")


@pytest.mark.parametrize("path", [":memory:", "", "/"])
def test_a_path_that_is_no_file_is_refused_at_once(path: str) -> None:
    with pytest.raises(ConfigError, match="use InProcessMemory"):
        SqliteMemory(path)


def test_settings_without_sense_are_refused_at_once(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="patience"):
        SqliteMemory(tmp_path / "a.db", patience=-1)


def changed(path: Path, statement: str) -> None:
    connection = sqlite3.connect(path)
    connection.execute(statement)
    connection.commit()
    connection.close()


async def _loaded(path: Path, name: str) -> tuple[Message, ...]:
    async with asyncio.timeout(10), SqliteMemory(path) as memory:
        return await memory.load(name)
