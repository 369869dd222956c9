"""A request made to fit the model that is about to be asked, at the last moment.

Only the end of the chain knows which model that is, since a fallback may have chosen another.
"""

import json
from dataclasses import replace

from dure.advisors.again import with_note
from dure.chat import ChatRequest
from dure.models.base import ModelCapabilities

SCHEMA_NOTE = "Answer with one JSON value of this JSON Schema and nothing else, no code fence:\n"


def fit(request: ChatRequest, capabilities: ModelCapabilities) -> ChatRequest:
    """Drop a grammar the model cannot obey; ask in words for a schema it cannot be held to.

    While tools are offered the schema is asked for in words too: enforced, it would forbid the calls.
    """
    options = request.options
    if options.grammar is not None and not capabilities.grammar:
        request = request.with_options(replace(request.options, grammar=None))
    tools_offered = bool(request.tools) and options.tool_choice != "none"
    if options.json_schema is not None and (tools_offered or not capabilities.json_schema):
        schema = json.dumps(options.json_schema, ensure_ascii=False, separators=(",", ":"))
        request = with_note(request.with_options(replace(request.options, json_schema=None)), SCHEMA_NOTE + schema)
    return request
