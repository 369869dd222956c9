"""Which source a text stands for; the client of a server is imported only when it is named."""

from pathlib import Path

from dure.errors import ConfigError
from dure.prompts.folder import FolderPrompts
from dure.prompts.source import DEADLINE, PromptSource

_REDIS = ("redis", "rediss")
_POSTGRES = ("postgresql", "postgres")


def open_source(where: str, *, deadline: float = DEADLINE) -> PromptSource:
    """The source at a folder, a `redis://` or a `postgresql://` URL; nothing is read yet.

    Raises:
        ConfigError: the text stands for none of these, or the client of the server is not installed.
    """
    scheme, separator, _ = where.strip().partition("://")
    if not where.strip():
        raise ConfigError("the source of the prompts is empty; give a folder, redis://… or postgresql://…")
    if not separator:
        return FolderPrompts(Path(where.strip()), deadline=deadline)
    if scheme in _REDIS:
        try:
            from dure.prompts.redis_source import RedisPrompts
        except ImportError as error:
            raise ConfigError("prompts in Redis need its client: pip install 'dure[redis]'") from error
        return RedisPrompts(where.strip(), deadline=deadline)
    if scheme in _POSTGRES:
        try:
            from dure.prompts.postgres_source import PostgresPrompts
        except ImportError as error:
            raise ConfigError("prompts in PostgreSQL need its client: pip install 'dure[postgres]'") from error
        return PostgresPrompts(where.strip(), deadline=deadline)
    raise ConfigError(f"prompts cannot come from {scheme[:20]!r}://; give a folder, redis://… or postgresql://…")
