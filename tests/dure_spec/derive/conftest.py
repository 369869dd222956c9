"""Designs that proposals are tried on: a PRD and an ERD each, as lines under tests/data/wire."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from dure_spec.artifacts import Erd, Prd
from dure_spec.wire import erd as erd_wire
from dure_spec.wire import prd as prd_wire

_DATA = Path(__file__).parents[2] / "data" / "wire"


@dataclass(frozen=True, kw_only=True, slots=True)
class Design:
    prd: Prd
    erd: Erd


@pytest.fixture
def design() -> Callable[[str], Design]:
    """Read a design by name; `order_mgmt` is the reference design."""

    def read(name: str) -> Design:
        if name == "order_mgmt":
            folder = _DATA / name
            prd = Prd.model_validate_json((folder / "1_prd.json").read_text("utf-8"))
            return Design(prd=prd, erd=Erd.model_validate_json((folder / "3_erd.json").read_text("utf-8")))
        first, second = (_DATA / f"{name}.txt").read_text("utf-8").split("=====")
        prd = prd_wire.parse(first, lang="en" if name.endswith("en") else "ko")
        erd = erd_wire.parse(second, prd.artifact)
        assert prd.faults == ()
        return Design(prd=prd.artifact, erd=erd.artifact)

    return read
