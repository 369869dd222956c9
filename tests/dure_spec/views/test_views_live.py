"""The live view fits its terminal at every size, keeps its height, and leaves a summary."""

import io

import pytest
from rich.cells import cell_len
from rich.console import Console

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
    Writing,
)
from dure_spec.views.live import LiveView

FINDING = Finding(
    id="V07-1",
    validator="V07",
    name="ReferenceIntegrity",
    severity="major",
    stage="dba",
    path="/tables/0",
    ref="orders.customer_id",
    message="가리키는 열이 없어서 백엔드의 조회 연산이 실패합니다",
)
FIX = Fix(stage="dba", validator="V05", severity="major", ref="order", message="예약어", done="order → x")
STORY: tuple[PipelineEvent, ...] = (
    RunStarted(run_id="r1", sentence="주문 관리 시스템 " * 30, model="scripted:", out="designs/" + "긴" * 90),
    ModelPreparing(model="scripted:"),
    AttemptStarted(stage="planner", attempt=1),
    AttemptStarted(stage="dba", attempt=1),
    Asking(stage="planner", about="화면"),
    Asking(stage="dba", about="표 " * 100),
    Writing(stage="dba", text="CREATE TABLE 주문 (\n" + "  열 이름과 설명이 아주 길어서 줄이 바뀝니다" * 9 + "\n);\n"),
    Spent(stage="dba", usage=Usage(fresh_input=900, output=290, model_calls=1), seconds=29.0),
    AttemptJudged(stage="dba", attempt=1, score=7.5, findings=(FINDING,) * 9),
    AutoFixed(
        stage="dba",
        attempt=1,
        score=8.4,
        fixes=(Fix(stage="dba", validator="V05", severity="major", ref="order", message="예약어", done="order → x"),)
        * 4,
        findings=(FINDING,) * 5,
    ),
    Disturbed(stage="dba", reason="너무 오래 걸립니다 " * 30, delay=4.0),
)


class Screen:
    """A terminal of a given size whose clock the test moves."""

    def __init__(self, width: int, height: int) -> None:
        self.stream = io.StringIO()
        self.seconds = 0.0
        console = Console(
            file=self.stream, force_terminal=True, width=width, height=height, highlight=False, color_system=None
        )
        self.view = LiveView(self.stream, now=lambda: self.seconds, console=console)

    def play(self, *events: PipelineEvent) -> None:
        """Show events half a second apart."""
        for event in events:
            self.seconds += 0.5
            self.view.show(event)

    def frame(self) -> list[str]:
        """The lines of the drawing made now."""
        self.stream.seek(0)
        self.stream.truncate()
        self.view.tick()
        return [line.rpartition("\x1b[2K")[2] for line in self.stream.getvalue().split("\n")]

    def rest(self) -> str:
        """What was written since the last drawing."""
        return self.stream.getvalue()


@pytest.mark.parametrize(("width", "height"), [(80, 24), (120, 40), (40, 12), (64, 16), (200, 60), (80, 10)])
def test_no_drawing_is_wider_or_higher_than_the_terminal(width: int, height: int) -> None:
    screen = Screen(width, height)
    heights: set[int] = set()
    for event in STORY:
        screen.play(event)
        lines = screen.frame()
        assert max(cell_len(line) for line in lines) <= width
        heights.add(len(lines))
    assert len(heights) == 1
    assert heights.pop() < height


def test_the_drawing_shows_stages_questions_text_findings_and_tokens() -> None:
    screen = Screen(100, 40)
    screen.play(*STORY[:9])
    text = "\n".join(screen.frame())
    for piece in (
        "이름",
        "데이터 (DBA)",
        "작업 중",
        "7.5",
        "290",
        "화면 구조 (Planner): 화면",
        "│ );",
        "! 데이터 (DBA): 중대 orders.customer_id: 가리키는 열이 없어서",
        "그 밖에 7건",
        "토큰 입력 900 · 출력 290 · 초당 10.0",
    ):
        assert piece in text


def test_what_the_program_repaired_is_shown_until_the_next_attempt() -> None:
    screen = Screen(120, 40)
    screen.play(*STORY)
    text = "\n".join(screen.frame())
    assert "+ 데이터 (DBA): 프로그램이 4건을 고쳐 8.4점 · V05 order: order → x" in text
    assert "! 데이터 (DBA): 중대 orders.customer_id" in text
    assert "8.4" in text
    screen.play(AttemptStarted(stage="dba", attempt=2))
    assert "프로그램이" not in "\n".join(screen.frame())


def test_a_disturbance_is_shown_until_text_flows_again() -> None:
    screen = Screen(100, 40)
    screen.play(*STORY)
    assert "4초 뒤 다시 시도합니다" in "\n".join(screen.frame())
    screen.play(Asking(stage="dba", about="다시"), Writing(stage="dba", text="CREATE"))
    text = "\n".join(screen.frame())
    assert "4초 뒤" not in text
    assert "│ CREATE" in text


def test_text_that_flows_fast_is_not_drawn_for_every_piece() -> None:
    screen = Screen(80, 24)
    screen.play(*STORY[:5])
    before = len(screen.rest())
    for _ in range(100):
        screen.seconds += 0.0001
        screen.view.show(Writing(stage="planner", text="가"))
    assert len(screen.rest()) == before
    screen.seconds += 1
    screen.view.tick()
    assert "가가" in screen.rest()[before:]


def test_the_end_leaves_the_table_and_the_summary() -> None:
    screen = Screen(80, 24)
    screen.play(
        *STORY,
        StageAccepted(stage="dba", verdict="forced", score=8.1, attempts=4, usage=Usage(output=1291), seconds=91.0),
    )
    screen.frame()
    path = "designs/" + "긴" * 90
    screen.play(RunFinished(run_id="r1", out=path, files=("prd.md", "report.html"), usage=Usage(), seconds=65.0))
    text = screen.rest()
    assert "강제 통과" in text
    assert "1,291" in text
    assert f"설계 완료: {path} (1:05" in text  # not broken into lines, so that it can be copied
    assert text.index("report.html") < text.index("prd.md")


def test_asked_to_stop_it_says_so_and_then_how_to_go_on() -> None:
    screen = Screen(80, 24)
    screen.play(*STORY)
    screen.view.stopping()
    assert "멈추는 중입니다" in "\n".join(screen.frame())
    screen.play(RunStopped(run_id="r1", reason="멈춤", next_step="", exit_code=130))
    screen.view.close()
    assert screen.rest().count("dure design --resume r1") == 1


def test_a_view_that_saw_nothing_leaves_nothing() -> None:
    screen = Screen(80, 24)
    screen.view.tick()
    screen.view.close()
    assert screen.rest() == ""
