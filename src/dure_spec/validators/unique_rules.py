"""V06 PrimaryKey on business rules: where one says that something is unique, a key has to say so too."""

import re
from collections.abc import Iterator

from dure_spec.artifacts.erd import Column, Table
from dure_spec.artifacts.prd import Rule
from dure_spec.derive.keys import unique_keys
from dure_spec.derive.types import family_of
from dure_spec.derive.words import parts
from dure_spec.validators.index import Index
from dure_spec.validators.policy import Draft, Policy, Text

_NO_UNIQUE = Text(
    "규칙 {rule}('{text}'): 이를 지킬 UNIQUE가 {tables}에 없습니다",
    "rule {rule} ('{text}') needs a UNIQUE key on {tables}",
)
_UNIQUE_WORDS = re.compile(
    r"유일|고유|중복|유니크|\bunique|\bduplicate|\bno two\b|\bmust not repeat\b|\bonly once per\b", re.IGNORECASE
)
_BARE_ID = re.compile(r"고유\s*(한\s*)?(ID|아이디|식별자|식별번호)|unique\s+(id|identifier|key)\b", re.IGNORECASE)


def check_unique_rules(index: Index, policy: Policy) -> Iterator[Draft]:
    """Rules of uniqueness that no unique key of their tables holds."""
    for rule in index.rules.values():
        if rule.kind != "constraint" or not _UNIQUE_WORDS.search(rule.text):
            continue
        tables = [index.term_tables[term] for term in rule.entities if term in index.term_tables]
        if not tables:
            continue
        named = [(table, column) for table in tables for column in table.columns if _is_named(rule, column)]
        if any(_is_held(table, column) for table, column in named) or any(_has_pair(table) for table in tables):
            continue
        if not named and (_BARE_ID.search(rule.text) or any(_has_business_key(table) for table in tables)):
            continue
        table, column = named[0] if named else (tables[0], None)
        place = index.tables[table.name.lower()]
        yield Draft(
            severity="major",
            stage="dba",
            path=place.path,
            ref=table.name,
            text=_NO_UNIQUE,
            values={"rule": rule.id, "text": rule.text, "tables": ", ".join(table.name for table in tables)},
            expected=f"{column.name} unique" if column else "",
        )


def _is_named(rule: Rule, column: Column) -> bool:
    """Whether the rule speaks of the column, by its logical name or by its physical one."""
    if column.pk or column.fk:
        return False
    logical = column.logical.strip()
    if len(logical) > 1 and logical in rule.text:
        return True
    words = parts(column.name)
    return len(words) > 1 and " ".join(words) in rule.text.lower()


def _is_held(table: Table, column: Column) -> bool:
    return any(column.name.lower() in (name.lower() for name in key) for key in unique_keys(table))


def _has_pair(table: Table) -> bool:
    """Whether several columns together are unique, which a rule about more than one column means."""
    return any(len(key) > 1 for key in unique_keys(table))


def _has_business_key(table: Table) -> bool:
    """Whether anything but a generated number keeps two rows apart."""
    return any(not _is_number(table, key) for key in unique_keys(table))


def _is_number(table: Table, key: tuple[str, ...]) -> bool:
    """Whether the key is the bare primary key that the engine or the program hands out."""
    column = next((column for column in table.columns if key == (column.name,)), None)
    return column is not None and column.pk and not column.fk and family_of(column.type) in ("int", "uuid")
