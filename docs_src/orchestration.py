"""Tools that organise the work stay in sight; those that do it are found by search."""

from dure import ChatClient, OrchestrationToolCallingAdvisor, Toolbox, open_model, run_sync, tool


@tool(name="TodoWrite")
def todo_write(items: list[str]) -> str:
    """Keep the list of what is to be done. Call it again with the whole list."""
    return f"{len(items)}개 기록됨"


@tool
def check_stock(sku: str) -> int:
    """How many of an article are in stock."""
    return 3


@tool
def place_order(sku: str, quantity: int) -> str:
    """Order an article from the supplier."""
    return "발주됨"


loop = OrchestrationToolCallingAdvisor(always_visible=(todo_write,), toolbox=Toolbox((check_stock, place_order)))
client = ChatClient(open_model(), advisors=(loop,))


async def main() -> None:
    print(await client.prompt("A-1 재고를 보고 발주해 줘.").conversation("발주-7").text())
    print("found for the conversation:", loop.found("발주-7"))
    print(loop.suffix("ko", searching=True))


run_sync(main())
