"""A blip is tried again on the same model; a failure for good goes to the next one."""

from dure import (
    ChatClient,
    Event,
    FallbackAdvisor,
    Restarted,
    RetryAdvisor,
    RunContext,
    ScriptedModel,
    open_model,
    run_sync,
)


def show(event: Event) -> None:
    if isinstance(event, Restarted):
        print("↻", event.reason.replace(first.name, "the first model"))


first = open_model()
other = ScriptedModel("오늘 출고는 12건입니다.", name="scripted:other")  # in earnest open_model("ollama:qwen3:8b")
client = ChatClient(first, advisors=(RetryAdvisor(max_retries=2, base_delay=0.01), FallbackAdvisor(models=(other,))))
response = run_sync(client.prompt("오늘 출고는 몇 건이야?").run(RunContext(sink=show)).call())
print(response.text, f"({response.model})")
