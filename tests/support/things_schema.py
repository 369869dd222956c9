"""One table of things to try checks, defaults and types on, and what V12 and PostgreSQL say of it."""

from collections.abc import Iterable
from typing import Any

from dure_spec.artifacts import Artifacts, Erd
from dure_spec.derive.ddl import create_statements
from dure_spec.engines.opening import open_engine
from dure_spec.validators.ddl_execution import check_ddl
from dure_spec.validators.index import build_index
from dure_spec.validators.policy import Draft, Policy


def column(name: str, kind: str, **more: object) -> dict[str, Any]:
    """A column of a design."""
    return {"name": name, "logical": name, "type": kind, **more}


COLUMNS = (
    column("id", "bigint", pk=True),
    column("name", "varchar(20)"),
    column("starts_at", "timestamptz"),
    column("ends_at", "timestamptz"),
    column("active", "boolean"),
    column("price", "numeric(12,2)"),
    column("data", "jsonb"),
    column("tags", "text[]"),
    column("key", "uuid"),
    column("day", "date"),
    column("order", "integer"),
)


def things(*columns: dict[str, Any]) -> Erd:
    """The table with these columns too."""
    table: dict[str, Any] = {
        "name": "things",
        "logical": "things",
        "kind": "code",
        "reqs": [],
        "columns": (*COLUMNS, *columns),
    }
    meta: dict[str, Any] = {"dialect": "postgresql", "pk": "bigint identity", "audit": []}
    return Erd.model_validate({"meta": meta, "tables": [table], "relations": []})


def checked(check: str) -> Erd:
    """The table with a quantity that must meet this check."""
    return things(column("qty", "integer", check=check))


def said(erd: Erd) -> list[Draft]:
    """What V12 finds without a server."""
    return list(check_ddl(build_index(Artifacts(erd=erd)), Policy(lang="en")))


def critical(drafts: Iterable[Draft]) -> list[str]:
    """The messages of critical findings."""
    return [draft.text.write("en", draft.values) for draft in drafts if draft.severity == "critical"]


def refused(erd: Erd, url: str) -> bool:
    """Whether the server refuses the schema."""
    with open_engine(url) as engine:
        return bool(engine.execute(create_statements(erd)))
