"""V08 TypeConsistency across columns: both ends of a reference, and columns of one name, hold the same values."""

from collections import Counter
from collections.abc import Iterator

from dure_spec.artifacts.erd import Column, Dialect
from dure_spec.artifacts.findings import Severity
from dure_spec.derive.keys import ForeignKey
from dure_spec.derive.types import Family, parse_type
from dure_spec.derive.words import name_words
from dure_spec.validators.index import Index, TablePlace
from dure_spec.validators.name_choice import NameChoice
from dure_spec.validators.patches import Repairs
from dure_spec.validators.policy import Draft, Policy, Text
from dure_spec.validators.references import wrong_target
from dure_spec.validators.type_meanings import fitting_family
from dure_spec.validators.widths import family_in, referencing_type, same_family, same_width

_FAMILY = Text(
    "외래키 타입 {own}, 참조 대상 {fk}은(는) {other}: 같은 값을 담을 수 없습니다",
    "foreign key type {own}, but {fk} is {other}: they cannot hold the same values",
)
_WIDTH = Text(
    "외래키 크기 {own}, 참조 대상 {fk}은(는) {other}: 한쪽에만 들어가는 값이 있습니다",
    "foreign key size {own}, but {fk} is {other}: one holds values that the other cannot",
)
_SAME_NAME = Text("같은 이름의 컬럼이 {others}에서는 {other}입니다", "a column of this name is {other} in {others}")

# words that say too little to mean the same thing twice
_GENERIC = frozenset(
    """
    id no number code key value data type kind status state level rank content body result size version
    name title label description comment note text message ref reference source target flag mode category position
    order sequence seq year month day week time date period duration count unit weight length
    width height volume parent owner range limit min max default from to start end settings config metadata
    attributes options tags details info
    """.split()
)


# such words name the same thing in every table of one design
_AGREED = frozenset("kind status state name title label description comment note text message mode category".split())


def check_types(index: Index, policy: Policy) -> Iterator[Draft]:
    """Foreign keys against what they reference, then columns of the same name."""
    if index.artifacts.erd is None:
        return
    dialect, repairs = NameChoice(index, policy).dialect, Repairs(index)
    for place in index.tables.values():
        for key in place.keys:
            yield from _reference(index, place, key, dialect, repairs)
    yield from _same_names(index, dialect, _GENERIC if policy.origin == "source" else _GENERIC - _AGREED)


def _reference(index: Index, place: TablePlace, key: ForeignKey, dialect: Dialect, repairs: Repairs) -> Iterator[Draft]:
    for name, other in zip(key.columns, key.target_columns, strict=False):
        column, target = place.columns.get(name.lower()), index.column(f"{key.target}.{other}")
        if column is None or target is None or column is target:
            continue
        own_type, other_type = parse_type(column.type), parse_type(target.type)
        if own_type is None or other_type is None:
            continue
        if not same_family(own_type, other_type, dialect):
            severity: Severity = "critical"
        elif not same_width(column.type, target.type, dialect):
            severity = "major"
        else:
            continue
        wanted = referencing_type(target.type)
        yield Draft(
            severity=severity,
            stage="dba",
            path=f"{place.column_path(column.name)}/type",
            ref=f"{place.table.name}({column.name})",
            text=_FAMILY if severity == "critical" else _WIDTH,
            values={"own": column.type, "fk": f"{key.target}.{target.name}", "other": target.type},
            expected=wanted,
            candidates=(wanted,),
            topic=f"family:{column.name.lower()}",
            cause=wrong_target(place, key),
            patch=repairs.retype(place, column, wanted),
        )


def _same_names(index: Index, dialect: Dialect, generic: frozenset[str]) -> Iterator[Draft]:
    """Columns that are neither references nor already wrong by their own name."""
    seen: dict[str, list[tuple[TablePlace, Column, Family]]] = {}
    for place in index.tables.values():
        bound = {name.lower() for key in place.keys for name in key.columns}
        for column in place.table.columns:
            parsed = parse_type(column.type)
            words = [word for word in name_words(column.name) if not word.isdigit()]
            if parsed is None or column.name.lower() in bound or (len(words) < 2 and generic & {*words, ""}):
                continue
            family = fitting_family(column, parsed) or family_in(parsed, dialect)
            seen.setdefault("_".join(name_words(column.name)), []).append((place, column, family))
    for uses in seen.values():
        families: Counter[Family] = Counter(family for _, _, family in uses)
        if len(families) > 1:
            yield _odd_one(uses, families.most_common(1)[0][0])


def _odd_one(uses: list[tuple[TablePlace, Column, Family]], usual: Family) -> Draft:
    place, column, _ = next(use for use in uses if use[2] != usual)
    others = [(each.table.name, like.type) for each, like, family in uses if family == usual]
    return Draft(
        severity="minor",
        stage="dba",
        path=f"{place.column_path(column.name)}/type",
        ref=f"{place.table.name}.{column.name}",
        text=_SAME_NAME,
        values={"other": others[0][1], "others": ", ".join(name for name, _ in others[:3])},
        expected=others[0][1],
        candidates=(others[0][1],),
    )
