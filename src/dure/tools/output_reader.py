"""The tool by which a model reads, page by page, a result that was too long for a message."""

import asyncio
from collections.abc import Mapping
from functools import partial

from dure.errors import ToolError
from dure.messages import Json
from dure.run import RunContext
from dure.tools.base import Tool, ToolContext
from dure.tools.output_cap import DEFAULT_CAP, SHORTENED, OutputCap
from dure.tools.schema_tool import tool_from_schema

NAME = "read_tool_output"
_HEADER = 200
"""Characters of a page that tell where it is."""
_PAGE = 10_000
_LISTED = 10
_DESCRIPTION = "Read a part of a tool result that was too long to be shown whole. Offsets and limits count characters."


def output_reader(run: RunContext, cap: OutputCap = DEFAULT_CAP) -> Tool | None:
    """The reader, if a result of this run or its conversation was shortened; nothing to offer before that."""
    shortened = run.state.get(SHORTENED)
    if shortened is None:
        shortened = run.conversation_id is not None and cap.files.has_any(run)
        run.state[SHORTENED] = shortened
    return _reader(cap) if shortened else None


def _reader(cap: OutputCap) -> Tool:
    longest = cap.characters - _HEADER  # so that a page is never shortened itself
    return tool_from_schema(
        name=NAME,
        description=_DESCRIPTION,
        parameters={
            "type": "object",
            "properties": {
                "output_id": {"type": "string", "description": "As told where the result was cut."},
                "offset": {"type": "integer", "minimum": 0, "default": 0},
                "limit": {"type": "integer", "minimum": 1, "maximum": longest, "default": min(_PAGE, longest)},
            },
            "required": ["output_id"],
            "additionalProperties": False,
        },
        run=partial(_read, cap, min(_PAGE, longest)),
    )


async def _read(cap: OutputCap, limit: int, arguments: Mapping[str, Json], context: ToolContext) -> str:
    output_id = arguments["output_id"]
    page = await asyncio.to_thread(
        cap.files.page,
        output_id,
        context.run,
        offset=int(arguments.get("offset", 0)),
        limit=int(arguments.get("limit", limit)),
    )
    if page is None:
        ids = await asyncio.to_thread(cap.files.ids, context.run)
        raise ToolError(f"there is no output {output_id[:40]!r} here; there are: {', '.join(ids[:_LISTED]) or 'none'}")
    rest = f"; read on with offset={page.end}" if page.end < page.total else "; this is the end"
    return f"[characters {page.start} to {page.end} of {page.total}{rest}]\n{page.text}"
