"""What a repair's answer does to the artifact, whatever way a model chooses to give it."""

from dataclasses import replace
from typing import Any

import pytest
from mutated_gold import PARTS, artifacts_for

from dure_spec.agents.prompt_files import load_prompts
from dure_spec.agents.question import AnswerRefused
from dure_spec.agents.repair import repair_question, repaired
from dure_spec.agents.task import Task
from dure_spec.artifacts import Artifacts, Backend, Erd, Ia, Part, Prd, Stage
from dure_spec.artifacts.bundle import FIELDS, MODELS, with_artifact
from dure_spec.intake import screen
from dure_spec.patterns import propose
from dure_spec.validators.gate import judge
from dure_spec.wire import backend, erd, ia, prd

SENTENCE = "주문 관리 시스템을 만들어줘."
GOLD = Artifacts.model_validate(PARTS)
BEFORE: dict[Stage, Stage] = {"planner": "ba", "dba": "planner", "backend": "dba", "frontend": "backend"}


def failing(stage: Stage, artifact: Part) -> Task:
    """The task of repairing this artifact."""
    upstream = artifacts_for(BEFORE[stage], PARTS) if stage in BEFORE else Artifacts()
    judgement = judge(with_artifact(upstream, artifact), stage)
    assert judgement.findings
    return Task(
        stage=stage,
        intake=screen(SENTENCE),
        proposal=propose(SENTENCE),
        artifacts=upstream,
        prompts=load_prompts("ko")[stage],
        lang="ko",
        attempt=2,
        previous=artifact,
        judgement=judgement,
    )


def score(task: Task, artifact: Part) -> float:
    """What the gate says of it."""
    return judge(with_artifact(task.artifacts, artifact), task.stage).score


def tables(**names: str) -> Erd:
    """The gold tables, some of them under another name in the lines that a model writes."""
    text = erd.write(GOLD.erd) if GOLD.erd else ""
    for old, new in names.items():
        text = text.replace(old, new)
    return erd.parse(text, GOLD.prd).artifact


def block(text: str, name: str) -> str:
    """The lines of one table or object."""
    found = next(part for part in text.split("\n@") if part.lstrip("@").startswith(f"{name} "))
    lines = found.splitlines()
    return "@" + "\n".join([lines[0].lstrip("@"), *(line for line in lines[1:] if not line.startswith("R "))])


@pytest.mark.parametrize("remove", ["", "\nDEL orderItems"])
def test_a_table_that_comes_back_under_another_name_is_renamed_and_not_doubled(remove: str) -> None:
    wrong = tables(order_items="orderItems")
    task = failing("dba", wrong)
    taken = repaired(task, wrong, block(erd.write(tables()), "order_items") + remove)
    assert isinstance(taken, Erd)
    assert {table.name for table in taken.tables} == {table.name for table in tables().tables}
    assert "orderItems" not in taken.model_dump_json()
    assert score(task, taken) == 10.0


def test_what_refers_to_a_renamed_table_follows() -> None:
    wrong = tables(customers="customersList")
    task = failing("dba", wrong)
    taken = repaired(task, wrong, block(erd.write(tables()), "customers"))
    assert isinstance(taken, Erd)
    order = next(table for table in taken.tables if table.name == "purchase_orders")
    assert {column.fk for column in order.columns if column.fk} == {"customers.id", "app_users.id"}
    assert score(task, taken) == 10.0


def test_a_new_table_that_is_like_no_failing_one_renames_nothing() -> None:
    wrong = tables(order_items="orderItems")
    taken = repaired(failing("dba", wrong), wrong, "@coupons 쿠폰 entity FR-004\ncode 쿠폰코드 varchar(20) uq")
    assert isinstance(taken, Erd)
    assert {"orderItems", "coupons"} <= {table.name for table in taken.tables}


def test_a_failing_table_that_the_whole_schema_leaves_out_is_removed() -> None:
    lines = erd.write(tables())
    wrong = erd.parse(f"{lines}\n@warehouses 창고 entity FR-008\nname 창고명 varchar(100)", GOLD.prd).artifact
    task = failing("dba", wrong)
    assert score(task, repaired(task, wrong, lines)) == 10.0
    alone = block(lines, "payments")
    with pytest.raises(AnswerRefused, match="no item was replaced"):
        repaired(task, wrong, alone)  # one table that nobody asked for is not the whole schema


def test_a_relation_goes_with_the_foreign_key_that_it_came_from() -> None:
    lines = erd.write(tables())
    customers = block(lines, "customers")
    wrong = erd.parse(lines.replace(customers, f"{customers}\nlast_order_id 최근주문ID >purchase_orders"), GOLD.prd)
    task = failing("dba", wrong.artifact)
    taken = repaired(task, wrong.artifact, customers)
    assert isinstance(taken, Erd)
    assert ("purchase_orders", "customers") not in {(each.from_, each.to) for each in taken.relations}
    assert score(task, taken) == 10.0


def test_a_choice_for_the_whole_schema_that_no_finding_speaks_of_stays() -> None:
    wrong = tables(order_items="orderItems")
    answer = "meta dialect=mysql pk=uuid\n" + block(erd.write(tables()), "order_items")
    taken = repaired(failing("dba", wrong), wrong, answer)
    assert isinstance(taken, Erd)
    assert taken.meta == wrong.meta


def test_an_item_that_a_korean_sentence_names_with_a_particle_may_be_replaced() -> None:
    lines = ia.write(GOLD.ia) if GOLD.ia else ""
    other = next(line for line in lines.splitlines() if line.startswith("SC-007"))
    wrong = ia.parse(lines.replace(other, other.replace("/customers/:id", "/products/:pid")), GOLD.prd).artifact
    task = failing("planner", wrong)
    assert task.judgement is not None
    assert "SC-007의" in task.judgement.findings[0].message
    taken = repaired(task, wrong, other)
    assert isinstance(taken, Ia)
    assert score(task, taken) == 10.0


def test_an_object_that_was_shown_by_its_operation_may_be_replaced() -> None:
    assert GOLD.backend is not None
    assert GOLD.erd is not None
    lines = backend.write(GOLD.backend, GOLD.erd)
    right = block(lines, "shipment")
    wrong = backend.parse(lines.replace(right, right.replace("FR-008", "FR-004")), GOLD.erd).artifact
    task = failing("backend", wrong)
    assert right.splitlines()[0] in repair_question(task, wrong).prompt
    taken = repaired(task, wrong, right)
    assert isinstance(taken, Backend)
    assert score(task, taken) == 10.0


VAGUE = "시스템은 주문을 빠르게 검색할 수 있어야 한다."


def vague() -> tuple[Task, Prd, str]:
    """A requirement that cannot be tested, and its line put right."""
    lines = prd.write(GOLD.prd) if GOLD.prd else ""
    right = next(line for line in lines.splitlines() if line.startswith("FR-005"))
    wrong = prd.parse(lines.replace(right, f"{right.partition(': ')[0]}: {VAGUE}")).artifact
    return failing("ba", wrong), wrong, right


def test_a_requirement_that_is_written_again_without_criteria_keeps_them() -> None:
    task, wrong, right = vague()
    taken = repaired(task, wrong, right)
    assert isinstance(taken, Prd)
    assert score(task, taken) == 10.0
    assert taken == GOLD.prd or taken.reqs == prd.parse(prd.write(GOLD.prd) if GOLD.prd else "").artifact.reqs


def test_the_whole_answer_doubles_no_question_and_changes_nothing_else() -> None:
    task, wrong, right = vague()
    whole = prd.write(GOLD.prd).replace("# order", "# another", 1) if GOLD.prd else ""
    spoiled = "\n".join("A1 아무개: 모른다" if line.startswith("A1 ") else line for line in whole.splitlines())
    taken = repaired(task, wrong, f"{spoiled}\nOUT 없음")
    assert isinstance(taken, Prd)
    assert (taken.questions, taken.actors, taken.project) == (wrong.questions, wrong.actors, wrong.project)
    assert set(wrong.out_of_scope) <= set(taken.out_of_scope)
    assert right.partition(": ")[2] == next(req.text for req in taken.reqs if req.id == "FR-005")


@pytest.mark.parametrize("answer", ["", "네, 고치겠습니다.", '{"tables": []}', "DEL nothing", "@", "```sql\n```"])
@pytest.mark.parametrize("stage", ["ba", "planner", "dba", "backend", "frontend"])
def test_an_answer_without_replacements_is_refused(stage: Stage, answer: str) -> None:
    wrong = _broken(stage)
    with pytest.raises(AnswerRefused):
        repaired(failing(stage, wrong), wrong, answer)


def _broken(stage: Stage) -> Part:
    """The gold artifact with a defect."""
    parts = PARTS[FIELDS[stage]]
    spoiled: dict[Stage, tuple[str, Any]] = {
        "ba": ("reqs", [{**parts.get("reqs", [{}])[0], "actors": ["A9"]}, *parts.get("reqs", [{}])[1:]]),
        "planner": ("screens", [{**parts.get("screens", [{}])[0], "links": ["SC-099"]}, *parts.get("screens", [])[1:]]),
        "dba": ("tables", [{**parts.get("tables", [{}])[0], "reqs": ["FR-099"]}, *parts.get("tables", [])[1:]]),
        "backend": ("bos", [{**parts.get("bos", [{}])[0], "table": "nowhere"}, *parts.get("bos", [])[1:]]),
        "frontend": ("components", parts.get("components", [])[1:]),
    }
    field, value = spoiled[stage]
    return MODELS[stage].model_validate({**parts, field: value})


def test_a_repair_is_asked_for_with_the_failing_items_alone() -> None:
    wrong = tables(order_items="orderItems")
    question = repair_question(replace(failing("dba", wrong), lang="en"), wrong)
    assert "@orderItems" in question.prompt
    assert "@customers" not in question.prompt
    assert question.about == "repair 1 failing items"
