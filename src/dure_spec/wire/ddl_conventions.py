"""Tables from SQL brought to the conventions of our designs: keys, references, states, labels, kinds, requirements."""

import re
from collections.abc import Callable, Mapping, Sequence

from dure_spec.artifacts.erd import Column, Erd, Table
from dure_spec.artifacts.prd import Prd
from dure_spec.derive.labels import column_label, glossary_words
from dure_spec.derive.schema_view import machine_of, same_word, status_column, table_of_term
from dure_spec.derive.types import family_of
from dure_spec.derive.words import singular
from dure_spec.wire.ddl_types import wide_enough
from dure_spec.wire.erd_finish import META, finish, guessed_kind, served_by, table_label, typed_references, with_key

_SUBJECT_END = re.compile(r"(?<=[가-힣])[은는](?=\s)|\b(?:is|are|equals)\b|=")
_UNIQUE = re.compile(r"유일|고유|중복|\bunique\b|\bduplicat", re.IGNORECASE)
_PAIRED = re.compile(r"같은 .+ 같은|조합|한 번만|\bper\b|\bsame .+ same\b|combination", re.IGNORECASE)
Comments = Mapping[tuple[str, str], str]


def agree(tables: Sequence[Table], prd: Prd, titles: Mapping[str, str], comments: Comments) -> Erd:
    """The ERD that a set of tables means; labels from the comments, the glossary and the dictionary."""
    renamed = _keys_called_id(list(tables))
    linked = [_linked(table, renamed) for table in renamed]
    kinds = [table.model_copy(update={"kind": guessed_kind(table.name, table.columns)}) for table in linked]
    named = [table.model_copy(update={"logical": _title(table, prd, titles)}) for table in kinds]
    keyed = typed_references([with_key(_pruned(table), prd) for table in named])
    stated = [_with_states(table, prd, keyed) for table in keyed]
    unique = [_paired(table) for table in stated]
    labelled = [_labelled(table, prd, comments, unique) for table in unique]
    ruled = [_ruled(table, prd, labelled) for table in labelled]
    served = [table.model_copy(update={"reqs": served_by(table, prd, ruled)}) for table in ruled]
    return finish(served, prd=prd)


def _keys_called_id(tables: list[Table]) -> list[Table]:
    """A single number key is called `id` and is `bigint`, whatever it was called; references follow."""
    new: dict[str, str] = {}
    changed: list[Table] = []
    for table in tables:
        keys = [column for column in table.columns if column.pk]
        single = keys[0] if len(keys) == 1 and not keys[0].fk and family_of(keys[0].type) == "int" else None
        names = {column.name for column in table.columns}
        if single is not None and (single.name == "id" or "id" not in names):
            new[f"{table.name}.{single.name}"] = f"{table.name}.id"
            table = _replaced(table, single.name, name="id", logical="id", type="bigint", default=None, check=None)
        changed.append(table)
    return [_map(table, lambda c: c.model_copy(update={"fk": new.get(c.fk or "", c.fk)})) for table in changed]


def _linked(table: Table, tables: Sequence[Table]) -> Table:
    """References to the table that is meant, references that were forgotten, actions that can work."""

    def fixed(column: Column) -> Column:
        fk = _reference(column, table, tables)
        if fk is None:
            return column
        own = fk.partition(".")[0] == table.name
        null = column.null or (own and not column.pk)
        action = column.on_delete or "RESTRICT"
        action = "RESTRICT" if action == "SET NULL" and not null else action
        return column.model_copy(update={"fk": fk, "null": null, "on_delete": action, "default": None, "pii": False})

    return _map(table, fixed)


def _reference(column: Column, table: Table, tables: Sequence[Table]) -> str | None:
    if not column.fk:
        return _implied(column, table, tables)
    name, _, target = column.fk.partition(".")
    found = next((one for one in tables if one.name == name), None) or _meant(name, tables)
    if found is None:
        return _implied(column, table, tables) or column.fk
    known = {c.name for c in found.columns if c.pk or c.uq} or {"id"}
    return f"{found.name}.{target if target in known else next(iter(_key_names(found)), 'id')}"


def _implied(column: Column, table: Table, tables: Sequence[Table]) -> str | None:
    """What a column is a reference to by its name (`member_id`)."""
    single = column.pk and len(_key_names(table)) == 1
    if single or not column.name.endswith("_id") or family_of(column.type) not in ("int", "uuid"):
        return None
    word = column.name.removesuffix("_id")
    found = table if word == "parent" else _meant(word, tables)
    return f"{found.name}.{next(iter(_key_names(found)), 'id')}" if found is not None else None


def _key_names(table: Table) -> list[str]:
    return [column.name for column in table.columns if column.pk]


def _meant(word: str, tables: Sequence[Table]) -> Table | None:
    """The table by that name in any number, else the only one whose last word it is."""
    same = next((table for table in tables if same_word(table.name, word)), None)
    ends = [table for table in tables if singular(table.name).endswith(f"_{singular(word)}")]
    return same or (ends[0] if len(ends) == 1 else None)


def _pruned(table: Table) -> Table:
    """Entities without the audit columns, which the program adds itself."""
    kept = tuple(column for column in table.columns if column.name not in META.audit or column.fk)
    return table.model_copy(update={"columns": kept}) if table.kind == "entity" and kept else table


def _with_states(table: Table, prd: Prd, tables: Sequence[Table]) -> Table:
    """The states of the PRD are the values of the status column, which is there even if it was forgotten."""
    erd = Erd(meta=META, tables=tuple(tables), relations=())
    machine = machine_of(table, prd, erd)
    if machine is None or not machine.values:
        return table
    found = status_column(table, machine.values)
    if found is None:
        sql_type = wide_enough("varchar(20)", machine.values)
        found = Column(name="status", logical="status", type=sql_type)
        table = table.model_copy(update={"columns": (*table.columns, found)})
    rule = next((rule.id for rule in prd.rules if rule.kind == "state" and machine.entity in rule.entities), None)
    return _replaced(
        table,
        found.name,
        type=wide_enough(found.type, machine.values),
        enum=machine.values,
        default=found.default if found.default in machine.values else machine.values[0],
        null=False,
        check=None,
        rule=rule,
    )


def _paired(table: Table) -> Table:
    """A junction holds each pair once."""
    ends = tuple(column.name for column in table.columns if column.fk)
    pair = set(ends)
    known = {frozenset(group) for group in (*table.uniques, tuple(_key_names(table)))}
    if table.kind != "junction" or len(ends) != 2 or frozenset(pair) in known:
        return table
    return table.model_copy(update={"uniques": (*table.uniques, ends)})


def _title(table: Table, prd: Prd, titles: Mapping[str, str]) -> str:
    known = table_label(table, prd)
    said = _said(titles.get(table.name, ""), prd)
    korean = prd.project.lang == "ko"
    return said if said and korean and not re.search(r"[가-힣]", known) else known


def _said(comment: str, prd: Prd) -> str:
    """The name in a comment; remarks about keys are no names."""
    words = re.split(r"[(:,;/]| - ", comment)[0].strip().removesuffix("테이블").removesuffix("table").strip()
    if not words or len(words) > 30 or len(words.split()) > 4:
        return ""
    if prd.project.lang == "ko":
        return words.replace(" ", "") if re.search(r"[가-힣]", words) else ""
    return "" if re.search(r"\b(key|pk|fk|references?)\b", words, re.IGNORECASE) else words


def _labelled(table: Table, prd: Prd, comments: Comments, tables: Sequence[Table]) -> Table:
    glossary = glossary_words(prd)
    titles = {one.name: one.logical for one in tables}

    def named(column: Column) -> Column:
        if column.logical != column.name and column.name == "id":
            return column
        said = _said(comments.get((table.name, column.name), ""), prd)
        target = (column.fk or "").partition(".")[0]
        word = column.name.removesuffix("_id")
        if column.fk and column.name != word and singular(target).rpartition("_")[2] == word.rpartition("_")[2]:
            return column.model_copy(
                update={"logical": column_label("id", lang=prd.project.lang, own=titles.get(target, target)).text}
            )
        label = column_label(column.name, lang=prd.project.lang, glossary=glossary, own=table.logical)
        return column.model_copy(update={"logical": said if said and column.name != "id" else label.text})

    return _map(table, named)


def _ruled(table: Table, prd: Prd, tables: Sequence[Table]) -> Table:
    """A number that a derivation rule is about is computed by it; a column that a rule calls unique is."""
    erd = Erd(meta=META, tables=tuple(tables), relations=())
    owners = {term.term for term in prd.glossary if (found := table_of_term(term, erd)) and found.name == table.name}
    for rule in prd.rules:
        if not owners & set(rule.entities):
            continue
        subject = _SUBJECT_END.split(rule.text, maxsplit=1)[0]
        if rule.kind == "derivation":
            numbers = [c for c in table.columns if not c.pk and family_of(c.type) in ("int", "dec", "float")]
            column = _named_in(subject, numbers, table)
            table = _replaced(table, column.name, derived=rule.id) if column else table
        elif rule.kind == "constraint" and _UNIQUE.search(rule.text) and not _PAIRED.search(rule.text):
            column = _named_in(rule.text, [c for c in table.columns if not c.pk], table)
            table = _replaced(table, column.name, uq=True, rule=rule.id) if column else table
    return table


def _named_in(text: str, columns: Sequence[Column], table: Table) -> Column | None:
    """The column without a reference whose label stands in a text; the longest label wins.

    Without the table's name before it (`총액` for 주문총액) a label counts only where the text names the table.
    """
    plain = text.lower().replace(" ", "")
    owner = table.logical.lower().replace(" ", "")
    hits: list[tuple[int, Column]] = []
    for column in columns:
        words = column.logical.lower().replace(" ", "")
        short = words.removeprefix(owner) if owner in plain else words
        if not column.fk and len(short) > 1 and (words in plain or short in plain):
            hits.append((len(words), column))
    return max(hits, key=lambda hit: hit[0])[1] if hits else None


def _map(table: Table, change: Callable[[Column], Column]) -> Table:
    return table.model_copy(update={"columns": tuple(change(column) for column in table.columns)})


def _replaced(table: Table, column_name: str, /, **values: object) -> Table:
    return _map(table, lambda column: column.model_copy(update=values) if column.name == column_name else column)
