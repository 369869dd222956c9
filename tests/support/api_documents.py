"""API documents for trying checks of them: of random small designs, and spoiled in one random place."""

import copy
from random import Random
from typing import Any

from openapi_spec_validator import OpenAPIV31SpecValidator
from referencing.exceptions import Unresolvable

from dure_spec.artifacts import Artifacts, Backend, Erd
from dure_spec.artifacts.backend import Attribute, Bo, Op
from dure_spec.artifacts.erd import Column, Meta, Table
from dure_spec.derive.openapi import openapi_document
from dure_spec.validators.document_rules import as_list, as_object

Document = dict[str, Any]
Place = tuple[str | int, ...]

_TYPES = (
    "bigint varchar(20) numeric(10,2) boolean date timestamptz uuid jsonb text char(3) varchar(5)[] mystery".split()
)
_PATHS = "/things things/ /things/{id} /things/:id /things/{id}/x/{id} /물건 /{ /x?y=1 /things/{c0}".split()
_KINDS = "list read create update delete transition action login".split()
_ODD: tuple[object, ...] = (None, -1, 1.5, "", [], {}, "#/components/schemas/No", True, ["x", "x"])
_NAMES = [*"x-a type enum required in id 999 default maxLength description".split(), "bad name", "$ref"]


def library_errors(document: Document) -> list[str]:
    """What the library finds; a reference to nothing is raised there, and a fault like any other here."""
    try:
        return [str(error) for error in OpenAPIV31SpecValidator(document).iter_errors()]  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType, reportUnknownMemberType]
    except Unresolvable as error:
        return [str(error)]
    except Exception as error:
        return [repr(error)]


def random_document(chance: Random) -> Document:
    """The document of a design of one table and a few operations, many of them odd."""
    columns = [Column(name="id", logical="ID", type="bigint", pk=True)]
    columns += [_column(chance, f"c{number}") for number in range(chance.randint(1, 3))]
    attributes = [Attribute(name=c.name, col=f"things.{c.name}", ro=c.pk, req=chance.random() < 0.5) for c in columns]
    virtual = chance.choice(["string", "BO-thing[]", "object", "email", None, "integer"])
    attributes.append(Attribute(name="v", type=virtual, computed=chance.choice([None, "x"])))
    ops = tuple(_op(chance, number, [each.name for each in attributes]) for number in range(chance.randint(1, 2)))
    table = Table(name="things", logical="물건", kind="entity", reqs=("FR-001",), columns=tuple(columns))
    erd = Erd(meta=Meta(dialect="postgresql", pk="bigint identity", audit=()), tables=(table,), relations=())
    bo = Bo(id="BO-thing", name="물건", table="things", attrs=tuple(attributes), ops=ops)
    return openapi_document(Artifacts(erd=erd, backend=Backend(bos=(bo,))))


def spoiled(document: Document, chance: Random) -> tuple[Document, Place]:
    """A copy in which something is gone, odd, called otherwise or there twice, and where."""
    changed = copy.deepcopy(document)
    place = chance.choice([each for each in _places(changed, ()) if each])
    *way, last = place
    holder: Any = changed
    for step in way:
        holder = holder[step]
    how = chance.choice(["drop", "odd", "rename", "twin"])
    if how == "drop":
        del holder[last]
    elif how == "odd" or (how == "twin" and as_object(holder) is not None):
        holder[last] = chance.choice(_ODD)
    else:
        value = copy.deepcopy(holder[last])
        if as_object(holder) is None:
            holder.append(value)
        else:
            del holder[last]
            holder[chance.choice(_NAMES)] = value
    return changed, place


def _places(value: object, at: Place) -> list[Place]:
    inside: list[tuple[str | int, object]] = list(enumerate(as_list(value) or ()))
    inside += (as_object(value) or {}).items()
    return [at, *(found for name, item in inside for found in _places(item, (*at, name)))]


def _column(chance: Random, name: str) -> Column:
    kind = chance.choice(_TYPES)
    return Column(
        name=name,
        logical=chance.choice("가나"),
        type=kind,
        null=chance.random() < 0.5,
        enum=("A", "B") if kind == "varchar(20)" and chance.random() < 0.5 else None,
        default=chance.choice([None, None, "A", "now()", 0, True, "1.5", "x" * 9]),
        check=chance.choice([None, f"{name} > 0", f"{name} between 1 and 5"]),
    )


def _op(chance: Random, number: int, names: list[str]) -> Op:
    errors = chance.choice([[], [(409, "X")], [(9, "Y")], [(404, "NOT_FOUND")]])
    return Op.model_validate(
        {
            "id": f"OP-thing.{chance.choice('ab')}{number}",
            "kind": chance.choice(_KINDS),
            "method": chance.choice(["GET", "POST", "PUT", "PATCH", "DELETE"]),
            "path": chance.choice(_PATHS),
            "roles": chance.choice([("*",), ("A1",), ()]),
            "reqs": ("FR-001",),
            "out": chance.choice(["BO-thing", "BO-thing[]", "BO-none", "", "none"]),
            "in": tuple(chance.sample([*names, "q"], 2)),
            "errors": [{"http": http, "code": code} for http, code in errors],
        }
    )
