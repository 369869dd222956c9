"""An answer as an object of one's own type."""

from dataclasses import dataclass
from datetime import date

from dure import ChatClient, open_model, run_sync


@dataclass
class Line:
    sku: str
    quantity: int


@dataclass
class Order:
    customer: str
    lines: list[Line]
    due: date | None = None


client = ChatClient(open_model(), system="Read orders out of mails.")
mail = "안녕하세요, 한빛상사입니다. A-1 10개와 B-2 4개를 11월 30일까지 부탁드립니다."
order = run_sync(client.prompt(mail).entity(Order))
print(order.customer, order.due, *order.lines)
