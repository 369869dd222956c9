"""A tool loop that ends when the model goes round in circles."""

from dure import AgentSafety, ChatClient, ToolCallingAdvisor, open_model, run_sync, tool


@tool
def delivery_state(number: str) -> str:
    """Where a delivery is."""
    return "조회 중입니다"


loop = ToolCallingAdvisor(safety=AgentSafety(max_rounds=5, max_same_calls=1))
client = ChatClient(open_model(), tools=(delivery_state,), advisors=(loop,))
response = run_sync(client.prompt("송장 1004의 배송 상태는?").call())
print(response.finish_reason)
print(response.text)
