"""How many tokens the answer to a whole stage may take: one and a half times what a good design of that size took."""

import math

from dure_spec.agents.task import Task
from dure_spec.artifacts.shared import Stage

MARGIN = 1.5
_REQUIREMENTS = 8
# tokens of the reference design in wire form, which has 8 requirements (Claude 2 tokenizer)
_REFERENCE: dict[Stage, int] = {"ba": 1791, "planner": 414, "dba": 731, "backend": 527, "frontend": 391}
LEAST = 1000
"""So that a design of two requirements is not cut at a comment."""


def room(task: Task) -> int:
    """Tokens for the stage in one piece; the answer that does not fit gets twice as much once."""
    prd = task.artifacts.prd
    expected = len(prd.reqs) if prd else max(_REQUIREMENTS, len(task.proposal.features))
    return max(LEAST, math.ceil(MARGIN * _REFERENCE[task.stage] * expected / _REQUIREMENTS))
