"""CREATE TABLE statements cut out of a text, whole or broken off, item by item with the comments beside them."""

import re
from dataclasses import dataclass, field

_CREATE = re.compile(
    r"CREATE\s+(?:TEMP(?:ORARY)?\s+)?TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?((?:[\"`\[]?\w+[\"`\]]?\s*\.\s*)?[\"`\[]?\w+[\"`\]]?)\s*\(",
    re.IGNORECASE,
)
_ABOVE = re.compile(r"--[ \t]*([^\n]*)\n\s*\Z")
_ON_TABLE = re.compile(r"COMMENT\s+ON\s+TABLE\s+([\w.\"`]+)\s+IS\s+'([^']*)'", re.IGNORECASE)
_ON_COLUMN = re.compile(r"COMMENT\s+ON\s+COLUMN\s+([\w.\"`]+)\.([\w\"`]+)\s+IS\s+'([^']*)'", re.IGNORECASE)
_INDEX = re.compile(
    r"CREATE\s+(UNIQUE\s+)?INDEX\s+(?:IF\s+NOT\s+EXISTS\s+)?(?:[\w\"`]+\s+)?ON\s+([\w.\"`]+)\s*(?:USING\s+\w+\s*)?\(([^()]*)\)",
    re.IGNORECASE,
)
_ALTER = re.compile(r"ALTER\s+TABLE\s+(?:ONLY\s+)?([\w.\"`]+)\s+ADD\s+(?!COLUMN)([^;]+)", re.IGNORECASE)


@dataclass(kw_only=True, slots=True)
class Item:
    """A column or a key of a table, as it is written."""

    line: int
    sql: str = ""
    comment: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class RawTable:
    """A table as it is written; `closed` is false where the text breaks off inside it."""

    name: str
    line: int
    items: list[Item]
    comment: str
    closed: bool


@dataclass(kw_only=True, slots=True)
class RawSchema:
    """Everything of a script that says something about tables."""

    tables: list[RawTable] = field(default_factory=list[RawTable])
    table_comments: dict[str, str] = field(default_factory=dict[str, str])
    column_comments: dict[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])
    indexes: list[tuple[str, tuple[str, ...], bool]] = field(default_factory=list[tuple[str, tuple[str, ...], bool]])
    keys: list[tuple[str, str, int]] = field(default_factory=list[tuple[str, str, int]])


def bare(name: str) -> str:
    """A name without quotes and schema."""
    return name.split(".")[-1].strip().strip('"`[]')


def scan(text: str) -> RawSchema:
    """Cut a script into tables; what stands between them is not read."""
    found = RawSchema()
    starts = list(_CREATE.finditer(text))
    for at, match in enumerate(starts):
        end = starts[at + 1].start() if at + 1 < len(starts) else len(text)
        found.tables.append(_table(match, text, end))
    for match in _ON_TABLE.finditer(text):
        found.table_comments[bare(match[1])] = match[2]
    for match in _ON_COLUMN.finditer(text):
        found.column_comments[(bare(match[1]), bare(match[2]))] = match[3]
    for match in _INDEX.finditer(text):
        columns = tuple(bare(part.split()[0]) for part in match[3].split(",") if part.strip())
        found.indexes.append((bare(match[2]), columns, bool(match[1])))
    for match in _ALTER.finditer(text):
        found.keys.append((bare(match[1]), match[2].strip(), _line(text, match.start())))
    return found


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1


def _table(match: re.Match[str], text: str, end: int) -> RawTable:
    above = _ABOVE.search(text[max(0, match.start() - 200) : match.start()])
    items, stop, closed = _items(text, match.end(), end)
    beside = re.match(r"\s*;?[ \t]*--[ \t]*([^\n]*)", text[stop:end]) if closed else None
    comment = above[1] if above else beside[1] if beside else ""
    return RawTable(
        name=bare(match[1]), line=_line(text, match.start()), items=items, comment=comment.strip(), closed=closed
    )


def _items(text: str, at: int, end: int) -> tuple[list[Item], int, bool]:
    """Items between the parentheses; a comment after the comma still belongs to the item before it."""
    items = [Item(line=_line(text, at))]
    depth = 0
    fresh = False
    while at < end:
        char = text[at]
        if text.startswith("--", at) or text.startswith("/*", at):
            at = _comment(text, at, end, items, fresh=fresh)
            continue
        if char == "'" or char == '"':
            close = text.find(char, at + 1, end)
            close = end - 1 if close < 0 else close
            items[-1].sql += text[at : close + 1]
            at = close + 1
            continue
        if char == ")" and depth == 0:
            return _kept(items), at + 1, True
        depth += {"(": 1, ")": -1}.get(char, 0)
        if char == "," and depth == 0:
            items.append(Item(line=_line(text, at)))
            fresh = True
        elif char == "\n" and not items[-1].sql.strip():
            items[-1].line = _line(text, at) + 1
            fresh = False
        else:
            items[-1].sql += char
        at += 1
    return _kept(items), end, False


def _kept(items: list[Item]) -> list[Item]:
    for item in items:
        item.sql = " ".join(item.sql.split()).rstrip(";").strip()
    return [item for item in items if item.sql]


def _comment(text: str, at: int, end: int, items: list[Item], *, fresh: bool) -> int:
    block = text.startswith("/*", at)
    close = text.find("*/" if block else "\n", at, end)
    stop = end if close < 0 else close
    words = text[at + 2 : stop].strip()
    owner = items[-2] if fresh and len(items) > 1 and not items[-1].sql.strip() else items[-1]
    owner.comment = owner.comment or words
    return end if close < 0 else close + (2 if block else 0)
