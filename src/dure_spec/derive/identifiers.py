"""Names as SQL text: reserved words and quoting."""

import re

from dure_spec.artifacts.erd import Dialect

_SHARED = """
all analyse analyze and any array as asc asymmetric authorization binary both case cast check collate collation column
concurrently constraint create cross current_catalog current_date current_role current_schema current_time
current_timestamp current_user default deferrable desc distinct do else end except false fetch for foreign freeze from
full grant group having ilike in initially inner intersect into is isnull join lateral leading left like limit
localtime localtimestamp natural not notnull null offset on only or order outer overlaps placing primary references
returning right select session_user similar some symmetric table tablesample then to trailing true union unique user
using variadic verbose when where window with
"""
_ENGINE_WORDS: dict[Dialect, str] = {
    "postgresql": "",
    "oracle": """
    access add alter audit between by char cluster column_value comment compress connect current date decimal delete
    drop exclusive exists file float identified immediate increment index initial insert integer intersect level lock
    long maxextents minus mlslabel mode modify nested_table_id noaudit nocompress nowait number of offline online option
    pctfree prior public raw rename resource revoke row rowid rownum rows session set share size smallint start
    successful synonym sysdate trigger uid update validate values varchar varchar2 view whenever
    """,
    "sqlite": "add alter begin between commit delete drop escape exists index insert nothing set transaction update "
    "values",
    "mysql": """
    add alter before between by call cascade change char character condition continue convert cursor database databases
    delete describe div drop each elseif enclosed escaped exists exit explain float fulltext function generated get
    groups if ignore index infile inout insert int integer interval iterate key keys kill lead leave lines load lock
    long loop match mod modifies numeric of option out over partition precision procedure purge range rank read reads
    real recursive regexp release rename repeat replace require restrict return revoke row rows row_number schema
    schemas sensitive separator set show signal spatial specific sql ssl starting stored system terminated trigger
    undo unlock unsigned update usage use values varchar varying virtual while write xor zerofill
    """,
}
POSTGRESQL_RESERVED: frozenset[str] = frozenset(_SHARED.split())
_RESERVED: dict[Dialect, frozenset[str]] = {
    dialect: POSTGRESQL_RESERVED | frozenset(words.split()) for dialect, words in _ENGINE_WORDS.items()
}
_PLAIN = re.compile(r"[a-z_][a-z0-9_]*")


def reserved_words(dialect: Dialect) -> frozenset[str]:
    """Words that the dialect does not take as a bare table or column name."""
    return _RESERVED[dialect]


def quote(name: str, dialect: Dialect) -> str:
    """The name as SQL text; quotes only where the engine needs them."""
    plain = _PLAIN.fullmatch(name) and not (dialect == "oracle" and name[0] == "_")
    if plain and name not in _RESERVED[dialect]:
        return name
    mark = "`" if dialect == "mysql" else '"'
    return mark + name.replace("\0", "").replace(mark, mark * 2) + mark
