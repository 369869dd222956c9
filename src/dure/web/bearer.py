"""Whether a request carries the token that it needs."""

import hmac
from typing import Literal

Access = Literal["granted", "denied", "closed"]
"""`closed`: there is no token that would open the door."""


def check_bearer(authorization: str | None, token: str | None) -> Access:
    """Judge the header `Authorization: Bearer …`; how long it takes tells nothing of the token."""
    if not token:
        return "closed"
    scheme, _, given = (authorization or "").partition(" ")
    same = hmac.compare_digest(_sent(given.strip(" \t")), token.encode(errors="surrogateescape"))
    return "granted" if same and scheme.lower() == "bearer" else "denied"


def _sent(header: str) -> bytes:
    """The bytes of a header, which servers hand over as if each were a letter of its own."""
    try:
        return header.encode("latin-1")
    except UnicodeEncodeError:
        return header.encode(errors="surrogateescape")
