"""An answer that must score enough by a rule, or is asked for again with the reason."""

from dure import ChatClient, ChatRequest, ChatResponse, EvaluationAdvisor, open_model, run_sync
from dure.advisors import Evaluation

NEEDED = ("수량", "납기", "담당자")


async def complete(request: ChatRequest, response: ChatResponse) -> Evaluation:
    missing = [word for word in NEEDED if word not in response.text]
    return Evaluation(score=1 - len(missing) / len(NEEDED), feedback=f"빠진 항목: {', '.join(missing)}")


client = ChatClient(open_model(), advisors=(EvaluationAdvisor(evaluate=complete, threshold=1.0, max_retries=2),))
answer = run_sync(client.prompt("A-1 발주 요청 문장을 써 줘.").call())
print(answer.text)
print(f"{answer.usage.model_calls} model calls")
