"""The formats of JSON Schema that are checked, by the standard library alone so that every machine agrees.

Any other `format` is told to the model and not checked, as the specification allows.
"""

import ipaddress
import re
from collections.abc import Callable, Mapping
from datetime import date, time
from types import MappingProxyType
from urllib.parse import urlsplit

_DATE = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_TIME = re.compile(r"(\d{2}:\d{2}:)(\d{2})(?:\.\d+)?(?:[Zz]|[+-](\d{2}:\d{2}))", re.ASCII)
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_LABEL = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?", re.IGNORECASE)
_URI = re.compile(r"[a-z][a-z0-9+.-]*:[!#-;=?-Z\[\]_a-z~%]+", re.IGNORECASE)
_IRI = re.compile(r"[a-z][a-z0-9+.-]*:[^\s<>\"{}|\\^`]+", re.IGNORECASE)
_URI_REFERENCE = re.compile(r"[!#-;=?-Z\[\]_a-z~%]*", re.IGNORECASE)
_BAD_ESCAPE = re.compile(r"%(?![0-9a-f]{2})", re.IGNORECASE)
_POINTER = re.compile(r"(?:/(?:[^~/]|~[01])*)*")
_DURATION = re.compile(
    r"P(?=[\dT])(?:\d+W|(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+(?:\.\d+)?S)?)?)", re.ASCII
)


def _parses(parse: Callable[[str], object]) -> Callable[[str], bool]:
    def checked(text: str) -> bool:
        try:
            parse(text)
        except ValueError:
            return False
        return True

    return checked


def _is_date(text: str) -> bool:
    return _DATE.fullmatch(text) is not None and _parses(date.fromisoformat)(text)


def _is_time(text: str) -> bool:
    """RFC 3339: with a zone, and with the 60 of a leap second."""
    found = _TIME.fullmatch(text)
    if found is None:
        return False
    clock = found[1] + ("59" if found[2] == "60" else found[2])
    return _parses(time.fromisoformat)(clock) and _parses(time.fromisoformat)(found[3] or "00:00")


def _is_date_time(text: str) -> bool:
    return len(text) > 11 and text[10] in "Tt " and _is_date(text[:10]) and _is_time(text[11:])


def _is_hostname(text: str) -> bool:
    return 0 < len(text) <= 253 and all(_LABEL.fullmatch(label) for label in text.removesuffix(".").split("."))


def _is_email(text: str) -> bool:
    local, at, domain = text.rpartition("@")
    if not at or not local or len(local) > 64 or not text.isascii():
        return False
    quoted = len(local) > 1 and local[0] == local[-1] == '"'
    dots = local[0] == "." or local[-1] == "." or ".." in local
    spaced = any(character.isspace() or character in '@"(),:;<>[]\\' for character in local)
    return (quoted or not (dots or spaced)) and _is_domain(domain)


def _is_idn_email(text: str) -> bool:
    local, at, domain = text.rpartition("@")
    spaced = any(character.isspace() or character == "@" for character in text.removesuffix(f"@{domain}"))
    return bool(at and local and domain) and not spaced and not any(character.isspace() for character in domain)


def _is_domain(text: str) -> bool:
    if text.startswith("[") and text.endswith("]"):
        return _is_ip(text[1:-1].removeprefix("IPv6:"))
    return _is_hostname(text)


def _is_ip(text: str) -> bool:
    return "%" not in text and _parses(ipaddress.ip_address)(text)


def _is_uri(text: str) -> bool:
    return _URI.fullmatch(text) is not None and not _BAD_ESCAPE.search(text) and _parses(urlsplit)(text)


def _is_uri_reference(text: str) -> bool:
    return _URI_REFERENCE.fullmatch(text) is not None and not _BAD_ESCAPE.search(text) and _parses(urlsplit)(text)


FORMATS: Mapping[str, Callable[[str], bool]] = MappingProxyType(
    {
        "date": _is_date,
        "date-time": _is_date_time,
        "duration": lambda text: _DURATION.fullmatch(text) is not None,
        "email": _is_email,
        "hostname": _is_hostname,
        "idn-email": _is_idn_email,
        "ipv4": _parses(ipaddress.IPv4Address),
        "ipv6": lambda text: "%" not in text and _parses(ipaddress.IPv6Address)(text),
        "iri": lambda text: _IRI.fullmatch(text) is not None,
        "json-pointer": lambda text: _POINTER.fullmatch(text) is not None,
        "time": _is_time,
        "uri": _is_uri,
        "uri-reference": _is_uri_reference,
        "uuid": lambda text: _UUID.fullmatch(text) is not None,
    }
)
"""Each format that is checked, with what tells whether a text is of it."""
