"""Asks a running service to refresh its prompts."""

from urllib.parse import urlsplit

import aiohttp
from pydantic import BaseModel, ValidationError

from dure.errors import ConfigError
from dure_spec.service.admin_token import TOKEN_VARIABLE, admin_token
from dure_spec.service.answers import FaultRow, RefreshAnswer, RefreshOutcome

SECONDS = 40.0
"""Longer than the service itself allows a request."""
_MOST_BYTES = 1_000_000


class _Error(BaseModel):
    code: str
    message: str
    details: tuple[FaultRow, ...] = ()


class _ErrorBody(BaseModel):
    error: _Error


async def ask_service(url: str) -> RefreshOutcome:
    """What the service at `url` says.

    Raises:
        ConfigError: it cannot be asked, does not let us in, or is no service of ours.
    """
    name = _checked(url)
    token = admin_token()
    if token is None:
        raise ConfigError(f"set {TOKEN_VARIABLE} to the token of the service at {name}")
    try:
        status, body = await _posted(f"{name}/refresh-prompts", token)
    except TimeoutError:
        raise ConfigError(f"no answer from {name} within {SECONDS:g} s") from None
    except (aiohttp.ClientError, OSError) as error:
        raise ConfigError(f"no answer from {name}: {error}; is dure serve running there?") from None
    return _read(name, status, body)


async def _posted(url: str, token: str) -> tuple[int, bytes]:
    limit = aiohttp.ClientTimeout(total=SECONDS)
    headers = {"Authorization": f"Bearer {token}"}
    async with (
        aiohttp.ClientSession(timeout=limit) as session,
        session.post(url, headers=headers, allow_redirects=False) as response,  # a token goes to nobody else
    ):
        return response.status, await response.content.read(_MOST_BYTES)


def _read(name: str, status: int, body: bytes) -> RefreshOutcome:
    try:
        if status == 200:
            return RefreshOutcome(**dict(RefreshAnswer.model_validate_json(body)))
        error = _ErrorBody.model_validate_json(body).error
    except ValidationError:
        raise ConfigError(f"{name} answered with HTTP {status}, but not like dure serve; check the URL") from None
    if error.code == "faulty_prompts":
        return RefreshOutcome(status="faulty", source=name, changes=(), notes=(), faults=error.details)
    if error.code == "source_away":
        return RefreshOutcome(status="away", source=name, changes=(), notes=(), reason=error.message)
    raise ConfigError(f"{name} refuses: {error.message}")


def _checked(url: str) -> str:
    """The URL without path, user and password."""
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and parts.hostname and "@" not in parts.netloc
        usable = usable and parts.port != 0 and parts.path in ("", "/") and not parts.query
    except ValueError:
        usable = False
    if not usable:
        raise ConfigError("--url must be the address of a service, such as http://127.0.0.1:8080")
    return url.rstrip("/")
