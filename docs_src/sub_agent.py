"""An agent that asks another one, under one budget."""

from dure import Budget, ChatClient, Event, RunContext, open_model, run_sync, tool
from dure.events import SubAgentEvent, ToolStarted


@tool
def read_claims(month: str) -> list[str]:
    """The claims of a month."""
    return ["배송 지연", "배송 지연", "파손"]


def show(event: Event) -> None:
    match event:
        case ToolStarted(name=name, arguments=arguments):
            print(name, arguments)
        case SubAgentEvent(agent=agent, event=ToolStarted(name=name, arguments=arguments)):
            print(f"    {agent}: {name} {arguments}")
        case _:
            pass


model = open_model()
analyst = ChatClient(model, system="You count and compare. Answer with numbers.", tools=(read_claims,))
lead = ChatClient(model, tools=(analyst.as_tool("analyst", "Counts claims. Name the month.", timeout=120),))

budget = Budget(max_model_calls=10)
answer = run_sync(lead.prompt("이번 달 고객 불만의 원인은?").run(RunContext(budget=budget, sink=show)).call())
print(answer.text)
print(answer.usage.model_calls, "model calls,", budget.spent.model_calls, "of the budget")
