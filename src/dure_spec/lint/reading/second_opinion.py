"""What sqlglot says of a statement that the reader does not understand."""

from dure_spec.artifacts.erd import Dialect

_NAMES: dict[Dialect, str] = {"postgresql": "postgres", "mysql": "mysql", "sqlite": "sqlite", "oracle": "oracle"}
_LONGEST = 100_000


def refusal(sql: str, dialect: Dialect) -> str | None:
    """Why the statement is no SQL of the dialect; `None` where sqlglot takes it, empty where it cannot tell."""
    if len(sql) > _LONGEST:
        return ""
    import sqlglot
    from sqlglot import exp
    from sqlglot.errors import ParseError, SqlglotError

    from dure_spec.wire.ddl_items import quiet_sqlglot

    try:
        with quiet_sqlglot():
            node = sqlglot.parse_one(sql, dialect=_NAMES[dialect])
    except ParseError as fault:
        return str(fault.errors[0].get("description", "")) if fault.errors else ""
    except (SqlglotError, RecursionError, ValueError, LookupError, AttributeError, TypeError):
        return ""
    return "" if isinstance(node, exp.Command) else None
