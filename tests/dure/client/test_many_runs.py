"""A thousand runs of one client at the same time: nothing mixes, nothing leaks, any of them can be stopped."""

import asyncio
import gc
import tracemalloc

import pytest

from dure.chat import ChatRequest, ChatResponse
from dure.client.chat_client import ChatClient
from dure.client.streaming import bounded
from dure.errors import Cancelled
from dure.events import Finished, TextDelta, ToolFinished
from dure.messages import AssistantMessage, ToolCall, ToolMessage
from dure.models.base import ModelCapabilities
from dure.run import RunContext
from dure.tools.base import ToolContext
from dure.tools.function import tool
from dure.usage import Usage

RUNS = 1000


class EchoModel:
    """Calls `look` for each of the first rounds, with the number the user gave, and then tells what it saw."""

    name = "test:echo"
    capabilities = ModelCapabilities()

    async def chat(self, request: ChatRequest, run: RunContext) -> ChatResponse:
        """One turn that depends on this request alone."""
        await asyncio.sleep(0)
        number = request.last_user_text
        seen = [r.text for m in request.messages if isinstance(m, ToolMessage) for r in m.results]
        usage = Usage(fresh_input=int(number), output=1, model_calls=1)
        if len(seen) < 3:
            call = ToolCall(id=f"{number}-{len(seen)}", name="look", arguments=f'{{"number": {number}}}')
            message = AssistantMessage(tool_calls=(call,))
            return ChatResponse(message=message, finish_reason="tool_calls", usage=usage)
        if run.watched:
            run.emit(TextDelta(text=",".join(seen)))
        return ChatResponse(message=AssistantMessage(text=",".join(seen)), usage=usage)

    async def close(self) -> None:
        """Nothing to give back."""


@tool
async def look(number: int, context: ToolContext) -> str:
    """Look at a number."""
    context.run.state["seen"] = number
    await asyncio.sleep(0)
    return f"{number}/{context.run.state['seen']}"


CLIENT = ChatClient(EchoModel(), tools=(look,))


async def one(number: int) -> None:
    run = RunContext(conversation_id=str(number))
    answer = await CLIENT.prompt(str(number)).run(run).call()
    assert answer.text == ",".join([f"{number}/{number}"] * 3)
    assert answer.usage == Usage(fresh_input=4 * number, output=4, model_calls=4) == run.counts.spent
    assert (run.counts.model_calls, run.counts.tool_calls) == (4, 3)


async def one_streamed(number: int) -> None:
    events = [event async for event in CLIENT.prompt(str(number)).stream()]
    texts = [event.text for event in events if isinstance(event, TextDelta)]
    results = [event.text for event in events if isinstance(event, ToolFinished)]
    assert (texts, results) == ([",".join(results)], [f"{number}/{number}"] * 3)
    assert isinstance(events[-1], Finished)
    assert events[-1].usage == Usage(fresh_input=4 * number, output=4, model_calls=4)


async def test_a_thousand_runs_of_one_client_never_mix() -> None:
    async with asyncio.timeout(30), asyncio.TaskGroup() as group:
        for number in range(1, RUNS + 1):
            group.create_task(one(number) if number % 2 else one_streamed(number))


async def test_memory_is_flat_over_ten_rounds_of_many_runs() -> None:
    async def rounds(times: int) -> None:
        for _ in range(times):
            async with asyncio.TaskGroup() as group:
                for number in range(1, 101):
                    group.create_task(one(number) if number % 2 else one_streamed(number))

    async with asyncio.timeout(30):
        await rounds(2)
        gc.collect()
        tracemalloc.start()
        try:
            await rounds(1)
            gc.collect()
            before, _ = tracemalloc.get_traced_memory()
            await rounds(9)
            gc.collect()
            after, _ = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    assert after - before < 50_000


@pytest.mark.parametrize("streamed", [False, True])
async def test_any_of_many_runs_is_stopped_alone_and_its_tools_with_it(streamed: bool) -> None:
    begun: set[int] = set()
    stopped: set[int] = set()
    all_begun = asyncio.Event()

    @tool
    async def look(number: int) -> str:
        """Look at a number, for ever if it is odd."""
        begun.add(number)
        if len(begun) == 200:
            all_begun.set()
        if number % 2:
            try:
                await asyncio.Event().wait()
            finally:
                stopped.add(number)
        return f"{number}/{number}"

    client = ChatClient(EchoModel(), tools=(look,))

    async def answer(number: int, run: RunContext) -> str:
        prompt = client.prompt(str(number)).run(run)
        if not streamed:
            return await prompt.text()
        text = ""
        async for event in prompt.stream():
            text = event.text if isinstance(event, Finished) else text
        return text

    async with asyncio.timeout(30):
        runs = {number: RunContext() for number in range(1, 201)}
        tasks = {number: asyncio.create_task(answer(number, run)) for number, run in runs.items()}
        await all_begun.wait()
        for number, run in runs.items():
            if number % 2:
                run.cancel()
        results = await asyncio.gather(*tasks.values(), return_exceptions=True)
    for number, result in zip(runs, results, strict=True):
        assert isinstance(result, Cancelled) if number % 2 else result == ",".join([f"{number}/{number}"] * 3)
    assert stopped == {number for number in runs if number % 2}
    assert len(asyncio.all_tasks()) == 1


async def test_a_run_cancelled_with_its_last_step_leaves_no_cancellation_behind() -> None:
    run = RunContext()

    async def work() -> str:
        run.cancel()
        return "done"

    with pytest.raises(Cancelled):
        await bounded(work(), run)
    await asyncio.sleep(0)
    task = asyncio.current_task()
    assert task is not None
    assert task.cancelling() == 0
