"""An advisor that evaluates an answer and asks again until it is short enough."""

from dataclasses import dataclass

from dure import Chain, ChatClient, ChatRequest, ChatResponse, Restarted, UserMessage, open_model, run_sync
from dure.advisors.order import EVALUATION


@dataclass(frozen=True, kw_only=True)
class ShortAnswerAdvisor:
    """Asks again, with the reason, while an answer has too many words."""

    words: int
    tries: int = 3
    name: str = "short answer"
    order: int = EVALUATION

    async def advise(self, request: ChatRequest, chain: Chain) -> ChatResponse:
        """The first answer that is short enough, or the last one."""
        response = await chain.next(request)
        for _ in range(self.tries):
            count = len(response.text.split())
            if response.message.tool_calls or count <= self.words:
                break
            reason = f"{count} words are too many, use at most {self.words}"
            chain.run.emit(Restarted(reason=reason))
            response = await chain.next(request.with_added(UserMessage(text=f"Answer again: {reason}.")))
        return response


client = ChatClient(open_model(), advisors=(ShortAnswerAdvisor(words=6),))
answer = run_sync(client.prompt("What is a recursive advisor?").call())
print(answer.text)
print(f"{answer.usage.model_calls} model calls")
