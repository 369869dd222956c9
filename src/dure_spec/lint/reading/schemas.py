"""Schemas: which one is in use, and the tables that stand inside a CREATE SCHEMA."""

from dure_spec.lint.reading.cursor import Cursor, Unreadable
from dure_spec.lint.reading.tokens import Token


def schema_in_use(tokens: list[Token]) -> str:
    """The schema that USE names, or the first of the search path; empty where it is none."""
    return next((token.value for token in tokens[1:] if token.value and _is_schema(token)), "")


def _is_schema(token: Token) -> bool:
    return token.kind in ("word", "quoted", "string") and token.word not in ("SEARCH_PATH", "TO", "DEFAULT")


def schema_elements(tokens: list[Token]) -> tuple[str, list[list[Token]]]:
    """The name of a schema that is created, and the CREATE statements in it."""
    cursor = Cursor(tokens)
    cursor.at = 2
    cursor.take("IF", "NOT", "EXISTS")
    cursor.take("AUTHORIZATION")
    try:
        name = cursor.qualified().name
    except Unreadable:
        return "", []
    elements: list[list[Token]] = []
    depth = 0
    for token in tokens[cursor.at :]:
        depth += (token.word == "(") - (token.word == ")")
        if token.word == "CREATE" and depth == 0:
            elements.append([])
        if elements:
            elements[-1].append(token)
    return name, elements
