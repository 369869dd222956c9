"""Tables written in one line each, and what the validators of tables say of them."""

# ruff: noqa: ANN401  (fields of the artifacts are passed on as they come)

from typing import Any

from dure_spec.artifacts import Artifacts
from dure_spec.artifacts.erd import Column, Dialect, Erd, Meta, Reference, Table
from dure_spec.artifacts.findings import Finding
from dure_spec.autofix.documents import Documents
from dure_spec.validators import Policy, judge
from dure_spec.validators.policy import NameRules

TABLE_VALIDATORS = ("V04", "V05", "V06", "V07", "V08")


def column(name: str, kind: str = "bigint", **more: Any) -> Column:
    return Column(name=name, logical=more.pop("logical", name), type=kind, **more)


def key(name: str = "id", kind: str = "bigint") -> Column:
    return column(name, kind, pk=True)


def table(name: str, *columns: Column, **more: Any) -> Table:
    logical, kind = more.pop("logical", name), more.pop("kind", "entity")
    return Table(name=name, logical=logical, kind=kind, reqs=(), columns=columns, **more)


def reference(columns: str, target: str, targets: str, **more: Any) -> Reference:
    return Reference(columns=tuple(columns.split()), table=target, targets=tuple(targets.split()), **more)


def schema(*tables: Table, dialect: Dialect = "postgresql") -> Artifacts:
    """Somebody else's schema: nothing is added by the program."""
    meta = Meta(dialect=dialect, pk="", audit=(), fk_index="explicit")
    return Artifacts(erd=Erd(meta=meta, tables=tables, relations=()))


def design(*tables: Table, dialect: Dialect = "postgresql") -> Artifacts:
    """A design of ours without its requirements."""
    meta = Meta(dialect=dialect, pk="bigint identity", audit=("created_at",), fk_index="auto")
    return Artifacts(erd=Erd(meta=meta, tables=tables, relations=()))


def source_policy(**names: Any) -> Policy:
    return Policy(lang="en", origin="source", names=NameRules(**names))


def findings(artifacts: Artifacts, policy: Policy | None = None, *only: str) -> list[Finding]:
    """What the validators of tables say, or some of them; somebody else's schema where no policy is given."""
    wanted = only or TABLE_VALIDATORS
    judgement = judge(artifacts, "dba", policy or source_policy())
    return [finding for finding in judgement.findings if finding.validator in wanted]


def said(artifacts: Artifacts, policy: Policy | None = None, *only: str) -> list[tuple[str, str, str]]:
    """The same in short: validator, severity, place."""
    return [(each.validator, each.severity, each.ref) for each in findings(artifacts, policy, *only)]


def repaired(artifacts: Artifacts, finding: Finding) -> Artifacts:
    """The artifacts after the finding's own patch."""
    documents = Documents(artifacts)
    assert documents.apply(finding.patch), finding
    return documents.artifacts()


OURS = Policy(lang="en")
