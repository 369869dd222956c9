"""The readable documents: whole tables, the right language, and text that stays text."""

import re

import pytest

from dure_spec.artifacts import Artifacts
from dure_spec.render import documents
from dure_spec.render.words import words

DOCUMENTS = ("prd.md", "ia.md", "erd.md", "backend.md", "frontend.md", "report.md")


def broken_rows(text: str) -> list[str]:
    """Rows whose number of cells differs from their table's head."""
    broken: list[str] = []
    width = 0
    for line in text.splitlines():
        if not line.startswith("|"):
            width = 0
            continue
        cells = len(re.findall(r"(?<!\\)\|", line)) - 1
        width = width or cells
        if cells != width or not line.endswith("|"):
            broken.append(line)
    return broken


@pytest.mark.parametrize("name", DOCUMENTS)
def test_tables_are_whole(finished: Artifacts, name: str) -> None:
    text = documents(finished)[name]
    assert text.startswith("# 주문 관리 시스템 — ")
    assert text.count("|---") > 0
    assert broken_rows(text) == []
    assert "\n\n\n" not in text


def test_documents_hold_what_the_work_needs(finished: Artifacts) -> None:
    texts = documents(finished)
    assert "| AC-004-2 | 재고 2개인 상품 | 수량 3으로 주문을 저장 |" in texts["prd.md"]
    assert "| SC-004 | 주문 등록 | `/orders/new` | 입력 | 영업 담당자 | FR-004 |" in texts["ia.md"]
    assert "| `customer_id` | 고객ID | `bigint` | FK → customers.id | N |" in texts["erd.md"]
    assert (
        "| OP-order.cancel | POST | `/orders/{id}/cancel` | 주문 취소 | 영업 담당자, 관리자 | FR-006 |"
        in texts["backend.md"]
    )
    assert "| 주문 취소 | ● |  | ● |" in texts["backend.md"]
    assert "| OP-user.login | POST | `/auth/login` | 로그인 | 누구나 | FR-001 |" in texts["backend.md"]
    assert "CP-order-form" in texts["frontend.md"]
    assert "| FR-006 주문 취소 | 필수 | SC-005 |" in texts["report.md"]
    assert "| 데이터 설계 | 2 | 8.5 | 조건부 통과 (넘어간 지적: V14-1) | 1,500 | 700 | 12.2 |" in texts["report.md"]
    assert "| **합계** | 12 | | | 9,000 | 4,200 | 73.5 |" in texts["report.md"]


def test_text_of_a_design_cannot_break_a_table_or_bring_markup(gold: Artifacts) -> None:
    assert gold.prd is not None
    first = gold.prd.reqs[0].model_copy(update={"title": "a | b\n# c", "text": "<script>x</script>"})
    prd = gold.prd.model_copy(update={"reqs": (first, *gold.prd.reqs[1:])})
    texts = documents(gold.model_copy(update={"prd": prd}))
    assert all(broken_rows(texts[name]) == [] for name in DOCUMENTS)
    assert "<script" not in texts["prd.md"].replace("\\<script", "")
    assert "\n# c" not in texts["prd.md"]


def test_english_design_is_written_in_english(gold: Artifacts) -> None:
    assert gold.prd is not None
    project = gold.prd.project.model_copy(update={"lang": "en"})
    texts = documents(gold.model_copy(update={"prd": gold.prd.model_copy(update={"project": project})}))
    assert "## Functional requirements" in texts["prd.md"]
    assert "## Data dictionary" in texts["erd.md"]
    assert "## Trace matrix" in texts["report.md"]


def test_both_languages_have_the_same_words() -> None:
    assert set(words("ko")) == set(words("en"))
    assert all(words("ko").values())
