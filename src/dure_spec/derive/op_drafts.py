"""Operations while they are gathered: the same operation asked for twice is one with both requirements."""

from dataclasses import dataclass, field

from dure_spec.artifacts.backend import Method, Op, OpError, OpKind


@dataclass(kw_only=True, slots=True)
class Draft:
    """An operation that still grows; its table is the key it is kept under."""

    table: str
    key: str
    kind: OpKind
    method: Method
    path: str
    many: bool = False
    roles: list[str] = field(default_factory=list[str])
    reqs: list[str] = field(default_factory=list[str])
    inputs: tuple[str, ...] = ()
    rules: list[str] = field(default_factory=list[str])
    writes: list[str] = field(default_factory=list[str])
    errors: list[OpError] = field(default_factory=list[OpError])

    def serve(self, *, reqs: tuple[str, ...] = (), roles: tuple[str, ...] = ()) -> None:
        """Count further requirements and roles in."""
        _extend(self.reqs, reqs)
        _extend(self.roles, roles)

    def enforce(self, rule: str) -> None:
        _extend(self.rules, (rule,))

    def write(self, *tables: str) -> None:
        _extend(self.writes, tables)

    def fail(self, http: int, code: str) -> None:
        error = OpError(http=http, code=code)
        if error not in self.errors:
            self.errors.append(error)

    def op(self, bo: str, order: tuple[str, ...]) -> Op:
        """The finished operation; roles in the order of the PRD, `*` alone where anybody may."""
        everyone = "*" in self.roles or not self.roles
        found = Op(
            id=f"OP-{bo.removeprefix('BO-')}.{self.key}",
            kind=self.kind,
            method=self.method,
            path=self.path,
            roles=("*",) if everyone else tuple(role for role in order if role in self.roles),
            reqs=tuple(sorted(self.reqs)),
            out=f"{bo}[]" if self.many else bo,
            rules=tuple(sorted(self.rules)),
            writes=tuple(self.writes),
            errors=tuple(self.errors),
        )
        return found.model_copy(update={"in_": self.inputs})


def _extend(items: list[str], more: tuple[str, ...]) -> None:
    items.extend(item for item in dict.fromkeys(more) if item not in items)
