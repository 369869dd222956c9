"""A source of one's own: four methods and a name."""

from collections.abc import Mapping

from dure import run_sync
from dure.errors import ConfigError
from dure.prompts import PackagedPrompts, PromptKey, PromptSource, PromptStore, PromptVersion, SourceAway


class Wiki:
    """Pages of a wiki that is down today."""

    name = "the team's wiki"

    async def read(self) -> Mapping[PromptKey, bytes]:
        raise SourceAway(f"{self.name} does not answer")

    async def history(self, key: PromptKey) -> tuple[PromptVersion, ...]:
        return ()

    async def read_version(self, key: PromptKey, version: str) -> bytes | None:
        return None

    async def publish(self, texts: Mapping[PromptKey, bytes]) -> None:
        raise ConfigError(f"{self.name} is edited in a browser")


async def main() -> None:
    wiki: PromptSource = Wiki()
    store = PromptStore(PackagedPrompts("dure_spec"), wiki)
    outcome = await store.refresh()
    print(outcome.status, "-", outcome.reason)
    print(store.current.origin(PromptKey("ko", "dba")))

    checked = store.contract.check({PromptKey("ko", "dba"): b"=== system\nhello\n"})
    print(checked.faults[0])


run_sync(main())
