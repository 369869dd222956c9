"""What is told and kept of an approval: events for whoever watches, a line for whoever checks."""

import asyncio
import json
import logging
from typing import Literal

import pytest

from dure.approval import ApprovalRequest, Decision, digest_of
from dure.events import ApprovalDecided, ApprovalRequested, Event, ToolFinished, ToolStarted
from dure.messages import ToolCall
from dure.run import RunContext
from dure.tools.approval_gate import ApprovalInterceptor
from dure.tools.executor import execute
from dure.tools.function import tool
from dure.tools.toolbox import Toolbox


@tool
async def order(sku: str, count: int = 1) -> str:
    """Order stock."""
    return f"ordered {count} {sku}"


class Approver:
    def __init__(self, verdict: Literal["modify", "reject"], *, sku: str = "", reason: str = "", by: str = "") -> None:
        self.verdict: Literal["modify", "reject"] = verdict
        self.sku, self.reason, self.by = sku, reason, by

    async def decide(self, request: ApprovalRequest) -> Decision:
        return Decision(
            verdict=self.verdict,
            digest=request.digest,
            reason=self.reason,
            arguments={"sku": self.sku} if self.sku else None,
            decided_by=self.by,
        )


async def ask(approver: Approver, arguments: str, run: RunContext) -> None:
    box = Toolbox((order,)).intercepted(ApprovalInterceptor(approver=approver))
    async with asyncio.timeout(5):
        await execute([ToolCall(id="c1", name="order", arguments=arguments)], box, run)


async def test_the_question_and_the_decision_are_told_as_events() -> None:
    events: list[Event] = []
    await ask(Approver("reject", reason="no"), '{"sku": "A-1"}', RunContext(sink=events.append))
    asked = '{"count":1,"sku":"A-1"}'
    text = "order did not run: no. Do not ask for the same again."
    assert events == [
        ToolStarted(call_id="c1", name="order", arguments='{"sku": "A-1"}'),
        ApprovalRequested(call_id="c1", name="order", arguments=asked),
        ApprovalDecided(call_id="c1", name="order", decision="reject", reason="no"),
        ToolFinished(call_id="c1", name="order", text=text, is_error=True),
    ]


async def test_an_audit_line_says_what_was_decided_and_keeps_secrets_out(caplog: pytest.LogCaptureFixture) -> None:
    approver = Approver("modify", sku="hidden-2", by="김\n미나", reason="hidden-3")
    with caplog.at_level(logging.INFO, logger="dure.audit"):
        await ask(approver, '{"sku": "hidden-1"}', RunContext(run_id="r1"))
    lines = [record.getMessage() for record in caplog.records if record.name == "dure.audit"]
    assert "hidden" not in "".join(lines)
    assert not any("\n" in line for line in lines)
    assert "김" in lines[1]
    requested, decided = map(json.loads, lines)
    digest = digest_of("order", {"sku": "hidden-1", "count": 1})
    common = {"run_id": "r1", "agent": "agent", "call_id": "c1", "tool": "order", "digest": digest}
    assert requested == {"event": "approval requested", **common}
    assert decided == {
        "event": "approval decided",
        **common,
        "verdict": "modify",
        "decided_by": "김\n미나",
        "changed_digest": digest_of("order", {"sku": "hidden-2", "count": 1}),
    }
