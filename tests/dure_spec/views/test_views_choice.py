"""Which view is chosen, and that no view ever stops a run."""

import io
import logging
import os

import pytest

from dure.errors import ConfigError
from dure_spec.pipeline.events import Asking, AttemptStarted, PipelineEvent, RunStopped
from dure_spec.views import choose_mode, open_view
from dure_spec.views.base import GuardedView

EVENT = Asking(stage="ba", about="무엇을?")


class Terminal(io.StringIO):
    """A stream that claims to be a terminal."""

    def isatty(self) -> bool:
        """Yes."""
        return True


def test_a_terminal_gets_the_live_view_and_a_pipe_plain_lines() -> None:
    assert choose_mode(Terminal(), as_json=False, as_plain=False, environment={"TERM": "xterm"}) == "live"
    assert choose_mode(io.StringIO(), as_json=False, as_plain=False, environment={"TERM": "xterm"}) == "plain"
    assert choose_mode(Terminal(), as_json=False, as_plain=False, environment={"TERM": "dumb"}) == "plain"


def test_a_wish_wins_over_the_terminal_but_two_wishes_are_wrong_use() -> None:
    assert choose_mode(Terminal(), as_json=True, as_plain=False) == "json"
    assert choose_mode(Terminal(), as_json=False, as_plain=True) == "plain"
    with pytest.raises(ConfigError, match="exclude each other"):
        choose_mode(Terminal(), as_json=True, as_plain=True)


def test_no_color_leaves_the_live_view_without_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    def drawn() -> str:
        stream = Terminal()
        view = open_view("live", stream, language="en")
        view.show(AttemptStarted(stage="ba", attempt=1))
        view.close()
        return stream.getvalue()

    monkeypatch.setenv("TERM", "xterm-256color")
    assert "36m" in drawn()
    monkeypatch.setenv("NO_COLOR", "1")
    assert "36m" not in drawn()


def test_a_run_that_stops_before_it_begins_is_told_in_the_language_of_the_sentence() -> None:
    stream = io.StringIO()
    view = open_view("plain", stream, language=None, sentence="악성 코드를 만들어줘")
    view.show(RunStopped(run_id="", reason="도울 수 없습니다", next_step="", exit_code=3))
    view.close()
    assert "설계가 멈췄습니다: 도울 수 없습니다" in stream.getvalue()
    assert "--resume" not in stream.getvalue()


class Faulty:
    """A view that fails the same way every time, and counts."""

    def __init__(self, error: Exception) -> None:
        self.error = error
        self.calls = 0

    def show(self, event: PipelineEvent) -> None:
        """Fail."""
        self._fail()

    def tick(self) -> None:
        """Fail."""
        self._fail()

    def stopping(self) -> None:
        """Fail."""
        self._fail()

    def close(self) -> None:
        """Fail."""
        self._fail()

    def _fail(self) -> None:
        self.calls += 1
        raise self.error


def use(view: GuardedView) -> None:
    """Everything a run does with a view."""
    view.show(EVENT)
    view.tick()
    view.stopping()
    view.close()


def test_a_faulty_view_is_logged_once_and_then_left_alone(caplog: pytest.LogCaptureFixture) -> None:
    faulty = Faulty(KeyError("row"))
    with caplog.at_level(logging.ERROR):
        use(GuardedView(faulty, io.StringIO()))
    assert faulty.calls == 1
    assert [record.message for record in caplog.records] == [
        "the view of the run failed and shows nothing more; the run goes on"
    ]


@pytest.mark.parametrize("mode", ["plain", "json"])
def test_a_reader_that_went_away_silences_the_view_for_good(mode: str, caplog: pytest.LogCaptureFixture) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w", encoding="utf-8") as stream:
        view = open_view("json" if mode == "json" else "plain", stream, language="ko")
        for _ in range(3):
            view.show(EVENT)
        view.close()
        stream.write("what the interpreter flushes when it leaves goes nowhere, without a complaint\n")
        stream.flush()
    assert caplog.records == []
