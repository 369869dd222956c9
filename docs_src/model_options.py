"""Options of a request, and a field that only one provider knows."""

from dure import ChatClient, ChatOptions, open_model, run_sync

careful = ChatOptions(temperature=0.0, max_tokens=500, reasoning="low", extra={"service_tier": "flex"})
client = ChatClient(open_model(), options=careful)
response = run_sync(client.prompt("12개들이 상자로 150개를 담으면?").call())
print(response.message.reasoning)
print(response.text)
