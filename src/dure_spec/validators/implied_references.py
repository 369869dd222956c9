"""V07 ReferenceIntegrity: columns that are called after another table's key and declare no foreign key."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from dure_spec.artifacts.erd import Column, Dialect
from dure_spec.derive.types import parse_type
from dure_spec.derive.words import name_words, singular
from dure_spec.validators.index import Index, TablePlace
from dure_spec.validators.junctions import lacks_key_to
from dure_spec.validators.name_choice import NameChoice
from dure_spec.validators.policy import Draft, Policy, Text
from dure_spec.validators.reference_targets import single_keys
from dure_spec.validators.shared_words import plain_words, shared_prefix
from dure_spec.validators.widths import same_family, same_values

_IMPLIED = Text(
    "{target}을(를) 가리키는 이름인데 외래키가 없어, 없는 행을 가리켜도 막지 못합니다",
    "is named after {target} but declares no foreign key, so it may point at rows that do not exist",
)
_NUMBERS = frozenset(["id", "no", "code"])
# a number that somebody else gave: of the same thing, in another system
_FOREIGN_SYSTEMS = frozenset(
    """
    external ext foreign legacy old source src origin remote third party provider vendor oauth sso stripe paypal google
    facebook fb apple github gitlab kakao naver toss portone iamport slack twitter discord aws azure firebase salesforce
    sap erp shopify guest session temp tmp raw
    """.split()
)
_COPIES = frozenset(["archive", "archived", "backup", "bak", "old", "copy", "tmp", "temp", "staging", "stg", "p"])
_WORDS_IN_ID = frozenset(
    """
    acid aid android avoid bid braid covid fluid grid humid hybrid invalid kid liquid maid overpaid paid prepaid raid
    rapid solid squid unpaid valid void
    """.split()
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Named:
    """A table as names speak of it."""

    place: TablePlace
    words: tuple[str, ...]
    """Singular, without the prefix that all tables share."""
    prefix: tuple[str, ...]
    """Words that all its columns begin with."""


def check_implied_references(index: Index, policy: Policy) -> Iterator[Draft]:
    """Columns whose name promises a reference that nobody declared."""
    if index.artifacts.erd is None:
        return
    dialect = NameChoice(index, policy).dialect
    schema = shared_prefix([name_words(place.table.name) for place in index.tables.values()])
    tables = [_named(place, schema) for place in index.tables.values()]
    by_words: dict[str, _Named] = {}
    for named in tables:
        by_words.setdefault("".join(named.words), named)
    by_key = _by_key(tables, schema)
    for own in tables:
        bound = {name.lower() for key in own.place.keys for name in key.columns}
        for column in own.place.table.columns:
            if column.name.lower() in bound or column.fk or _is_own_key(own.place, column):
                continue
            target = _target(own, column, by_words, by_key, schema)
            if target is None or _meant_to(own.place, target.place):
                continue
            key = _meant(own, column, target, sourced=policy.origin == "source", dialect=dialect)
            if key:
                yield _draft(index, own.place, column, target.place, key)


def _meant_to(place: TablePlace, target: TablePlace) -> bool:
    """Whether a foreign key to the table is declared over a column that is not there: this is the one, misspelt."""
    name = target.table.name.lower()
    return any(
        key.target.lower() == name and not {each.lower() for each in key.columns} <= set(place.columns)
        for key in place.keys
    )


def _named(place: TablePlace, schema: Sequence[str]) -> _Named:
    words = [singular(word) for word in plain_words(name_words(place.table.name), schema)]
    columns = [name_words(column.name) for column in place.table.columns]
    return _Named(place=place, words=tuple(words), prefix=tuple(shared_prefix(columns)))


def _by_key(tables: Sequence[_Named], schema: Sequence[str]) -> Mapping[str, Sequence[_Named]]:
    """Tables by the name of their key, where it says of what: `custid`, never a bare `id`."""
    found: dict[str, list[_Named]] = {}
    for named in tables:
        keys = [column for column in named.place.table.columns if column.pk]
        if len(keys) == 1 and not any(keys[0].name in key.columns for key in named.place.keys):
            words = plain_words(name_words(keys[0].name), schema)
            name = "".join(words)
            if _ends_as_number(name, words) and name not in _NUMBERS:
                found.setdefault(name, []).append(named)
    return found


def _ends_as_number(name: str, words: Sequence[str]) -> bool:
    return words[-1:] != [] and (words[-1] in _NUMBERS or name.endswith(("id", "번호", "코드", "아이디")))


def _is_own_key(place: TablePlace, column: Column) -> bool:
    """Whether the column alone is the table's key."""
    return column.pk and sum(each.pk for each in place.table.columns) == 1


def _target(
    own: _Named,
    column: Column,
    by_words: Mapping[str, _Named],
    by_key: Mapping[str, Sequence[_Named]],
    schema: Sequence[str],
) -> _Named | None:
    words = plain_words(name_words(column.name), own.prefix)
    whole = plain_words(name_words(column.name), schema)
    for candidate in (whole, words):
        found = _by_table(own, candidate, by_words)
        if found is not None:
            return found
    for candidate in (whole, words):
        owners = [each for each in by_key.get("".join(candidate), ()) if each is not own]
        if len(owners) == 1 and not _is_copy(own, owners[0]):
            return owners[0]
    return None


def _by_table(own: _Named, words: Sequence[str], by_words: Mapping[str, _Named]) -> _Named | None:
    """The table that stands before `id`, `no` or `code`, perhaps behind the role it plays (`billing_address_id`)."""
    base = _base(words)
    for start in range(len(base)):
        target = by_words.get("".join(singular(word) for word in base[start:]))
        role = base[:start]
        if target is None or _FOREIGN_SYSTEMS & set(role):
            continue
        if target is own:
            return own if role == ["parent"] else None
        return None if _is_copy(own, target) else target
    return None


def _base(words: Sequence[str]) -> list[str]:
    if not words:
        return []
    *before, last = words
    if last in _NUMBERS and before:
        return before
    for suffix in ("id", "번호", "코드", "아이디"):
        if last.endswith(suffix) and len(last) > len(suffix) and last not in _WORDS_IN_ID:
            return [*before, last.removesuffix(suffix)]
    return []


def _is_copy(own: _Named, target: _Named) -> bool:
    """Whether the table is a part or an old copy of the other (`orders_2023`, `orders_archive`), with its keys."""
    head, rest = own.words[: len(target.words)], own.words[len(target.words) :]
    return head == target.words and bool(rest) and all(word.isdigit() or word in _COPIES for word in rest)


def _meant(own: _Named, column: Column, target: _Named, *, sourced: bool, dialect: Dialect) -> str | None:
    """The column of the target that is meant; `None` where the name must mean something else."""
    table = target.place.table
    own_type = parse_type(column.type)
    keys = list(dict.fromkeys(name.lower() for name in single_keys(table)))
    if not keys:  # without any key, the column that is called alike or `id`
        keys = [name for name in (column.name.lower(), "id") if name in target.place.columns]
    words = name_words(column.name)
    exact = words[-1] == "id" or "".join(words).endswith("id")
    linked = any(key.target.lower() == table.name.lower() for key in own.place.keys)
    if linked and not exact:
        return None  # the row is known already: the number of the other table is copied, not referenced
    for key in keys:
        other = target.place.columns[key]
        other_type = parse_type(other.type)
        if own_type is None or other_type is None:
            fitting = same_values(column.type, other.type, dialect)
        elif exact:
            fitting = same_family(own_type, other_type, dialect)
        else:
            fitting = same_values(column.type, other.type, dialect)
        if fitting:
            return other.name
    literal = tuple(singular(word) for word in _base(words)) == target.words
    return (keys or ["id"])[0] if exact and literal and not sourced else None


def _draft(index: Index, place: TablePlace, column: Column, target: TablePlace, key: str) -> Draft:
    reference = f"{target.table.name}.{key}"
    return Draft(
        severity="major",
        stage="dba",
        path=place.column_path(column.name),
        ref=f"{place.table.name}.{column.name}",
        text=_IMPLIED,
        values={"target": target.table.name},
        expected=f"fk {reference}",
        candidates=(reference,),
        topic=f"implied:{place.table.name.lower()}:{target.table.name.lower()}",
        cause=f"junction:{place.table.name.lower()}" if lacks_key_to(index, place, target) else "",
    )
