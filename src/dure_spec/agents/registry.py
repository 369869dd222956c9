"""Which agent does which stage."""

from typing import Any

from dure_spec.agents.ba import BaAgent
from dure_spec.agents.backend import BackendAgent
from dure_spec.agents.base import BaseAgent
from dure_spec.agents.dba import DbaAgent
from dure_spec.agents.frontend import FrontendAgent
from dure_spec.agents.planner import PlannerAgent
from dure_spec.agents.supervisor import SupervisorAgent
from dure_spec.artifacts import Stage

AGENTS: dict[Stage, BaseAgent[Any]] = {
    agent.stage: agent
    for agent in (BaAgent(), PlannerAgent(), DbaAgent(), BackendAgent(), FrontendAgent(), SupervisorAgent())
}
