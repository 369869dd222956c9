"""A run that is stopped: by its deadline, and by somebody who presses a button."""

import asyncio

from dure import ChatClient, RunContext, open_model, run_sync, tool
from dure.errors import Cancelled, DeadlineExceeded


@tool
async def count_warehouse(warehouse: str) -> int:
    """Count everything in a warehouse, which takes hours."""
    try:
        await asyncio.sleep(3600)
    finally:
        print(f"({warehouse}: 세기를 멈춤)")
    return 0


client = ChatClient(open_model(), tools=(count_warehouse,))


async def main() -> None:
    loop = asyncio.get_running_loop()
    try:
        await client.prompt("이천 창고를 세어 줘.").run(RunContext(deadline=loop.time() + 0.05)).call()
    except DeadlineExceeded as error:
        print(error)

    run = RunContext()
    loop.call_later(0.05, run.cancel)
    try:
        await client.prompt("부산 창고를 세어 줘.").run(run).call()
    except Cancelled as stop:
        print(stop)


run_sync(main())
