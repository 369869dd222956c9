"""Money that many runs may spend together."""

from decimal import Decimal

from dure import Budget, ChatClient, RunContext, open_model, run_sync
from dure.errors import BudgetExceeded
from dure.models.prices import PriceTable
from dure.models.token_prices import TokenPrices

prices = PriceTable({"scripted:*": TokenPrices(input=Decimal("0.4"), output=Decimal("1.6"))})  # a million tokens
budget = Budget(max_cost=Decimal("0.002"))
client = ChatClient(open_model())

for month in ("9월", "10월", "11월"):
    prompt = client.prompt(f"{month} 클레임을 요약해 줘.").run(RunContext(budget=budget, price=prices))
    try:
        print(run_sync(prompt.text()), f"{budget.spent.cost} USD")
    except BudgetExceeded as error:
        print(error)
