"""Tools of two systems in one loop: those of one under a prefix, those of the other without what writes."""

from dure import ChatClient, ConfigError, ScriptedModel, tool
from dure.tools import Toolbox


@tool(name="search")
def search_orders(text: str) -> list[str]:
    """Orders with a text."""
    return [text]


@tool(name="delete")
def delete_order(number: str) -> None:
    """Delete an order."""


@tool(name="search")
def search_people(name: str) -> list[str]:
    """People of a name."""
    return [name]


orders, people = Toolbox((search_orders, delete_order)), Toolbox((search_people,))
try:
    orders.merged(people)
except ConfigError as error:
    print(error)

readable = orders.filtered(keep=lambda one: "delete" not in one.definition.name)
everything = readable.merged(people.prefixed("hr_"))
client = ChatClient(ScriptedModel(), tools=tuple(everything))
print([one.definition.name for one in client.tools])
