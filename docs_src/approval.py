"""A gate in front of the tools that change something: rules first, then a person, and a line for the auditors."""

import json
import logging

from dure import ChatClient, open_model, run_sync, tool
from dure.approval import ApprovalPolicy, ApprovalRequest, Decision
from dure.tools import ApprovalInterceptor, Toolbox


@tool
def check_stock(sku: str) -> int:
    """How many of an article are in stock."""
    return 3


@tool
def place_order(sku: str, quantity: int) -> str:
    """Order an article from the supplier."""
    return f"{sku} {quantity}개 발주함"


@tool
def delete_supplier(name: str) -> str:
    """Delete a supplier."""
    return f"{name} 삭제함"


class Buyer:
    """Stands for a person at a terminal or in a browser."""

    async def decide(self, request: ApprovalRequest) -> Decision:
        if request.arguments["quantity"] > 50:
            fewer = {**request.arguments, "quantity": 50}
            return Decision(verdict="modify", digest=request.digest, arguments=fewer, decided_by="김하나")
        return Decision(verdict="approve", digest=request.digest, decided_by="김하나")


class Auditor(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        line = json.loads(record.getMessage())
        print(*(line[name] for name in ("event", "tool", "verdict", "decided_by") if name in line))


logging.getLogger("dure.audit").addHandler(Auditor())
logging.getLogger("dure.audit").setLevel(logging.INFO)

policy = ApprovalPolicy(deny=("delete_*",), allow=("check_*", "place_order(quantity:?)"))
gate = ApprovalInterceptor(approver=Buyer(), needs=policy.need)
tools = Toolbox((check_stock, place_order, delete_supplier)).intercepted(gate)
client = ChatClient(open_model(), tools=tuple(tools))
print(run_sync(client.prompt("재고를 보고 필요하면 발주해 줘.").text()))
