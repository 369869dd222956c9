"""GBNF grammars for models that follow one: closed questions, and exactly the tables that were asked for.

Nothing in them repeats without an end: a small model that loops would fill the answer to its limit.
"""

from collections.abc import Sequence

_MIN_COLUMNS = 2
_MAX_COLUMNS = 10
_MAX_VALUES = 6
_MAX_KEYS = 4
_REST = f'("," "\\n  " item){{{_MIN_COLUMNS - 1},{_MAX_COLUMNS - 1}}} ("," "\\n  " foreign){{0,{_MAX_KEYS}}} "\\n);"'
_SHARED = r"""
column ::= name " " type notnull? unique? default? check?
name ::= [a-z] [a-z0-9_]{1,29}
type ::= "BIGINT" | "INTEGER" | "NUMERIC(12,2)" | varchar | "TEXT" | "DATE" | "TIMESTAMPTZ" | "BOOLEAN"
varchar ::= "VARCHAR(" ("20" | "50" | "100" | "255") ")"
notnull ::= " NOT NULL"
unique ::= " UNIQUE"
default ::= " DEFAULT " value
value ::= "now()" | "0" | "TRUE" | "FALSE" | word
word ::= "'" [A-Z] [A-Z0-9_]{1,19} "'"
"""


def text_literal(text: str) -> str:
    """A GBNF string that stands for exactly this text."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\r", "").replace("\t", "\\t")
    return f'"{escaped}"'


def ddl_grammar(tables: Sequence[str]) -> str:
    """Exactly these tables in this order; references lead only to them, at the column or at the end of the table.

    Raises:
        ValueError: for no table, or a name that is no plain identifier.
    """
    if not tables:
        raise ValueError("a DDL grammar needs at least one table")
    bad = [name for name in tables if not name.replace("_", "a").isalnum() or not name.isascii()]
    if bad:
        raise ValueError(f"no plain table name: {bad[0]!r}; use letters, digits and _")
    root = ' "\\n" '.join(f"table{number}" for number in range(len(tables)))
    lines = [f"root ::= {root}"]
    for number, name in enumerate(tables):
        head = text_literal(f"CREATE TABLE {name} (\n  id BIGINT PRIMARY KEY")
        lines.append(f"table{number} ::= {head} {_REST}")
        lines.append(f"reference{number} ::= {text_literal(' REFERENCES ' + name + '(id)')}")
    return "\n".join([*lines, *_shared(len(tables))]) + "\n"


def _shared(count: int) -> list[str]:
    references = " | ".join(f"reference{number}" for number in range(count))
    return [
        "item ::= reference | column",
        f'reference ::= name " BIGINT" notnull? unique? ({references})',
        f'foreign ::= "FOREIGN KEY (" name ")" ({references})',
        *_SHARED.strip().splitlines(),
        f'check ::= " CHECK (" name " IN (" word ("," word){{1,{_MAX_VALUES - 1}}} "))"',
    ]


def choice_grammar(lines: Sequence[tuple[str, Sequence[str]]]) -> str:
    """Each label once, in order, followed by a space and one of its options.

    Raises:
        ValueError: for no line, or a line without an option.
    """
    if not lines:
        raise ValueError("a choice grammar needs at least one line")
    rules = [f"root ::= {' '.join(f'line{number}' for number in range(len(lines)))}"]
    for number, (label, options) in enumerate(lines):
        if not options:
            raise ValueError(f"no option for {label!r}")
        choices = " | ".join(text_literal(option) for option in dict.fromkeys(options))
        end = ' "\\n"' if number + 1 < len(lines) else ""
        rules.append(f"line{number} ::= {text_literal(label + ' ')} ({choices}){end}")
    return "\n".join(rules) + "\n"
