"""The backend as lines: `@order purchase_orders has BO-order-item`, then `create A1 FR-004 in:… BR-02 w:… !422 X`."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from dure_spec.artifacts.backend import Attribute, Backend, Bo
from dure_spec.artifacts.erd import Erd
from dure_spec.derive.schema_view import table_named
from dure_spec.wire.backend_defaults import Head, default_attributes, head_of, infra_tables, virtual_required
from dure_spec.wire.backend_lines import (
    ATTRIBUTE_SYNTAX,
    OBJECT_SYNTAX,
    OP_SYNTAX,
    Override,
    read_object,
    read_op,
    read_override,
    write_bo,
)
from dure_spec.wire.parsed import Fault, Parsed
from dure_spec.wire.text import Line, joined, lines_of, split_list


@dataclass(kw_only=True, slots=True)
class _Block:
    head: Head
    name: str | None
    virtuals: tuple[Attribute, ...]
    overrides: list[Override] = field(default_factory=list[Override])


@dataclass(kw_only=True, slots=True)
class _Draft:
    erd: Erd
    blocks: dict[str, _Block] = field(default_factory=dict[str, _Block])
    current: str | None = None
    infra: tuple[str, ...] | None = None
    deleted: list[Line] = field(default_factory=list[Line])
    faults: list[Fault] = field(default_factory=list[Fault])


def parse(text: str, erd: Erd) -> Parsed[Backend]:
    """Read a whole backend; columns, paths, outputs and the usual errors come from the ERD and by convention."""
    draft = _read(text, erd)
    if not draft.blocks:
        draft.faults.append(Fault(line=0, text="", expected=OBJECT_SYNTAX))
    heads = [block.head for block in draft.blocks.values()]
    bos = tuple(_bo(block, heads, erd) for block in draft.blocks.values())
    infra = draft.infra if draft.infra is not None else infra_tables(erd, (bo.table for bo in bos))
    return Parsed(artifact=Backend(bos=bos, infra_tables=infra), faults=tuple(draft.faults))


def patch(backend: Backend, text: str, erd: Erd) -> Parsed[Backend]:
    """Take whole objects (`@name` with all its lines) into a backend; `DEL BO-x` and `DEL OP-x.y` remove."""
    draft = _read(text, erd)
    kept = {bo.id: bo for bo in backend.bos}
    for line in draft.deleted:
        _delete(line, kept, draft)
    new_heads = {f"BO-{short}": block.head for short, block in draft.blocks.items()}
    heads = [new_heads.get(bo.id, head_of(bo)) for bo in kept.values()]
    heads += [head for name, head in new_heads.items() if name not in kept]
    for short, block in draft.blocks.items():
        kept[f"BO-{short}"] = _bo(block, heads, erd)
    bos = tuple(kept.values())
    used = {bo.table for bo in bos}
    before = draft.infra if draft.infra is not None else backend.infra_tables
    infra = tuple(name for name in before if name not in used)
    return Parsed(artifact=Backend(bos=bos, infra_tables=infra), faults=tuple(draft.faults))


def write(backend: Backend, erd: Erd) -> str:
    """The whole backend as lines; the ERD tells what need not be written."""
    lines = _written(backend, erd, backend.bos)
    if backend.infra_tables != infra_tables(erd, (bo.table for bo in backend.bos)):
        lines.append(f"infra {joined(backend.infra_tables) or '-'}")
    return "\n".join(lines)


def items(backend: Backend, erd: Erd, ids: frozenset[str] | set[str]) -> str:
    """Only the objects of these ids; an id is an object, an operation or `BO-x.attribute`."""
    wanted = {name.partition(".")[0].replace("OP-", "BO-", 1) for name in ids}
    return "\n".join(_written(backend, erd, [bo for bo in backend.bos if bo.id in wanted or bo.table in wanted]))


def _written(backend: Backend, erd: Erd, bos: Iterable[Bo]) -> list[str]:
    heads = [head_of(bo) for bo in backend.bos]
    lines: list[str] = []
    for bo in bos:
        table = table_named(bo.table, erd)
        lines += write_bo(bo, default_attributes(head_of(bo), heads, erd), table.logical if table else "")
    return lines


def _delete(line: Line, kept: dict[str, Bo], draft: _Draft) -> None:
    name = line.text[4:].strip()
    owner = next((bo for bo in kept.values() if any(op.id == name for op in bo.ops)), None)
    if name in kept:
        del kept[name]
    elif owner is not None:
        ops = tuple(op for op in owner.ops if op.id != name)
        kept[owner.id] = owner.model_copy(update={"ops": ops})
    else:
        draft.faults.append(Fault(line=line.number, text=line.text, expected="DEL with the id of an item that exists"))


def _read(text: str, erd: Erd) -> _Draft:
    draft = _Draft(erd=erd)
    for line in lines_of(text):
        if line.text.startswith("@"):
            _read_object(line, draft)
        elif line.text.startswith("DEL "):
            draft.deleted.append(line)
        elif line.text.startswith("infra "):
            draft.infra = tuple(name for name in split_list(line.text[6:]) if name != "-")
        elif draft.current is not None:
            _read_member(line, draft.blocks[draft.current], draft)
    return draft


def _read_object(line: Line, draft: _Draft) -> None:
    found = read_object(line.text, draft.erd)
    if found is None:
        draft.current = None
        draft.faults.append(Fault(line=line.number, text=line.text, expected=OBJECT_SYNTAX))
        return
    head, name, virtuals = found
    draft.blocks[head.short] = _Block(head=head, name=name, virtuals=virtuals)
    draft.current = head.short


def _read_member(line: Line, block: _Block, draft: _Draft) -> None:
    if line.text.startswith("."):
        override = read_override(line.text)
        if override is None:
            draft.faults.append(Fault(line=line.number, text=line.text, expected=ATTRIBUTE_SYNTAX))
        else:
            block.overrides.append(override)
        return
    op = read_op(line.text, block.head.short, block.head.table)
    if op is None:
        draft.faults.append(Fault(line=line.number, text=line.text, expected=OP_SYNTAX))
        return
    head = block.head
    ops = (*(one for one in head.ops if one.id != op.id), op)
    block.head = Head(short=head.short, table=head.table, children=head.children, ops=ops)


def _bo(block: _Block, heads: list[Head], erd: Erd) -> Bo:
    head = block.head
    found = {attribute.name: attribute for attribute in default_attributes(head, heads, erd)}
    for attribute in block.virtuals:
        required = virtual_required(attribute.name, head.ops)
        found[attribute.name] = attribute.model_copy(update={"req": required})
    for override in block.overrides:
        _apply(override, found)
    table = table_named(head.table, erd)
    return Bo(
        id=f"BO-{head.short}",
        name=block.name or (table.logical if table else head.short),
        table=head.table,
        children=head.children,
        attrs=tuple(found.values()),
        ops=head.ops,
    )


def _apply(override: Override, found: dict[str, Attribute]) -> None:
    if override.removed:
        found.pop(override.attribute.name, None)
    else:
        found[override.attribute.name] = override.attribute
