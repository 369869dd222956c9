"""Which columns hold a secret, and which objects answers show."""

from dure_spec.derive.types import family_of
from dure_spec.derive.words import parts
from dure_spec.validators.index import Index

_SECRET = frozenset({"password", "passwd", "passphrase", "passcode", "pwd", "secret", "salt", "otp", "cvc", "cvv"})
_TOKEN_KINDS = frozenset({"access", "refresh", "reset", "api", "auth", "session", "login"})
_KEY_KINDS = frozenset({"api", "private", "secret"})
_HOLDING = frozenset({"str", "bin", "json", None})
"""Families that can hold one: `is_secret` and `password_changed_at` are none."""


def is_secret_name(name: str) -> bool:
    """Whether a column or attribute of this name holds what nobody may read."""
    words = set(parts(name))
    token = "token" in words and bool(words & _TOKEN_KINDS)
    key = "key" in words and bool(words & _KEY_KINDS)
    return bool(words & _SECRET) or token or key


def is_secret(index: Index, reference: str) -> bool:
    """Whether `table.column` holds a secret, by its name and type."""
    column = index.column(reference)
    return is_secret_name(reference.rpartition(".")[2]) and (column is None or family_of(column.type) in _HOLDING)


def answered(index: Index) -> frozenset[str]:
    """Ids of the objects that some operation answers with, and of those inside them."""
    waiting = [place.op.out.removesuffix("[]") for place in index.all_ops()]
    found: set[str] = set()
    while waiting:
        name = waiting.pop()
        place = index.bos.get(name)
        if name in found or place is None:
            continue
        found.add(name)
        waiting += [attr.type.removesuffix("[]") for attr in place.bo.attrs if attr.type]
    return frozenset(found)
