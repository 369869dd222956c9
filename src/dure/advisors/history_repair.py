"""A history that every provider accepts, whatever happened to it: applied just before a request is sent.

Providers refuse a whole request for one tool result without its call, or one call without its result.
"""

import logging
from collections import Counter
from collections.abc import Sequence

from dure.messages import AssistantMessage, Message, ToolCall, ToolMessage, ToolResult

logger = logging.getLogger(__name__)

NO_RESULT = "no result: the call was interrupted before it ended, or its result was lost"


def repaired(messages: tuple[Message, ...]) -> tuple[Message, ...]:
    """The messages with every tool call answered exactly once, in call order, right after it.

    Results without their call, second results of a call and empty assistant messages are dropped; a
    call without a result gets an error result. What is sound comes back as it is, the same tuple.
    """
    return messages if _sound(messages) else _mended(messages)


def _sound(messages: tuple[Message, ...]) -> bool:
    """Every request passes here, so this only looks, and looks at each message once."""
    waiting: tuple[ToolCall, ...] = ()
    for message in messages:
        if waiting:
            if not isinstance(message, ToolMessage) or not _answers(message.results, waiting):
                return False
            waiting = ()
        elif isinstance(message, AssistantMessage):
            waiting = message.tool_calls
            if not waiting and (not (text := message.text) or text.isspace()):
                return False
        elif isinstance(message, ToolMessage):
            return False
    return not waiting


def _answers(results: tuple[ToolResult, ...], calls: tuple[ToolCall, ...]) -> bool:
    if len(calls) == 1 == len(results):
        return results[0].call_id == calls[0].id
    ids = [call.id for call in calls]
    return [result.call_id for result in results] == ids and len(set(ids)) == len(ids)


def _mended(messages: tuple[Message, ...]) -> tuple[Message, ...]:
    said: list[Message] = []
    faults: Counter[str] = Counter()
    position = 0
    while position < len(messages):
        message = messages[position]
        position += 1
        if isinstance(message, ToolMessage):
            faults["results without a call dropped"] += len(message.results) or 1
        elif not isinstance(message, AssistantMessage):
            said.append(message)
        elif message.tool_calls:
            given: list[ToolMessage] = []
            while position < len(messages) and isinstance(following := messages[position], ToolMessage):
                given.append(following)
                position += 1
            said += _round(message, given, faults)
        elif not message.text or message.text.isspace():
            faults["empty answers dropped"] += 1
        else:
            said.append(message)
    told = ", ".join(f"{count} {fault}" for fault, count in faults.items())
    logger.warning("the history was repaired before it was sent: %s", told or "results put in the order of the calls")
    return tuple(said)


def _round(message: AssistantMessage, given: Sequence[ToolMessage], faults: Counter[str]) -> tuple[Message, Message]:
    """One assistant message that calls tools, and all its results in one message."""
    calls = {call.id: call for call in reversed(message.tool_calls)}
    if len(calls) < len(message.tool_calls):
        faults["calls with the id of another dropped"] += len(message.tool_calls) - len(calls)
        kept = tuple(call for call in message.tool_calls if calls[call.id] is call)
        message = AssistantMessage(text=message.text, tool_calls=kept, reasoning=message.reasoning, extra=message.extra)
    found: dict[str, ToolResult] = {}
    for result in (result for one in given for result in one.results):
        if result.call_id not in calls:
            faults["results without a call dropped"] += 1
        elif result.call_id in found:
            faults["second results dropped"] += 1
        else:
            found[result.call_id] = result
    lost = len(message.tool_calls) - len(found)
    if lost:
        faults["calls without a result answered with an error"] += lost
    results = tuple(found.get(call.id) or _lost(call) for call in message.tool_calls)
    sound = len(given) == 1 and given[0].results == results
    return message, given[0] if sound else ToolMessage(results=results)


def _lost(call: ToolCall) -> ToolResult:
    return ToolResult(call_id=call.id, name=call.name, text=NO_RESULT, is_error=True)
