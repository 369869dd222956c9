"""The reference design: its artifacts, and the same as lines."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from dure_spec.artifacts import Artifacts, Backend, Erd, Frontend, Ia, Prd

_FOLDER = Path(__file__).parents[2] / "data" / "wire" / "order_mgmt"


@dataclass(frozen=True, kw_only=True, slots=True)
class Reference:
    prd: Prd
    ia: Ia
    erd: Erd
    backend: Backend
    frontend: Frontend
    texts: dict[str, str]
    sql: str

    def artifacts(self, **changed: object) -> Artifacts:
        """All five, some of them replaced."""
        found = {"prd": self.prd, "ia": self.ia, "erd": self.erd, "backend": self.backend, "frontend": self.frontend}
        return Artifacts.model_validate(found | changed)


@pytest.fixture
def gold() -> Reference:
    """The reference design."""

    def read(name: str) -> str:
        return (_FOLDER / name).read_text("utf-8")

    sections = [part.strip().partition("\n") for part in read("wire_format.txt").split("=====")]
    return Reference(
        prd=Prd.model_validate_json(read("1_prd.json")),
        ia=Ia.model_validate_json(read("2_ia.json")),
        erd=Erd.model_validate_json(read("3_erd.json")),
        backend=Backend.model_validate_json(read("4_backend.json")),
        frontend=Frontend.model_validate_json(read("5_frontend.json")),
        texts={head.strip("[]"): body for head, _, body in sections},
        sql=read("3_ddl.sql"),
    )
