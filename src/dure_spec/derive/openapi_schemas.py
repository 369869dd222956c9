"""Business objects as `components.schemas`: what is answered, what is sent, and pages of both."""

import re
from collections.abc import Iterable
from typing import Any

from dure_spec.artifacts import Artifacts
from dure_spec.artifacts.backend import Attribute, Bo, Op
from dure_spec.artifacts.erd import Column
from dure_spec.derive.openapi_columns import column_schema, type_schema

_RESERVED = ("Error",)


def pascal(text: str) -> str:
    """`BO-order-item` and `order.create` as `OrderItem` and `OrderCreate`."""
    return "".join(part[:1].upper() + part[1:] for part in re.split(r"[^A-Za-z0-9]+", text) if part)


class Schemas:
    """The schemas of one document; names are unique, and everything is made when it is first asked for."""

    def __init__(self, artifacts: Artifacts) -> None:
        self._bos = {bo.id: bo for bo in reversed(artifacts.backend.bos if artifacts.backend else ())}
        self._tables = {table.name: table for table in artifacts.erd.tables} if artifacts.erd else {}
        self._rules = {rule.id: rule.text for rule in artifacts.prd.rules} if artifacts.prd else {}
        self._names: dict[str, str] = {}
        self._parts: dict[str, dict[str, Any]] = {}

    @property
    def parts(self) -> dict[str, dict[str, Any]]:
        """All schemas made so far, by name."""
        return dict(sorted(self._parts.items()))

    def answer(self, out: str) -> dict[str, Any]:
        """The schema of an `out` such as `BO-order` or `BO-order[]`; an unknown object allows anything."""
        if out.endswith("[]"):
            return {"type": "array", "items": self.answer(out[:-2])}
        bo = self._bos.get(out)
        return self._reference(bo) if bo else {"description": out} if out else {}

    def page(self, out: str) -> dict[str, Any]:
        """One page of an `out`: the rows, which page it is, and how many rows there are."""
        row = out.removesuffix("[]")
        name = self._name(f"page {row}", f"{pascal(row.removeprefix('BO-')) or 'Any'}Page")
        if name not in self._parts:
            self._parts[name] = {}
            self._parts[name] = {
                "type": "object",
                "required": ["items", "page", "size", "total"],
                "properties": {
                    "items": {"type": "array", "items": self.answer(row)},
                    "page": {"type": "integer", "minimum": 1},
                    "size": {"type": "integer", "minimum": 1},
                    "total": {"type": "integer", "minimum": 0},
                },
            }
        return {"$ref": f"#/components/schemas/{name}"}

    def request(self, op: Op, bo: Bo, names: Iterable[str]) -> dict[str, Any]:
        """The body of an operation from the attributes that it takes."""
        name = self._name(f"request {op.id}", f"{pascal(op.id.removeprefix('OP-'))}Request")
        fields = tuple(dict.fromkeys(names))
        attributes = {attr.name: attr for attr in reversed(bo.attrs)}
        partial = op.kind == "update"
        self._parts[name] = _object(
            {field: self.field(bo, field) for field in fields},
            [] if partial else [field for field in fields if field in attributes and attributes[field].req],
        )
        return {"$ref": f"#/components/schemas/{name}"}

    def field(self, bo: Bo, name: str) -> dict[str, Any]:
        """The schema of one input; a name that the object lacks allows anything."""
        attr = next((attr for attr in bo.attrs if attr.name == name), None)
        return self._attribute(attr, sent=True) if attr else {"description": name}

    def key(self, bo: Bo) -> dict[str, Any]:
        """The type of the object's primary key, as a path carries it."""
        table = self._tables.get(bo.table)
        columns = [column for column in table.columns if column.pk] if table else []
        if len(columns) != 1:
            return {"type": "string"}
        schema = column_schema(columns[0])
        return {key: value for key, value in schema.items() if key in ("type", "format", "maxLength")}

    def make(self, bos: Iterable[Bo]) -> None:
        """Make the schema of every object, also of those that no operation answers with."""
        for bo in bos:
            self._reference(bo)

    def _reference(self, bo: Bo) -> dict[str, Any]:
        name = self._name(f"bo {bo.id}", pascal(bo.id.removeprefix("BO-")) or "Object")
        if name not in self._parts:
            self._parts[name] = {}  # a cycle of objects meets the name, not the recursion
            inputs = {field for op in bo.ops for field in op.in_}
            properties: dict[str, Any] = {}
            required: list[str] = []
            for attr in bo.attrs:
                if attr.name in properties:
                    continue
                properties[attr.name] = self._attribute(attr, sent=False) | self._access(attr, inputs)
                column = self._column(attr)
                if attr.req or (column is not None and column.pk):
                    required.append(attr.name)
            self._parts[name] = {"title": bo.name, **_object(properties, required), "x-table": bo.table}
        return {"$ref": f"#/components/schemas/{name}"}

    def _input(self, bo: Bo) -> dict[str, Any]:
        name = self._name(f"input {bo.id}", f"{pascal(bo.id.removeprefix('BO-')) or 'Object'}Input")
        if name not in self._parts:
            self._parts[name] = {}
            writable = {attr.name: attr for attr in reversed(bo.attrs) if not attr.ro}
            self._parts[name] = {
                "title": bo.name,
                **_object(
                    {attr.name: self._attribute(attr, sent=True) for attr in reversed(writable.values())},
                    [attr.name for attr in reversed(writable.values()) if attr.req],
                ),
            }
        return {"$ref": f"#/components/schemas/{name}"}

    def _attribute(self, attr: Attribute, *, sent: bool) -> dict[str, Any]:
        column = self._column(attr)
        if column is None:
            schema = self._virtual(attr.type or "", sent=sent)
        else:
            schema = {"title": column.logical, **column_schema(column)}
            if rule := column.rule or column.derived:
                schema["description"] = f"{rule} {self._rules.get(rule, '')}".strip()
            if column.pii:
                schema["x-pii"] = True
        if attr.computed:
            schema["x-computed"] = attr.computed
        return schema

    def _virtual(self, kind: str, *, sent: bool) -> dict[str, Any]:
        if kind.endswith("[]"):
            return {"type": "array", "items": self._virtual(kind[:-2], sent=sent)}
        bo = self._bos.get(kind)
        if bo is not None:
            return self._input(bo) if sent else self._reference(bo)
        return type_schema(kind) or ({"description": kind} if kind else {})

    def _access(self, attr: Attribute, inputs: set[str]) -> dict[str, Any]:
        if attr.ro:
            return {"readOnly": True}
        sent_only = attr.col is None and attr.computed is not None and attr.name in inputs
        return {"writeOnly": True} if sent_only or "password" in attr.name.lower() else {}

    def _column(self, attr: Attribute) -> Column | None:
        table, _, column = (attr.col or (attr.join if attr.type is None else None) or "").partition(".")
        found = self._tables.get(table)
        return next((each for each in found.columns if each.name == column), None) if found else None

    def _name(self, key: str, wish: str) -> str:
        """One stable name a key; a name that is taken gets a number."""
        if key not in self._names:
            taken = {*self._names.values(), *_RESERVED}
            name, number = wish, 2
            while name in taken:
                name, number = f"{wish}{number}", number + 1
            self._names[key] = name
        return self._names[key]


def _object(properties: dict[str, Any], required: list[str]) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "object", "properties": properties}
    return {**schema, "required": required} if required else schema
