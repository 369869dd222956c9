"""V01: each defect of a PRD is found where it is, weighs what the specification says, and comes with help."""

import time
from collections.abc import Callable
from typing import Any

import pytest

from dure_spec.artifacts import Artifacts
from dure_spec.artifacts.findings import Finding, Severity
from dure_spec.validators import Policy, feedback, judge

Mutate = Callable[[str, list[dict[str, Any]]], Artifacts]


def _put(path: str, value: object) -> dict[str, Any]:
    return {"op": "add" if path.endswith("/-") else "replace", "path": path, "value": value}


def _findings(artifacts: Artifacts, policy: Policy = Policy(lang="en")) -> list[Finding]:  # noqa: B008 frozen
    return list(judge(Artifacts(prd=artifacts.prd), "ba", policy).findings)


@pytest.mark.parametrize(
    ("path", "value", "severity", "place"),
    [
        ("/reqs/4/id", "FR-004", "critical", "/reqs/4/id"),
        ("/actors/1/id", "A1", "critical", "/actors/1/id"),
        ("/rules/1/id", "BR-01", "critical", "/rules/1/id"),
        ("/nfrs/1/id", "NFR-01", "critical", "/nfrs/1/id"),
        ("/glossary/5/term", "주문", "critical", "/glossary/5/term"),
        ("/glossary/5/en", "payment", "critical", "/glossary/5/en"),
        ("/reqs/3/ac/1/id", "AC-004-1", "critical", "/reqs/3/ac/1/id"),
        ("/reqs/7/actors", ["A2", "A9"], "critical", "/reqs/7/actors/1"),
        ("/reqs/7/rules", ["BR-44"], "critical", "/reqs/7/rules/0"),
        ("/reqs/4/ac", [], "major", "/reqs/4/ac"),
        ("/reqs/4/text", "시스템은 주문을 쉽게 찾게 한다.", "major", "/reqs/4/text"),
        ("/reqs/4/text", " ", "major", "/reqs/4/text"),
        ("/rules/1/text", "재고 수량은 적절하게 유지한다", "major", "/rules/1/text"),
        ("/reqs/4/ac/0/t", "정상적으로 처리된다", "major", "/reqs/4/ac/0/t"),
        ("/reqs/4/ac/0/t", "The system works as expected.", "major", "/reqs/4/ac/0/t"),
        ("/reqs/4/ac/0/t", "처리가 완료된다", "major", "/reqs/4/ac/0/t"),
        ("/reqs/4/ac/0/t", "기간과 상태로 검색", "major", "/reqs/4/ac/0/t"),
        ("/reqs/4/ac/0/w", "이름, 주소 등을 입력", "major", "/reqs/4/ac/0/w"),
        ("/nfrs/0/target", "", "major", "/nfrs/0/target"),
        ("/nfrs/0/target", "TBD", "major", "/nfrs/0/target"),
        ("/nfrs/0/target", "high", "major", "/nfrs/0/target"),
        ("/nfrs/0/target", "충분히 빠르게", "major", "/nfrs/0/target"),
        ("/nfrs/0/unit", "", "major", "/nfrs/0/unit"),
        ("/nfrs/0/metric", "", "major", "/nfrs/0/metric"),
        ("/nfrs/1/metric", "없음", "major", "/nfrs/1/metric"),
        ("/reqs/3/entities", ["주문", "쿠폰"], "major", "/reqs/3/entities/1"),
        ("/rules/0/entities", ["거래처"], "major", "/rules/0/entities/0"),
        ("/states/0/entity", "발주", "major", "/states/0/entity"),
        ("/reqs/3/text", "주문을 등록하고 재고를 차감하고 메일을 보낸다.", "minor", "/reqs/3/text"),
    ],
)
def test_defect_is_found_at_its_place(mutate: Mutate, path: str, value: object, severity: Severity, place: str) -> None:
    found = [finding for finding in _findings(mutate("prd", [_put(path, value)])) if finding.weighs]
    assert [(one.validator, one.severity, one.path) for one in found] == [("V01", severity, place)]


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("/nfrs/1/target", "TLS 1.3"),
        ("/nfrs/0/target", "1초"),
        ("/nfrs/0/target", "<= 800 ms"),
        ("/nfrs/2/target", "5 years"),
        ("/reqs/4/ac/0/t", "처리 건수 20건이 보인다"),
        ("/reqs/4/ac/0/t", "주문이 저장된다"),
        ("/reqs/3/title", "빠른 주문 등록"),
        ("/reqs/3/entities", ["오더", "주문항목"]),
        ("/reqs/3/entities", ["purchase_order"]),
        ("/out_of_scope", ["통계 등 기타 기능"]),
        ("/actors/0/goal", "쉽고 빠르게 일한다"),
        ("/rules/1/kind", "permission"),
    ],
)
def test_right_values_and_texts_that_nobody_builds_from_are_fine(mutate: Mutate, path: str, value: object) -> None:
    assert _findings(mutate("prd", [_put(path, value)])) == []


def test_requirement_that_will_not_be_built_needs_no_criteria(mutate: Mutate) -> None:
    assert _findings(mutate("prd", [_put("/reqs/6/ac", []), _put("/reqs/6/pri", "W")])) == []


def test_wording_has_the_sentence_its_words_and_a_measurable_pattern(mutate: Mutate) -> None:
    sentence = "시스템은 주문을 빠르고 쉽게 검색할 수 있어야 한다."
    artifacts = mutate("prd", [_put("/reqs/4/text", sentence)])
    (korean,) = _findings(artifacts, Policy(lang="ko"))
    assert sentence in korean.message
    assert '"빠르고"(측정할 수 없음), "쉽게"(사람마다 다름)' in korean.message
    assert "p95" in korean.expected
    assert "클릭" in korean.candidates[0]
    (english,) = _findings(artifacts)
    assert "unverifiable" in english.message
    assert not english.fixable


def test_two_weak_words_in_one_sentence_are_one_mistake(mutate: Mutate) -> None:
    judgement = judge(mutate("prd", [_put("/reqs/4/text", "빠르고 쉽고 편리하게 조회한다.")]), "ba")
    assert judgement.score == 8.9


def test_help_names_the_terms_the_actors_and_the_free_id(mutate: Mutate) -> None:
    (term,) = _findings(mutate("prd", [_put("/reqs/3/entities", ["주문", "결재"])]))
    assert "결제" in term.candidates
    (actor,) = _findings(mutate("prd", [_put("/reqs/7/actors", ["A9"])]))
    assert set(actor.candidates) == {"A1", "A2", "A3"}
    first, *_ = _findings(mutate("prd", [_put("/reqs/4/id", "FR-004")]))
    assert first.expected == "FR-005"


def test_split_points_are_given_for_several_things_in_one(mutate: Mutate) -> None:
    text = "시스템은 주문을 등록하고 재고를 차감하고 메일을 보낸다."
    (finding,) = _findings(mutate("prd", [_put("/reqs/3/text", text)]))
    assert finding.candidates == ("시스템은 주문을 등록하고", "재고를 차감하고", "메일을 보낸다")


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("/reqs/4/id", "FR-004"),
        ("/actors/1/id", "A1"),
        ("/rules/1/id", "BR-01"),
        ("/glossary/5/term", "주문"),
        ("/glossary/5", {"term": "창고", "en": "warehouse", "def": "상품을 두는 곳"}),
    ],
)
def test_one_mixed_up_name_counts_once_however_many_places_use_it(mutate: Mutate, path: str, value: object) -> None:
    weighing = [finding for finding in _findings(mutate("prd", [_put(path, value)])) if finding.weighs]
    assert len(weighing) == 1


def test_requirement_that_stands_twice_counts_once(mutate: Mutate, gold: Artifacts) -> None:
    assert gold.prd is not None
    copy = gold.prd.reqs[3].model_dump(by_alias=True)
    found = _findings(mutate("prd", [_put("/reqs/-", copy)]))
    assert [finding.path for finding in found if finding.weighs] == ["/reqs/8/id"]
    assert len(found) > 1


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("주문 검색", "시스템은 주문을 고객·기간·상태로 조회하고 20건씩 나누어 보여준다."),
        ("주문 목록 열람", "시스템은 주문을 기간·상태·고객으로 검색하고 20건씩 나누어 보여 주어야 한다."),
    ],
)
def test_same_requirement_in_other_words_is_found(mutate: Mutate, gold: Artifacts, title: str, text: str) -> None:
    assert gold.prd is not None
    ac = [{"id": "AC-009-1", "g": "주문 30건", "w": "조회", "t": "20건이 보인다"}]
    other = gold.prd.reqs[4].model_dump(by_alias=True) | {"id": "FR-009", "title": title, "text": text, "ac": ac}
    (finding,) = _findings(mutate("prd", [_put("/reqs/-", other)]))
    assert (finding.severity, finding.ref) == ("major", "FR-009")
    assert "FR-005" in finding.message


@pytest.mark.parametrize(
    ("title", "entities", "text"),
    [
        ("상품 조회", ["상품"], "시스템은 상품을 기간·상태·고객으로 검색하고 20건씩 나누어 보여 주어야 한다."),
        (
            "취소 주문 조회",
            ["주문"],
            "시스템은 취소 주문을 기간·상태·고객으로 검색하고 20건씩 나누어 보여 주어야 한다.",
        ),
        ("주문 인쇄", ["주문"], "시스템은 주문을 기간·상태·고객으로 묶어 인쇄해야 한다."),
        ("주문 조회", ["주문"], "시스템은 주문을 기간·상태·고객으로 검색하고 50건씩 나누어 보여 주어야 한다."),
    ],
)
def test_requirements_of_one_mould_for_other_things_are_no_duplicates(
    mutate: Mutate, gold: Artifacts, title: str, entities: list[str], text: str
) -> None:
    assert gold.prd is not None
    fields = {"id": "FR-009", "title": title, "entities": entities, "text": text, "ac": []}
    other = gold.prd.reqs[4].model_dump(by_alias=True) | fields | {"pri": "W"}
    assert _findings(mutate("prd", [_put("/reqs/-", other)])) == []


def test_feedback_speaks_the_language_of_the_run_and_fits_a_line(mutate: Mutate) -> None:
    artifacts = mutate(
        "prd", [_put("/reqs/4/text", "시스템은 주문을 빠르게 " + "아주 긴 문장으로 " * 90 + "조회한다.")]
    )
    line = feedback(judge(Artifacts(prd=artifacts.prd), "ba"), None, "ko")
    assert line.startswith("1. [중대] FR-005: ")
    assert "\n" not in line
    assert len(line) < 1500


def test_many_requirements_without_a_twin_have_none(mutate: Mutate, gold: Artifacts) -> None:
    assert gold.prd is not None
    base = gold.prd.reqs[4].model_dump(by_alias=True)
    rows = [
        base
        | {
            "id": f"FR-{number:03d}",
            "title": f"장부{number} 조회",
            "text": f"시스템은 장부{number}의 잔액을 {number}원 단위로 보여 주어야 한다.",
            "ac": [base["ac"][0] | {"id": f"AC-{number:03d}-1"}],
        }
        for number in range(100, 400)
    ]
    artifacts = mutate("prd", [_put("/reqs", [*_dumped(gold), *rows])])
    began = time.process_time()
    assert _findings(artifacts) == []
    # a tenth of it is usual; what grows with the square of the number takes more
    assert time.process_time() - began < 2


def _dumped(gold: Artifacts) -> list[dict[str, Any]]:
    assert gold.prd is not None
    return [requirement.model_dump(by_alias=True) for requirement in gold.prd.reqs]
