"""The token of whoever may change a running service, where service and command take it from: the environment."""

import os
from collections.abc import Mapping

from dure.errors import ConfigError

TOKEN_VARIABLE = "DURE_ADMIN_TOKEN"


def admin_token(environ: Mapping[str, str] = os.environ) -> str | None:
    """The token, or `None` where there is none.

    Raises:
        ConfigError: no header could hold it.
    """
    token = environ.get(TOKEN_VARIABLE, "").strip()
    if not token.isprintable():
        raise ConfigError(
            f"{TOKEN_VARIABLE} holds more than one line, or signs that cannot be sent; write another token"
        )
    return token or None
