"""Words that one dialect alone refuses as a bare name; `derive.identifiers` quotes what any of them refuses.

PostgreSQL: `pg_get_keywords()`, catcode R and T. MySQL 8.0 and Oracle: the lists of their manuals. SQLite: every
keyword with which CREATE TABLE or SELECT fails in SQLite 3.4x, and the three that silently mean the time.
"""

from dure_spec.artifacts.erd import Dialect
from dure_spec.derive.identifiers import POSTGRESQL_RESERVED

_MYSQL = """
accessible add all alter analyze and as asc asensitive before between bigint binary blob both by call cascade case
change char character check collate column condition constraint continue convert create cross cube cume_dist
current_date current_time current_timestamp current_user cursor database databases day_hour day_microsecond day_minute
day_second dec decimal declare default delayed delete dense_rank desc describe deterministic distinct distinctrow div
double drop dual each else elseif empty enclosed escaped except exists exit explain false fetch first_value float
float4 float8 for force foreign from fulltext function generated get grant group grouping groups having high_priority
hour_microsecond hour_minute hour_second if ignore in index infile inner inout insensitive insert int int1 int2 int3
int4 int8 integer intersect interval into io_after_gtids io_before_gtids is iterate join json_table key keys kill lag
last_value lateral lead leading leave left like limit linear lines load localtime localtimestamp lock long longblob
longtext loop low_priority match maxvalue mediumblob mediumint mediumtext middleint minute_microsecond minute_second
mod modifies natural not no_write_to_binlog nth_value ntile null numeric of on optimize optimizer_costs option
optionally or order out outer outfile over partition percent_rank precision primary procedure purge range rank read
reads read_write real recursive references regexp release rename repeat replace require resignal restrict return
revoke right rlike row rows row_number schema schemas second_microsecond select sensitive separator set show signal
smallint spatial specific sql sqlexception sqlstate sqlwarning sql_big_result sql_calc_found_rows sql_small_result ssl
starting stored straight_join system table terminated then tinyblob tinyint tinytext to trailing trigger true undo
union unique unlock unsigned update usage use using utc_date utc_time utc_timestamp values varbinary varchar
varcharacter varying virtual when where while window with write xor year_month zerofill
"""
_SQLITE = """
add all alter and as autoincrement between case cast check collate commit constraint create current_date current_time
current_timestamp default deferrable delete distinct drop else escape except exists foreign from group having if in
index insert intersect into is isnull join limit not nothing notnull null on or order primary raise references
returning select set table then to transaction union unique update using values when where
"""
_ORACLE = """
access add all alter and any as asc audit between by char check cluster column comment compress connect create current
date decimal default delete desc distinct drop else exclusive exists file float for from grant group having identified
immediate in increment index initial insert integer intersect into is level like lock long maxextents minus mlslabel
mode modify noaudit nocompress not nowait null number of offline on online option or order pctfree prior public raw
rename resource revoke row rowid rownum rows select session set share size smallint start successful synonym sysdate
table then to trigger uid union unique update user validate values varchar varchar2 view whenever where with
"""
_WORDS: dict[Dialect, frozenset[str]] = {
    "postgresql": POSTGRESQL_RESERVED,
    "mysql": frozenset(_MYSQL.split()),
    "sqlite": frozenset(_SQLITE.split()),
    "oracle": frozenset(_ORACLE.split()),
}


def refused_words(dialect: Dialect) -> frozenset[str]:
    """Lower-case words that the dialect takes as a table or column name only in quotes."""
    return _WORDS[dialect]
