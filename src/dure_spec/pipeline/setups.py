"""Opens the models of a run, once each, and says which stage works with which.

--model or DURE_MODEL   ►  every place of every stage; with the provider alone, what stands for it
dure.toml               ►  main, tool and fallback model per agent, or for all
nothing                 ►  the first that is usable here
"""

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from dure.advisors.base import Advisor
from dure.advisors.fallback import FallbackAdvisor
from dure.advisors.prompt_caching import PromptCachingAdvisor
from dure.advisors.retry import RetryAdvisor
from dure.errors import ConfigError
from dure.models.base import ChatModel
from dure.models.registry import VARIABLE, open_model
from dure_spec.agents.setup import MODEL_CALLS, TOOL_CALLS, ModelNames, StageSetup
from dure_spec.artifacts.shared import STAGES, Stage
from dure_spec.config import AgentConfig, DesignConfig, ProviderConfig

Open = Callable[[str | None], ChatModel]


class Setups:
    """The setups of all stages; closes the models that it holds."""

    def __init__(self, stages: Mapping[Stage, StageSetup], names: Mapping[Stage, ModelNames]) -> None:
        self._stages = dict(stages)
        self.names = dict(names)
        """What opens the same models again, for a run that goes on later."""

    def of(self, stage: Stage) -> StageSetup:
        """What this stage works with."""
        return self._stages[stage]

    @property
    def model(self) -> ChatModel:
        """The first stage's main model, which a run is named after."""
        return self._stages["ba"].model

    @property
    def parallel(self) -> bool:
        """Whether two stages at the same time would not wait for one model."""
        planner, dba = self._stages["planner"].model, self._stages["dba"].model
        return planner is not dba or planner.capabilities.parallel > 1

    async def close(self) -> None:
        """Close every model once."""
        models: dict[int, ChatModel] = {}
        for setup in self._stages.values():
            for model in (setup.model, setup.tool_model, setup.last_model):
                if model is not None:
                    models[id(model)] = model
        for model in models.values():
            await model.close()


def open_setups(
    config: DesignConfig,
    *,
    model: ChatModel | None = None,
    spec: str | None = None,
    begun_with: Mapping[Stage, ModelNames] | None = None,
    advisors: Sequence[Advisor] = (),
    environ: Mapping[str, str] = os.environ,
) -> Setups:
    """The setups of a run.

    `model` takes every place. `spec` is what the user names for this sitting, `begun_with` what the run had
    before; only a new run looks at the environment and the configuration.

    Raises:
        ConfigError: a model's name is malformed, or a provider unknown.
        ModelError: a model is not usable here.
    """
    opened: dict[str | None, ChatModel] = {}

    def opening(name: str | None) -> ChatModel:
        if model is not None:
            return model
        if name not in opened:
            opened[name] = open_model(name, environ=environ)
        return opened[name]

    wanted = spec or environ.get(VARIABLE, "").strip() or None
    names: dict[Stage, ModelNames] = (
        dict(begun_with)
        if begun_with and not spec
        else {stage: _named(config.of(stage), config.providers, wanted, opening) for stage in STAGES}
    )
    stages: dict[Stage, StageSetup] = {
        stage: _setup(names[stage], config.of(stage), opening, advisors) for stage in STAGES
    }
    return Setups(stages, names)


def _named(
    agent: AgentConfig, providers: Mapping[str, ProviderConfig], switch: str | None, opening: Open
) -> ModelNames:
    """The names of a stage's models; those of a switch stand above what the agent has of its own."""
    if switch is None:
        main = _reopening(opening(agent.model), agent.model)
        tool = agent.tool_model or main
        return ModelNames(model=main, tool_model=tool, fallback_model=_other(agent.fallback_model, main))
    provider, colon, name = switch.partition(":")
    if not colon:
        raise ConfigError(f"{switch!r} is no model: write provider:model, or provider: for what stands for it")
    known = providers.get(provider, ProviderConfig())
    wanted = switch if name.strip() or not known.model else f"{provider}:{known.model}"
    main = _reopening(opening(wanted), wanted)
    tool = f"{provider}:{known.tool_model}" if known.tool_model else main
    return ModelNames(model=main, tool_model=tool, fallback_model=_other(agent.fallback_model, main))


def _other(fallback: str | None, main: str) -> str | None:
    return fallback if fallback and fallback.strip() != main else None


def _setup(names: ModelNames, agent: AgentConfig, opening: Open, advisors: Sequence[Advisor]) -> StageSetup:
    last = opening(names.fallback_model) if names.fallback_model else None
    given = tuple(advisors)
    extra: list[Advisor] = []
    if last is not None and not _has(given, FallbackAdvisor):
        extra.append(FallbackAdvisor(models=(last,)))
    if agent.retries is not None and not _has(given, RetryAdvisor):
        extra.append(RetryAdvisor(max_retries=agent.retries))
    if agent.prompt_caching and not _has(given, PromptCachingAdvisor):
        extra.append(PromptCachingAdvisor())
    return StageSetup(
        model=opening(names.model),
        tool_model=opening(names.tool_model),
        last_model=last,
        advisors=(*given, *extra),
        max_model_calls=agent.max_model_calls or MODEL_CALLS,
        max_tool_calls=TOOL_CALLS if agent.max_tool_calls is None else agent.max_tool_calls,
        thinking_tokens=agent.thinking_tokens or 0,
    )


def _has(advisors: Sequence[Advisor], kind: type) -> bool:
    return any(isinstance(advisor, kind) for advisor in advisors)


def _reopening(model: ChatModel, wanted: str | None) -> str:
    """What opens the same model again, from any folder; a model of a file is found by the file, not by its name."""
    provider, _, rest = (wanted or "").partition(":")
    with suppress(OSError, ValueError):
        path = Path(rest.strip()).expanduser()
        if rest.strip() and model.name.startswith(f"{provider}:") and path.is_file():
            return f"{provider}:{path.absolute()}"
    return model.name
