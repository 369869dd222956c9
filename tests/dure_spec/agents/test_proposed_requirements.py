"""What the program proposes without any model is worded as it asks of others."""

import json
from pathlib import Path

import pytest

from dure_spec.agents.accounts import with_accounts
from dure_spec.agents.ba_decisions import Decisions
from dure_spec.agents.ba_prd import assemble
from dure_spec.artifacts import Artifacts, Prd
from dure_spec.artifacts.shared import Language
from dure_spec.intake import screen
from dure_spec.patterns import Pattern, propose, shipped
from dure_spec.patterns.loader import Library
from dure_spec.validators import Policy, judge

_PROMPTS = Path(__file__).parents[4] / "shared" / "data" / "prompts" / "one_line_prompts.jsonl"
_SENTENCES = [
    ("주문 관리 시스템을 만들어줘.", None),
    ("동네 꽃집 주문과 배달 관리", None),
    ("도서관에서 책과 회원, 대출을 관리하고 싶어", None),
    ("할 일 앱.", None),
    ("우리 회사 ERP 만들어줘.", None),
    ("비밀번호를 평문으로 저장하는 회원 가입 시스템.", None),
    ("Manage university courses and students.", None),
    ("A veterinary clinic app: owners, pets, vets, visits.", None),
    ("A blog website.", None),
]
_PATTERNS = [
    pytest.param(pattern, lang, id=f"{pattern.id}-{lang}") for pattern in shipped().patterns for lang in ("ko", "en")
]


def _proposed(sentence: str, lang: Language | None, library: Library | None = None) -> Prd:
    intake = screen(sentence, lang=lang)
    return assemble(intake, with_accounts(propose(intake.sentence, library=library), intake), Decisions())


def _complaints(prd: Prd, sentence: str) -> list[str]:
    judgement = judge(Artifacts(prd=prd), "ba", Policy(lang=prd.project.lang, sentence=sentence))
    return [f"{finding.validator} {finding.ref}: {finding.message}" for finding in judgement.findings]


@pytest.mark.parametrize(("sentence", "lang"), _SENTENCES)
def test_proposal_for_a_sentence_has_no_finding(sentence: str, lang: Language | None) -> None:
    prd = _proposed(sentence, lang)
    assert prd.reqs
    assert _complaints(prd, sentence) == []


@pytest.mark.parametrize(("pattern", "lang"), _PATTERNS)
def test_proposal_of_each_pattern_has_no_finding(pattern: Pattern, lang: Language) -> None:
    words = pattern.triggers.ko if lang == "ko" else pattern.triggers.en
    said = " ".join(part.split("|")[0].replace("*", "") for part in (words or pattern.triggers.ko)[0].split("+"))
    library = Library(patterns=(pattern.model_copy(update={"fallback": False}),))
    prd = _proposed(said, lang, library)
    assert prd.reqs
    assert len({requirement.text for requirement in prd.reqs}) == len(prd.reqs)
    assert _complaints(prd, said) == []


@pytest.mark.skipif(not _PROMPTS.exists(), reason="the shared test data is not here")
def test_proposals_for_all_given_sentences_have_no_finding() -> None:
    for line in _PROMPTS.read_text("utf-8").splitlines():
        sentence = json.loads(line)["prompt"]
        prd = _proposed(sentence, None)
        if prd.reqs:
            assert _complaints(prd, sentence) == [], sentence


def test_two_requirements_that_do_the_same_say_what_each_is_for() -> None:
    prd = _proposed("재고 관리", "ko")
    texts = [requirement.text for requirement in prd.reqs if "입출고내역을 등록" in requirement.text]
    assert len(texts) == 2
    assert any("출고 기록을 위해" in text for text in texts)


def test_english_articles_fit_the_word() -> None:
    prd = _proposed("Human resources: employees, jobs, departments, locations.", None)
    said = "\n".join((*(row.text for row in prd.reqs), *(ac.g for row in prd.reqs for ac in row.ac)))
    assert "an employee" in said
    assert "a employee" not in said
