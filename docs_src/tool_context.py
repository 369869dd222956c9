"""A tool with the things it needs: a service of its own, and the run it works for."""

from dataclasses import dataclass

from dure import ChatClient, Event, RunContext, ToolContext, ToolError, open_model, run_sync, tool
from dure.events import ToolFinished, ToolProgress


@dataclass
class Ledger:
    """Stands for a database or a client of another system."""

    totals: dict[str, int]

    async def monthly_total(self, months: list[str], context: ToolContext) -> int:
        """The sum of sales of some months, in won."""
        total = 0
        for number, month in enumerate(months, start=1):
            if month not in self.totals:
                raise ToolError(f"there are no books for {month}; known are {', '.join(self.totals)}")
            total += self.totals[month]
            context.progress(done=number, total=len(months))
        return total


def show(event: Event) -> None:
    match event:
        case ToolProgress(progress=done, total=total):
            print(f"{done} of {total}")
        case ToolFinished(text=text):
            print(text)
        case _:
            pass


ledger = Ledger({"2026-09": 41_000_000, "2026-10": 38_500_000})
client = ChatClient(open_model(), tools=(tool(ledger.monthly_total),))
print(run_sync(client.prompt("9월과 10월 매출 합계는?").run(RunContext(sink=show)).text()))
