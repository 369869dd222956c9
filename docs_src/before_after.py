"""Two functions instead of an advisor: one for what goes down, one for what comes up."""

import re

from dure import (
    AssistantMessage,
    BeforeAfterAdvisor,
    ChatClient,
    ChatRequest,
    ChatResponse,
    RunContext,
    UserMessage,
    open_model,
    run_sync,
)
from dure.advisors import order

RESIDENT_NUMBER = re.compile(r"\d{6}-\d{7}")


def mask(request: ChatRequest, run: RunContext) -> ChatRequest:
    return request.with_messages(
        *(
            UserMessage(text=RESIDENT_NUMBER.sub("(주민등록번호)", message.text))
            if isinstance(message, UserMessage)
            else message
            for message in request.messages
        )
    )


def sign(response: ChatResponse, run: RunContext) -> ChatResponse:
    return response.with_message(AssistantMessage(text=f"{response.text} (AI 답변)"))


privacy = BeforeAfterAdvisor(name="privacy", order=order.MEMORY - 10, before=mask, after=sign)
client = ChatClient(open_model(), advisors=(privacy,))
print(run_sync(client.prompt("880101-2345678 고객의 계약을 찾아 줘.").text()))
