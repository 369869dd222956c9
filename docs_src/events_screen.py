"""The state of a screen that shows a run: blocks that grow, and go when an attempt does not count."""

from dataclasses import dataclass, field
from typing import Self

from dure import ChatClient, Event, Restarted, RetryAdvisor, TextDelta, open_model, run_sync, tool
from dure.events import ModelCallStarted, ReasoningDelta, SubAgentEvent, ToolCallDelta, ToolFinished, ToolStarted


@dataclass
class Screen:
    """Blocks of one run in the order they appeared; a sub-agent's run is a screen inside."""

    blocks: "dict[str, str | Screen]" = field(default_factory=dict[str, "str | Screen"])
    calls: int = 0
    kept: int = 0

    def show(self, event: Event) -> Self:
        match event:
            case ModelCallStarted():
                self.calls, self.kept = self.calls + 1, len(self.blocks)
            case ReasoningDelta(text=text):
                self.add(f"thinking {self.calls}", text, begin="(thinks) ")
            case TextDelta(text=text):
                self.add(f"text {self.calls}", text)
            case ToolCallDelta(call_id=key, name=name, arguments=piece):
                self.add(key, piece, begin=f"{name} ")
            case ToolStarted(call_id=key, name=name, arguments=arguments):
                self.blocks[key] = f"{name} {arguments} …"
            case ToolFinished(call_id=key, name=name, text=text, is_error=failed):
                self.blocks[key] = f"{name} {'✗' if failed else '→'} {text[:60]}"
            case Restarted(reason=reason):
                self.take_back()
                self.blocks[f"restart {self.calls}"] = f"↻ {reason}"
            case SubAgentEvent(agent=agent, run_id=key, event=inner):
                below = self.blocks.get(key)
                below = below if isinstance(below, Screen) else Screen({"": f"[{agent}]"})
                self.blocks[key] = below.show(inner)
            case _:
                pass  # the others change nothing on this screen
        return self

    def add(self, key: str, text: str, begin: str = "") -> None:
        self.blocks[key] = f"{self.blocks.get(key, begin)}{text}"

    def take_back(self) -> None:
        for key in list(self.blocks)[self.kept :]:
            del self.blocks[key]

    def lines(self, indent: str = "") -> list[str]:
        return [
            line
            for block in self.blocks.values()
            for line in (block.lines(f"{indent}    ") if isinstance(block, Screen) else [indent + block])
        ]


@tool
def check_stock(sku: str) -> int:
    """How many of an article are in stock."""
    return {"A-1": 3}.get(sku, 0)


model = open_model()
sales = ChatClient(model).as_tool("sales", "Knows how much is sold of each article.")
client = ChatClient(model, tools=(check_stock, sales), advisors=(RetryAdvisor(base_delay=0),))


async def main() -> None:
    screen = Screen()
    async for event in client.prompt("A-1을 더 주문해야 할까?").stream():
        screen.show(event)  # a terminal would be redrawn here
    print("\n".join(screen.lines()))


run_sync(main())
