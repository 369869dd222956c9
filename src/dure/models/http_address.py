"""Where a server is: the base URL, what of it may be shown, the headers every request has, the proxy on the way."""

import ipaddress
import re
from collections.abc import Mapping
from functools import lru_cache
from urllib.request import getproxies, proxy_bypass

from multidict import CIMultiDict
from yarl import URL

from dure.errors import ConfigError
from dure.models.shown_url import shown_url

_HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")


class Address:
    """A base URL, checked.

    Raises:
        ConfigError: it is none.
    """

    __slots__ = ("_base", "_query", "host", "secrets", "shown", "url")

    def __init__(self, base_url: str) -> None:
        self.shown = shown_url(base_url).rstrip("/")
        """Fit for messages."""
        self.url = _checked(base_url.strip())
        self.host = self.url.host or ""
        """The host alone."""
        self.secrets = tuple(part for part in (self.url.password, self.url.raw_query_string) if part)
        """What a message must not show."""
        base, mark, query = base_url.strip().partition("?")
        self._base, self._query = base.rstrip("/"), mark + query

    def of(self, path: str) -> URL:
        """Where a path below it is; a query stays at the end, as gateways want it."""
        return _url(self._base + path + self._query)

    def proxy(self) -> URL | None:
        """The proxy that the environment names for this server; never one for this very machine.

        Raises:
            ConfigError: what the environment names is none.
        """
        # Asked once a session: aiohttp's own `trust_env` reads the environment and ~/.netrc in threads every time.
        scheme = self.url.scheme
        address = getproxies().get(scheme, "").strip()
        if not address or is_loopback(self.host) or proxy_bypass(self.host) or proxy_bypass(self.url.authority):
            return None
        named = f"the proxy that the environment names for {scheme} ({scheme.upper()}_PROXY)"
        try:
            proxy = URL(address if "://" in address else f"http://{address}")
        except ValueError as error:
            raise ConfigError(f"{named} is not a URL; correct or unset it") from error
        if proxy.scheme not in ("http", "https") or not proxy.host:
            raise ConfigError(f"{named} is not an http(s) URL; correct or unset it, or add {self.host} to NO_PROXY")
        return proxy


def is_loopback(host: str) -> bool:
    """Whether a host is this very machine, which no proxy can reach."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def checked_headers(*given: Mapping[str, str]) -> CIMultiDict[str]:
    """All headers, a later one instead of an earlier of the same name.

    Raises:
        ConfigError: one of them cannot be sent.
    """
    headers: CIMultiDict[str] = CIMultiDict()
    for some in given:
        for name, value in some.items():
            if not _HEADER_NAME.fullmatch(name):
                raise ConfigError(f"{name!r} cannot be the name of a header")
            if _CONTROL.search(value):
                raise ConfigError(f"the header {name!r} has a line break or another control character; remove it")
            headers[name] = value.encode("utf-8", "replace").decode()
    return headers


def checked_key(api_key: str) -> str:
    """A key as it can be sent.

    Raises:
        ConfigError: no key looks like it; it is not shown.
    """
    if not api_key.isascii() or not api_key.isprintable():
        raise ConfigError("the API key has characters that no key has (line breaks or non-ASCII); set it again")
    return api_key


@lru_cache(maxsize=256)
def _url(address: str) -> URL:
    return URL(address)


def _checked(base_url: str) -> URL:
    shown, like = shown_url(base_url), "give one like 'http://127.0.0.1:8080/v1'"
    try:
        url = URL(base_url)
    except ValueError as error:
        raise ConfigError(f"{shown!r} is not a URL; {like}") from error
    if url.scheme not in ("http", "https") or not url.host or " " in url.host or url.fragment:
        raise ConfigError(f"{shown!r} is not an http(s) URL; {like}")
    return url
