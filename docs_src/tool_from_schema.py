"""A tool that another system describes by a JSON Schema."""

from collections.abc import Mapping
from typing import Any

from dure import ChatClient, open_model, run_sync
from dure.tools import tool_from_schema


async def call_erp(arguments: Mapping[str, Any]) -> str:
    return f"전표 {arguments['number']}: 승인됨"


find_slip = tool_from_schema(
    name="전표_조회",
    description="Look a slip of the ERP up.",
    parameters={
        "type": "object",
        "properties": {"number": {"type": "string", "pattern": "^[0-9]{8}$"}},
        "required": ["number"],
    },
    run=call_erp,
    source="erp",
)
print(run_sync(ChatClient(open_model(), tools=(find_slip,)).prompt("전표 20261103의 상태는?").text()))
