"""What a prompt and a client are told on the way: time, other tools, and when to close."""

import asyncio

import pytest

from dure.advisors.fallback import FallbackAdvisor
from dure.chat import ChatRequest
from dure.client.chat_client import ChatClient
from dure.errors import ConfigError, DeadlineExceeded
from dure.models.scripted import ScriptedModel
from dure.run import RunContext
from dure.tools.function import tool
from dure.tools.toolbox import Toolbox


async def test_a_prompt_ends_within_its_seconds_counted_from_when_it_is_asked() -> None:
    async def hang(request: ChatRequest) -> str:
        await asyncio.Event().wait()
        return "never"

    prompt = ChatClient(ScriptedModel(hang, "x")).prompt("go")
    async with asyncio.timeout(5):
        with pytest.raises(DeadlineExceeded):
            await prompt.within(0.01).call()
        run = RunContext(deadline=asyncio.get_running_loop().time() + 100)
        assert await prompt.run(run).within(1000).text() == "x"
    assert run.deadline is not None


@pytest.mark.parametrize("seconds", [0, -1, float("nan")])
def test_no_time_at_all_is_refused(seconds: float) -> None:
    with pytest.raises(ConfigError, match="above 0"):
        ChatClient(ScriptedModel()).prompt("go").within(seconds)


async def test_a_closed_client_has_closed_its_model_and_those_it_falls_back_to() -> None:
    closed: list[str] = []

    class Closing(ScriptedModel):
        async def close(self) -> None:
            closed.append(self.name)

    others = (Closing(name="scripted:b"), Closing(name="scripted:c"))
    async with ChatClient(Closing("x", name="scripted:a"), advisors=(FallbackAdvisor(models=others),)) as client:
        await client.prompt("go").text()
    assert closed == ["scripted:a", "scripted:b", "scripted:c"]


async def test_tools_may_be_given_as_any_collection_and_added_to_later() -> None:
    @tool
    def early() -> str:
        """Come early."""
        return "early"

    @tool
    def late() -> str:
        """Come later."""
        return "late"

    model = ScriptedModel("x")
    client = ChatClient(model, tools=Toolbox((early,)))  # pyright: ignore[reportArgumentType] - a toolbox is no tuple
    await client.prompt("go").tools(late).text()
    assert [one.name for one in model.requests[0].tools] == ["early", "late"]
