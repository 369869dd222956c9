"""What every source of prompts does."""

import asyncio
import os
from collections.abc import AsyncGenerator, Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest
from postgres_server import running_postgres
from redis import Redis
from valkey_server import running_valkey

from dure.errors import ConfigError
from dure.prompts import FolderPrompts, PackagedPrompts, PromptKey, PromptSource, SourceAway, open_source
from dure.prompts.keys import raw_version
from dure.prompts.source import MAX_BYTES

KO, EN = PromptKey("ko", "ba"), PromptKey("en", "ba")
FIRST, SECOND = "=== system\n당신은 분석가입니다.\n".encode(), "=== system\r\n두 번째 \\ '; -- $name\r\n".encode()
DEADLINE = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A source that is empty, and whether it keeps what it held before."""

    source: PromptSource
    keeps: bool


@pytest.fixture(params=["folder", "redis", "postgresql"])
async def place(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncGenerator[Place]:
    kind: str = request.param
    if kind == "folder":
        (tmp_path / "own").mkdir()
        made = Place(source=open_source(str(tmp_path / "own"), deadline=DEADLINE), keeps=False)
    elif kind == "redis":
        url: str = request.getfixturevalue("redis_url")
        with Redis.from_url(url) as client:  # pyright: ignore[reportUnknownMemberType] - its keywords are untyped
            client.execute_command("FLUSHDB")  # pyright: ignore[reportUnknownMemberType] - as above
        made = Place(source=open_source(url, deadline=DEADLINE), keeps=True)
    else:
        url = request.getfixturevalue("postgres_url")
        with psycopg.connect(url) as connection:
            connection.execute("DROP TABLE IF EXISTS dure_prompts")
        made = Place(source=open_source(url, deadline=DEADLINE), keeps=True)
    async with asyncio.timeout(60):
        yield made


async def test_an_empty_source_has_no_prompts_and_no_history(place: Place) -> None:
    assert await place.source.read() == {}
    assert await place.source.history(KO) == ()
    assert await place.source.read_version(KO, raw_version(FIRST)) is None


async def test_texts_come_back_to_the_byte(place: Place) -> None:
    await place.source.publish({KO: FIRST, EN: SECOND})
    assert await place.source.read() == {KO: FIRST, EN: SECOND}
    assert await place.source.read_version(EN, raw_version(SECOND)) == SECOND


async def test_bytes_that_are_no_text_come_back_as_they_are(place: Place) -> None:
    await place.source.publish({KO: b"\xff\x00\xfe", EN: b""})
    assert await place.source.read() == {KO: b"\xff\x00\xfe", EN: b""}


async def test_a_prompt_that_is_not_published_again_stays(place: Place) -> None:
    await place.source.publish({KO: FIRST, EN: FIRST})
    await place.source.publish({EN: SECOND})
    assert await place.source.read() == {KO: FIRST, EN: SECOND}


async def test_history_has_the_current_version_and_where_they_are_kept_the_older_ones(place: Place) -> None:
    for text in (FIRST, SECOND, FIRST):
        await place.source.publish({KO: text})
    told = [(entry.version, entry.current) for entry in await place.source.history(KO)]
    if place.keeps:
        assert told == [(raw_version(SECOND), False), (raw_version(FIRST), True)]
        assert await place.source.read_version(KO, raw_version(SECOND)) == SECOND
    else:
        assert told == [(raw_version(FIRST), True)]
        assert await place.source.read_version(KO, raw_version(SECOND)) is None
    assert all(entry.added_at is not None and entry.added_at.tzinfo for entry in await place.source.history(KO))
    assert await place.source.history(EN) == ()


async def test_publishing_at_once_leaves_one_current_version(place: Place) -> None:
    texts = [f"=== system\n{number}\n".encode() for number in range(6)]
    await asyncio.gather(*(place.source.publish({KO: text, EN: text}) for text in texts))
    read = await place.source.read()
    assert read[KO] in texts
    assert [entry.current for entry in await place.source.history(KO)].count(True) == 1
    if place.keeps:
        assert read[KO] == read[EN]  # one publication is all or nothing
        assert len(await place.source.history(KO)) == len(texts)


async def test_a_text_that_is_far_too_large_is_not_read_whole(place: Place) -> None:
    await place.source.publish({KO: b"x" * (MAX_BYTES * 3)})
    assert len((await place.source.read())[KO]) == MAX_BYTES + 1


async def test_a_packaged_set_is_read_and_never_written() -> None:
    source = PackagedPrompts("dure_spec")
    assert source.name == "packaged"
    texts = await source.read()
    version = raw_version(texts[KO])
    assert [(entry.version, entry.added_at, entry.current) for entry in await source.history(KO)] == [
        (version, None, True)
    ]
    assert await source.read_version(KO, version) == texts[KO]
    assert await source.read_version(KO, "0" * 12) is None
    assert await source.history(PromptKey("ko", "nobody")) == ()
    with pytest.raises(ConfigError, match="cannot be changed; export them"):
        await source.publish({KO: FIRST})


async def test_a_folder_that_goes_away_and_comes_back(tmp_path: Path) -> None:
    folder = tmp_path / "own"
    source = FolderPrompts(folder)
    assert not source.exists()
    for work in (source.read(), source.history(KO), source.read_version(KO, "0" * 12)):
        with pytest.raises(SourceAway, match="is not there; make it with: dure prompts export"):
            await work
    await source.publish({KO: FIRST})
    assert await source.read() == {KO: FIRST}
    folder.rename(tmp_path / "elsewhere")
    folder.write_text("a file", encoding="utf-8")
    with pytest.raises(SourceAway, match="is no folder"):
        await source.read()
    with pytest.raises(SourceAway, match="cannot use the prompt folder"):
        await source.publish({KO: FIRST})


async def test_a_disk_that_does_not_answer_is_given_up(tmp_path: Path) -> None:
    with pytest.raises(SourceAway, match=r"the prompt folder .* gave no answer within 0 s"):
        await FolderPrompts(tmp_path, deadline=0).read()


async def test_a_file_that_cannot_be_written_leaves_nothing_behind(tmp_path: Path) -> None:
    source = FolderPrompts(tmp_path)
    (tmp_path / "ko" / "ba.md").mkdir(parents=True)
    with pytest.raises(SourceAway, match=r"cannot use the prompt folder .*: Is a directory"):
        await source.publish({KO: FIRST})
    assert [path.name for path in (tmp_path / "ko").iterdir()] == ["ba.md"]


async def test_only_files_that_are_named_like_prompts_are_read(tmp_path: Path) -> None:
    source = FolderPrompts(tmp_path)
    await source.publish({KO: FIRST})
    for name in ("README.md", "ko/ba.txt", "ko/.ba.md.swp", "ko/Ba.md"):
        (tmp_path / name).write_text("?", encoding="utf-8")
    (tmp_path / "ko" / "dba.md").mkdir()
    os.mkfifo(tmp_path / "ko" / "planner.md")
    assert await source.read() == {KO: FIRST}


async def test_a_redis_that_goes_away_and_comes_back() -> None:
    with running_valkey() as valkey:
        await _goes_and_comes(open_source(valkey.url, deadline=DEADLINE), valkey.stop, valkey.start)


async def test_a_postgresql_that_goes_away_and_comes_back() -> None:
    with running_postgres() as postgres:
        source = open_source(postgres.url, deadline=DEADLINE)
        await _goes_and_comes(source, postgres.stop, postgres.start)
        assert await source.read() == {KO: FIRST}


async def _goes_and_comes(source: PromptSource, stop: Callable[[], None], start: Callable[[], None]) -> None:
    await source.publish({KO: FIRST})
    stop()
    for work in (source.read(), source.history(KO), source.read_version(KO, "0" * 12), source.publish({KO: SECOND})):
        with pytest.raises(SourceAway, match="cannot use"):
            await work
    start()
    await source.publish({KO: FIRST})
    assert await source.read() == {KO: FIRST}


@pytest.mark.parametrize("scheme", ["redis", "postgresql"])
async def test_a_server_that_never_answers_is_given_up_in_time(scheme: str) -> None:
    hung_up = asyncio.Event()

    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            await reader.read()
            writer.close()
            await writer.wait_closed()
        hung_up.set()

    server = await asyncio.start_server(silent, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    source = open_source(f"{scheme}://someone:sesame-4711@127.0.0.1:{port}/0", deadline=0.3)
    async with server, asyncio.timeout(20):
        with pytest.raises(SourceAway, match=r"gave no answer within 0\.3 s") as raised:
            await source.read()
        await hung_up.wait()
    assert "sesame" not in f"{raised.value!r} {raised.value.__cause__!r}"


async def test_a_query_that_hangs_is_cut_off_and_so_is_one_that_nobody_wants_any_more(postgres_url: str) -> None:
    """Somebody else holds the table: the server answers, but never with rows."""
    source = open_source(postgres_url, deadline=5)
    await source.publish({KO: FIRST})
    with psycopg.connect(postgres_url) as holding:
        holding.execute("LOCK TABLE dure_prompts IN ACCESS EXCLUSIVE MODE")
        async with asyncio.timeout(20):
            unwanted = asyncio.ensure_future(source.read())
            await _waits_for_a_lock(postgres_url)
            unwanted.cancel()
            with pytest.raises(asyncio.CancelledError):
                await unwanted
            with pytest.raises(SourceAway, match=r"gave no answer within 0\.5 s"):
                await open_source(postgres_url, deadline=0.5).read()
    assert await source.read() == {KO: FIRST}


async def _waits_for_a_lock(url: str) -> None:
    """Until a backend of ours is seen to wait."""
    async with await psycopg.AsyncConnection.connect(url, autocommit=True) as watching:
        asked = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%%is_current%%'"
        while True:
            counted = await (await watching.execute(asked)).fetchone()
            if counted is not None and counted[0]:
                return
