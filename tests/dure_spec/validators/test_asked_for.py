"""V02 at the first stage: nothing that the sentence names is forgotten without a word."""

import pytest

from dure_spec.artifacts import Artifacts
from dure_spec.artifacts.prd import Prd
from dure_spec.validators import Policy
from dure_spec.validators.asked_for import check_asked
from dure_spec.validators.index import build_index


def absent(gold: Artifacts, sentence: str, **changed: object) -> list[str]:
    """The things that the reference PRD, changed so, does not speak of."""
    assert gold.prd is not None
    prd = Prd.model_validate({**gold.prd.model_dump(by_alias=True), **changed})
    drafts = check_asked(build_index(Artifacts(prd=prd)), Policy(sentence=sentence))
    return [draft.ref for draft in drafts if draft.severity == "major" and draft.stage == "ba"]


def test_the_reference_design_speaks_of_all_that_was_asked(gold: Artifacts) -> None:
    assert absent(gold, "주문 관리 시스템을 만들어줘.") == []
    assert absent(gold, "고객과 상품, 주문을 관리하고 배송도 추적해 줘.") == []


def test_a_thing_that_nothing_speaks_of_is_found(gold: Artifacts) -> None:
    assert absent(gold, "주문 관리 시스템을 만들어줘. 영수증도 보내야 해.") == ["영수증"]
    assert absent(gold, "Manage orders and gift cards.") == ["cards"]


def test_what_is_left_out_on_purpose_is_no_finding(gold: Artifacts) -> None:
    assert absent(gold, "주문 관리. 영수증도 보내야 해.", out_of_scope=["영수증 발송"]) == []


def test_without_a_sentence_there_is_nothing_to_miss(gold: Artifacts) -> None:
    assert absent(gold, "") == []


@pytest.mark.parametrize("lang", ["en"])
def test_a_korean_sentence_is_not_looked_for_in_an_english_design(gold: Artifacts, lang: str) -> None:
    assert gold.prd is not None
    project = {**gold.prd.project.model_dump(), "lang": lang}
    assert absent(gold, "영수증 관리", project=project) == []
