"""An advisor that has the final answer rewritten, by a call below the tool loop: no tool is offered there."""

from dataclasses import dataclass

from dure import (
    Advisor,
    Chain,
    ChatClient,
    ChatRequest,
    ChatResponse,
    Restarted,
    Toolbox,
    ToolCallingAdvisor,
    UserMessage,
    open_model,
    run_sync,
    tool,
)
from dure.advisors import order


@tool
def check_stock(sku: str) -> int:
    """How many of an article are in stock."""
    return 3


@dataclass(frozen=True, kw_only=True)
class PoliteAdvisor:
    """Has an answer put politely, for customers."""

    loop: Advisor
    name: str = "polite"
    order: int = order.TOOL_CALLING - 10

    async def advise(self, request: ChatRequest, chain: Chain) -> ChatResponse:
        """The same answer in other words."""
        draft = await chain.next(request)
        chain.run.emit(Restarted(reason="putting it politely"))
        rewrite = UserMessage(text=f"고객에게 보낼 정중한 문장으로 바꿔 줘: {draft.text}")
        return await chain.after(self.loop).next(ChatRequest(messages=(rewrite,)))


loop = ToolCallingAdvisor(toolbox=Toolbox((check_stock,)))
client = ChatClient(open_model(), advisors=(loop, PoliteAdvisor(loop=loop)))
answer = run_sync(client.prompt("A-1 재고 있어?").call())
print(answer.text)
print(f"{answer.usage.model_calls} model calls")
