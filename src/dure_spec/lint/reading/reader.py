"""Anyone's DDL read statement by statement: one that cannot be read costs only itself."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from dure_spec.artifacts.erd import Dialect
from dure_spec.lint.reading.alter import read_alter_table
from dure_spec.lint.reading.assembly import Assembly, line_of, line_starts
from dure_spec.lint.reading.beside import read_comment, read_domain, read_drop, read_index, read_rename, read_type
from dure_spec.lint.reading.catalogue import Catalogue
from dure_spec.lint.reading.create import Oddity, read_create_table
from dure_spec.lint.reading.cursor import Cursor, Unreadable
from dure_spec.lint.reading.dialects import guessed_dialect
from dure_spec.lint.reading.schemas import schema_elements, schema_in_use
from dure_spec.lint.reading.second_opinion import refusal
from dure_spec.lint.reading.statements import Statement, statements_of
from dure_spec.lint.reading.tokens import Token, tokens_of
from dure_spec.lint.source import SourceSchema, SyntaxFault

_BROKEN_OFF = "the statement breaks off: something that it opens is never closed"
_TABLE_WORDS = frozenset({"TABLE"})
_BEGINNINGS = frozenset({"CREATE", "ALTER", "COMMENT", "DROP", "INSERT"})
_BALANCED_UP_TO = 200_000
_SHOWN = 40


def read_source(text: str, dialect: Dialect | None = None) -> SourceSchema:
    """Read the tables of a DDL file; without a dialect it is guessed. Any text can be read, so nothing is raised.

    Relations stay empty: in a DDL file the foreign keys say it all, and nothing else is declared.
    """
    spoken = dialect or guessed_dialect(text)
    reading = _Reading(text=text, dialect=spoken, lines=line_starts(text))
    for statement in statements_of(text, spoken):
        reading.take(statement)
    assembly = Assembly(text=text, catalogue=reading.catalogue, dialect=spoken)
    erd = assembly.erd()
    return SourceSchema(
        text=text,
        dialect=spoken,
        guessed=dialect is None,
        erd=erd,
        spans=assembly.spans,
        faults=tuple(sorted(reading.faults, key=lambda fault: fault.line)),
        namings=assembly.namings(),
        outlines=assembly.outlines(),
    )


@dataclass(slots=True, kw_only=True)
class _Reading:
    text: str
    dialect: Dialect
    lines: list[int]
    catalogue: Catalogue = field(default_factory=Catalogue)
    faults: list[SyntaxFault] = field(default_factory=list[SyntaxFault])

    def take(self, statement: Statement) -> None:
        """Read a statement, or note why it cannot be."""
        if statement.kind != "schema":
            if self._broken_off(statement):
                self._cut(statement)
            return
        tokens = tokens_of(self.text, statement.start, statement.end, self.dialect)
        match [token.word for token in tokens[:2]]:
            case ["CREATE", "SCHEMA"]:
                self._schema(statement, tokens)
            case ["SET", _] | ["USE", *_]:
                self.catalogue.within = schema_in_use(tokens)
            case _:
                self._read(statement, tokens)

    def _schema(self, statement: Statement, tokens: list[Token]) -> None:
        """CREATE SCHEMA with the tables that stand in it, each a statement of its own."""
        outer = self.catalogue.within
        name, elements = schema_elements(tokens)
        for element in elements:
            self.catalogue.within = name
            inner = replace(statement, kind="schema", start=element[0].start, end=element[-1].end)
            if _is_about_tables(element) or "INDEX" in [token.word for token in element[:3]]:
                self._read(inner, element)
        self.catalogue.within = outer

    def _read(self, statement: Statement, tokens: list[Token]) -> None:
        reader = self._reader(tokens)
        try:
            odd = reader(tokens, statement.after) if reader else None
        except Unreadable as fault:
            odd = Oddity(table=_table_name(tokens), token=fault.token, expected=fault.expected)
            if not _is_about_tables(tokens) and statement.ended:
                return
        if odd is not None or statement.broken:
            self._judge(statement, odd or Oddity(table=_table_name(tokens), token=None, broken=True))
        elif not statement.ended and statement.after < len(self.text.rstrip()):
            self._fault(statement.start, "no ; stands between this statement and the next", _table_name(tokens))

    def _reader(self, tokens: list[Token]) -> Callable[[list[Token], int], Oddity | None] | None:
        words = [token.word for token in tokens[:4]]
        catalogue, dialect = self.catalogue, self.dialect

        def beside(read: Callable[[list[Token], Catalogue], None]) -> Callable[[list[Token], int], None]:
            return lambda tokens, after: read(tokens, catalogue)

        match words:
            case ["ALTER", *_]:
                return lambda tokens, after: read_alter_table(tokens, catalogue, dialect, after=after)
            case ["COMMENT", *_]:
                return beside(read_comment)
            case ["DROP", *_]:
                return beside(read_drop)
            case ["RENAME", *_]:
                return beside(read_rename)
            case ["CREATE", "TYPE", *_]:
                return beside(read_type)
            case ["CREATE", "DOMAIN", *_]:
                return beside(read_domain)
            case _ if "INDEX" in words[:3]:
                return lambda tokens, after: read_index(tokens, catalogue, after=after)
            case _:
                return lambda tokens, after: read_create_table(tokens, catalogue, dialect, after=after)

    def _judge(self, statement: Statement, odd: Oddity) -> None:
        """A fault where sqlglot does not take the statement either."""
        if odd.repeated:
            self._fault(statement.start, f"there is a table {odd.table!r} already", odd.table)
            return
        if odd.broken or statement.broken:
            self._cut(statement, odd.table)
            return
        token = odd.token if odd.token is not None and odd.token.end else None
        if not statement.ended and token is None:
            self._cut(statement, odd.table)
            return
        said = refusal(self.text[statement.start : statement.end], self.dialect)
        if said is None:
            return
        self.catalogue.open(odd.table)
        place = token.start if token else statement.start
        near = f" at {self.text[token.start : token.start + _SHOWN].split(chr(10))[0].strip()!r}" if token else ""
        reason = f": {odd.expected} is expected" if odd.expected else f": {said}" if said else ""
        self._fault(place, f"cannot be read{near}{reason}", odd.table)

    def _fault(self, place: int, message: str, table: str = "") -> None:
        self.faults.append(SyntaxFault(line=line_of(self.lines, place), message=message, table=table))

    def _cut(self, statement: Statement, table: str = "") -> None:
        """A statement that breaks off; where the text ends with it, so does the file."""
        last = statement.end >= len(self.text.rstrip())
        line = line_of(self.lines, statement.start)
        self.catalogue.open(table)
        self.faults.append(SyntaxFault(line=line, message=_BROKEN_OFF, table=table, cut=last))

    def _broken_off(self, statement: Statement) -> bool:
        """Whether a statement that is not read ends in the middle: the last of a file that was cut."""
        if statement.broken or statement.ended:
            return statement.broken
        if statement.end - statement.start > _BALANCED_UP_TO:
            return True
        tokens = tokens_of(self.text, statement.start, statement.end, self.dialect)
        depth = sum((token.word == "(") - (token.word == ")") for token in tokens)
        return depth > 0 or (len(tokens) < 3 and tokens[0].word in _BEGINNINGS)


def _is_about_tables(tokens: list[Token]) -> bool:
    return bool(_TABLE_WORDS & {token.word for token in tokens[:5]}) and tokens[0].word in ("CREATE", "ALTER")


def _table_name(tokens: list[Token]) -> str:
    """The name behind the word TABLE, as far as it is there."""
    cursor = Cursor(tokens)
    while not cursor.done and cursor.next().word != "TABLE":
        pass
    for words in (("IF", "NOT", "EXISTS"), ("IF", "EXISTS"), ("ONLY",)):
        cursor.take(*words)
    try:
        return cursor.qualified().name
    except Unreadable:
        return ""
