"""A PostgreSQL schema tried on a server that is named, and judged without it where nobody answers."""

from pathlib import Path

import pytest

from dure_spec.lint.config import LintOptions
from dure_spec.lint.linting import lint_files
from dure_spec.lint.report import Judged

_SCHEMA = """\
CREATE TABLE shops (id bigint PRIMARY KEY, name varchar(50) NOT NULL);
CREATE TABLE sales (id bigint PRIMARY KEY, shop_id bigint NOT NULL REFERENCES shops (id), sold_on date NOT NULL);
CREATE INDEX ix_sales_shop_id ON sales (shop_id);
CREATE VIEW sold AS SELECT sold_on, {column} FROM sales;
"""


def _judged(folder: Path, column: str, url: str) -> Judged:
    path = folder / "schema.sql"
    path.write_text(_SCHEMA.format(column=column), encoding="utf-8")
    (judged,) = lint_files([str(path)], LintOptions(lang="en", dialect="postgresql", postgresql=url)).report.judged
    return judged


def test_what_the_server_refuses_is_critical_at_its_line(tmp_path: Path, postgres_url: str) -> None:
    assert _judged(tmp_path, "shop_id", postgres_url).findings == ()
    (finding,) = _judged(tmp_path, "shop_no", postgres_url).findings
    assert (finding.rule, finding.severity, finding.place.region.line) == ("V12", "critical", 4)
    assert "shop_no" in finding.message
    assert "42703" in finding.message
    assert _judged(tmp_path, "shop_id", postgres_url).findings == ()  # nothing is left of it there


def test_server_that_does_not_answer_is_told_and_keeps_nothing_from_being_judged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    judged = _judged(tmp_path, "shop_no", "postgresql://127.0.0.1:1/none")
    assert judged.findings == ()
    assert "was not tried" in caplog.text
