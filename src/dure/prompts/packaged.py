"""Prompts that were installed with a program: files of a package, `LANG/NAME.md`."""

from collections.abc import Mapping
from importlib import resources
from importlib.resources.abc import Traversable

from dure.errors import ConfigError
from dure.prompts.keys import PromptKey, raw_version
from dure.prompts.source import PromptVersion

SUFFIX = ".md"


class PackagedPrompts:
    """The files below `folder` of an importable package."""

    def __init__(self, package: str, folder: str = "prompts") -> None:
        self._root: Traversable = resources.files(package) / folder

    @property
    def name(self) -> str:
        """Always `packaged`."""
        return "packaged"

    def texts(self) -> dict[PromptKey, bytes]:
        """What `read` gives, without waiting."""
        found: dict[PromptKey, bytes] = {}
        for lang in self._root.iterdir():
            for file in lang.iterdir() if lang.is_dir() else ():
                key = PromptKey.parse(f"{lang.name}/{file.name.removesuffix(SUFFIX)}")
                if key is not None and file.name.endswith(SUFFIX):
                    found[key] = file.read_bytes()
        return found

    async def read(self) -> Mapping[PromptKey, bytes]:
        """All files."""
        return self.texts()

    async def history(self, key: PromptKey) -> tuple[PromptVersion, ...]:
        """The one version that was installed."""
        text = self.texts().get(key)
        return () if text is None else (PromptVersion(version=raw_version(text), added_at=None, current=True),)

    async def read_version(self, key: PromptKey, version: str) -> bytes | None:
        """The file, where it is of this version."""
        text = self.texts().get(key)
        return text if text is not None and raw_version(text) == version else None

    async def publish(self, texts: Mapping[PromptKey, bytes]) -> None:
        """Packaged prompts are never written.

        Raises:
            ConfigError: always.
        """
        raise ConfigError("packaged prompts cannot be changed; export them to a folder, Redis or PostgreSQL")
