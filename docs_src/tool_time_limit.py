"""A tool that takes too long; the model is told, and goes on."""

import asyncio

from dure import ChatClient, open_model, run_sync, tool


@tool(timeout=0.05)
async def credit_rating(company: str) -> str:
    """The rating of a company, from an agency that is slow at times."""
    await asyncio.sleep(60)
    return "AA"


model = open_model()
print(run_sync(ChatClient(model, tools=(credit_rating,)).prompt("한빛상사의 신용 등급은?").text()))
