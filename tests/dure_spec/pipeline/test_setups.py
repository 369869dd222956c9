"""Which model answers what: by agent, by one variable for all, again on resume; and the middleware around it."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from design_players import SMALL, Player, asked_key, recording

from dure.advisors.fallback import FallbackAdvisor
from dure.advisors.prompt_caching import PromptCachingAdvisor
from dure.advisors.retry import RetryAdvisor
from dure.errors import ConfigError, Unauthenticated
from dure.models.scripted import ScriptedModel
from dure.run import RunContext
from dure_spec.agents.base import Bench
from dure_spec.agents.prompt_files import load_prompts
from dure_spec.agents.registry import AGENTS
from dure_spec.agents.room import LEAST, room
from dure_spec.agents.setup import ModelNames, StageSetup
from dure_spec.agents.task import Task
from dure_spec.artifacts import STAGES, Artifacts, Prd
from dure_spec.artifacts.shared import Stage
from dure_spec.config import DesignConfig
from dure_spec.intake import screen
from dure_spec.patterns import propose
from dure_spec.pipeline.setups import Setups, open_setups

_GOLD = Path(__file__).parents[2] / "data" / "gold_order_mgmt" / "1_prd.json"
KEYS = {"OPENAI_API_KEY": "k", "ANTHROPIC_API_KEY": "k"}


def opened(
    config: Mapping[str, object],
    *,
    spec: str | None = None,
    begun_with: Mapping[Stage, ModelNames] | None = None,
    environ: Mapping[str, str] = KEYS,
) -> Setups:
    """The setups of this `[design]` table."""
    return open_setups(DesignConfig.model_validate(config), spec=spec, begun_with=begun_with, environ=environ)


DOCUMENT = {
    "model": "openai:gpt-5",
    "agents": {
        "ba": {"model": "anthropic:claude-sonnet-4-6", "tool_model": "anthropic:claude-haiku-4-5"},
        "dba": {"tool_model": "openai:gpt-4.1-mini", "fallback_model": "anthropic:claude-sonnet-4-6"},
    },
}


async def test_every_agent_has_its_own_main_and_tool_model() -> None:
    setups = opened(DOCUMENT)
    ba, dba, planner = setups.of("ba"), setups.of("dba"), setups.of("planner")
    assert (ba.model.name, ba.tool_model.name) == ("anthropic:claude-sonnet-4-6", "anthropic:claude-haiku-4-5")
    assert (dba.model.name, dba.tool_model.name) == ("openai:gpt-5", "openai:gpt-4.1-mini")
    assert dba.last_model is ba.model
    assert planner.model is planner.tool_model is dba.model
    await setups.close()


async def test_one_variable_switches_the_whole_pipeline() -> None:
    setups = opened(DOCUMENT, environ={**KEYS, "DURE_MODEL": "anthropic:claude-opus-4-8"})
    assert {setups.of(stage).model.name for stage in STAGES} == {"anthropic:claude-opus-4-8"}
    assert {setups.of(stage).tool_model.name for stage in STAGES} == {"anthropic:claude-opus-4-8"}
    await setups.close()


async def test_a_provider_alone_stands_for_its_main_and_tool_model() -> None:
    config = {**DOCUMENT, "providers": {"openai": {"model": "gpt-4.1", "tool_model": "gpt-4.1-nano"}}}
    setups = opened(config, spec="openai:")
    assert {setups.of(stage).model.name for stage in STAGES} == {"openai:gpt-4.1"}
    assert {setups.of(stage).tool_model.name for stage in STAGES} == {"openai:gpt-4.1-nano"}
    await setups.close()


async def test_a_named_model_keeps_the_tool_model_of_its_provider() -> None:
    setups = opened({"providers": {"openai": {"tool_model": "gpt-4.1-nano"}}}, spec="openai:gpt-5")
    assert (setups.model.name, setups.of("dba").tool_model.name) == ("openai:gpt-5", "openai:gpt-4.1-nano")
    await setups.close()


async def test_a_run_that_goes_on_has_the_models_that_it_began_with() -> None:
    began = opened(DOCUMENT)
    again = opened({}, begun_with=began.names, environ={**KEYS, "DURE_MODEL": "openai:other"})
    assert again.names == began.names
    assert again.of("ba").model.name == "anthropic:claude-sonnet-4-6"
    other = opened({}, spec="openai:other", begun_with=began.names)
    assert other.of("ba").model.name == "openai:other"
    for setups in (began, again, other):
        await setups.close()


async def test_a_fallback_that_is_the_main_model_is_none() -> None:
    setups = opened({"fallback_model": "openai:gpt-5"}, spec="openai:gpt-5")
    assert setups.of("ba").last_model is None
    assert not any(isinstance(one, FallbackAdvisor) for one in setups.of("ba").advisors)
    await setups.close()


async def test_middleware_is_set_up_for_each_agent() -> None:
    agents = {"dba": {"fallback_model": "anthropic:b"}, "backend": {"retries": 0, "prompt_caching": False}}
    setups = opened({"model": "openai:a", "prompt_caching": True, "retries": 1, "max_tool_calls": 0, "agents": agents})
    dba, backend = setups.of("dba"), setups.of("backend")
    assert [type(one) for one in dba.advisors] == [FallbackAdvisor, RetryAdvisor, PromptCachingAdvisor]
    assert [one for one in backend.advisors if isinstance(one, RetryAdvisor)] == [RetryAdvisor(max_retries=0)]
    assert not any(isinstance(one, PromptCachingAdvisor) for one in backend.advisors)
    assert (dba.max_model_calls, dba.max_tool_calls) == (50, 0)
    await setups.close()


@pytest.mark.parametrize(
    ("spec", "environ", "error", "said"),
    [
        ("gpt-5", KEYS, ConfigError, "write provider:model"),
        ("nobody:gpt", KEYS, ConfigError, "nobody"),
        ("openai:gpt-5", {}, Unauthenticated, "OPENAI_API_KEY"),
    ],
)
def test_a_model_that_cannot_be_opened_is_told_before_anything_is_asked(
    spec: str, environ: dict[str, str], error: type[Exception], said: str
) -> None:
    with pytest.raises(error, match=said):
        opened({}, spec=spec, environ=environ)


async def test_two_models_let_two_stages_work_at_the_same_time() -> None:
    assert opened({}, spec="openai:a").parallel
    one = ScriptedModel(capabilities=SMALL)
    assert open_setups(DesignConfig(), model=one).parallel == (SMALL.parallel > 1)


def planner_task(*, reqs: int | None = None) -> Task:
    """The planner's stage of the reference design, or of the first so many of its requirements."""
    prd = Prd.model_validate_json(_GOLD.read_text("utf-8"))
    prd = prd.model_copy(update={"reqs": prd.reqs[:reqs]})
    intake = screen("주문 관리 시스템을 만들어줘.", lang="ko")
    return Task(
        stage="planner",
        intake=intake,
        proposal=propose(intake.sentence),
        artifacts=Artifacts(prd=prd),
        prompts=load_prompts("ko")["planner"],
        lang="ko",
        small=True,
    )


async def test_light_questions_go_to_the_tool_model_with_room_to_think() -> None:
    main, tool = (Player(answers=recording("K01").answers).model(SMALL) for _ in range(2))
    bench = Bench.of(
        StageSetup(model=main, tool_model=tool, thinking_tokens=7),
        run=RunContext(),
        asking=lambda _: None,
        defaulted=lambda _: None,
    )
    await AGENTS["planner"].run(planner_task(), bench)
    assert main.requests == []
    assert {asked_key(request) for request in tool.requests} == {("planner", "hosts")}
    assert (tool.requests[0].options.max_tokens or 0) % 30 == 7


def test_the_room_for_a_stage_grows_with_what_is_asked() -> None:
    task = planner_task()
    assert room(task) == LEAST  # 621 tokens would be one and a half times what the reference took
    assert room(replace(task, stage="backend")) == LEAST
    assert room(replace(task, stage="dba")) == 1097
    assert room(replace(task, stage="ba", artifacts=Artifacts())) >= 2687
    assert room(replace(planner_task(reqs=4), stage="dba")) == LEAST
