"""Lets a tool call run only when somebody says so. Whatever goes wrong on the way, the call does not run."""

import asyncio
import logging
import weakref
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from dure.approval.base import ApprovalRequest, Approver, Decision
from dure.approval.policy import ApprovalPolicy, Need
from dure.errors import Cancelled, ToolError
from dure.events import ApprovalDecided, ApprovalRequested
from dure.messages import Json, ToolCall
from dure.tools.approval_question import arguments_text, asked, audit, rejection, request_for
from dure.tools.base import Proceed, Tool, ToolContext, check_timeout
from dure.tools.results import as_text

logger = logging.getLogger(__name__)

Needs = Callable[[str, Mapping[str, Json]], Need]
"""What a call of a tool with these arguments needs; `ApprovalPolicy.need`, or the application's own."""

_ASK_ALWAYS = ApprovalPolicy().need
_FORBIDDEN = "the policy forbids it"

_Loop = asyncio.AbstractEventLoop


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ApprovalInterceptor:
    """Asks an approver before a tool runs, about exactly the arguments that it will run with.

    Only an `approve` or `modify` for this call lets it run. A rejection, an approver that fails or is too
    slow, and an answer for another call are told to the model, which goes on without the tool.
    """

    approver: Approver
    needs: Needs = _ASK_ALWAYS
    timeout: float = 600.0
    """Seconds the approver has for one question."""
    one_at_a_time: bool = True
    """Questions of calls that run at the same time are asked one after another, as a person reads."""
    _turns: weakref.WeakKeyDictionary[_Loop, asyncio.Lock] = field(
        default_factory=weakref.WeakKeyDictionary[_Loop, asyncio.Lock], init=False, repr=False
    )
    """Whose turn it is; a lock belongs to one event loop."""

    def __post_init__(self) -> None:
        check_timeout(self.timeout, type(self).__name__)

    async def intercept(
        self, tool: Tool, arguments: Mapping[str, object], context: ToolContext, proceed: Proceed
    ) -> object:
        """The tool's result, once it may run.

        Raises:
            ToolError: it may not.
            Cancelled: the approver stopped the run.
        """
        request = request_for(tool, arguments, context)
        need = self._need(request)
        if need == "allow":
            return await proceed(arguments, context)
        if need == "ask":
            decision = await self._ask(request, context)
        else:
            decision = rejection(request, _FORBIDDEN, by="policy")
        if decision.verdict == "modify":
            return await self._run_changed(tool, request, decision, context, proceed)
        self._tell(request, decision, context)
        if decision.verdict == "approve":
            return await proceed(arguments, context)
        raise _refusal(request, decision)

    async def _run_changed(
        self, tool: Tool, request: ApprovalRequest, decision: Decision, context: ToolContext, proceed: Proceed
    ) -> object:
        """The result with the arguments of the decision, which the policy and the tool must accept too."""
        try:
            arguments = tool.accept(dict(decision.arguments or {}))
            changed = request_for(tool, arguments, context)
            if self._need(changed) == "deny":
                raise ToolError(_FORBIDDEN)
        except Exception as error:
            reason = f"the changed arguments are not accepted: {str(error) or type(error).__name__}"
            refused = rejection(request, reason, by=decision.decided_by)
            self._tell(request, refused, context)
            raise _refusal(request, refused) from error
        self._tell(request, decision, context, changed=changed)
        call = ToolCall(id=context.call.id, name=context.call.name, arguments=arguments_text(changed))
        result = await proceed(arguments, ToolContext(call=call, run=context.run, charge=context.charge))
        if tool.return_direct:
            return result
        return f"[ran with changed arguments: {arguments_text(changed)}]\n{as_text(result)}"

    def _need(self, request: ApprovalRequest) -> Need:
        """What the policy says; one that fails, or says anything else, forbids."""
        try:
            need = self.needs(request.tool, request.arguments)
        except Exception:
            logger.exception("the policy for %r failed", request.tool)
            return "deny"
        return need if need in {"allow", "ask"} else "deny"

    async def _ask(self, request: ApprovalRequest, context: ToolContext) -> Decision:
        if not self.one_at_a_time:
            return await self._question(request, context)
        turn = self._turns.setdefault(asyncio.get_running_loop(), asyncio.Lock())
        async with turn:
            context.run.check()
            return await self._question(request, context)

    async def _question(self, request: ApprovalRequest, context: ToolContext) -> Decision:
        audit("requested", request)
        if context.run.watched:
            context.run.emit(
                ApprovalRequested(call_id=request.call_id, name=context.call.name, arguments=arguments_text(request))
            )
        return await asked(self.approver, request, self.timeout)

    def _tell(
        self,
        request: ApprovalRequest,
        decision: Decision,
        context: ToolContext,
        *,
        changed: ApprovalRequest | None = None,
    ) -> None:
        audit("decided", request, decision=decision, changed=changed)
        if context.run.watched:
            context.run.emit(
                ApprovalDecided(
                    call_id=request.call_id,
                    name=context.call.name,
                    decision=decision.verdict,
                    reason=decision.reason,
                )
            )


def _refusal(request: ApprovalRequest, decision: Decision) -> Exception:
    if decision.verdict == "terminate":
        return Cancelled(f"{request.tool} was refused and the run stopped: {decision.reason or 'no reason was given'}")
    return ToolError(
        f"{request.tool} did not run: {decision.reason or 'it was rejected'}. Do not ask for the same again."
    )
