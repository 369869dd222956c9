"""V08 TypeConsistency: both ends of a reference hold the same values, and a type fits what the name says."""

import re
from collections import Counter
from collections.abc import Iterator

from dure_spec.artifacts.erd import Column
from dure_spec.artifacts.findings import Severity
from dure_spec.derive.types import Family, SqlType, parse_type
from dure_spec.derive.words import parts
from dure_spec.validators.index import Index, TablePlace
from dure_spec.validators.policy import Draft, Policy, Text

_FAMILY = Text("외래키 타입 {own}, 참조 대상 {fk}은(는) {other}", "foreign key type {own}, but {fk} is {other}")
_WIDTH = Text("외래키 크기 {own}, 참조 대상 {fk}은(는) {other}", "foreign key size {own}, but {fk} is {other}")
_MONEY = Text("금액이 실수형이라 원 단위가 어긋납니다", "money as float loses cents")
_NUMBER = Text(
    "전화·우편·카드번호가 숫자형이라 앞자리 0이 사라집니다", "phone, zip or card number as a number loses leading zeros"
)
_DATE = Text("날짜가 문자형이라 정렬과 계산이 틀립니다", "date as text cannot be sorted or computed with")
_FLAG = Text("예/아니오 값이 문자형입니다", "flag as text")
_SAME_NAME = Text("같은 이름의 컬럼이 {others}에서는 {other}입니다", "a column of this name is {other} in {others}")

_MONEY_WORDS = frozenset(
    [
        "price",
        "amount",
        "cost",
        "total",
        "fee",
        "salary",
        "balance",
        "payment",
        "tax",
        "discount",
        "budget",
        "revenue",
        "money",
        "wage",
    ]
)
_MONEY_KO = re.compile(r"금액|가격|단가|요금|비용|총액|급여|잔액|수수료|매출액|할인액")
_NOT_MONEY = frozenset(["rate", "ratio", "percent", "count", "qty", "quantity", "type", "method", "score"])
_DIGIT_WORDS = frozenset(
    ["phone", "mobile", "tel", "telephone", "fax", "zip", "zipcode", "postal", "postcode", "cellphone"]
)
_DIGIT_KO = re.compile(r"전화|휴대폰|연락처|우편번호|카드번호|팩스")
_COUNTING = frozenset(["count", "id", "qty", "quantity", "total", "type", "limit", "order", "version", "verified"])
_DATE_WORDS = frozenset(["date", "datetime", "timestamp", "birthday", "birthdate"])
_DATE_KO = re.compile(r"(일시|일자|날짜|생년월일|생일)$")


def check_types(index: Index, policy: Policy) -> Iterator[Draft]:
    """Types across references, then types against names."""
    for place in index.tables.values():
        for column in place.table.columns:
            if column.fk:
                yield from _reference(index, place, column)
            else:
                yield from _by_name(place, column)
    yield from _same_names(index)


def _reference(index: Index, place: TablePlace, column: Column) -> Iterator[Draft]:
    target = index.column(column.fk or "")
    own, other = parse_type(column.type), parse_type(target.type) if target else None
    if target is None or own is None or other is None:
        return
    values = {"own": column.type, "fk": column.fk or "", "other": target.type}
    if own.family != other.family or own.array != other.array:
        yield _draft(place, column, "critical", _FAMILY, target.type, values, topic=_topic(column))
    elif not own.same_width(other):
        yield _draft(place, column, "major", _WIDTH, target.type, values, topic=_topic(column))


def _topic(column: Column) -> str:
    return f"family:{column.name.lower()}"


def _by_name(place: TablePlace, column: Column) -> Iterator[Draft]:
    parsed = parse_type(column.type)
    if parsed is None or column.enum:
        return
    words = parts(column.name)
    last = words[-1] if words else ""
    if parsed.family == "float" and _is_money(words, column.logical):
        yield _draft(place, column, "major", _MONEY, "numeric(14,2)")
    digits = (
        bool(_DIGIT_WORDS & set(words))
        or ("card" in words and last in ("no", "number"))
        or _DIGIT_KO.search(column.logical)
    )
    if parsed.family in ("int", "dec", "float") and digits and last not in _COUNTING:
        yield _draft(place, column, "major", _NUMBER, "varchar(20)")
    if parsed.family == "str" and not parsed.array and _is_date(words, column.logical):
        yield _draft(place, column, "major", _DATE, "date" if last in ("date", "on", "birthday") else "timestamptz")
    if parsed.family == "str" and _is_flag(words, column, parsed):
        yield _draft(place, column, "minor", _FLAG, "boolean")


def _is_money(words: list[str], logical: str) -> bool:
    return bool(_MONEY_WORDS & set(words) or _MONEY_KO.search(logical)) and not _NOT_MONEY & set(words)


def _is_date(words: list[str], logical: str) -> bool:
    last = words[-1] if words else ""
    if last in _DATE_WORDS or _DATE_KO.search(logical):
        return True
    return last == "at" and len(words) > 1 and words[-2].endswith(("ed", "en", "n", "t", "d"))


def _is_flag(words: list[str], column: Column, parsed: SqlType) -> bool:
    short = parsed.length is not None and parsed.length <= 5
    return words[:1] in (["is"], ["has"]) or column.logical.endswith("여부") or (words[-1:] == ["yn"] and short)


def _same_names(index: Index) -> Iterator[Draft]:
    seen: dict[str, list[tuple[TablePlace, Column, Family]]] = {}
    for place in index.tables.values():
        for column in place.table.columns:
            parsed = parse_type(column.type)
            if parsed:
                seen.setdefault(column.name.lower(), []).append((place, column, parsed.family))
    for uses in seen.values():
        families = Counter(family for _, _, family in uses)
        if len(families) < 2:
            continue
        usual = families.most_common(1)[0][0]
        place, column, _ = next(use for use in uses if use[2] != usual)
        others = [(each.table.name, like.type) for each, like, family in uses if family == usual]
        values = {"other": others[0][1], "others": ", ".join(name for name, _ in others[:3])}
        yield _draft(place, column, "minor", _SAME_NAME, others[0][1], values, cause=_topic(column))


def _draft(
    place: TablePlace,
    column: Column,
    severity: Severity,
    text: Text,
    expected: str,
    values: dict[str, str] | None = None,
    *,
    topic: str = "",
    cause: str = "",
) -> Draft:
    ref = f"{place.table.name}({column.name})" if text in (_FAMILY, _WIDTH) else f"{place.table.name}.{column.name}"
    return Draft(
        severity=severity,
        stage="dba",
        path=f"{place.column_path(column.name)}/type",
        ref=ref,
        text=text,
        values=values or {},
        expected=expected,
        candidates=(expected,),
        topic=topic,
        cause=cause,
    )
