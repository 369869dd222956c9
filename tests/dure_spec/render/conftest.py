"""The gold design as one bundle, with a report."""

from pathlib import Path

import pytest

from dure_spec.artifacts import STAGES, Artifacts, Backend, Erd, Frontend, Ia, Prd, Report
from dure_spec.artifacts.report import Risk, StageRow, Waived
from dure_spec.derive.trace import trace_rows

GOLD = Path(__file__).parents[2] / "data" / "gold_order_mgmt"


@pytest.fixture(scope="session")
def gold() -> Artifacts:
    def text(name: str) -> str:
        return (GOLD / name).read_text(encoding="utf-8")

    return Artifacts(
        prd=Prd.model_validate_json(text("1_prd.json")),
        ia=Ia.model_validate_json(text("2_ia.json")),
        erd=Erd.model_validate_json(text("3_erd.json")),
        backend=Backend.model_validate_json(text("4_backend.json")),
        frontend=Frontend.model_validate_json(text("5_frontend.json")),
    )


@pytest.fixture(scope="session")
def finished(gold: Artifacts) -> Artifacts:
    stages = tuple(
        StageRow(
            stage=stage,
            attempts=2,
            score=8.5,
            verdict="forced",
            waived=(
                Waived(
                    id="V14-1",
                    severity="major",
                    ref="OP-order.list",
                    message="복수형이 아닙니다",
                    by="김팀장",
                    reason="기존 API",
                    at="2026-08-01T09:00:00+09:00",
                ),
            ),
            model="local:small",
            prompt_version="ko-1",
            tokens_in=1500,
            tokens_out=700,
            seconds=12.25,
        )
        for stage in STAGES
    )
    report = Report(
        summary="필수 요구사항이 모두 이어집니다.",
        decisions=("재고 차감은 OP-order.create의 한 트랜잭션 안에서 처리한다.",),
        risks=(Risk(id="R-01", text="동시 주문", impact="high", refs=("BR-02", "FR-404")),),
        next_steps=("Q-01을 결정한다.",),
        trace=trace_rows(gold),
        stages=stages,
        open_questions=("Q-01 온라인 화면이 필요한가?",),
        assumptions=("FR-001 로그인",),
    )
    return gold.model_copy(update={"report": report})
