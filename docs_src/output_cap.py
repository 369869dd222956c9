"""A result that is too long for a message is cut; the model reads on where it has to."""

from dure import ChatClient, Event, RunContext, ToolCallingAdvisor, open_model, run_sync, tool
from dure.events import ToolFinished
from dure.tools import OutputCap


@tool
def shipping_log(month: str) -> str:
    """The shipping log of a month, a line a delivery."""
    return "\n".join(f"{month}-{number:03}: 출고 완료" for number in range(1, 301))


def show(event: Event) -> None:
    if isinstance(event, ToolFinished):
        cut = [line for line in event.text.splitlines() if line.startswith(("[…", "[char"))]
        print(f"{event.name}: {len(event.text)} characters", *cut, sep="\n  ")


loop = ToolCallingAdvisor(output_cap=OutputCap(characters=1_000))
client = ChatClient(open_model(), tools=(shipping_log,), advisors=(loop,))
run = RunContext(conversation_id="출고 점검", sink=show)
print(run_sync(client.prompt("11월의 100번째 출고는?").run(run).text()))
