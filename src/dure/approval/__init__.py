"""Who decides whether a tool call may run: the port, and rules for the calls that nobody need look at."""

from dure.approval.base import ApprovalRequest, Approver, Decision, Verdict
from dure.approval.digest import canonical, digest_of
from dure.approval.policy import ApprovalPolicy, Need

__all__ = [
    "ApprovalPolicy",
    "ApprovalRequest",
    "Approver",
    "Decision",
    "Need",
    "Verdict",
    "canonical",
    "digest_of",
]
