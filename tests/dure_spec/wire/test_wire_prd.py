"""The PRD as lines."""

from typing import Protocol

import pytest

from dure_spec.artifacts import Artifacts, Prd
from dure_spec.validators.gate import judge
from dure_spec.wire import prd as wire


class Gold(Protocol):
    @property
    def prd(self) -> Prd: ...
    @property
    def texts(self) -> dict[str, str]: ...


def test_the_reference_text_gives_the_reference_prd_but_for_what_it_does_not_say(gold: Gold) -> None:
    """Synonyms, the source of a requirement and what a question touches are not in the short text."""
    parsed = wire.parse(gold.texts["prd"])
    assert parsed.faults == ()
    said = gold.prd.model_copy(
        update={
            "glossary": tuple(term.model_copy(update={"synonyms": ()}) for term in gold.prd.glossary),
            "reqs": tuple(req.model_copy(update={"src": "inferred"}) for req in gold.prd.reqs),
            "questions": tuple(question.model_copy(update={"impact": ()}) for question in gold.prd.questions),
        }
    )
    assert parsed.artifact == said
    assert judge(Artifacts(prd=parsed.artifact), "ba").score == 10.0


def test_a_written_prd_reads_back_as_itself(gold: Gold) -> None:
    assert wire.parse(wire.write(gold.prd)).artifact == gold.prd


_MESSY = """<think>
FR-999 M crud A1 [x] nothing: to see
</think>
물론입니다! 요청하신 PRD입니다.
```
# shop 가게
작은 가게의 판매 시스템
* **A1** 점원： 판매를 기록한다
- A2 정산 서버 (System): 하루를 마감한다
1. G 상품=Sale Item (물건, 제품)： 파는 것
BR-01 constraint 상품 : 가격은 0 이상이다
FR-001 M crud A1，A2 ［상품］ BR-01 상품 관리： 시스템은 상품을 등록·수정한다.
- 상품 하나 ＞ 가격을 수정 ＞ 새 가격이 저장된다
ST 상품: on_sale>sold_out(FR-001)
Q 할인이 필요한가? [예|*아니오] FR-001
OUT 반품, 교환
```
도움이 되었으면 좋겠습니다.
"""


def test_prose_fences_thoughts_bullets_and_wide_signs_are_read_through() -> None:
    parsed = wire.parse(_MESSY)
    prd = parsed.artifact
    assert parsed.faults == ()
    assert (prd.project.key, prd.project.name) == ("shop", "가게")
    assert [(actor.id, actor.kind) for actor in prd.actors] == [("A1", "human"), ("A2", "system")]
    assert (prd.glossary[0].en, prd.glossary[0].synonyms) == ("sale_item", ("물건", "제품"))
    assert [req.id for req in prd.reqs] == ["FR-001"]
    assert (prd.reqs[0].actors, prd.reqs[0].rules, prd.reqs[0].ac[0].t) == (
        ("A1", "A2"),
        ("BR-01",),
        "새 가격이 저장된다",
    )
    assert prd.states[0].transitions == (("ON_SALE", "SOLD_OUT", "FR-001"),)
    assert (prd.questions[0].default, prd.questions[0].impact) == ("아니오", ("FR-001",))
    assert prd.out_of_scope == ("반품", "교환")


@pytest.mark.parametrize(
    "line",
    [
        "FR-002 X crud A1 [상품] 제목: 문장",
        "FR-002 M magic A1 [상품] 제목: 문장",
        "FR-02 M crud A1 [상품] 제목: 문장",
        "BR-01 wish 상품: 문장",
        "NFR-01 beauty looks good FR-001: 문장",
        "ST 상품: ?",
        "A3 이름만",
    ],
)
def test_a_line_that_makes_no_sense_is_a_fault_and_costs_no_other(line: str) -> None:
    good = "# shop 가게\n요약\nA1 점원: 판다\nFR-001 M crud A1 [상품] 상품 관리: 시스템은 상품을 등록한다."
    text = f"{good}\n{line}\nOUT 반품"
    parsed = wire.parse(text)
    assert [(fault.line, fault.text) for fault in parsed.faults] == [(5, line)]
    assert parsed.faults[0].expected
    assert ([req.id for req in parsed.artifact.reqs], parsed.artifact.out_of_scope) == (["FR-001"], ("반품",))


@pytest.mark.parametrize("text", ["", "죄송합니다. 도와드릴 수 없습니다.", "```\n```", "<think>생각만 하다 끊김"])
def test_text_without_a_requirement_is_one_fault(text: str) -> None:
    parsed = wire.parse(text)
    assert parsed.artifact.reqs == ()
    assert [fault.line for fault in parsed.faults] == [0]


def test_a_patch_replaces_by_id_and_removes_by_del(gold: Gold) -> None:
    text = (
        "FR-005 M query A1 [주문] 주문 검색: 시스템은 주문을 상태로 검색해 20건씩 보여 준다.\n"
        " - 주문 10건 > 검색 > 10건이 보인다\nDEL BR-05\nDEL 없는것\nOUT 선물 포장"
    )
    parsed = wire.patch(gold.prd, text)
    changed = next(req for req in parsed.artifact.reqs if req.id == "FR-005")
    assert (changed.title, len(changed.ac)) == ("주문 검색", 1)
    assert [req.id for req in parsed.artifact.reqs] == [req.id for req in gold.prd.reqs]
    assert "BR-05" not in [rule.id for rule in parsed.artifact.rules]
    assert parsed.artifact.out_of_scope == ("선물 포장",)
    assert [fault.text for fault in parsed.faults] == ["DEL 없는것"]


def test_items_are_only_the_lines_asked_for(gold: Gold) -> None:
    lines = wire.items(gold.prd, {"FR-006", "BR-01", "주문"}).splitlines()
    assert [line.split()[0] for line in lines] == ["G", "BR-01", "FR-006", "-", "ST"]
    assert wire.patch(gold.prd, "\n".join(lines)).artifact == gold.prd
