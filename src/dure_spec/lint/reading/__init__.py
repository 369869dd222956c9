"""Reads anyone's DDL: PostgreSQL, MySQL, SQLite and Oracle."""

from dure_spec.lint.reading.reader import read_source

__all__ = ["read_source"]
