"""The signature decides what a tool takes: what does not fit goes back to the model, and the tool does not run."""

from dataclasses import dataclass
from datetime import date
from typing import Annotated, Literal

from pydantic import Field

from dure import ChatClient, RunContext, open_model, run_sync, tool
from dure.events import Event, ToolFinished


@dataclass
class Line:
    sku: str
    quantity: Annotated[int, Field(ge=1, le=500)]


@tool(name="order")
def place_order(lines: list[Line], due: date, priority: Literal["보통", "긴급"] = "보통") -> dict[str, object]:
    """Order articles from the supplier."""
    return {"lines": len(lines), "due": due, "priority": priority}


def show(event: Event) -> None:
    if isinstance(event, ToolFinished):
        print("✗" if event.is_error else "✓", event.text.partition(". Its arguments")[0])


client = ChatClient(open_model(), tools=(place_order,))
answer = client.prompt("A-1을 10개, 다음 주 월요일까지 주문해 줘.").run(RunContext(sink=show)).text()
print(run_sync(answer))
