"""What some embedding models want before a text, so that a question finds its answer; others want nothing.

As their model cards say; without it they still give vectors, only worse ones.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Kind = Literal["query", "document"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Prefixes:
    """What goes before a question and before a text that may answer it."""

    query: str = ""
    document: str = ""

    def put(self, text: str, kind: Kind) -> str:
        """The text as the model wants it."""
        return (self.query if kind == "query" else self.document) + text


_ASK = "Represent this sentence for searching relevant passages: "
_NONE = Prefixes()
_BY_NAME: Mapping[str, Prefixes] = {
    "nomic-embed": Prefixes(query="search_query: ", document="search_document: "),
    "-e5-": Prefixes(query="query: ", document="passage: "),
    "embeddinggemma": Prefixes(query="task: search result | query: ", document="title: none | text: "),
    "qwen3-embedding": Prefixes(
        query="Instruct: Given a search query, retrieve passages that answer it\nQuery: ", document=""
    ),
    "mxbai-embed": Prefixes(query=_ASK),
    "snowflake-arctic-embed2": Prefixes(query="query: "),
    "snowflake-arctic-embed": Prefixes(query=_ASK),
}
"""By a part of the model's name; the first that fits counts."""


def prefixes_of(model: str) -> Prefixes:
    """What this model wants, by its name."""
    name = f"-{model.lower().rpartition('/')[2]}"
    return next((prefixes for part, prefixes in _BY_NAME.items() if part in name), _NONE)
