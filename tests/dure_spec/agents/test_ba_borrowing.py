"""A small model copies from the worked example: such words never reach a design."""

import json

from dure_spec.agents.ba import BaAgent, BaState
from dure_spec.agents.prompt_files import load_prompts
from dure_spec.agents.question import Question
from dure_spec.agents.task import Task
from dure_spec.artifacts import Artifacts
from dure_spec.intake import screen
from dure_spec.patterns import Proposal


def after(key: str, answer: object) -> BaState:
    intake = screen("양봉장 관리 시스템을 만들어줘.")
    task = Task(
        stage="ba",
        intake=intake,
        proposal=Proposal(),
        artifacts=Artifacts(),
        prompts=load_prompts("ko")["ba"],
        lang="ko",
        small=True,
        grammar=True,
    )
    agent, questions = BaAgent(), dict[str, Question]()
    state = agent.state_fields()
    while question := agent.before_model(task, state):
        if question.key == key:
            return agent.after_model(task, state, question, json.dumps(answer, ensure_ascii=False))
        questions[question.key] = question
        state = state.model_copy(update={"answered": (*state.answered, question.key)})
    raise AssertionError(f"{key!r} was not asked, only {list(questions)}")


def test_a_summary_of_the_example_is_dropped_and_the_name_kept() -> None:
    wrong = {"name": "양봉장 관리 시스템", "summary": "양봉장을 관리하고 대출과 반납, 연체를 처리하는 시스템"}
    assert (after("project", wrong).decisions.name, after("project", wrong).decisions.summary) == (wrong["name"], "")
    right = {"name": "양봉장 관리 시스템", "summary": "양봉가가 벌통을 돌보고 채밀을 기록하는 시스템"}
    assert after("project", right).decisions.summary == right["summary"]


def test_an_english_name_of_the_example_is_not_taken_for_something_else() -> None:
    slots = {"사람": ["양봉가=beekeeper"], "물건": ["양봉장=shelf", "벌통=hive", "도서=book"], "일": [], "항목": []}
    assert [entity.en for entity in after("own", slots).decisions.own] == ["beekeeper", "hive", "book"]
