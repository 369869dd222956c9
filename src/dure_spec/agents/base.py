"""The common frame of the six agents: a template method with six override points.

    run ─► state_fields ─► ┌ before_model ─► model (system_prompt, tools) ─► after_model ┐ ─► artifact
                           └──────────────────── until there is nothing to ask ──────────┘

A new agent is those six and nothing else: retries, the answer check, the call limit, events and usage
come with the frame.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar, Generic, TypeVar

from dure.advisors.base import Advisor
from dure.advisors.call_limit import CallLimitAdvisor
from dure.chat import ChatOptions
from dure.client.chat_client import ChatClient
from dure.errors import EmptyAnswer, OutputInvalid, OutputTruncated
from dure.messages import AssistantMessage, UserMessage
from dure.models.base import ChatModel
from dure.run import RunContext
from dure.tools.base import Tool
from dure_spec.agents.answer_check import AnswerCheckAdvisor
from dure_spec.agents.answers import readable
from dure_spec.agents.question import Question, StageState
from dure_spec.agents.repair import repair_question, repaired
from dure_spec.agents.setup import MODEL_CALLS, TOOL_CALLS, StageSetup
from dure_spec.agents.task import Task
from dure_spec.artifacts import Part, Stage

S = TypeVar("S", bound=StageState)

UNLIMITED_TOOL_CALLS = 150
"""Of an agent that does not limit them: the guard of every tool loop."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """Where an agent works: its model, the run, and who is told what it asks."""

    model: ChatModel
    run: RunContext
    asking: Callable[[str], None]
    defaulted: Callable[[str], None]
    """Told when a question got no usable answer and the program's own proposal stands."""
    advisors: tuple[Advisor, ...] = ()
    tool_model: ChatModel | None = None
    """Answers the light questions; the main model where there is none."""
    max_model_calls: int = MODEL_CALLS
    max_tool_calls: int = TOOL_CALLS
    thinking_tokens: int = 0
    """Added to the token limit of every question."""

    @classmethod
    def of(
        cls, setup: StageSetup, *, run: RunContext, asking: Callable[[str], None], defaulted: Callable[[str], None]
    ) -> "Bench":
        """The bench of a stage that is set up so."""
        return cls(
            model=setup.model,
            run=run,
            asking=asking,
            defaulted=defaulted,
            advisors=setup.advisors,
            tool_model=setup.tool_model,
            max_model_calls=setup.max_model_calls,
            max_tool_calls=setup.max_tool_calls,
            thinking_tokens=setup.thinking_tokens,
        )

    def model_for(self, question: Question) -> ChatModel:
        """Who answers it."""
        return self.tool_model or self.model if question.light else self.model

    def options_for(self, question: Question) -> ChatOptions:
        """Its options, with room to think."""
        limit = question.options.max_tokens
        if limit is None or not self.thinking_tokens:
            return question.options
        return replace(question.options, max_tokens=limit + self.thinking_tokens)


class BaseAgent(ABC, Generic[S]):
    """One stage of the pipeline."""

    stage: ClassVar[Stage]
    repairs: ClassVar[bool] = True
    """Whether what the gate finds can be repaired in this stage."""

    @abstractmethod
    def system_prompt(self, task: Task) -> str:
        """Who the model is in this stage."""

    def tools(self) -> tuple[Tool, ...]:
        """Tools of this agent alone."""
        return ()

    @abstractmethod
    def state_fields(self) -> S:
        """The empty state, with the fields that this agent adds."""

    @abstractmethod
    def before_model(self, task: Task, state: S) -> Question | None:
        """The next question, or `None` when the model has nothing more to decide."""

    @abstractmethod
    def after_model(self, task: Task, state: S, question: Question | None, text: str | None) -> S:
        """The state with an answer in it; with no question, the state with its artifact.

        Pure, for it is also the check of the answer. `text` is `None` where an optional question got
        no usable answer.

        Raises:
            AnswerRefused: the answer cannot be used.
        """

    def limits_tool_calls(self) -> bool:
        """Whether tool calls are limited too, not only model calls."""
        return False

    async def run(self, task: Task, bench: Bench) -> Part:
        """The artifact of one attempt.

        Raises:
            OutputInvalid: a needed answer stayed unusable.
            ModelError: the model failed for good.
        """
        if task.previous is not None and task.judgement is not None:
            return await self._repair(task, bench, task.previous)
        state = self.state_fields()
        while question := self.before_model(task, state):
            current, asked = state, question

            def check(text: str, current: S = current, asked: Question = asked) -> None:
                self.after_model(task, current, asked, text)

            text = await self._ask(task, bench, question, check)
            if text is None:
                bench.defaulted(question.about)
            state = self.after_model(task, state, question, text)
            state = state.model_copy(update={"answered": (*state.answered, question.key)})
        state = self.after_model(task, state, None, None)
        if state.artifact is None:
            raise OutputInvalid(f"stage {self.stage!r} ended without an artifact")
        return state.artifact

    async def _repair(self, task: Task, bench: Bench, previous: Part) -> Part:
        """The artifact with only its failing items asked for again."""
        question = repair_question(task, previous)

        def check(text: str) -> None:
            repaired(task, previous, text)

        text = await self._ask(task, bench, question, check)
        return previous if text is None else repaired(task, previous, text)

    async def _ask(self, task: Task, bench: Bench, question: Question, check: Callable[[str], None]) -> str | None:
        bench.asking(question.about)
        note = task.prompts.render("refused", fault="$fault")
        guards: tuple[Advisor, ...] = (
            AnswerCheckAdvisor(check=lambda text: check(readable(text)), note=note),
            CallLimitAdvisor(
                max_model_calls=bench.max_model_calls,
                max_tool_calls=bench.max_tool_calls if self.limits_tool_calls() else UNLIMITED_TOOL_CALLS,
            ),
        )
        shots = [
            message
            for asked, answered in question.examples
            for message in (UserMessage(text=asked), AssistantMessage(text=answered))
        ]
        client = ChatClient(bench.model_for(question), advisors=(*guards, *bench.advisors), tools=self.tools())
        prompt = client.prompt(question.prompt).system(self.system_prompt(task)).messages(*shots)
        try:
            response = await prompt.options(bench.options_for(question)).run(bench.run).call()
        except (OutputInvalid, OutputTruncated, EmptyAnswer):
            if not question.optional:
                raise
            return None
        return readable(response.text)
