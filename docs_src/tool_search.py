"""Many tools: the model sees a search tool, and what it found."""

from collections.abc import Mapping
from typing import Any

from dure import ChatClient, ChatRequest, Event, RunContext, ScriptedModel, run_sync
from dure.chat import ChatResponse
from dure.events import ToolsFound
from dure.messages import AssistantMessage, ToolCall
from dure.tools import SchemaTool, tool_from_schema

ABOUT = {
    "create_purchase_order": "Order articles from a supplier.",
    "check_stock": "How many of an article are in stock.",
    "book_meeting_room": "Reserve a meeting room for a time.",
    "submit_expense_claim": "Hand in a receipt to be paid back.",
    "request_vacation": "Ask for days off.",
    "reset_password": "Give a person a new password.",
    "open_support_ticket": "Tell the help desk of a fault.",
    "translate_document": "Translate a file into another language.",
    "send_invoice": "Send a customer an invoice.",
    "find_contract": "Look a contract up.",
}


async def done(arguments: Mapping[str, Any]) -> str:
    return "됐습니다"


def made(name: str, about: str) -> SchemaTool:
    return tool_from_schema(name=name, description=about, parameters={}, run=done)


def call(name: str, arguments: str = "{}") -> ChatResponse:
    message = AssistantMessage(tool_calls=(ToolCall(id=name, name=name, arguments=arguments),))
    return ChatResponse(message=message, finish_reason="tool_calls")


def search(request: ChatRequest) -> ChatResponse:
    print("sees", [one.name for one in request.tools])
    return call("search_tools", '{"query": "연차 휴가 신청", "limit": 2}')


def use(request: ChatRequest) -> ChatResponse:
    print("sees", [one.name for one in request.tools])
    return call("request_vacation")


def show(event: Event) -> None:
    if isinstance(event, ToolsFound):
        print("found", event.names)


model = ScriptedModel(search, use, "휴가를 신청했습니다.")
client = ChatClient(model, tools=tuple(made(name, about) for name, about in ABOUT.items()))
print(run_sync(client.prompt("금요일에 쉬고 싶어.").run(RunContext(sink=show)).text()))
