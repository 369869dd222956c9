"""What a column's name says about its values, and the kind of type that fits: money, digits, dates, flags."""

import re
from collections.abc import Sequence
from typing import Literal

from dure_spec.artifacts.erd import Column
from dure_spec.derive.types import Family, SqlType
from dure_spec.derive.words import name_words, singular

Misfit = Literal["money", "digits", "date", "flag"]


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


_MONEY = _set(
    """
    price amount amt cost total subtotal fee salary balance payment tax budget revenue money wage freight fare income
    profit earnings expense charge rent premium deposit refund bonus commission turnover msrp donation debt loan tuition
    payroll royalty dividend surcharge expenditure earning sale allowance penalty fine
    """
)
_MONEY_TAILS = _set(
    """
    usd krw eur gbp jpy cny won dollar euro cent currency local value sum total subtotal min max avg average net gross
    before after due paid incl excl tax vat today current old new original final base unit item day month year hour
    night person kg km million thousand annual monthly daily yearly
    """
)
_MONEY_KO = re.compile(
    r"(금액|가격|단가|정가|판매가|원가|요금|비용|총액|급여|연봉|월급|잔액|수수료|매출액|할인액|세액|운임|배송비|보증금|임대료)$"
)
_MEASURES = _set("unit uom unit_id measure measurement")
_DIGITS = _set(
    "phone mobile tel telephone fax zip zipcode postal postcode cellphone cell hp phonenumber phoneno mobileno "
    "telno faxno postalcode creditcard cardno cardnumber"
)
_DIGIT_ALONE = _DIGITS - {"cell", "postal", "hp"}
_DIGIT_TAILS = _set("no number num code nbr plus ext4")
_DIGIT_KO = re.compile(r"((전화|휴대폰|휴대전화|핸드폰|팩스)(번호)?|연락처|우편번호|카드번호)$")
_DATES = _set("date datetime timestamp birthday birthdate dob")
_DATE_KO = re.compile(r"(일시|일자|날짜|생년월일|생일)$")
_SPELT = _set("str string text txt")
_HAPPENED = re.compile(
    r"([a-z]+ed|[a-z]+en|sent|built|paid|born|sold|made|left|lost|held|begun|spent|bought|shown|drawn|gone|done|read|set|kept"
    r"|met|won|starts?|ends?|expires?|occurs?|begins?)"
)
# what stands somewhere, on something or at somebody, and not at a moment
_PLACED = _set("based located employed stationed situated focused aimed hosted attached mounted seated centered")
_AFTER_DATE = _set("of from to in out birth start end due")
_FLAG_HEADS = _set("is has can should")
_FLAG_TAILS = _set("yn flag flg")
_YES_NO = (_set("y n"), _set("t f"), _set("true false"), _set("yes no"), _set("0 1"), _set("예 아니오"), _set("o x"))
_SHORT = 5
_WORDY = 10


def misfit_of(column: Column, parsed: SqlType, beside: frozenset[str] = frozenset()) -> Misfit | None:
    """What the type gets wrong; `beside` are the words of the table's other columns, which may name a unit."""
    if parsed.array:
        return None
    words = name_words(column.name)
    things = [singular(word) for word in words]
    if column.enum:
        return "flag" if parsed.family == "str" and _is_yes_no(column.enum) else None
    if parsed.family == "float" and is_money(things, column) and not (things[-1:] == ["amount"] and beside & _MEASURES):
        return "money"
    if parsed.family in ("int", "dec", "float") and _is_digits(things, column):
        return "digits"
    if parsed.family == "str" and is_date(words, column):
        return "date"
    return "flag" if parsed.family == "str" and _is_flag(words, column, parsed) else None


def fitting_family(column: Column, parsed: SqlType) -> Family | None:
    """The family that the name asks for where the type has another; `None` where nothing is wrong."""
    wanted: dict[Misfit, Family] = {"money": "dec", "digits": "str", "date": "time", "flag": "bool"}
    misfit = misfit_of(column, parsed)
    return wanted[misfit] if misfit else None


def is_money(words: Sequence[str], column: Column) -> bool:
    """Whether the name ends in a sum of money (`unit_price`, `price_usd`, `cost_per_unit`), not in a rate or count."""
    if any(_MONEY_KO.search(text.strip()) for text in (column.logical, column.name)):
        return True
    bare = [word for word in words if not word.isdigit()]
    found = [place for place, word in enumerate(bare) if word in _MONEY]
    if not found:
        return False
    tail = bare[found[-1] + 1 :]
    return not tail or "per" in tail or all(word in _MONEY_TAILS | {"in"} for word in tail)


def is_date(words: Sequence[str], column: Column) -> bool:
    """Whether the name ends in a day or a moment (`due_date`, `created_at`, `date_of_birth`)."""
    if _DATE_KO.search(column.logical.strip()) or _DATE_KO.search(column.name):
        return True
    bare = [word for word in words if not word.isdigit()]
    if len(bare) > 1 and bare[-1] in _SPELT:
        bare = bare[:-1]
    if not bare:
        return False
    if bare[-1] in _DATES:
        return True
    if len(bare) > 1 and bare[0] == "date":
        return bare[1] in _AFTER_DATE or bare[-1].endswith("ed")
    if len(bare) < 2 or bare[-1] not in ("at", "on") or bare[-2] in _PLACED:
        return False
    return _HAPPENED.fullmatch(bare[-2]) is not None


def is_moment(words: Sequence[str], column: Column) -> bool:
    """Whether a date is one with its time of day."""
    moments = {"at", "datetime", "timestamp", "time"} & set(words)
    return bool(moments) or column.logical.strip().endswith("일시") or column.name.endswith("일시")


def _is_digits(words: Sequence[str], column: Column) -> bool:
    if any(_DIGIT_KO.search(text.strip()) for text in (column.logical, column.name)):
        return True
    bare = [word for word in words if not word.isdigit()]
    if not bare or bare[0] in _FLAG_HEADS or "country" in bare:
        return False
    if bare[-1] in _DIGIT_ALONE:
        return True
    numbered = bare[-1] in _DIGIT_TAILS and len(bare) > 1
    return numbered and (bare[-2] in _DIGITS or bare[-2] in ("card", "post"))


def _is_flag(words: Sequence[str], column: Column, parsed: SqlType) -> bool:
    length = parsed.length
    short = length is not None and length <= _SHORT
    if words[:1] and words[0] in _FLAG_HEADS and len(words) > 1:
        return length is None or length <= _WORDY
    if column.logical.strip().endswith("여부") or column.name.endswith("여부"):
        return True
    return short and bool(words) and words[-1] in _FLAG_TAILS


def _is_yes_no(values: Sequence[str]) -> bool:
    lower = frozenset(value.lower() for value in values)
    return len(lower) == 2 and lower in _YES_NO
