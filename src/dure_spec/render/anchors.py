"""Ids of the places of the page: ids of artifacts stand as they are, names of tables get a prefix."""

import re


def anchor(text: str) -> str:
    """A fragment that needs no quoting; ids of artifacts come out unchanged."""
    return re.sub(r"[^\w.-]+", "-", text)


def table_anchor(name: str) -> str:
    """Where a table is described."""
    return f"T-{anchor(name)}"
