"""A long conversation: old turns are replaced by a summary when the model's window fills up."""

from dure import ChatClient, CompactionAdvisor, Event, MemoryAdvisor, RunContext, open_model, run_sync
from dure.events import MemoryCompacted
from dure.memory import InProcessMemory
from dure.messages import AssistantMessage, UserMessage

store = InProcessMemory()
client = ChatClient(
    open_model(),
    advisors=(MemoryAdvisor(memory=store), CompactionAdvisor(context_window=3_000)),
)


def show(event: Event) -> None:
    if isinstance(event, MemoryCompacted):
        print(f"{event.messages_before} messages became {event.messages_after}")


async def main() -> None:
    for day in range(1, 21):
        report = f"11월 {day}일 출고 보고: " + "정상 출고, 특이 사항 없음. " * 10
        await store.append("물류", (UserMessage(text=report), AssistantMessage(text="기록했습니다.")))
    run = RunContext(conversation_id="물류", sink=show)
    print(await client.prompt("첫날 출고에 문제가 있었어?").run(run).text())
    first, summary, *rest = await store.load("물류")
    print(first.text if isinstance(first, UserMessage) else first)
    print(summary.text if isinstance(summary, AssistantMessage) else summary)
    print(len(rest), "messages after the summary")


run_sync(main())
