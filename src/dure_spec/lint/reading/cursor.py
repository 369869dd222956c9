"""A place in a list of tokens, and the small steps that reading SQL takes from there."""

from collections.abc import Sequence
from dataclasses import dataclass

from dure_spec.lint.reading.tokens import Token

END = Token("mark", "", "", 0, 0)


class Unreadable(Exception):
    """The tokens do not say what is expected here; the reader of the statement catches it."""

    def __init__(self, expected: str, token: Token) -> None:
        super().__init__(expected)
        self.expected = expected
        self.token = token


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """A name with the schema that stands before it."""

    schema: str
    token: Token

    @property
    def name(self) -> str:
        """Without quotes."""
        return self.token.value


class Cursor:
    """Reads tokens one after another; past the last one it stands on `END`."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.tokens = tokens
        self.at = 0

    def peek(self, ahead: int = 0) -> Token:
        """The token here or some steps on, left where it is."""
        try:
            return self.tokens[self.at + ahead]
        except IndexError:
            return END

    @property
    def done(self) -> bool:
        """Whether nothing is left."""
        return self.at >= len(self.tokens)

    @property
    def last(self) -> Token:
        """The token that was read last."""
        return self.tokens[min(self.at, len(self.tokens)) - 1] if self.at and self.tokens else END

    def next(self) -> Token:
        """The token here; the cursor steps over it."""
        token = self.peek()
        self.at += 1
        return token

    def sees(self, word: str, *more: str) -> bool:
        """Whether these bare words come next."""
        if self.peek().word != word:
            return False
        return not more or all(self.peek(ahead).word == each for ahead, each in enumerate(more, start=1))

    def take(self, word: str, *more: str) -> bool:
        """Step over these bare words if they come next."""
        if not self.sees(word, *more):
            return False
        self.at += 1 + len(more)
        return True

    def take_any(self, *words: str) -> str:
        """Step over one of these bare words; empty where none comes next."""
        word = self.peek().word
        if not word or word not in words:
            return ""
        self.at += 1
        return word

    def name(self) -> Token:
        """A name, also where a careless file writes it as a string or with a hyphen. Raises `Unreadable`."""
        token = self.peek()
        if not token.names and token.kind != "string":
            raise Unreadable("a name", token)
        self.at += 1
        while token.end and self.sees("-") and self._goes_on(token):
            after = self.peek(1)
            token = Token("quoted", f"{token.value}-{after.value}", "", token.start, after.end)
            self.at += 2
        return token

    def _goes_on(self, token: Token) -> bool:
        """Whether the hyphen here and the word behind it belong to the name, as in `Sign-in`."""
        hyphen, after = self.peek(), self.peek(1)
        return token.end == hyphen.start and hyphen.end == after.start and after.kind in ("word", "number")

    def qualified(self) -> Named:
        """A name with whatever schemas stand before it. Raises `Unreadable`."""
        schema, token = "", self.name()
        while self.sees(".") and self.peek(1).names:
            self.at += 1
            schema, token = token.value, self.name()
        return Named(schema=schema, token=token)

    def group(self) -> list[Token]:
        """The tokens between the parenthesis here and the one that closes it. Raises `Unreadable`."""
        if not self.take("("):
            raise Unreadable("(", self.peek())
        first, depth = self.at, 1
        for at in range(first, len(self.tokens)):
            word = self.tokens[at].word
            if word == "(":
                depth += 1
            elif word == ")":
                depth -= 1
                if not depth:
                    self.at = at + 1
                    return list(self.tokens[first:at])
        self.at = len(self.tokens)
        raise Unreadable(")", END)

    def skip_group(self) -> bool:
        """Step over a group in parentheses if one starts here. Raises `Unreadable`."""
        if not self.sees("("):
            return False
        self.group()
        return True


def parts_of(tokens: Sequence[Token]) -> list[list[Token]]:
    """Tokens cut at the commas that stand in no parentheses."""
    parts: list[list[Token]] = [[]]
    depth = 0
    for token in tokens:
        word = token.word
        if word == "," and depth <= 0:
            parts.append([])
            continue
        if word in ("(", "["):
            depth += 1
        elif word in (")", "]"):
            depth -= 1
        parts[-1].append(token)
    return parts
