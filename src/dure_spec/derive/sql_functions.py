"""Functions that a check or a default may call in each dialect: those that engines have without any extension."""

from dure_spec.artifacts.erd import Dialect

_EVERYWHERE = """
abs ceil floor round power sqrt exp ln mod sign lower upper trim ltrim rtrim length replace coalesce nullif
"""
_CALLED: dict[Dialect, str] = {
    "postgresql": """
    char_length character_length octet_length bit_length btrim concat concat_ws left right lpad rpad reverse repeat
    initcap substr split_part strpos starts_with regexp_like regexp_match regexp_matches regexp_replace regexp_count
    regexp_substr regexp_instr translate ascii chr md5 sha256 encode decode format to_char to_date to_number
    to_timestamp greatest least ceiling trunc div random pi cbrt log log10 width_bucket degrees radians sin cos tan
    asin acos atan atan2 gcd lcm scale min_scale factorial now age date_part date_trunc date_bin make_date make_time
    make_timestamp make_timestamptz make_interval isfinite justify_days justify_hours justify_interval clock_timestamp
    statement_timestamp transaction_timestamp timeofday num_nulls num_nonnulls cardinality array_length array_ndims
    array_position array_remove array_append array_cat array_to_string string_to_array jsonb_typeof json_typeof
    jsonb_array_length json_array_length jsonb_extract_path jsonb_extract_path_text json_extract_path
    json_extract_path_text jsonb_path_exists jsonb_exists jsonb_build_object json_build_object jsonb_build_array
    to_json to_jsonb gen_random_uuid uuidv4 uuidv7 host masklen network family broadcast lower_inc upper_inc lower_inf
    upper_inf isempty int4range int8range numrange daterange tsrange tstzrange range_merge date timestamp timestamptz
    text varchar int4 int8 numeric float8 bool bit_count get_bit unistr normalize quote_literal to_tsvector to_tsquery
    plainto_tsquery point box circle area inet cidr xmlparse xpath current_schema current_database
    """,
    "mysql": """
    char_length character_length octet_length bit_length concat concat_ws left right lpad rpad reverse repeat substr
    substring_index locate instr field find_in_set elt regexp_like regexp_replace regexp_instr regexp_substr ascii ord
    char hex unhex md5 sha1 sha2 format lcase ucase mid greatest least ceiling truncate pi log log2 log10 pow degrees
    radians sin cos tan asin acos atan atan2 crc32 conv bin oct if ifnull isnull now curdate curtime sysdate utc_date
    utc_time utc_timestamp unix_timestamp from_unixtime date time timestamp year month day dayofmonth dayofweek
    dayofyear week weekday quarter hour minute second microsecond datediff timediff timestampdiff timestampadd
    date_add date_sub adddate subdate addtime subtime date_format str_to_date last_day makedate maketime period_diff
    to_days from_days json_valid json_type json_length json_depth json_extract json_unquote json_contains
    json_contains_path json_object json_array json_schema_valid json_value json_keys uuid uuid_to_bin bin_to_uuid
    is_uuid inet_aton inet6_aton is_ipv4 is_ipv6 rand st_isvalid st_srid current_user strcmp space soundex
    """,
    "sqlite": """
    substr instr glob like printf format hex unhex quote char unicode typeof ifnull iif if min max total_changes
    random randomblob zeroblob date time datetime julianday strftime unixepoch timediff json json_valid json_type
    json_extract json_array_length json_array json_object json_error_position octet_length concat concat_ws trunc
    ceiling log log10 log2 pi pow degrees radians sin cos tan asin acos atan atan2 likelihood likely unlikely soundex
    regexp
    """,
    "oracle": """
    substr substrb instr lengthb lengthc concat lpad rpad initcap translate ascii chr regexp_like regexp_replace
    regexp_substr regexp_instr regexp_count to_char to_date to_number to_timestamp to_timestamp_tz greatest least
    trunc log sin cos tan asin acos atan atan2 bitand nvl nvl2 decode sys_guid add_months months_between last_day
    next_day numtodsinterval numtoyminterval rawtohex hextoraw user sysdate systimestamp json_exists json_value vsize
    nls_upper nls_lower remainder nanvl sys_extract_utc rpad cast
    """,
}
_KNOWN: dict[Dialect, frozenset[str]] = {
    dialect: frozenset(_EVERYWHERE.split()) | frozenset(words.split()) for dialect, words in _CALLED.items()
}
_CHANGING = frozenset(
    "now curdate curtime sysdate systimestamp utc_date utc_time utc_timestamp unix_timestamp current_date current_time "
    "current_timestamp localtime localtimestamp rand random uuid sys_guid gen_random_uuid current_user session_user "
    "user uid".split()
)
_GROUPS = frozenset(
    "count sum avg group_concat string_agg array_agg json_agg jsonb_agg json_object_agg listagg bool_and bool_or every "
    "stddev variance row_number rank dense_rank lag lead first_value last_value ntile".split()
)


def known_functions(dialect: Dialect) -> frozenset[str]:
    """Names, in lower case, of what a check or default may call."""
    return _KNOWN[dialect]


def is_aggregate(name: str) -> bool:
    """Whether a function speaks of many rows, which no check may."""
    return name.lower() in _GROUPS


def is_forbidden_in_checks(name: str, dialect: Dialect) -> bool:
    """Whether a word or function gives another value each time where the engine's checks must not."""
    return dialect in ("mysql", "oracle") and name.lower() in _CHANGING
