"""Believable values for sample rows, chosen by the column's name and type and by nothing else."""

import re
from collections.abc import Iterator

from dure_spec.artifacts.erd import Column
from dure_spec.derive.literals import SqlValue
from dure_spec.derive.regex_sample import matching_text
from dure_spec.derive.types import Family, SqlType, parse_type
from dure_spec.derive.words import parts

_PEOPLE = {
    "ko": ("김서연", "이준호", "박지민", "최민수", "정하은"),
    "en": ("Ada Park", "Ben Lee", "Cora Kim", "Dan Choi"),
}
_PLACES = {
    "ko": ("서울시 중구 세종대로 1", "부산시 해운대구 센텀로 2", "대전시 유성구 대학로 3"),
    "en": ("1 Main Street", "2 River Road", "3 Hill Lane"),
}
_PERSON = re.compile(r"(고객|회원|사용자|직원|환자|의사|학생|교사|담당자|작성자|보호자|강사|성)명$|이름$")
_PERSON_WORDS = frozenset({"username", "fullname", "nickname"})
_HANGUL = re.compile(r"[가-힣]")
# types that are text only to the eye
_FORMS = {
    "inet": "192.0.2.{0}",
    "cidr": "198.51.{0}.0/24",
    "macaddr": "00:00:5e:00:53:{0:02x}",
    "xml": "<row>{0}</row>",
    "tsvector": "word{0}",
    "tsquery": "word{0}",
    "ltree": "top.part{0}",
    "hstore": "a=>{0}",
    "point": "({0},{0})",
    "line": "{{{0},1,1}}",
    "lseg": "[(0,0),({0},{0})]",
    "box": "({0},{0}),(0,0)",
    "path": "[(0,0),({0},{0})]",
    "circle": "<(0,0),{0}>",
    "polygon": "((0,0),(0,{0}),({0},0))",
    "geometry": "POINT({0} {0})",
    "geography": "POINT({0} {0})",
    "vector": "[{0}]",
    "int4range": "[{0},100)",
    "int8range": "[{0},100)",
    "numrange": "[{0},100)",
    "daterange": "[2026-01-{0:02d},2026-12-31)",
    "tsrange": "[2026-01-{0:02d} 00:00:00,2026-12-31 00:00:00)",
    "tstzrange": "[2026-01-{0:02d} 00:00:00+00,2026-12-31 00:00:00+00)",
}
_STEP = 3
"""Hours between two columns of one row, so that a later column is a later time."""


def sample_value(column: Column, row: int, position: int) -> SqlValue:
    """The value of a column in a row (from 0); different rows give different values where the type has room."""
    parsed = parse_type(column.type)
    if column.enum:
        return _listed(column.enum, parsed, row)
    if parsed is not None and parsed.array:
        return "{}"
    if parsed is not None and parsed.family == "str" and parsed.name in _FORMS:
        return _FORMS[parsed.name].format(row + 1)
    if parsed is not None and parsed.name == "bit varying":
        return f"{row + 1:b}".zfill(parsed.length or 1)[-(parsed.length or 8) :]
    if parsed is None or parsed.family == "str":
        return _text(column, parsed, row)
    match parsed.family:
        case "dec":
            return _decimal(parsed, row)
        case "bool":
            return row % 2 == 0
        case "time":
            return _time(parsed, row, position)
        case _:
            return _plain(parsed.family, row, position)


def candidates(column: Column, row: int, position: int) -> Iterator[SqlValue]:
    """The usual value first, then others that a CHECK may want: its own numbers and texts, and their neighbours."""
    yield sample_value(column, row, position)
    parsed = parse_type(column.type)
    family = parsed.family if parsed else "str"
    check = column.check or ""
    numbers = [float(text) for text in re.findall(r"-?\d+(?:\.\d+)?", re.sub(r"'[^']*'", "", check))]
    if family in ("int", "dec", "float"):
        for number in [*numbers, 0.0, 100.0, 10_000.0]:
            for near in (number + row, number + row + 1, number - row, number - row - 1, number):
                yield int(near) if family == "int" or near.is_integer() else near
    if family == "str":
        yield from _matching(check, row)
        for number in numbers:
            if 0 < number <= 1000:
                yield str(row + 1).zfill(int(number))
        yield from (f"{'a' * size}{row}" for size in (1, 4, 8, 12, 20))
        yield from (f"user{row + 1}@example.com", f"https://example.com/{row + 1}", f"010-0000-{row + 1:04d}")
        texts = [text.replace("''", "'") for text in re.findall(r"'((?:[^']|'')*)'", check)]
        yield from (texts[(row + turn) % len(texts)] for turn in range(len(texts)))
    if family == "bool":
        yield from (True, False)
    if family == "time" and parsed:
        yield from (_time(parsed, row, position + shift) for shift in (30, 60, 90, -30, -60))


def _matching(check: str, row: int) -> Iterator[str]:
    """Texts that fit the patterns of a check."""
    for text in re.findall(r"'((?:[^']|'')*)'", check):
        made = matching_text(text.replace("''", "'"), row)
        if made is not None:
            yield made


def _listed(values: tuple[str, ...], parsed: SqlType | None, row: int) -> SqlValue:
    value = values[row % len(values)]
    if parsed and parsed.family in ("int", "dec", "float"):
        try:
            return int(value) if parsed.family == "int" else float(value)
        except ValueError:
            return value
    return value


def _plain(family: Family, row: int, position: int) -> SqlValue:
    values: dict[Family, SqlValue] = {
        "int": row + 1,
        "float": row + 1.5,
        "uuid": f"00000000-0000-4000-8000-{position:04x}{row + 1:08x}",
        "json": "{}",
    }
    return values.get(family, f"{row + 1:02d}")


def _decimal(parsed: SqlType, row: int) -> SqlValue:
    precision, scale = (*parsed.size, 0)[:2] if parsed.size else (12, 2)
    whole = max(0, precision - scale)
    value = 1000 * (row + 1)
    return value if value < 10**whole else (row + 1) % 10 if whole else 0


def _time(parsed: SqlType, row: int, position: int) -> str:
    hours = (position * _STEP) % (24 * 27)
    day, hour = 1 + hours // 24, hours % 24
    month = f"2026-{row % 12 + 1:02d}"
    match parsed.name:
        case "date":
            return f"{month}-{1 + position % 27:02d}"
        case "time":
            return f"{position % 20:02d}:{row % 60:02d}:00"
        case "year":
            return str(2020 + row)
        case "interval":
            return f"{row + 1} hours"
        case _:
            return f"{month}-{day:02d} {hour:02d}:00:00"


def _text(column: Column, parsed: SqlType | None, row: int) -> str:
    length = parsed.length if parsed else None
    text = _phrase(column, row)
    if length is None or len(text) <= length:
        return text
    number = str(row + 1)
    if length <= len(number):
        return number[-length:] if length > 0 else ""
    return text[: length - len(number)] + number if length > 3 else number.zfill(length)


def _phrase(column: Column, row: int) -> str:
    names = set(parts(column.name))
    last = next(reversed(parts(column.name)), "")
    lang = "ko" if _HANGUL.search(column.logical) else "en"
    number = row + 1
    if "email" in names or "mail" in names:
        return f"user{number}@example.com"
    if names & {"phone", "mobile", "tel", "fax", "cellphone"}:
        return f"010-0000-{number:04d}"
    if names & {"url", "link", "website", "homepage"}:
        return f"https://example.com/{number}"
    if "address" in names or "addr" in names:
        return _turn(_PLACES[lang], row)
    if names & _PERSON_WORDS or _PERSON.search(column.logical):
        return _turn(_PEOPLE[lang], row)
    if last in ("no", "code", "sku", "number", "key"):
        return f"{(parts(column.name) or ['code'])[0][:3].upper()}-{number:04d}"
    if names & {"hash", "password", "token", "secret"}:
        return f"sample-{last}-{number:04d}"
    return f"{column.logical.strip().removesuffix('명') or column.name} {number}"


def _turn(values: tuple[str, ...], row: int) -> str:
    text = values[row % len(values)]
    return text if row < len(values) else f"{text} {row // len(values) + 1}"
