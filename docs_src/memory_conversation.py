"""A conversation that goes on from prompt to prompt."""

from dure import ChatClient, MemoryAdvisor, open_model, run_sync
from dure.memory import InProcessMemory, WindowMemory

memory = MemoryAdvisor(memory=WindowMemory(InProcessMemory(), max_messages=20))
client = ChatClient(open_model(), advisors=(memory,))


async def main() -> None:
    for question in ("이번 달 베스트셀러는?", "그건 몇 개 남았어?"):
        print(await client.prompt(question).conversation("상담-1042").text())
    for message in await memory.memory.load("상담-1042"):
        print(type(message).__name__)


run_sync(main())
