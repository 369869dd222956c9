"""The row notation of pattern files: one entity, role, feature, rule or relation per line.

entity    sales_order event* 주문 (수주 / order): order_no unique 주문번호, status 상태     `*` core, `line<parent` of
feature   주문 취소 | Cancel an order | workflow RECEIVED>CANCELLED M | sales_order | sales clerk
"""

import re
from collections.abc import Callable
from typing import Any

Row = dict[str, Any]

_ENTITY = re.compile(
    r"(?P<en>\w+) (?P<kind>[a-z]+)(?P<core>\*?)(?:<(?P<of>\w+))? (?P<ko>[^(:/]+?)"
    r"(?: \((?P<syn_ko>[^/()]*)/(?P<syn_en>[^/()]*)\))?: (?P<columns>.+)"
)
_COLUMN = re.compile(r"(?P<name>\w+)(?: (?P<ddl>[a-z0-9 (),]+?))? (?P<ko>[가-힣].*)")
_COMMA = re.compile(r",(?![^(]*\))")
_TYPED = re.compile(r"(?:varchar|char|text|int|integer|bigint|numeric|date|time|timestamptz|boolean)\b")
_TYPES_BY_ENDING: tuple[tuple[str, str], ...] = (
    (r"(?:^|_)(?:at)$", "timestamptz"),
    (r"(?:^|_)(?:date|on)$", "date"),
    (r"(?:^|_)(?:amount|price|fee|cost|salary|deposit|balance|budget|rent|debit|credit)$", "numeric(14,2)"),
    (r"(?:^|_)(?:rate|percent|ratio|temperature|humidity|area|weight|height|distance)$", "numeric(9,2)"),
    (r"(?:^|_)(?:count|qty|quantity|minutes|days|hours|capacity|score|points|seq|mileage|floor|age)$", "integer"),
    (r"^(?:is|has|can)_|_yn$", "boolean"),
    (r"(?:^|_)(?:content|description|note|memo|body|reason|message|comment|symptom|result_text)$", "text"),
    (r"(?:^|_)phone$", "varchar(20)"),
    (r"(?:^|_)email$", "varchar(254)"),
    (r"(?:^|_)(?:status|kind|type|level|unit|method|grade)$", "varchar(20)"),
    (r"(?:^|_)(?:no|code)$", "varchar(30)"),
    (r"(?:^|_)(?:url|path|address|title)$", "varchar(200)"),
)


def split_list(text: str) -> tuple[str, ...]:
    """The parts of a comma-separated text; commas in parentheses do not separate."""
    return tuple(part.strip() for part in _COMMA.split(text) if part.strip())


def read_rows(text: str, field: str) -> tuple[Row, ...]:
    """The lines of a block as plain records.

    Raises:
        ValueError: a line does not have the shape; the message says which line.
    """
    read = _READERS[field]
    rows: list[Row] = []
    for number, line in enumerate(text.strip().splitlines(), start=1):
        if not line.strip():
            continue
        try:
            rows.append(read(line.strip()))
        except ValueError as bad:
            raise ValueError(f"{field} line {number} {line.strip()!r}: {bad}") from None
    return tuple(rows)


def states_of(features: tuple[Row, ...]) -> tuple[Row, ...]:
    """State machines as the transition features imply them: values in order of mention, the first is initial."""
    transitions: dict[str, list[tuple[str, str, str]]] = {}
    for feature in features:
        for before in feature.pop("_before", ()):
            transitions.setdefault(feature["entities"][0], []).append((before, feature["to_state"], feature["en"]))
    return tuple(
        {
            "entity": entity,
            "values": tuple(dict.fromkeys(value for row in rows for value in row[:2])),
            "transitions": tuple(rows),
        }
        for entity, rows in transitions.items()
    )


def _cells(line: str, count: int) -> list[str]:
    cells = [cell.strip() for cell in line.split("|")]
    if len(cells) != count or not all(cells):
        raise ValueError(f"needs {count} filled cells between '|', has {len(cells)}")
    return cells


def _entity(line: str) -> Row:
    match = _ENTITY.fullmatch(line)
    if match is None:
        raise ValueError("is not `name kind* 이름 (동의어 / synonym): column, column`")
    return {
        "en": match["en"],
        "ko": match["ko"],
        "kind": match["kind"],
        "of": match["of"],
        "core": bool(match["core"]),
        "synonyms_ko": split_list(match["syn_ko"] or ""),
        "synonyms_en": split_list(match["syn_en"] or ""),
        "columns": tuple(_column(part) for part in split_list(match["columns"])),
    }


def _column(text: str) -> Row:
    match = _COLUMN.fullmatch(text)
    if match is None:
        raise ValueError(f"column {text!r} is not `name [type] [unique] 논리명`")
    ddl = match["ddl"] or ""
    if not _TYPED.match(ddl):
        ddl = f"{_type_of(match['name'])} {ddl}".strip()
    return {"name": match["name"], "ddl": ddl, "ko": match["ko"]}


def _type_of(name: str) -> str:
    return next((ddl for ending, ddl in _TYPES_BY_ENDING if re.search(ending, name)), "varchar(100)")


def _role(line: str) -> Row:
    ko, en, goal_ko, goal_en = _cells(line, 4)
    return {"ko": ko, "en": en, "goal_ko": goal_ko, "goal_en": goal_en}


def _feature(line: str) -> Row:
    ko, en, what, entities, roles = _cells(line, 5)
    words = what.split()
    if len(words) != 3:
        raise ValueError(f"{what!r} is not `kind action priority`")
    kind, action, pri = words
    row: Row = {"ko": ko, "en": en, "kind": kind, "action": action, "pri": pri}
    row |= {"entities": split_list(entities), "roles": split_list(roles)}
    if ">" in action:
        before, _, after = action.partition(">")
        row |= {"action": "transition", "to_state": after, "_before": split_list(before)}
    return row


def _rule(line: str) -> Row:
    kind, ko, en, entities = _cells(line, 4)
    return {"kind": kind, "ko": ko, "en": en, "entities": split_list(entities)}


def _relation(line: str) -> Row:
    match = re.fullmatch(r"(\w+) (1:1|1:N|N:M) (\w+)(?: via (\w+))?", line)
    if match is None:
        raise ValueError("is not `one 1:N other` or `one N:M other via third`")
    return {"from": match[1], "to": match[3], "card": match[2], "via": match[4]}


_READERS: dict[str, Callable[[str], Row]] = {
    "entities": _entity,
    "roles": _role,
    "features": _feature,
    "rules": _rule,
    "relations": _relation,
}
