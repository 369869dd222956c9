"""The Backend agent's artifact: business objects over the tables, and their operations."""

from typing import Literal

from pydantic import Field

from dure_spec.artifacts.shared import BoId, OpId, Part, RequirementId, RuleId

OpKind = Literal["list", "read", "create", "update", "delete", "transition", "action", "login"]
Method = Literal["GET", "POST", "PUT", "PATCH", "DELETE"]


class Attribute(Part):
    """A field of a business object; `type` only where no column backs it."""

    name: str
    col: str | None = None
    type: str | None = None
    req: bool = False
    ro: bool = False
    computed: str | None = None
    join: str | None = None


class OpError(Part):
    """How an operation can fail."""

    http: int
    code: str


class Op(Part):
    """One operation; `out` is `BO-x` or `BO-x[]`, `writes` are tables of one transaction."""

    id: OpId
    kind: OpKind
    method: Method
    path: str
    roles: tuple[str, ...]
    reqs: tuple[RequirementId, ...]
    in_: tuple[str, ...] = Field(default=(), alias="in")
    out: str
    rules: tuple[RuleId, ...] = ()
    writes: tuple[str, ...] = ()
    errors: tuple[OpError, ...] = ()


class Bo(Part):
    """A business object."""

    id: BoId
    name: str
    table: str
    children: tuple[str, ...] = ()
    attrs: tuple[Attribute, ...]
    ops: tuple[Op, ...]


class Backend(Part):
    """Backend specification; `infra_tables` need no object."""

    bos: tuple[Bo, ...]
    infra_tables: tuple[str, ...] = ()
