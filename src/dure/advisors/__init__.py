"""The recursive chain and what may stand in it. Read `chain.py` first, then `order.py`."""

from dure.advisors.base import Advisor, Chain, ToolAdvisor
from dure.advisors.before_after import BeforeAfterAdvisor
from dure.advisors.call_limit import CallLimitAdvisor
from dure.advisors.chain import AdvisorChain
from dure.advisors.compaction import CompactionAdvisor
from dure.advisors.evaluation import Evaluation, EvaluationAdvisor, Judge
from dure.advisors.fallback import FallbackAdvisor
from dure.advisors.memory import MemoryAdvisor
from dure.advisors.model_call import ModelCall
from dure.advisors.model_judge import ModelJudge
from dure.advisors.orchestration import OrchestrationToolCallingAdvisor
from dure.advisors.prompt_caching import PromptCachingAdvisor
from dure.advisors.protection import Protection
from dure.advisors.result_trimming import ResultTrimmingAdvisor
from dure.advisors.retrieval import RetrievalAdvisor, found_documents, only_documents
from dure.advisors.retry import RetryAdvisor
from dure.advisors.safeguard import SafeguardAdvisor
from dure.advisors.structured_output import StructuredOutputAdvisor
from dure.advisors.tool_calling import ToolCallingAdvisor
from dure.advisors.tool_loop import AgentSafety, ToolLoop, ToolLoopHooks
from dure.advisors.tool_search import ToolSearchAdvisor, auto_tool_advisor

__all__ = [
    "Advisor",
    "AdvisorChain",
    "AgentSafety",
    "BeforeAfterAdvisor",
    "CallLimitAdvisor",
    "Chain",
    "CompactionAdvisor",
    "Evaluation",
    "EvaluationAdvisor",
    "FallbackAdvisor",
    "Judge",
    "MemoryAdvisor",
    "ModelCall",
    "ModelJudge",
    "OrchestrationToolCallingAdvisor",
    "PromptCachingAdvisor",
    "Protection",
    "ResultTrimmingAdvisor",
    "RetrievalAdvisor",
    "RetryAdvisor",
    "SafeguardAdvisor",
    "StructuredOutputAdvisor",
    "ToolAdvisor",
    "ToolCallingAdvisor",
    "ToolLoop",
    "ToolLoopHooks",
    "ToolSearchAdvisor",
    "auto_tool_advisor",
    "found_documents",
    "only_documents",
]
