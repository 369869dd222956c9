"""The one text that arguments have, and the digest that binds a decision to exactly that call."""

import hashlib
import json
from collections.abc import Mapping

from dure.messages import Json


def canonical(arguments: Mapping[str, Json]) -> str:
    """Arguments as JSON, the same however they were spaced and ordered; raw UTF-8, for people too.

    Raises:
        TypeError: they are not JSON.
        ValueError: there is a number that JSON has not.
    """
    return json.dumps(arguments, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


def digest_of(tool: str, arguments: Mapping[str, Json]) -> str:
    """SHA-256 of a tool's name and its arguments."""
    return hashlib.sha256(f"{tool}\0{canonical(arguments)}".encode("utf-8", "surrogatepass")).hexdigest()
