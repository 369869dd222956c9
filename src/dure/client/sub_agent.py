"""An agent as a tool: a prompt with its own context, of which only the answer comes back."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from dure.chat import ToolDefinition
from dure.client.prompt_spec import PromptSpec
from dure.errors import BudgetExceeded, ConfigError, DeadlineExceeded, DureError, InvalidArguments, ToolFailed
from dure.messages import Json
from dure.tools.base import ToolContext

_TASK: Mapping[str, Json] = {
    "type": "object",
    "properties": {"task": {"type": "string", "description": "What to do, with everything needed to do it."}},
    "required": ["task"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SubAgentTool:
    """A tool that asks another agent. Made by `ChatClient.as_tool`.

    The agent sees the task and nothing of the conversation. It runs under the budget, the deadline and
    the cancel switch of the run that asked; what it spends is counted there, also when it fails.
    """

    name: str
    description: str
    prompt: PromptSpec
    """What every task begins with."""
    timeout: float | None = None
    """Seconds; without one the deadline of the run is the limit."""
    return_direct: bool = False
    concurrent: bool = True
    definition: ToolDefinition = field(init=False)

    def __post_init__(self) -> None:
        if not self.name.strip() or not self.description.strip():
            raise ConfigError("a sub-agent needs a name and a description, by which the model knows when to ask it")
        definition = ToolDefinition(name=self.name, description=self.description, parameters=_TASK)
        object.__setattr__(self, "definition", definition)

    def accept(self, arguments: Mapping[str, Json]) -> Mapping[str, object]:
        """The task, which must say something."""
        task = arguments.get("task")
        if not isinstance(task, str) or not task.strip():
            raise InvalidArguments("$.task: a text that says what to do is needed")
        if len(arguments) > 1:
            raise InvalidArguments(f"only `task` is taken, not {', '.join(sorted(set(arguments) - {'task'}))}")
        return arguments

    async def run(self, arguments: Mapping[str, object], context: ToolContext) -> str:
        """The agent's answer.

        Raises:
            ToolFailed: the agent failed, or sub-agents may not go this deep.
            BudgetExceeded: nothing is left to spend for the whole tree of runs.
            DeadlineExceeded: the time of the whole tree is over.
        """
        try:
            child = context.run.child(self.name)
        except DureError as error:
            raise ToolFailed(f"{error}; do the work yourself") from error
        try:
            return (await self.prompt.user(str(arguments["task"])).run(child).call()).text
        except (BudgetExceeded, DeadlineExceeded):
            raise
        except DureError as error:
            raise ToolFailed(f"{self.name} failed: {error}") from error
        finally:
            context.charge(child.counts.spent)
