"""Refreshes that overlap, and one that nobody waits for any more."""

import asyncio
import contextlib
from collections.abc import Mapping

from dure.prompts import PackagedPrompts, PromptKey, PromptStore, PromptVersion, SourceAway

PACKAGE = PackagedPrompts("dure_spec")
BA, DBA = PromptKey("ko", "ba"), PromptKey("en", "dba")
PACKAGED = PACKAGE.texts()


def edited(key: PromptKey, mark: str) -> bytes:
    """The packaged prompt with one more line."""
    return PACKAGED[key] + f"\n{mark}\n".encode()


class Gated:
    """A source whose every reading waits until the test lets it go; it holds another text each time."""

    name = "gated"

    def __init__(self) -> None:
        self.readings = 0
        self.inside = 0
        self.most_inside = 0
        self.gate = asyncio.Event()
        self.reached = asyncio.Event()

    async def read(self) -> Mapping[PromptKey, bytes]:
        self.readings += 1
        number = self.readings
        self.inside += 1
        self.most_inside = max(self.most_inside, self.inside)
        self.reached.set()
        await self.gate.wait()
        self.inside -= 1
        if number == 2:
            raise SourceAway("gated is away")
        return {key: edited(key, f"reading {number}") for key in (BA, DBA)}

    async def history(self, key: PromptKey) -> tuple[PromptVersion, ...]:
        return ()

    async def read_version(self, key: PromptKey, version: str) -> bytes | None:
        return None

    async def publish(self, texts: Mapping[PromptKey, bytes]) -> None:
        return None


async def test_refreshes_at_once_share_one_more_reading_and_each_set_is_of_one() -> None:
    source = Gated()
    store = PromptStore(PACKAGE, source)
    seen: set[tuple[bytes, bytes]] = set()
    async with asyncio.timeout(30):
        asked = [asyncio.ensure_future(store.refresh()) for _ in range(4)]
        source.gate.set()
        for outcome in asyncio.as_completed(asked):
            await outcome
            texts = store.current.texts()
            seen.add((texts[BA].splitlines()[-1], texts[DBA].splitlines()[-1]))
    assert source.most_inside == 1
    assert [done.result().status for done in asked] == ["swapped", "away", "away", "away"]
    assert source.readings == 2
    assert all(ba == dba for ba, dba in seen)
    assert store.current.texts()[BA] == edited(BA, "reading 1")


async def test_who_asks_while_a_reading_runs_has_one_that_begins_afterwards_whoever_else_goes_away() -> None:
    source = Gated()
    store = PromptStore(PACKAGE, source)
    async with asyncio.timeout(30):
        first = asyncio.ensure_future(store.refresh())
        await source.reached.wait()
        second, third = (asyncio.ensure_future(store.refresh()) for _ in range(2))
        await asyncio.sleep(0)
        second.cancel()
        await asyncio.wait((second,))
        source.gate.set()
        assert (await first).status == "swapped"
        assert (await third).status == "away"  # the second reading
        assert second.cancelled()
        assert (await store.refresh()).status == "swapped"
    assert (source.readings, source.most_inside) == (3, 1)


async def test_a_refresh_that_is_cancelled_leaves_the_store_usable() -> None:
    source = Gated()
    store = PromptStore(PACKAGE, source)
    async with asyncio.timeout(30):
        unwanted = asyncio.ensure_future(store.refresh())
        await source.reached.wait()
        unwanted.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await unwanted
        assert store.current is store.package
        source.gate.set()
        assert (await store.refresh()).status == "away"  # the second reading
        assert (await store.refresh()).status == "swapped"
