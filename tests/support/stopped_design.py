"""A design that stops at the gate of the tables, and what goes on with it."""

import asyncio
from pathlib import Path

from design_players import LARGE, Outcome, Player, run_design, whole_answers

from dure_spec.config import DesignConfig
from dure_spec.pipeline.design import DesignOptions
from dure_spec.pipeline.events import RunStopped
from dure_spec.pipeline.journal import Journal
from dure_spec.pipeline.records import StageRecord

SENTENCE = "주문 관리 시스템을 만들어줘."
OFF = DesignConfig(autofix="off")


def wrong() -> str:
    """The tables, with a foreign key to nothing: a critical finding."""
    whole = whole_answers()["dba", "whole"]
    assert "상품ID >products" in whole
    return whole.replace("상품ID >products", "상품ID >goods")


def stopped(out: Path) -> RunStopped:
    """A run that stops at the gate of the tables."""
    player = Player(answers=whole_answers(("dba", "repair", "잘 모르겠습니다."), ("dba", "whole", wrong())))
    outcome = asyncio.run(run_design(player.model(LARGE), DesignOptions(sentence=SENTENCE, out=out, config=OFF)))
    end = outcome.events[-1]
    assert isinstance(end, RunStopped)
    assert outcome.exit_code == 3
    return end


def resumed(out: Path, player: Player) -> Outcome:
    """The run going on."""
    return asyncio.run(run_design(player.model(LARGE), DesignOptions(resume=str(out), config=OFF)))


def kept(out: Path) -> StageRecord:
    """The stopped attempt, as the journal has it."""
    journal = Journal.resume(str(out))
    try:
        return journal.stopped()["dba"]
    finally:
        journal.close()


def right_text(out: Path) -> str:
    """The stopped artifact with its fault put right."""
    text = (out / "stopped" / "dba.json").read_text("utf-8")
    assert "goods.id" in text
    return text.replace("goods.id", "products.id").replace('"goods"', '"products"')
