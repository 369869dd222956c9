"""One question to an approver: what is asked, what counts as an answer, and the line that is kept of it."""

import asyncio
import json
import logging
from collections.abc import Mapping
from typing import cast

from dure.approval.base import ApprovalRequest, Approver, Decision
from dure.approval.digest import canonical, digest_of
from dure.errors import Signal, ToolError
from dure.messages import Json
from dure.time_limit import TimeLimit
from dure.tools.base import Tool, ToolContext

logger = logging.getLogger(__name__)
_audit = logging.getLogger("dure.audit")

_VERDICTS = frozenset({"approve", "modify", "reject", "terminate"})


def request_for(tool: Tool, arguments: Mapping[str, object], context: ToolContext) -> ApprovalRequest:
    """The question about a call with accepted arguments, defaults included: a copy that nobody can change.

    Raises:
        ToolError: the arguments cannot be shown to anybody.
    """
    from pydantic_core import to_jsonable_python

    name = tool.definition.name
    try:
        shown = cast(Mapping[str, Json], to_jsonable_python(dict(arguments)))
        digest = digest_of(name, shown)
    except (TypeError, ValueError, RecursionError) as error:
        raise ToolError(f"{name} did not run: its arguments cannot be shown for approval ({error})") from error
    return ApprovalRequest(
        run_id=context.run.run_id,
        agent=context.run.agent,
        call_id=context.call.id,
        tool=name,
        description=tool.definition.description,
        arguments=shown,
        digest=digest,
    )


def rejection(request: ApprovalRequest, reason: str, *, by: str = "") -> Decision:
    """No, for this request."""
    return Decision(verdict="reject", digest=request.digest, reason=reason, decided_by=by)


async def asked(approver: Approver, request: ApprovalRequest, seconds: float) -> Decision:
    """The approver's decision about exactly this request; anything else is a rejection.

    Raises:
        Signal: the approver pauses or stops the run.
    """
    limit = TimeLimit(seconds)
    try:
        return _checked(await limit.run(_decided(approver, request)), request)
    except Signal:
        raise
    except asyncio.CancelledError:
        task = asyncio.current_task()
        if task is not None and task.cancelling():
            raise
        return rejection(request, "nobody could decide about it")
    except (Exception, SystemExit):
        if limit.expired:
            return rejection(request, f"nobody decided about it within {seconds:g} s")
        logger.exception("the approver of %r failed", request.tool)
        return rejection(request, "nobody could decide about it")


async def _decided(approver: Approver, request: ApprovalRequest) -> object:
    return await approver.decide(request)


def _checked(decision: object, request: ApprovalRequest) -> Decision:
    if not isinstance(decision, Decision) or decision.verdict not in _VERDICTS:
        return rejection(request, "the answer was no decision")
    if decision.digest != request.digest:
        return rejection(request, "the decision was about something else")
    if decision.verdict == "modify" and not isinstance(decision.arguments, Mapping):
        return rejection(request, "the changed arguments are missing")
    return decision


def audit(
    event: str,
    request: ApprovalRequest,
    *,
    decision: Decision | None = None,
    changed: ApprovalRequest | None = None,
) -> None:
    """One line of JSON for the logger `dure.audit`; digests instead of arguments, which may be secret."""
    line = {
        "event": f"approval {event}",
        "run_id": request.run_id,
        "agent": request.agent,
        "call_id": request.call_id,
        "tool": request.tool,
        "digest": request.digest,
    }
    if decision is not None:
        line |= {"verdict": decision.verdict, "decided_by": decision.decided_by}
    if changed is not None:
        line["changed_digest"] = changed.digest
    _audit.info("%s", json.dumps(line, ensure_ascii=False))


def arguments_text(request: ApprovalRequest) -> str:
    """The arguments as a person reads them."""
    return canonical(request.arguments)
