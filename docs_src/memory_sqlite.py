"""Conversations in a file, with the tool calls of each turn: they go on after a restart."""

from dure import ChatClient, MemoryAdvisor, open_model, run_sync, tool
from dure.memory import SqliteMemory


@tool
def check_stock(sku: str) -> int:
    """How many of an article are in stock."""
    return 3


model = open_model()


async def main() -> None:
    for question in ("A-1 재고는?", "발주가 필요할까?"):  # each time as if the program had been started anew
        async with SqliteMemory("conversations.db") as store:
            memory = MemoryAdvisor(memory=store, keep="everything")
            client = ChatClient(model, advisors=(memory,), tools=(check_stock,))
            print(await client.prompt(question).conversation("상담-1043").text())
    async with SqliteMemory("conversations.db") as store:
        print(len(await store.load("상담-1043")), "messages of", await store.conversations())


run_sync(main())
