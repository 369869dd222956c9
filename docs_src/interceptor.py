"""An interceptor of one's own: stands round the run of a tool, here to hide what a model need not know."""

import re
from collections.abc import Mapping

from dure import ChatClient, ToolContext, open_model, run_sync, tool
from dure.tools import Proceed, Tool, Toolbox


class HidePhoneNumbers:
    async def intercept(
        self, tool: Tool, arguments: Mapping[str, object], context: ToolContext, proceed: Proceed
    ) -> object:
        result = await proceed(arguments, context)
        return re.sub(r"01\d-\d{3,4}-\d{4}", "(전화번호)", result) if isinstance(result, str) else result


@tool
def find_customer(name: str) -> str:
    """What is known of a customer."""
    return f"{name}, 010-1234-5678, 우수 고객"


model = open_model()
tools = Toolbox((find_customer,)).intercepted(HidePhoneNumbers(), only="find_*")
client = ChatClient(model, tools=tuple(tools))
print(run_sync(client.prompt("이서준 고객의 등급은?").text()))
