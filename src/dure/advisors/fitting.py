"""A request made to fit the model that is about to be asked, at the last moment.

Only the end of the chain knows which model that is, since a fallback may have chosen another.
"""

import json
from dataclasses import replace

from dure.chat import ChatRequest
from dure.messages import UserMessage
from dure.models.base import ModelCapabilities

SCHEMA_NOTE = "Answer with one JSON value of this JSON Schema and nothing else, no code fence:\n"


def fit(request: ChatRequest, capabilities: ModelCapabilities) -> ChatRequest:
    """Drop a grammar the model cannot obey; ask in words for a schema it cannot be held to.

    While tools are offered the schema is asked for in words too: enforced, it would forbid the calls.
    """
    options = request.options
    if options.grammar is None and options.json_schema is None:
        return request
    if options.grammar is not None and not capabilities.grammar:
        options = replace(options, grammar=None)
    schema = options.json_schema
    tools_offered = bool(request.tools) and options.tool_choice != "none"
    if schema is None or (capabilities.json_schema and not tools_offered):
        return request if options is request.options else request.with_options(options)
    note = SCHEMA_NOTE + json.dumps(schema, ensure_ascii=False, separators=(",", ":"))
    return _asked_in_words(request.with_options(replace(options, json_schema=None)), note)


def _asked_in_words(request: ChatRequest, note: str) -> ChatRequest:
    """The note with what the user said last: all rounds of a tool loop then begin with the same text."""
    messages = list(request.messages)
    for index in range(len(messages) - 1, -1, -1):
        message = messages[index]
        if isinstance(message, UserMessage):
            messages[index] = UserMessage(text=f"{message.text}\n\n{note}".strip())
            return request.with_messages(*messages)
    return request.with_added(UserMessage(text=note))
