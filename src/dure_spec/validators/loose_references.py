"""References that no foreign key can hold: polymorphic pairs, and tables of entity, attribute and value."""

import re
from collections.abc import Iterator
from functools import cached_property

from dure_spec.artifacts.erd import Column
from dure_spec.derive.types import family_of
from dure_spec.derive.words import name_words, singular, snake
from dure_spec.validators.audit_names import is_audit
from dure_spec.validators.index import Index, TablePlace
from dure_spec.validators.shared_words import plain_words, shared_prefix

# kinds of things that are numbered outside of any table
_OUTSIDE = frozenset(
    """
    device terminal browser session client agent hardware machine sensor identity identification national passport
    license external
    """.split()
)
_ATTRIBUTE = frozenset(
    "attribute attr attrib property prop parameter param field characteristic feature 속성 항목".split()
)
_ABOUT_IT = frozenset("name nm key code cd id type no 명 이름 코드".split())
_VALUE = frozenset("value val 값".split())
_TYPED = frozenset(
    "text string str varchar char int integer number numeric num decimal float date datetime bool json".split()
)
_OLD_OR_NEW = frozenset("old new before after previous prev original min max default".split())
_LANGUAGE = re.compile(r"(^|_)(lang|language|locale|culture)(_|$)")
_TABLE_OF_THEM = frozenset(
    "attribute attr property prop meta metadata parameter param eav option spec custom extra".split()
)
_MOST_BESIDE = 3
"""Columns that an EAV table may have beside its triple, its key and its audit columns."""


class PolymorphicPairs:
    """Pairs of `x_type` and `x_id` where the type says which table the id is of."""

    def __init__(self, index: Index) -> None:
        self._index = index

    def of(self, place: TablePlace) -> Iterator[tuple[Column, Column]]:
        """The pairs of a table: the type's column, then the id's."""
        if place.table.kind == "log":  # an audit trail may speak of anything, and outlives it
            return
        bound = {name.lower() for key in place.keys for name in key.columns}
        by_words = {tuple(name_words(column.name)): column for column in place.table.columns}
        for words, kind in by_words.items():
            stem = _stem(words)
            own = by_words.get((*stem, "id")) if stem else None
            if own is None or own.fk or own.name.lower() in bound or kind.fk or kind.name.lower() in bound:
                continue
            if not self._is_something_else(place, stem, own):
                yield kind, own

    def _is_something_else(self, place: TablePlace, stem: tuple[str, ...], own: Column) -> bool:
        """Whether the pair describes the row itself, one table alone, or what no table keeps."""
        thing = "_".join(stem)
        if own.pk and sum(column.pk for column in place.table.columns) == 1:
            return True
        table = snake(place.table.name)
        if singular(thing) in (singular(table), table) or thing.split("_")[-1] in _OUTSIDE:
            return True
        if singular(thing) in self._singulars:
            return True
        return family_of(own.type) not in self._key_families

    @cached_property
    def _singulars(self) -> frozenset[str]:
        return frozenset(singular(snake(place.table.name)) for place in self._index.tables.values())

    @cached_property
    def _key_families(self) -> frozenset[str | None]:
        """What keys of the schema look like: an id of another kind points at none of its tables.

        A table that has none yet will have a number.
        """
        tables = [place.table for place in self._index.tables.values()]
        keys = [[column for column in table.columns if column.pk] for table in tables]
        return frozenset(family_of(columns[0].type) if columns else "int" for columns in keys if len(columns) < 2)


def _stem(words: tuple[str, ...]) -> tuple[str, ...]:
    if len(words) > 2 and words[-2:] in (("type", "name"), ("type", "code"), ("type", "id")):
        return words[:-2]
    return words[:-1] if len(words) > 1 and words[-1] in ("type", "kind", "class") else ()


def eav_triple(place: TablePlace) -> tuple[Column, Column, Column] | None:
    """Columns for entity, attribute and value, where the table has little else."""
    table = place.table
    if table.kind in ("config", "log", "history", "code"):
        return None
    columns = [column for column in table.columns if not is_audit(column.name, column.logical)]
    if any(_LANGUAGE.search(snake(column.name)) for column in columns):
        return None
    prefix = shared_prefix([name_words(column.name) for column in table.columns])
    words = {column.name: plain_words(name_words(column.name), prefix) for column in columns}
    values = [column for column in columns if _is_value(words[column.name])]
    if not values or not (len(values) > 1 or family_of(values[0].type) in ("str", "json", "bin")):
        return None
    named = _stem_of_value(words[values[0].name])
    attribute = next((c for c in columns if c not in values and _is_attribute(place, words[c.name], named)), None)
    entity = next((c for c in columns if c is not attribute and _is_entity(place, c, words[c.name])), None)
    if attribute is None or entity is None:
        return None
    rest = [c for c in columns if c not in (attribute, entity, *values) and words[c.name] != ["id"]]
    return (entity, attribute, values[0]) if len(rest) <= _MOST_BESIDE else None


def _is_value(words: list[str]) -> bool:
    if _OLD_OR_NEW & set(words):
        return False
    told = [word for word in words if word not in _TYPED]
    return bool(told) and told[-1] in _VALUE


def _stem_of_value(words: list[str]) -> str:
    return words[-2] if len(words) > 1 and words[-1] in _VALUE else ""


def _is_attribute(place: TablePlace, words: list[str], value: str) -> bool:
    told = [word for word in words if word not in _ABOUT_IT]
    if told and told[-1] in _ATTRIBUTE:
        return True
    if words[-1:] == ["key"] and len(words) == 2 and words[0] == value:
        return True
    of_them = {singular(word) for word in name_words(place.table.name)} & _TABLE_OF_THEM
    return bool(of_them) and words in (["key"], ["name"], ["code"], ["이름"], ["속성명"])


def _is_entity(place: TablePlace, column: Column, words: list[str]) -> bool:
    bound = column.fk or any(column.name in key.columns for key in place.keys)
    named = (len(words) > 1 and words[-1] in ("id", "no", "uuid")) or words in (["entity"], ["object"])
    return bool(bound or (named and not _is_only_key(place, column)))


def _is_only_key(place: TablePlace, column: Column) -> bool:
    return column.pk and sum(each.pk for each in place.table.columns) == 1
