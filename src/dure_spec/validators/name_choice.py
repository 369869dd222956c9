"""Which names a table or column may get instead: legal, in style, not reserved, and not taken."""

from collections.abc import Iterable, Iterator

from dure_spec.artifacts.erd import Dialect
from dure_spec.derive.words import name_words, singular, snake
from dure_spec.validators.index import Index, TablePlace
from dure_spec.validators.name_style import NameStyle, has_style, in_style, is_legal, shortened
from dure_spec.validators.policy import Policy
from dure_spec.validators.reserved_words import refused_words
from dure_spec.validators.table_number import TableNumbers, in_number, number_of, table_numbers

_WITH_T = frozenset(["shirt", "cell", "test", "bone", "bill", "account", "value", "score", "rex"])
"""Nouns before which a single `t` says something."""
_INSTEAD = {
    "order": "sort_order",
    "desc": "description",
    "limit": "max_count",
    "offset": "start_offset",
    "default": "is_default",
    "primary": "is_primary",
    "unique": "is_unique",
    "check": "is_checked",
    "when": "occurred_at",
    "start": "starts_at",
    "end": "ends_at",
    "from": "starts_from",
    "to": "ends_at",
    "key": "key_name",
    "keys": "key_names",
    "index": "position",
    "rank": "rank_no",
    "row": "row_no",
    "rows": "row_count",
    "level": "level_no",
    "number": "number_value",
    "size": "size_value",
    "date": "recorded_on",
    "user": "user_name",
}
"""What reserved words mean as columns."""


class NameChoice:
    """The names of a schema and the rules for new ones."""

    def __init__(self, index: Index, policy: Policy) -> None:
        erd = index.artifacts.erd
        self._index = index
        self._policy = policy
        self.dialect: Dialect = policy.dialect or (erd.meta.dialect if erd else "postgresql")
        self.reserved = refused_words(self.dialect) if policy.reserved is None else policy.reserved
        self.numbers: TableNumbers = table_numbers(index, policy)
        self.style: NameStyle = policy.names.style
        self._sourced = policy.origin == "source"
        self.counts_number = not self._sourced or policy.names.table_number != "consistent"
        """Whether each table that stands out by its number is at fault, and not the schema as a whole."""

    def is_legal(self, name: str) -> bool:
        """Whether SQL takes the name without quotes, reserved words aside."""
        return is_legal(name, self.dialect if self._sourced else None)

    def is_reserved(self, name: str) -> bool:
        """Whether the dialect keeps the name for itself."""
        return name.lower() in self.reserved

    def is_styled(self, name: str) -> bool:
        """Whether the name has the house's style; Oracle folds bare names, so there both cases are one."""
        if has_style(name, self.style, caseless=self._sourced):
            return True
        folded = self._sourced and self.dialect == "oracle" and self.style == "snake_case"
        return folded and has_style(name, "UPPER_SNAKE", caseless=True)

    def bare(self, name: str) -> str:
        """The name without a prefix that says nothing, in snake_case; empty where it has none.

        `t_shirts` keeps its letter.
        """
        words = name_words(name)
        prefixes = {prefix.rstrip("_").lower() for prefix in self._policy.names.forbidden_prefixes}
        if len(words) < 2 or words[0] not in prefixes or (words[0] == "t" and singular(words[1]) in _WITH_T):
            return ""
        return snake(name).partition("_")[2] if name.isascii() else "_".join(words[1:])

    def glossary_name(self, place: TablePlace) -> str:
        """What the glossary calls the table, in snake_case; empty where it says nothing."""
        term = self._index.term_of(place.table)
        return in_number(snake(term.en), self.numbers.usual or "plural") if term else ""

    def tables(self, place: TablePlace, wishes: Iterable[str]) -> tuple[str, ...]:
        """The wishes that the table can have, in the house's style; those in the schema's number first."""
        taken = set(self._index.tables) - {place.table.name.lower()}
        free = dict.fromkeys(self._free(wishes, taken, place.table.name))
        usual = self.numbers.usual if self.counts_number else None
        return tuple(sorted(free, key=lambda name: usual is not None and number_of(name) not in (usual, None)))

    def columns(self, place: TablePlace, name: str, wishes: Iterable[str]) -> Iterator[str]:
        """The wishes that the column can have, in the house's style.

        A column that the program would add by itself under that name is no obstacle: it is the same column then.
        """
        taken = {column.name.lower() for column in place.table.columns} - {name.lower()}
        return self._free(wishes, taken, name)

    def column_wish(self, place: TablePlace, name: str) -> str:
        """What a column is best called instead; empty where every likely name is taken."""
        own = in_style(name, "snake_case")
        wishes = (own, _INSTEAD.get(own, ""), f"{singular(snake(place.table.name))}_{own}", f"{own}_value")
        return next(self.columns(place, name, wishes), "") if own else ""

    def _free(self, wishes: Iterable[str], taken: set[str], old: str) -> Iterator[str]:
        for wish in dict.fromkeys(wishes):
            name = shortened(in_style(wish, self.style))
            if not name or name == old or name.lower() in taken or self.is_reserved(name):
                continue
            if self.is_legal(name) and self.is_styled(name):
                yield name
