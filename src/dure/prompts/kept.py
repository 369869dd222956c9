"""The last set that was good, on disk: what a process begins with while its source is away."""

import hashlib
import logging
import os
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import platformdirs

from dure.prompts.keys import PromptKey
from dure.whole_file import write_whole

logger = logging.getLogger(__name__)

CACHE_VARIABLE = "DURE_CACHE_DIR"


class Kept(msgspec.Struct, frozen=True, kw_only=True):
    """What a source held when it was last read."""

    source: str
    kept_at: datetime
    prompts: dict[str, str]
    """Texts by `ko/ba`."""

    def told(self) -> str:
        """Where these come from, for people."""
        return f"{self.source}, kept {self.kept_at:%Y-%m-%d %H:%M} UTC"

    def texts(self) -> dict[PromptKey, bytes]:
        """As a source would give them."""
        keys = {PromptKey.parse(key): text.encode() for key, text in self.prompts.items()}
        return {key: text for key, text in keys.items() if key is not None}


class KeptPrompts:
    """The file for one source; a fault of the disk is logged and is nobody's end."""

    def __init__(self, source: str, environ: Mapping[str, str] = os.environ) -> None:
        self._source = source
        base = Path(environ.get(CACHE_VARIABLE) or platformdirs.user_cache_dir("dure", appauthor=False))
        self.path = base / "prompts" / f"{hashlib.sha256(source.encode()).hexdigest()[:16]}.json"

    def load(self) -> Kept | None:
        """What was kept, or `None` where nothing was or it is damaged."""
        try:
            kept = msgspec.json.decode(self.path.read_bytes(), type=Kept)
        except FileNotFoundError:
            return None
        except (OSError, msgspec.MsgspecError, UnicodeError) as error:
            logger.warning("the prompts kept in %s cannot be read and are not used: %s", self.path, error)
            return None
        return kept if kept.source == self._source else None

    def save(self, texts: Mapping[PromptKey, str]) -> None:
        """Keep these, in the place of what was kept before."""
        prompts = {str(key): text for key, text in sorted(texts.items())}
        kept = Kept(source=self._source, kept_at=datetime.now(UTC).replace(microsecond=0), prompts=prompts)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(self.path, msgspec.json.encode(kept))
            self._sweep()
        except OSError as error:
            logger.warning("the prompts cannot be kept for when %s is away: %s", self._source, error)

    def _sweep(self) -> None:
        """Remove what killed processes left half-written an hour ago or earlier."""
        limit = self.path.stat().st_mtime - 3600
        for left in self.path.parent.glob(f".{self.path.name}.*"):
            if left.stat().st_mtime < limit:
                left.unlink(missing_ok=True)
