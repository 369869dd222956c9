"""A function that a model may call."""

from dure import ChatClient, open_model, run_sync, tool


@tool
async def check_stock(sku: str, warehouse: str = "이천") -> int:
    """How many of an article are in stock.

    Args:
        sku: The article's code, as in A-1.
        warehouse: Where to look.
    """
    return {"A-1": 3}.get(sku, 0)


client = ChatClient(open_model(), tools=(check_stock,))
print(run_sync(client.prompt("A-1이 이천 창고에 몇 개 있어?").text()))
print(check_stock.definition.parameters["properties"]["warehouse"])
