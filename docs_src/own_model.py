"""A model of one's own: anything with a name, capabilities, `chat` and `close`."""

from dure import AssistantMessage, ChatClient, ChatRequest, ChatResponse, RunContext, TextDelta, run_sync
from dure.models import ModelCapabilities
from dure.usage import Usage


class RulesModel:
    """Answers from a table, for what needs no model."""

    name = "rules:faq"
    capabilities = ModelCapabilities(tools=False, json_schema=False)

    async def chat(self, request: ChatRequest, run: RunContext) -> ChatResponse:
        text = "배송비는 3만 원부터 무료입니다." if "배송비" in request.last_user_text else "상담원을 연결하겠습니다."
        run.emit(TextDelta(text=text))
        return ChatResponse(message=AssistantMessage(text=text), usage=Usage(model_calls=1))

    async def close(self) -> None:
        """Nothing to give back."""


print(run_sync(ChatClient(RulesModel()).prompt("배송비가 얼마예요?").text()))
