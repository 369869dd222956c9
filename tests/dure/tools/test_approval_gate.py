"""A call that needs approval runs on an approval of exactly that call, and on nothing else."""

import asyncio
import inspect
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from dure.approval import ApprovalPolicy, ApprovalRequest, Decision, digest_of
from dure.errors import Cancelled, ConfigError, Signal
from dure.messages import ToolCall, ToolResult
from dure.run import RunContext
from dure.tools.approval_gate import ApprovalInterceptor
from dure.tools.base import ToolContext
from dure.tools.executor import execute
from dure.tools.function import tool
from dure.tools.toolbox import Toolbox

RUNS: list[str] = []


class Approver:
    """Answers with what a function says, and keeps the questions."""

    def __init__(self, answer: Callable[[ApprovalRequest], Any]) -> None:
        self.answer = answer
        self.asked: list[ApprovalRequest] = []

    async def decide(self, request: ApprovalRequest) -> Decision:
        self.asked.append(request)
        answer: Any = self.answer(request)
        return await answer if inspect.isawaitable(answer) else answer


@tool
async def order(sku: str, context: ToolContext, count: int = 1) -> str:
    """Order stock."""
    RUNS.append(f"{sku} {count} {context.call.arguments}")
    return f"ordered {count} {sku}"


@tool
async def look(sku: str) -> str:
    """Look."""
    RUNS.append(f"look {sku}")
    return "12"


@pytest.fixture(autouse=True)
def nothing_ran() -> None:
    RUNS.clear()


def says(verdict: Any, **more: Any) -> Callable[[ApprovalRequest], Decision]:  # noqa: ANN401 - also wrong ones
    return lambda request: Decision(verdict=verdict, digest=request.digest, **more)


def gated(approver: Approver, **settings: Any) -> Toolbox:  # noqa: ANN401 - of the interceptor
    return Toolbox((order, look)).intercepted(ApprovalInterceptor(approver=approver, **settings))


async def run_one(box: Toolbox, arguments: str = '{"sku": "A-1"}', run: RunContext | None = None) -> ToolResult:
    async with asyncio.timeout(5):
        (result,) = await execute([ToolCall(id="c1", name="order", arguments=arguments)], box, run or RunContext())
    return result


async def test_an_approved_call_runs_with_the_arguments_that_were_shown() -> None:
    approver = Approver(says("approve"))
    run = RunContext(run_id="r1", agent="buyer")
    result = await run_one(gated(approver), '{"sku":"A-1"}', run)
    assert (result.text, result.is_error) == ("ordered 1 A-1", False)
    assert approver.asked == [
        ApprovalRequest(
            run_id="r1",
            agent="buyer",
            call_id="c1",
            tool="order",
            description="Order stock.",
            arguments={"sku": "A-1", "count": 1},
            digest=digest_of("order", {"count": 1, "sku": "A-1"}),
        )
    ]


async def test_changed_arguments_are_read_again_and_told() -> None:
    approver = Approver(says("modify", arguments={"sku": "B-2", "count": "3"}))
    result = await run_one(gated(approver))
    assert result.text == '[ran with changed arguments: {"count":3,"sku":"B-2"}]\nordered 3 B-2'
    assert RUNS == ['B-2 3 {"count":3,"sku":"B-2"}']
    direct = Toolbox((replace(order, return_direct=True),)).intercepted(ApprovalInterceptor(approver=approver))
    assert (await run_one(direct)).text == "ordered 3 B-2"  # it is the answer, so it has no note


ANSWERS: list[tuple[Callable[[ApprovalRequest], Any], str]] = [
    (says("reject", reason="너무 비싸다"), "너무 비싸다"),
    (says("reject"), "it was rejected"),
    (says("perhaps"), "the answer was no decision"),
    (lambda _: True, "the answer was no decision"),
    (lambda _: None, "the answer was no decision"),
    (lambda _: "approve", "the answer was no decision"),
    (lambda _: Decision(verdict="approve", digest="0" * 64), "the decision was about something else"),
    (says("modify"), "the changed arguments are missing"),
    (says("modify", arguments={"sku": 5}), "the changed arguments are not accepted: $.sku: Input should be"),
    (says("modify", arguments={"sku": "forbidden"}), "the changed arguments are not accepted: the policy forbids it"),
]


@pytest.mark.parametrize(("answer", "reason"), ANSWERS)
async def test_nothing_runs_on_anything_but_an_approval(answer: Callable[[Any], Any], reason: str) -> None:
    policy = ApprovalPolicy(deny=("order(sku:forbidden)",))
    result = await run_one(gated(Approver(answer), needs=policy.need))
    assert (RUNS, result.is_error) == ([], True)
    assert result.text.startswith(f"order did not run: {reason}")


def raising(error: BaseException) -> Callable[[ApprovalRequest], Decision]:
    def answer(request: ApprovalRequest) -> Decision:
        raise error

    return answer


@pytest.mark.parametrize(
    "error", [RuntimeError("no terminal"), SystemExit(1), asyncio.CancelledError(), TimeoutError()]
)
async def test_an_approver_that_fails_is_a_rejection(error: BaseException) -> None:
    result = await run_one(gated(Approver(raising(error))))
    assert (RUNS, result.is_error) == ([], True)
    assert result.text == "order did not run: nobody could decide about it. Do not ask for the same again."


async def test_an_approver_that_is_too_slow_is_a_rejection() -> None:
    result = await run_one(gated(Approver(lambda _: asyncio.Event().wait()), timeout=0.01))
    assert (RUNS, result.text) == (
        [],
        "order did not run: nobody decided about it within 0.01 s. Do not ask for the same again.",
    )


async def test_an_approver_may_stop_or_pause_the_run() -> None:
    with pytest.raises(Cancelled, match="order was refused and the run stopped: fraud"):
        await run_one(gated(Approver(says("terminate", reason="fraud"))))
    with pytest.raises(Signal, match="later"):
        await run_one(gated(Approver(raising(Signal("later")))))
    assert RUNS == []


async def test_cancelling_a_run_that_waits_for_approval_ends_the_wait() -> None:
    asked = asyncio.Event()

    async def wait(request: ApprovalRequest) -> None:
        asked.set()
        await asyncio.Event().wait()

    work = asyncio.create_task(run_one(gated(Approver(wait))))
    async with asyncio.timeout(5):
        await asked.wait()
        work.cancel()
        with pytest.raises(asyncio.CancelledError):
            await work
    assert RUNS == []


@pytest.mark.parametrize("arguments", ["", '{"sku": 1}', '{"{"sku":1}', '["A-1"]', '{"sku": "A", "more": 1}'])
async def test_broken_arguments_never_reach_an_approver(arguments: str) -> None:
    approver = Approver(says("approve"))
    assert (await run_one(gated(approver), arguments)).is_error
    assert (approver.asked, RUNS) == ([], [])


async def test_the_policy_decides_who_is_asked() -> None:
    approver = Approver(says("reject"))
    policy = ApprovalPolicy(allow=("order(sku:A*)",), deny=("order(sku:X*)",))
    box = gated(approver, needs=policy.need)
    assert (await run_one(box, '{"sku": "A-1"}')).text == "ordered 1 A-1"
    assert (await run_one(box, '{"sku": "X-1"}')).text.startswith("order did not run: the policy forbids it")
    assert approver.asked == []
    assert (await run_one(box, '{"sku": "B-1"}')).is_error
    assert len(approver.asked) == 1


@pytest.mark.parametrize("needs", [lambda *_: "maybe", lambda *_: None, lambda *_: 1 / 0])  # pyright: ignore
async def test_a_policy_that_fails_forbids(needs: Any) -> None:  # noqa: ANN401 - what is tested
    approver = Approver(says("approve"))
    assert (await run_one(gated(approver, needs=needs))).text.startswith("order did not run: the policy forbids it")
    assert (approver.asked, RUNS) == ([], [])


async def test_an_approver_cannot_change_a_call_behind_the_digest() -> None:
    def meddle(request: ApprovalRequest) -> Decision:
        request.arguments["sku"] = "cheap"  # pyright: ignore[reportIndexIssue] - what is tested
        return Decision(verdict="approve", digest=request.digest)

    assert (await run_one(gated(Approver(meddle)))).text == "ordered 1 A-1"


async def test_questions_are_asked_one_at_a_time_while_other_tools_go_on() -> None:
    looked, open_questions, most = asyncio.Event(), 0, 0

    @tool(name="look")
    async def look_on(sku: str) -> str:
        """Look."""
        looked.set()
        return "12"

    async def decide(request: ApprovalRequest) -> Decision:
        nonlocal open_questions, most
        open_questions += 1
        most = max(most, open_questions)
        await looked.wait()
        await asyncio.sleep(0)
        open_questions -= 1
        return Decision(verdict="approve", digest=request.digest)

    approver = Approver(decide)
    box = Toolbox((order, look_on)).intercepted(ApprovalInterceptor(approver=approver), only="order")
    calls = [ToolCall(id=f"c{n}", name="order", arguments=json.dumps({"sku": f"S{n}"})) for n in range(3)]
    calls.append(ToolCall(id="c3", name="look", arguments='{"sku": "S"}'))
    async with asyncio.timeout(5):
        results = await execute(calls, box, RunContext())
    assert [one.text for one in results] == ["ordered 1 S0", "ordered 1 S1", "ordered 1 S2", "12"]
    assert most == 1


async def test_questions_may_be_asked_at_the_same_time_where_no_person_reads() -> None:
    both = asyncio.Barrier(2)

    async def decide(request: ApprovalRequest) -> Decision:
        await both.wait()
        return Decision(verdict="approve", digest=request.digest)

    box = gated(Approver(decide), one_at_a_time=False)
    calls = [ToolCall(id=f"c{n}", name="order", arguments='{"sku": "S"}') for n in range(2)]
    async with asyncio.timeout(5):
        assert not any(one.is_error for one in await execute(calls, box, RunContext()))


def test_one_gate_serves_several_event_loops() -> None:
    box = gated(Approver(says("approve")))

    async def two() -> list[bool]:
        calls = [ToolCall(id=f"c{n}", name="order", arguments='{"sku": "S"}') for n in range(3)]
        async with asyncio.timeout(5):
            return [one.is_error for one in await execute(calls, box, RunContext())]

    assert [asyncio.run(two()) for _ in range(2)] == [[False] * 3] * 2


async def test_arguments_that_cannot_be_shown_are_not_run() -> None:
    class Hidden:
        pass

    @tool(name="order")
    async def buy(sku: str, what: Any = Hidden) -> str:  # noqa: ANN401 - what is tested
        """Buy."""
        RUNS.append("bought")
        return "bought"

    approver = Approver(says("approve"))
    result = await run_one(Toolbox((buy,)).intercepted(ApprovalInterceptor(approver=approver)))
    assert (RUNS, approver.asked) == ([], [])
    assert result.text.startswith("order did not run: its arguments cannot be shown for approval")


def test_a_gate_needs_a_time_limit() -> None:
    with pytest.raises(ConfigError, match="ApprovalInterceptor"):
        ApprovalInterceptor(approver=Approver(says("approve")), timeout=0)
