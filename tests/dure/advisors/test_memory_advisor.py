"""A conversation over several prompts: what the model is sent, and what is stored of each turn."""

import asyncio
from typing import Any, cast

import pytest
from remembering_client import CountingMemory, asked, calling, results, talking, turn

from dure.advisors.memory import MemoryAdvisor
from dure.client.chat_client import ChatClient
from dure.errors import ConfigError
from dure.events import Finished
from dure.memory.in_process import InProcessMemory
from dure.memory.window import WindowMemory
from dure.messages import AssistantMessage, SystemMessage, UserMessage
from dure.models.scripted import ScriptedModel
from dure.run import RunContext


async def test_a_run_without_a_conversation_id_says_how_to_give_one() -> None:
    client = talking(ScriptedModel("unheard"), CountingMemory())
    with pytest.raises(ConfigError, match=r"no conversation id; give one with .conversation"):
        await client.prompt("hi").text()
    with pytest.raises(ConfigError, match="conversation id must be a text that is not empty"):
        await asked(client, "hi", " ").text()


async def test_the_history_goes_between_the_system_and_the_new_user_text() -> None:
    memory, model = CountingMemory(), ScriptedModel("one", "two")
    client = talking(model, memory)
    await asked(client, "first").text()
    await asked(client, "second").system("be kind").text()
    assert model.requests[1].messages == (
        SystemMessage(text="be kind"),
        *turn("first", "one"),
        UserMessage(text="second"),
    )
    assert memory.appended == [turn("first", "one"), turn("second", "two")]


async def test_system_messages_come_first_wherever_they_were_given() -> None:
    memory, model = CountingMemory(), ScriptedModel("two")
    await memory.append("a", turn("first", "one"))
    late = asked(talking(model, memory), "second").messages(*turn("x", "y"), SystemMessage(text="late")).system("early")
    await late.text()
    assert model.requests[0].messages == (
        SystemMessage(text="early"),
        SystemMessage(text="late"),
        *turn("first", "one"),
        *turn("x", "y"),
        UserMessage(text="second"),
    )
    assert await memory.load("a") == (*turn("first", "one"), *turn("second", "two"))


async def test_a_history_that_the_prompt_holds_already_is_not_doubled() -> None:
    memory, model = CountingMemory(), ScriptedModel("two", "three")
    await memory.append("a", turn("first", "one"))
    client = talking(model, memory)
    await asked(client, "second").messages(*turn("first", "one")).text()
    assert model.requests[0].messages == (*turn("first", "one"), UserMessage(text="second"))
    before = (*turn("zero", "nil"), *turn("first", "one"), *turn("second", "two"))
    await asked(client, "third").messages(*before).text()
    assert model.requests[1].messages == (*before, UserMessage(text="third"))
    assert memory.appended[1:] == [turn("second", "two"), turn("third", "three")]


async def test_a_window_that_shows_nothing_adds_nothing() -> None:
    store, model = InProcessMemory(), ScriptedModel("two")
    await store.append("a", (UserMessage(text="first"), *(AssistantMessage(text=str(one)) for one in range(5))))
    await asked(talking(model, WindowMemory(store, max_messages=3)), "second").text()
    assert model.requests[0].messages == (UserMessage(text="second"),)
    assert (await store.load("a"))[-2:] == turn("second", "two")


async def test_two_equal_turns_are_both_stored() -> None:
    memory, model = CountingMemory(), ScriptedModel("hello", "hello")
    client = talking(model, memory)
    for _ in range(2):
        await asked(client, "hi").text()
    assert model.requests[1].messages == (*turn("hi", "hello"), UserMessage(text="hi"))
    assert await memory.load("a") == (*turn("hi", "hello"), *turn("hi", "hello"))


async def test_a_turn_of_three_rounds_loads_once_and_stores_question_and_answer() -> None:
    memory = CountingMemory()
    model = ScriptedModel(calling("x", "y", text="let me see"), calling("z"), "done")
    await asked(talking(model, memory), "go").text()
    assert (memory.loads, memory.appended) == (1, [turn("go", "done")])


async def test_everything_is_kept_as_valid_rounds_that_never_merge() -> None:
    memory = CountingMemory()
    first, second = calling("x", "y", text="let me see"), calling("z", text="and now")
    await asked(talking(ScriptedModel(first, second, "done"), memory, keep="everything"), "go").text()
    assert memory.appended == [
        (
            UserMessage(text="go"),
            first.message,
            results("x", "y"),
            second.message,
            results("z"),
            AssistantMessage(text="done"),
        )
    ]


async def test_rounds_of_an_earlier_turn_are_not_stored_again_when_a_run_goes_on() -> None:
    memory, run = CountingMemory(), RunContext(conversation_id="a")
    model = ScriptedModel(calling("x"), "done", "fine")
    client = talking(model, memory, keep="everything")
    await client.prompt("go").run(run).text()
    await ChatClient(model, advisors=client.advisors).prompt("thanks").run(run).text()
    assert memory.appended[1] == turn("thanks", "fine")


@pytest.mark.parametrize("keep", ["answers", "everything"])
async def test_a_stream_stores_what_a_call_stores(keep: str) -> None:
    def script() -> ScriptedModel:
        return ScriptedModel(calling("x", text="let me see"), calling("y"), "done")

    called, streamed = CountingMemory(), CountingMemory()
    await asked(talking(script(), called, keep=keep), "go").call()
    async with asyncio.timeout(10):
        events = [event async for event in asked(talking(script(), streamed, keep=keep), "go").stream()]
    assert isinstance(events[-1], Finished)
    assert called.appended == streamed.appended


async def test_a_direct_answer_is_stored_with_its_results() -> None:
    memory = CountingMemory()
    call = calling("x", tool="final")
    await asked(talking(ScriptedModel(call), memory, keep="everything"), "go").text()
    assert memory.appended == [
        (UserMessage(text="go"), call.message, results("x", tool="final"), AssistantMessage(text="x"))
    ]


async def test_tools_run_by_hand_are_stored_when_the_turn_is_complete() -> None:
    memory = CountingMemory()
    model = ScriptedModel(calling("x"), "done")
    client = ChatClient(model, advisors=(MemoryAdvisor(memory=memory, keep="everything"),))
    first = await asked(client, "go").call()
    assert memory.appended == []
    await asked(client, "").messages(UserMessage(text="go"), first.message, results("x")).call()
    assert memory.appended == [(UserMessage(text="go"), first.message, results("x"), AssistantMessage(text="done"))]
    assert model.requests[1].messages == memory.appended[0][:-1]


async def test_a_request_in_which_no_user_speaks_stores_nothing() -> None:
    memory = CountingMemory()
    await asked(talking(ScriptedModel("hello"), memory), "").messages(AssistantMessage(text="hm")).text()
    assert memory.appended == []


def test_a_wrong_word_for_what_to_keep_is_refused() -> None:
    with pytest.raises(ConfigError, match="keep is 'answers' or 'everything', not 'all'"):
        MemoryAdvisor(memory=InProcessMemory(), keep=cast(Any, "all"))
