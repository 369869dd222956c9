"""V08 TypeConsistency of a column by itself: a type that fits what the name says."""

import re
from collections.abc import Iterator

from dure_spec.artifacts.erd import Column, Dialect
from dure_spec.artifacts.findings import Severity
from dure_spec.derive.types import SqlType, parse_type, write_type
from dure_spec.derive.words import name_words
from dure_spec.validators.index import Index, TablePlace
from dure_spec.validators.name_choice import NameChoice
from dure_spec.validators.patches import Patch, Repairs
from dure_spec.validators.policy import Draft, Policy, Text
from dure_spec.validators.type_meanings import Misfit, is_date, is_moment, misfit_of

_TEXTS: dict[Misfit, Text] = {
    "money": Text("금액이 실수형이라 원 단위가 어긋납니다", "money as float loses cents"),
    "digits": Text(
        "전화·우편·카드번호가 숫자형이라 앞자리 0이 사라집니다",
        "phone, zip or card number as a number loses leading zeros",
    ),
    "date": Text("날짜가 문자형이라 정렬과 계산이 틀립니다", "date as text cannot be sorted or computed with"),
    "flag": Text("예/아니오 값이 문자형이라 다른 값도 들어갑니다", "flag as text takes any other word too"),
}
_UNKEPT_DATE = Text(
    "SQLite에는 날짜 타입이 없어 {type}에 아무 문자나 들어갑니다: CHECK로 형식을 지키게 하세요",
    "SQLite has no date type, so {type} takes any text: let a CHECK keep the format",
)
_WANTED: dict[Misfit, str] = {"money": "numeric(14,2)", "digits": "varchar(20)", "date": "date", "flag": "boolean"}
_CLOCK = re.compile(r"\b(current_(date|time|timestamp)|now|datetime|date|strftime)\b", re.IGNORECASE)
_PATCHED: frozenset[Misfit] = frozenset(["money", "digits"])


def check_types_by_name(index: Index, policy: Policy) -> Iterator[Draft]:
    """Every column that is not a foreign key: the type of such a one is its target's."""
    if index.artifacts.erd is None:
        return
    dialect, repairs = NameChoice(index, policy).dialect, Repairs(index)
    sourced = policy.origin == "source"
    for place in index.tables.values():
        bound = {name.lower() for key in place.keys for name in key.columns}
        beside = frozenset(word for column in place.table.columns for word in name_words(column.name))
        for column in place.table.columns:
            parsed = parse_type(column.type)
            if parsed is None or column.name.lower() in bound:
                continue
            misfit = misfit_of(column, parsed, beside)
            if misfit == "flag" and sourced and dialect == "oracle":
                continue  # CHAR(1) is how Oracle says yes and no: it had no boolean before 23ai
            if misfit is not None:
                yield _draft(place, column, misfit, dialect, repairs)
            elif sourced and dialect == "sqlite" and _is_unkept_date(column, parsed):
                yield _unkept(place, column)


def _is_unkept_date(column: Column, parsed: SqlType) -> bool:
    """Whether a date is declared with a word that means nothing to SQLite, and neither a check nor the clock that
    fills it in keeps its form.
    """
    if (
        parsed.name not in ("date", "timestamp", "timestamptz")
        or column.check
        or not is_date(name_words(column.name), column)
    ):
        return False
    return not (isinstance(column.default, str) and _CLOCK.search(column.default))


def _draft(place: TablePlace, column: Column, misfit: Misfit, dialect: Dialect, repairs: Repairs) -> Draft:
    severity: Severity = "minor" if misfit == "flag" else "major"
    wanted = _WANTED[misfit]
    if misfit == "date" and is_moment(name_words(column.name), column):
        wanted = "timestamptz"
    parsed = parse_type(wanted)
    written = write_type(parsed, dialect) if parsed is not None else wanted
    return Draft(
        severity=severity,
        stage="dba",
        path=f"{place.column_path(column.name)}/type",
        ref=f"{place.table.name}.{column.name}",
        text=_TEXTS[misfit],
        expected=written,
        candidates=(written,),
        patch=_patch(place, column, misfit, written, repairs),
    )


def _patch(place: TablePlace, column: Column, misfit: Misfit, written: str, repairs: Repairs) -> Patch:
    return repairs.retype(place, column, written) if misfit in _PATCHED else ()


def _unkept(place: TablePlace, column: Column) -> Draft:
    check = f"CHECK ({column.name} IS {'date' if 'time' not in column.type.lower() else 'datetime'}({column.name}))"
    return Draft(
        severity="major",
        stage="dba",
        path=f"{place.column_path(column.name)}/type",
        ref=f"{place.table.name}.{column.name}",
        text=_UNKEPT_DATE,
        values={"type": column.type},
        expected=check,
        candidates=(check,),
    )
