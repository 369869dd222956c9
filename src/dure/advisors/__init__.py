"""The recursive chain and what may stand in it. Read `chain.py` first, then `order.py`."""

from dure.advisors.base import Advisor, Chain
from dure.advisors.call_limit import CallLimitAdvisor
from dure.advisors.chain import AdvisorChain
from dure.advisors.evaluation import Evaluation, EvaluationAdvisor
from dure.advisors.fallback import FallbackAdvisor
from dure.advisors.model_call import ModelCall
from dure.advisors.retry import RetryAdvisor
from dure.advisors.structured_output import StructuredOutputAdvisor
from dure.advisors.tool_calling import ToolCallingAdvisor
from dure.advisors.tool_loop import ToolGuards, ToolLoop, ToolLoopHooks

__all__ = [
    "Advisor",
    "AdvisorChain",
    "CallLimitAdvisor",
    "Chain",
    "Evaluation",
    "EvaluationAdvisor",
    "FallbackAdvisor",
    "ModelCall",
    "RetryAdvisor",
    "StructuredOutputAdvisor",
    "ToolCallingAdvisor",
    "ToolGuards",
    "ToolLoop",
    "ToolLoopHooks",
]
