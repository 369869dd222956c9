"""A long turn: old tool results give way to a mark when the rounds of one question fill the window."""

from dure import ChatClient, ChatRequest, ScriptedModel, run_sync, tool
from dure.advisors import ResultTrimmingAdvisor
from dure.chat import ChatResponse
from dure.messages import AssistantMessage, ToolCall, ToolMessage


@tool
def read_contract(number: int) -> str:
    """The text of a contract."""
    return f"계약서 {number}. " + "갑과 을은 다음과 같이 합의한다. " * 60


def ask_for(number: int) -> ChatResponse:
    call = ToolCall(id=f"call_{number}", name="read_contract", arguments=f'{{"number": {number}}}')
    return ChatResponse(message=AssistantMessage(tool_calls=(call,)), finish_reason="tool_calls")


def look(request: ChatRequest) -> str:
    for message in request.messages:
        if isinstance(message, ToolMessage):
            print(message.results[0].text[:58])
    return "세 계약서의 조건은 같습니다."


model = ScriptedModel(ask_for(1), ask_for(2), ask_for(3), look)
trimming = ResultTrimmingAdvisor(context_window=2_500)
client = ChatClient(model, tools=(read_contract,), advisors=(trimming,))
print(run_sync(client.prompt("계약서 1, 2, 3의 조건을 비교해 줘.").text()))
