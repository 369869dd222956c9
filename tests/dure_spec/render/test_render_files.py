"""The folder of a design: every file there, whole, and of use to the tool that reads it."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator

from dure_spec.artifacts import Artifacts, Backend, Erd, Frontend, Ia, Prd, Report
from dure_spec.derive.sample_rows import insert_statements
from dure_spec.render import documents, render

ALL = (
    "1_prd.json",
    "2_ia.json",
    "3_erd.json",
    "4_backend.json",
    "5_frontend.json",
    "6_report.json",
    "prd.md",
    "ia.md",
    "erd.md",
    "backend.md",
    "frontend.md",
    "report.md",
    "schema.sql",
    "schema.postgresql.sql",
    "openapi.json",
    "erd.mmd",
    "navigation.mmd",
    "states.mmd",
    "schema.dbml",
    "report.html",
)


def test_finished_design_writes_every_file_and_nothing_else(finished: Artifacts, tmp_path: Path) -> None:
    out = tmp_path / "new" / "folder"
    assert render(finished, out) == ALL
    assert sorted(path.name for path in out.iterdir()) == sorted(ALL)


def test_canonical_json_reads_back_as_the_same_artifacts(finished: Artifacts, tmp_path: Path) -> None:
    render(finished, tmp_path)

    def text(name: str) -> str:
        return (tmp_path / name).read_text(encoding="utf-8")

    again = Artifacts(
        prd=Prd.model_validate_json(text("1_prd.json")),
        ia=Ia.model_validate_json(text("2_ia.json")),
        erd=Erd.model_validate_json(text("3_erd.json")),
        backend=Backend.model_validate_json(text("4_backend.json")),
        frontend=Frontend.model_validate_json(text("5_frontend.json")),
        report=Report.model_validate_json(text("6_report.json")),
    )
    assert again == finished
    assert '"def": "주문을 내는 거래처 또는 개인"' in text("1_prd.json")
    assert '"null"' not in text("4_backend.json")


def test_schema_executes_on_sqlite_with_foreign_keys_and_takes_sample_rows(gold: Artifacts) -> None:
    assert gold.erd is not None
    with closing(sqlite3.connect(":memory:")) as engine:
        engine.executescript(documents(gold)["schema.sql"])
        engine.execute("PRAGMA foreign_keys = ON")
        for statement in insert_statements(gold.erd, dialect="sqlite"):
            engine.execute(statement)
        assert engine.execute("SELECT count(*) FROM order_items").fetchone()[0] > 0
        assert engine.execute("PRAGMA foreign_key_check").fetchall() == []


def test_openapi_file_is_a_valid_document(gold: Artifacts) -> None:
    document = json.loads(documents(gold)["openapi.json"])
    assert list(OpenAPIV31SpecValidator(document).iter_errors()) == []  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]


@pytest.mark.parametrize(
    ("kept", "there", "absent"),
    [
        (set[str](), {"report.md", "report.html"}, {"schema.sql", "openapi.json", "prd.md"}),
        ({"prd"}, {"1_prd.json", "prd.md", "states.mmd"}, {"navigation.mmd", "erd.md"}),
        ({"prd", "erd"}, {"3_erd.json", "schema.sql", "schema.dbml", "erd.mmd"}, {"openapi.json", "ia.md"}),
        ({"backend"}, {"4_backend.json", "openapi.json", "backend.md"}, {"schema.sql", "1_prd.json"}),
        ({"ia", "frontend"}, {"navigation.mmd", "frontend.md"}, {"openapi.json", "states.mmd"}),
    ],
)
def test_stopped_run_renders_what_exists(gold: Artifacts, kept: set[str], there: set[str], absent: set[str]) -> None:
    part = Artifacts.model_validate({name: getattr(gold, name) for name in kept})
    names = set(documents(part))
    assert there <= names
    assert not absent & names


def test_file_that_cannot_be_replaced_leaves_no_temporary_file(gold: Artifacts, tmp_path: Path) -> None:
    (tmp_path / "report.html").mkdir()
    with pytest.raises(OSError, match=r"report\.html"):
        render(gold, tmp_path)
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []
    assert (tmp_path / "report.md").read_text(encoding="utf-8").startswith("# 주문 관리 시스템")


def test_second_rendering_replaces_the_first(gold: Artifacts, tmp_path: Path) -> None:
    (tmp_path / "report.md").write_text("old", encoding="utf-8")
    render(gold, tmp_path)
    first = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    render(gold, tmp_path)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == first
    assert first["report.md"] != b"old"
