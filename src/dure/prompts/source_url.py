"""URLs of sources: taken apart, named without their secrets, and kept out of every message."""

import re
from dataclasses import dataclass, field
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from dure.errors import ConfigError

_PATH = re.compile(r"/?[\w.%-]*")
_LONGEST = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceUrl:
    """A URL that may hold a password."""

    url: str = field(repr=False)
    name: str
    """The URL without user, password and options."""
    secrets: tuple[str, ...] = field(repr=False)

    def said(self, error: BaseException) -> str:
        """What an error says, in one line without the secrets."""
        text = " ".join(str(error).split()) or type(error).__name__
        for secret in self.secrets:
            text = text.replace(secret, "***")
        return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def parse_source_url(url: str) -> SourceUrl:
    """The URL, if its parts can be told apart; otherwise a password could end up in a name.

    Raises:
        ConfigError: they cannot; nothing of the URL is in the message but its scheme.
    """
    scheme = url.partition("://")[0]
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise _unclear(scheme) from None  # its message would quote a part of the password
    if not _PATH.fullmatch(parts.path) or parts.fragment or "@" in parts.query:
        raise _unclear(scheme)
    host = parts.hostname or ""
    place = f"[{host}]" if ":" in host else host
    name = f"{scheme}://{place}{'' if port is None else f':{port}'}{parts.path}"
    return SourceUrl(url=url, name=name, secrets=_secrets(parts))


def _secrets(parts: SplitResult) -> tuple[str, ...]:
    found = [parts.password or ""]
    found += [value for name, value in parse_qsl(parts.query) if "pass" in name or "key" in name]
    both = {form for secret in found for form in (secret, unquote(secret)) if len(form) > 1}
    return tuple(sorted(both, key=len, reverse=True))


def _unclear(scheme: str) -> ConfigError:
    return ConfigError(
        f"the {scheme}:// URL of the prompts cannot be read; write {scheme}://user:password@host:port/database, "
        "with %40 for @, %2F for / and %23 for # in a password"
    )
