"""Plain lines say every fact once; JSON lines carry every field."""

import io
import json
from collections.abc import Iterator
from decimal import Decimal

import pytest

from dure.usage import Usage
from dure_spec.artifacts.findings import Finding, Fix
from dure_spec.pipeline.events import (
    Asking,
    AttemptJudged,
    AttemptStarted,
    AutoFixed,
    Disturbed,
    ModelPreparing,
    PipelineEvent,
    RunFinished,
    RunStarted,
    RunStopped,
    Spent,
    StageAccepted,
    StageStopped,
    Way,
    Writing,
)
from dure_spec.views.json_lines import JsonLinesView
from dure_spec.views.plain import PlainView

FINDING = Finding(
    id="V07-1",
    validator="V07",
    name="ReferenceIntegrity",
    severity="critical",
    stage="dba",
    path="/tables/0",
    ref="orders.customer_id",
    message="가리키는 열이 없습니다",
)
STARTED = RunStarted(run_id="r1", sentence="주문 관리 시스템을 만들어줘.", model="scripted:", out="designs/r1")


def plain(*events: PipelineEvent, language: str | None = None) -> list[str]:
    """What the plain view writes for these events, one second apart."""
    seconds: Iterator[float] = iter(float(second) for second in range(1000))
    stream = io.StringIO()
    view = PlainView(stream, language="en" if language == "en" else None, now=lambda: next(seconds))
    for event in events:
        view.show(event)
    view.close()
    return stream.getvalue().splitlines()


def test_a_run_opens_with_its_sentence_its_model_and_its_folder() -> None:
    lines = plain(STARTED, RunStopped(run_id="r1", reason="-", next_step="", exit_code=2))
    assert lines[0] == "[    1.0s] 설계 시작: 주문 관리 시스템을 만들어줘."
    assert lines[1] == "[    1.0s] 실행 r1 · 모델 scripted: · 폴더 designs/r1"


def test_the_language_asked_for_wins_over_that_of_the_sentence() -> None:
    assert "Designing: 주문" in plain(STARTED, language="en")[0]


def test_an_english_sentence_is_answered_in_english() -> None:
    started = RunStarted(run_id="r1", sentence="Build a clinic booking system", model="m", out="o", kept=("ba", "dba"))
    line = "Going on with: Build a clinic booking system (already done: Requirements (BA), Data (DBA))"
    assert plain(started)[0].endswith(line)


def test_flowing_text_and_single_calls_write_no_line() -> None:
    quiet = (Writing(stage="ba", text="가"), Spent(stage="ba", usage=Usage(output=3), seconds=1.0))
    assert plain(*quiet * 50) == []


def test_a_stage_is_told_from_its_start_to_its_acceptance() -> None:
    spent = Usage(fresh_input=10, output=1200)
    lines = plain(
        STARTED,
        ModelPreparing(model="local:"),
        AttemptStarted(stage="dba", attempt=2),
        Asking(stage="dba", about="표 만들기"),
        Disturbed(stage="dba", reason="503", delay=4.0),
        Disturbed(stage="dba", reason="답이 비었습니다"),
        AttemptJudged(stage="dba", attempt=2, score=8.4, findings=(FINDING,)),
        AttemptJudged(stage="dba", attempt=3, score=9.0, findings=()),
        StageAccepted(stage="dba", verdict="forced", score=8.4, attempts=3, usage=spent, seconds=91.26),
    )
    assert [line.partition("] ")[2] for line in lines[2:-1]] == [
        "모델 준비 중: local: (첫 답변은 더 걸립니다)",
        "데이터 (DBA): 2번째 시도",
        "데이터 (DBA): 표 만들기",
        "데이터 (DBA): 4초 뒤 다시 시도합니다: 503",
        "데이터 (DBA): 다시 시도합니다: 답이 비었습니다",
        "데이터 (DBA): 2번째 시도 8.4점, 지적 1건",
        "  치명 orders.customer_id: 가리키는 열이 없습니다",
        "데이터 (DBA): 3번째 시도 9.0점, 지적 없음",
        "데이터 (DBA): 강제 통과 8.4점 (시도 3회, 토큰 1,200, 91.3초)",
    ]


def test_many_findings_are_counted_after_the_first_five() -> None:
    lines = plain(AttemptJudged(stage="dba", attempt=1, score=1.0, findings=(FINDING,) * 7), language="en")
    assert len(lines) == 7
    assert lines[-1].endswith("and 2 more")


def test_a_finished_run_ends_with_the_report_first_and_what_is_open() -> None:
    accepted = StageAccepted(stage="ba", verdict="forced", score=8.0, attempts=4, usage=Usage(), seconds=1.0)
    finished = RunFinished(
        run_id="r1",
        out="designs/r1",
        files=("prd.md", "designs/r1/report.html"),
        usage=Usage(fresh_input=9000, output=3456),
        seconds=312.4,
        open_questions=("환불 기한은?",),
    )
    assert [line.partition("] ")[2] for line in plain(STARTED, accepted, finished)[3:]] == [
        "설계 완료: designs/r1 (5:12, 토큰 입력 9,000 · 출력 3,456)",
        "파일:",
        "  designs/r1/report.html",
        "  prd.md",
        "강제 통과한 단계: 요구사항 (BA). 보고서에서 남은 지적을 확인하세요.",
        "정해야 할 것:",
        "  환불 기한은?",
    ]


FIX = Fix(stage="dba", validator="V05", severity="major", ref="order", message="예약어", done="order → purchase_orders")


def test_what_the_program_repaired_is_told_with_the_score_and_again_at_the_end() -> None:
    fixed = AutoFixed(stage="dba", attempt=1, score=9.8, fixes=(FIX,) * 7, findings=(FINDING,))
    accepted = StageAccepted(
        stage="dba", verdict="pass", score=9.8, attempts=1, usage=Usage(), seconds=1.0, fixes=(FIX,) * 7
    )
    finished = RunFinished(run_id="r1", out="o", files=(), usage=Usage(), seconds=1.0)
    lines = [line.partition("] ")[2] for line in plain(STARTED, fixed, accepted, finished)]
    assert lines[2:5] == [
        "데이터 (DBA): 프로그램이 7건을 고쳐 9.8점",
        "  V05 order: order → purchase_orders",
        "  V05 order: order → purchase_orders",
    ]
    assert "  그 밖에 2건" in lines
    assert lines[-1] == "프로그램이 고친 것: 데이터 (DBA) 7"
    stream = io.StringIO()
    JsonLinesView(stream).show(fixed)
    assert json.loads(stream.getvalue())["fixes"][0]["done"] == "order → purchase_orders"


def test_a_forced_run_ends_with_what_remains_and_what_people_let_stay() -> None:
    waived = FINDING.model_copy(update={"id": "V07-2", "waived_by": "kim"})
    finished = RunFinished(
        run_id="r1",
        out="o",
        files=(),
        usage=Usage(),
        seconds=1.0,
        forced=("dba",),
        remaining=(FINDING,),
        waived=(waived,) * 12,
    )
    lines = [line.partition("] ")[2] for line in plain(STARTED, finished, language="en")]
    at = lines.index("Stages passed by force: Data (DBA). See the report for the findings that remain.")
    assert lines[at + 1] == "  Data (DBA) critical V07-1 orders.customer_id: 가리키는 열이 없습니다"
    assert lines[at + 2] == "! Findings that people let stay:"
    assert lines[at + 3].startswith("  Data (DBA) critical V07-2")
    assert lines[-1] == "  and 2 more"


def test_a_person_who_has_to_choose_sees_each_way_with_its_command() -> None:
    ways = (Way(about="고치기", command="dure edit r1 dba"), Way(about="다른 모델", command="dure design --resume r1"))
    stopped = RunStopped(run_id="r1", reason="because", next_step="dure design --resume r1", exit_code=3, ways=ways)
    lines = [line.partition("] ")[2] for line in plain(STARTED, stopped)]
    at = lines.index("이어 갈 방법:")
    assert lines[at + 1 : at + 3] == ["  고치기: dure edit r1 dba", "  다른 모델: dure design --resume r1"]
    assert not any(line.startswith("다음에 할 일") for line in lines)


def test_a_run_is_told_in_its_own_language() -> None:
    started = RunStarted(run_id="r1", sentence="주문 관리", model="m", out="o", lang="en")
    assert "Designing: 주문 관리" in plain(started)[0]


def stop(next_step: str, exit_code: int) -> RunStopped:
    """A stop of run r1."""
    return RunStopped(run_id="r1", reason="because", next_step=next_step, exit_code=exit_code)


def test_a_run_stopped_at_a_gate_says_why_what_next_and_how_to_go_on() -> None:
    stage = StageStopped(stage="dba", reason="below 8.0", score=7.1, findings=(FINDING,))
    text = "\n".join(plain(STARTED, stage, stop("use a larger model", 3), language="en"))
    assert "Data (DBA): stopped: below 8.0" in text
    assert "The design stopped: because" in text
    assert "critical orders.customer_id: 가리키는 열이 없습니다" in text
    assert "Next: use a larger model" in text
    assert "Go on with: dure design --resume r1" in text


@pytest.mark.parametrize(
    ("event", "shown"),
    [
        (stop("", 130), 1),
        (stop("dure design --resume r1", 130), 1),
        (stop("name the system you want", 3), 0),
    ],
)
def test_the_resume_command_is_said_once_where_there_is_something_to_resume(event: RunStopped, shown: int) -> None:
    assert "\n".join(plain(STARTED, event)).count("--resume r1") == shown


def test_a_run_whose_end_was_not_told_still_says_how_to_go_on() -> None:
    assert plain(STARTED)[-1].endswith("이어서 하기: dure design --resume r1")


def test_what_a_model_wrote_cannot_break_a_line_or_steer_a_terminal() -> None:
    (line,) = plain(Asking(stage="ba", about="first\n\x1b[2Jsecond"))
    assert line.endswith("first [2Jsecond")


def test_an_output_that_cannot_hold_hangul_gets_question_marks() -> None:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding="ascii")
    PlainView(stream, now=lambda: 0.0).show(Asking(stage="backend", about="주문"))
    assert raw.getvalue().endswith(b": ??\n")


def test_json_is_one_object_a_line_in_raw_utf8_with_the_events_own_fields() -> None:
    stream = io.StringIO()
    view = JsonLinesView(stream)
    view.show(AttemptJudged(stage="dba", attempt=1, score=8.4, findings=(FINDING,)))
    view.show(
        Spent(stage="dba", usage=Usage(fresh_input=3, output=4, model_calls=1, cost=Decimal("0.0012")), seconds=0.5)
    )
    view.show(Writing(stage="dba", text="주\n문\ud800"))
    view.tick()
    view.stopping()
    view.close()
    judged, spent, writing = stream.getvalue().splitlines()
    assert json.loads(judged) == {
        "event": "AttemptJudged",
        "stage": "dba",
        "attempt": 1,
        "score": 8.4,
        "findings": [FINDING.model_dump(mode="json")],
    }
    assert json.loads(spent)["usage"] == {
        "fresh_input": 3,
        "cache_read": 0,
        "cache_write": 0,
        "cache_write_1h": 0,
        "output": 4,
        "reasoning": 0,
        "model_calls": 1,
        "cost": "0.0012",
    }
    assert writing == '{"event": "Writing", "stage": "dba", "text": "주\\n문?"}'


def test_json_lines_stay_json_on_a_stream_that_knows_no_hangul() -> None:
    held = io.BytesIO()
    stream = io.TextIOWrapper(held, encoding="ascii")
    JsonLinesView(stream).show(Asking(stage="ba", about="이름과 설명 é 🐝"))
    line = held.getvalue()
    assert line.isascii()
    assert json.loads(line)["about"] == "이름과 설명 é 🐝"
