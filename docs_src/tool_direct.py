"""A tool whose result is the answer, and goes back to no model."""

from dure import ChatClient, open_model, run_sync, tool


@tool(return_direct=True)
def monthly_report(month: str) -> str:
    """The finished report of a month."""
    return f"# {month} 월말 보고서\n매출 38,500,000원"


client = ChatClient(open_model(), tools=(monthly_report,))
response = run_sync(client.prompt("10월 보고서 보여 줘.").call())
print(response.text)
print(response.finish_reason, response.usage.model_calls)
