"""A design on an engine: created, read back, filled, dropped and created again."""

from collections.abc import Iterator, Sequence

from dure_spec.artifacts.erd import Dialect, Erd, Table
from dure_spec.derive.ddl import Step, create_steps, drop_statements
from dure_spec.derive.sample_rows import insert_steps
from dure_spec.engines.engine import Engine, Refusal
from dure_spec.validators.ddl_drafts import ddl_draft
from dure_spec.validators.ddl_read_back import differences
from dure_spec.validators.policy import Draft, Policy, Text

_REFUSED = Text("{engine}: {error} — {sql}", "{engine}: {error} — {sql}")
_LOST = Text(
    "{engine}에 만들어진 스키마에 {what}이(가) 없거나 다릅니다",
    "{what} is missing from or different in the schema that {engine} made",
)
_ROWS = Text(
    "예시 행을 넣을 수 없습니다. {engine}: {error} — {sql}",
    "a sample row cannot be inserted. {engine}: {error} — {sql}",
)
_AGAIN = Text(
    "지우고 다시 만들 수 없습니다. {engine}: {error} — {sql}",
    "dropping and creating it again fails. {engine}: {error} — {sql}",
)
_SHOWN = 160
_INTEGRITY = "23"
"""SQLSTATE class of a row that a key refuses."""


def tried_on(engine: Engine, erd: Erd, dialect: Dialect, policy: Policy) -> Iterator[Draft]:
    """Everything that the engine says of a design; each stage only where the one before had nothing to say."""
    steps = create_steps(erd, engine.dialect)
    refusals = engine.execute([step.sql for step in steps])
    if refusals:
        yield from _refused(engine, erd, steps, refusals)
        return
    lost = [
        ddl_draft(path, ref, _LOST, {"what": what, "engine": engine.name})
        for path, ref, what in differences(erd, engine.catalogue(), engine.dialect)
    ]
    yield from lost
    if lost:
        return
    yield from _filled(engine, erd, policy)
    if engine.dialect == dialect:  # another engine's way of dropping says nothing about this design
        yield from _again(engine, erd, steps)


def _refused(engine: Engine, erd: Erd, steps: Sequence[Step], refusals: Sequence[Refusal]) -> Iterator[Draft]:
    """The table that cannot be created is at fault; its indexes and what references it fail only because of it."""
    uncreated = {
        steps[refusal.number].table.name.lower()
        for refusal in refusals
        if steps[refusal.number].sql.startswith("CREATE TABLE")
    }
    for refusal in refusals:
        step = steps[refusal.number]
        path = _path(erd, step, refusal)
        ref = _ref(erd, path, step.table)
        values = {"engine": engine.name, "error": _error(refusal), "sql": _shown(refusal.statement)}
        topic = f"engine:{step.table.name.lower()}"
        created = step.sql.startswith("CREATE TABLE")
        cause = topic if step.table.name.lower() in uncreated else _target_topic(step, uncreated)
        yield ddl_draft(path, ref, _REFUSED, values, topic=topic if created else "", cause=cause)


def _target_topic(step: Step, uncreated: set[str]) -> str:
    behind = step.sql.rpartition(" REFERENCES ")[2].partition(" (")[0].strip('"`').lower()
    return f"engine:{behind}" if behind in uncreated else ""


def _path(erd: Erd, step: Step, refusal: Refusal) -> str:
    """The column behind the engine's own place; else the column whose check or default holds the word it names."""
    path = step.path_at(refusal.position)
    if path != step.path or not step.sql.startswith("CREATE TABLE"):
        return path
    word = refusal.message.rpartition(":")[2].strip()
    for number, column in enumerate(step.table.columns):
        if word and column.check and word in column.check:
            return f"{step.path}/columns/{number}"
    return path


def _ref(erd: Erd, path: str, table: Table) -> str:
    parts = path.split("/")
    if len(parts) > 4 and parts[3] == "columns":
        return f"{table.name}.{table.columns[int(parts[4])].name}"
    return table.name


def _filled(engine: Engine, erd: Erd, policy: Policy) -> Iterator[Draft]:
    steps = insert_steps(erd, policy.sample_rows, engine.dialect)
    for refusal in engine.insert([step.sql for step in steps]):
        # a value that a check or a type refuses may be the sample's own fault; keys never are
        if refusal.row or (refusal.sqlstate and not refusal.sqlstate.startswith(_INTEGRITY)):
            return
        step = steps[refusal.number]
        values = {"engine": engine.name, "error": _error(refusal), "sql": _shown(refusal.statement)}
        yield ddl_draft(step.path, step.table.name, _ROWS, values, severity="major", topic="rows", cause="rows")


def _again(engine: Engine, erd: Erd, steps: Sequence[Step]) -> Iterator[Draft]:
    refusals = engine.execute(drop_statements(erd, engine.dialect))
    refusals = refusals or engine.execute([step.sql for step in steps])
    for refusal in refusals[:1]:
        values = {"engine": engine.name, "error": _error(refusal), "sql": _shown(refusal.statement)}
        yield ddl_draft("/tables", "schema", _AGAIN, values, severity="minor")


def _error(refusal: Refusal) -> str:
    return f"{refusal.sqlstate} {refusal.message}".strip()


def _shown(sql: str) -> str:
    line = " ".join(sql.split())
    return line if len(line) <= _SHOWN else line[:_SHOWN] + "…"
