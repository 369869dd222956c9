"""Score, caps, feedback, and what must be written again."""

from collections.abc import Callable
from typing import Any

import pytest

from dure_spec.artifacts import STAGES, Artifacts, Stage
from dure_spec.artifacts.findings import Finding, Judgement, Severity
from dure_spec.validators import Policy, failing_items, feedback, judge
from dure_spec.validators.openapi_rules import document_errors
from dure_spec.validators.score import score_of, size_of

Mutate = Callable[[str, list[dict[str, Any]]], Artifacts]


def _findings(critical: int, major: int, minor: int) -> list[Finding]:
    counts: dict[Severity, int] = {"critical": critical, "major": major, "minor": minor}
    severities: list[Severity] = [severity for severity, count in counts.items() for _ in range(count)]
    return [
        Finding(
            id=f"V99-{number}",
            validator="V99",
            name="Example",
            severity=severity,
            stage="dba",
            path="/tables/0",
            ref="a",
            message="",
        )
        for number, severity in enumerate(severities, 1)
    ]


@pytest.mark.parametrize(
    ("counts", "tables", "score"),
    [
        ((0, 0, 0), 10, 10.0),
        ((0, 0, 5), 11, 9.0),
        ((0, 0, 1), 10, 9.8),
        ((0, 1, 0), 10, 8.9),
        ((0, 2, 0), 10, 8.0),
        ((0, 3, 0), 10, 7.0),
        ((0, 0, 12), 10, 8.0),
        ((0, 0, 500), 10, 8.0),
        ((1, 0, 0), 10, 7.0),
        ((0, 3, 19), 14, 5.8),
        ((1, 0, 7), 10, 5.6),
        ((0, 10, 62), 68, 6.7),
        ((4, 0, 0), 10, 0.0),
        ((0, 1, 0), 100, 8.9),
    ],
)
def test_score_is_that_of_the_specification(counts: tuple[int, int, int], tables: int, score: float) -> None:
    assert score_of(_findings(*counts), max(1.0, tables / 10)) == score


def test_critical_finding_is_never_forceable_however_large_the_design() -> None:
    judgement = Judgement(stage="dba", score=score_of(_findings(1, 0, 0), 50.0), findings=())
    assert not judgement.forceable


def test_what_another_finding_causes_weighs_nothing() -> None:
    first, second = _findings(2, 0, 0)
    assert score_of([first, second.model_copy(update={"caused_by": first.id})], 1.0) == 7.0


def test_size_counts_the_items_of_the_stage(gold: Artifacts) -> None:
    assert gold.erd is not None
    many = gold.erd.model_copy(update={"tables": gold.erd.tables * 4})
    large = gold.model_copy(update={"erd": many})
    assert size_of(large, "dba") == pytest.approx(3.2)
    assert size_of(large, "backend") == 1.0
    assert size_of(large, "supervisor") == pytest.approx(3.2)


@pytest.mark.parametrize("stage", STAGES)
def test_nothing_is_wrong_with_what_does_not_exist_yet(stage: Stage) -> None:
    assert judge(Artifacts(), stage).findings == ()


def test_coverage_waits_for_the_stage_that_is_answerable(gold: Artifacts) -> None:
    early = gold.model_copy(update={"erd": None, "backend": None, "frontend": None})
    assert judge(early, "planner").findings == ()
    assert judge(early, "supervisor").findings == ()


def test_finding_of_another_stage_does_not_lower_the_score(mutate: Mutate) -> None:
    artifacts = mutate("erd", [{"op": "replace", "path": "/tables/4/name", "value": "orderItems"}])
    assert judge(artifacts, "planner").score == 10.0
    assert {finding.stage for finding in judge(artifacts, "supervisor").findings} == {
        "dba",
        "backend",
    }


def test_requirement_without_entities_needs_no_table_and_no_operation(gold: Artifacts) -> None:
    assert gold.prd is not None
    game = gold.prd.model_copy(
        update={
            "reqs": (gold.prd.reqs[1].model_copy(update={"entities": (), "rules": (), "kind": "query"}),),
            "rules": (),
            "states": (),
            "nfrs": (),
        }
    )
    assert gold.erd is not None
    assert gold.backend is not None
    empty = {"erd": gold.erd.model_copy(update={"tables": (), "relations": ()}), "prd": game, "ia": None}
    bare = gold.model_copy(update={**empty, "backend": gold.backend.model_copy(update={"bos": (), "infra_tables": ()})})
    bare = bare.model_copy(update={"frontend": None})
    for stage in ("dba", "backend"):
        assert judge(bare, stage).findings == ()


def test_missing_screen_names_the_screens_that_deal_with_the_same_things(mutate: Mutate) -> None:
    artifacts = mutate("ia", [{"op": "replace", "path": "/screens/3/reqs", "value": ["FR-005", "FR-007"]}])
    finding = judge(artifacts, "planner", Policy(lang="en")).findings[0]
    assert (finding.id, finding.ref, finding.severity) == ("V02-1", "FR-006", "critical")
    assert set(finding.candidates) <= {"SC-003", "SC-004", "SC-005", "SC-009"}
    assert "SC-005" in finding.candidates
    assert failing_items(artifacts, judge(artifacts, "planner")) == ("FR-006",)


def test_feedback_says_what_where_why_and_the_allowed_values(mutate: Mutate) -> None:
    artifacts = mutate("erd", [{"op": "replace", "path": "/tables/4/columns/2/fk", "value": "goods.id"}])
    judgement = judge(artifacts, "dba", Policy(lang="ko"))
    text = feedback(judgement, None, "ko")
    assert text == ("1. [치명] order_items(product_id): 참조할 테이블 goods가 없습니다 → 쓸 수 있는 값: products.id")
    assert failing_items(artifacts, judgement) == ("order_items",)


def test_feedback_marks_what_the_last_try_had_too(mutate: Mutate) -> None:
    lost = {"op": "replace", "path": "/tables/4/columns/2/fk", "value": "goods.id"}
    wide = {"op": "replace", "path": "/tables/5/columns/1/type", "value": "integer"}
    policy = Policy(lang="en")
    first = judge(mutate("erd", [lost]), "dba", policy)
    second = judge(mutate("erd", [lost, wide]), "dba", policy)
    lines = feedback(second, first, "en").splitlines()
    assert ["AGAIN" in line for line in lines] == [True, False]
    assert lines[1].startswith("2. [major] payments(purchase_order_id): ")


def test_feedback_leaves_out_what_follows_from_another_finding_and_what_a_person_waived(mutate: Mutate) -> None:
    artifacts = mutate("backend", [{"op": "remove", "path": "/bos/5/attrs/2"}])
    judgement = judge(artifacts, "backend")
    assert any(finding.caused_by for finding in judgement.findings)
    weighing = [finding for finding in judgement.findings if finding.weighs]
    lines = feedback(judgement, None, "ko").splitlines()
    assert len(lines) == len(weighing)
    waived = tuple(finding.model_copy(update={"waived_by": "kim"}) for finding in judgement.findings)
    assert feedback(judgement.model_copy(update={"findings": waived}), None, "ko") == ""
    assert failing_items(artifacts, judgement.model_copy(update={"findings": waived})) == ()
    assert feedback(Judgement(stage="ba", score=10.0, findings=()), None, "ko") == ""


def test_items_to_write_again_are_named_once_and_in_order(mutate: Mutate) -> None:
    artifacts = mutate(
        "frontend",
        [
            {"op": "replace", "path": "/components/1/states", "value": []},
            {"op": "replace", "path": "/components/1/controls/0/bind", "value": "nope"},
            {"op": "replace", "path": "/components/0/screen", "value": "SC-099"},
        ],
    )
    assert failing_items(artifacts, judge(artifacts, "frontend")) == ("CP-login", "CP-order-list")


def test_messages_exist_in_both_languages(mutate: Mutate) -> None:
    artifacts = mutate("erd", [{"op": "replace", "path": "/tables/5/columns/0/pk", "value": False}])
    korean, english = (judge(artifacts, "dba", Policy(lang=lang)).findings[0].message for lang in ("ko", "en"))
    assert korean.startswith("기본키가 없습니다")
    assert english.startswith("no primary key")


def test_reference_to_nothing_is_an_error_of_the_document_and_no_crash() -> None:
    content = {"application/json": {"schema": {"$ref": "#/components/schemas/Nowhere"}}}
    document = {
        "openapi": "3.1.0",
        "info": {"title": "t", "version": "1"},
        "paths": {"/x": {"get": {"responses": {"200": {"description": "d", "content": content}}}}},
    }
    errors = list(document_errors(document))
    assert len(errors) == 1
    assert "Nowhere" in errors[0][1]


def test_error_of_the_document_has_its_place() -> None:
    paths = {"/x": {"get": {"responses": {"never": {"description": "d"}}}}}
    document = {"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": paths}
    assert next(document_errors(document))[0][:3] == ("paths", "/x", "get")


def test_a_design_without_any_requirement_never_passes(mutate: Mutate) -> None:
    nothing = mutate("prd", [{"op": "replace", "path": "/reqs", "value": []}])
    judgement = judge(Artifacts(prd=nothing.prd), "ba", Policy(lang="en"))
    assert judgement.score < 8.0
    assert "there is nothing to design" in " ".join(finding.message for finding in judgement.findings)
