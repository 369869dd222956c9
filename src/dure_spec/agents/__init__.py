"""The six agents, one for each stage of the pipeline, and the frame they share."""

from dure_spec.agents.ba import BaAgent
from dure_spec.agents.backend import BackendAgent
from dure_spec.agents.base import BaseAgent, Bench
from dure_spec.agents.dba import DbaAgent
from dure_spec.agents.frontend import FrontendAgent
from dure_spec.agents.planner import PlannerAgent
from dure_spec.agents.registry import AGENTS
from dure_spec.agents.supervisor import SupervisorAgent
from dure_spec.agents.task import Task

__all__ = [
    "AGENTS",
    "BaAgent",
    "BackendAgent",
    "BaseAgent",
    "Bench",
    "DbaAgent",
    "FrontendAgent",
    "PlannerAgent",
    "SupervisorAgent",
    "Task",
]
