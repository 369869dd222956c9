"""The prompts of a program: read from their source when it is told to, and swapped only for a set that is whole."""

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from dure.errors import ConfigError
from dure.prompts.catalog import PromptCatalog
from dure.prompts.contract import PromptContract, read_prompts
from dure.prompts.faults import PromptFault, told
from dure.prompts.kept import KeptPrompts
from dure.prompts.keys import PromptKey
from dure.prompts.packaged import PackagedPrompts
from dure.prompts.source import PromptSource, SourceAway
from dure.prompts.template import PromptTemplate

logger = logging.getLogger(__name__)

RefreshStatus = Literal["swapped", "unchanged", "faulty", "away"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptChange:
    """A prompt whose version is another one now."""

    key: PromptKey
    old: str
    new: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Refreshed:
    """What a refresh came to. After `faulty` and `away` the old set stands."""

    status: RefreshStatus
    source: str
    changes: tuple[PromptChange, ...] = ()
    faults: tuple[PromptFault, ...] = ()
    notes: tuple[str, ...] = ()
    reason: str = ""
    """Why the source is away."""

    @property
    def good(self) -> bool:
        """Whether the source was read and its prompts are in use."""
        return self.status in ("swapped", "unchanged")

    def trouble(self) -> str:
        """What is wrong, in one line; empty where nothing is."""
        return f"{self.source} has faulty prompts: {told(self.faults)}" if self.faults else self.reason


class PromptStore:
    """The current set. Reading it is free; `refresh` is the only thing that looks at the source.

    The packaged set is the contract: a source may put others in the place of some or all of its prompts.
    """

    def __init__(
        self, package: PackagedPrompts, source: PromptSource | None = None, *, kept: KeptPrompts | None = None
    ) -> None:
        self._package = _packaged(package)
        self._contract = PromptContract(self._package.templates)
        self._source = source
        self._kept = kept
        self._reading: asyncio.Task[Refreshed] | None = None
        self._next: asyncio.Task[Refreshed] | None = None
        """Begins when `_reading` ends, for all who asked since that began."""
        self._current = self._package

    @property
    def package(self) -> PromptCatalog:
        """The packaged set."""
        return self._package

    @property
    def current(self) -> PromptCatalog:
        """The set in use; whoever works with it longer keeps this value."""
        return self._current

    @property
    def contract(self) -> PromptContract:
        """What every set must hold."""
        return self._contract

    def restore(self) -> bool:
        """Take up what was kept of an earlier time, where there is something that still fits."""
        kept = None if self._kept is None else self._kept.load()
        if kept is None:
            return False
        checked = self._contract.check(kept.texts())
        if checked.faults:
            logger.warning("the prompts kept of %s do not fit any more: %s", kept.source, told(checked.faults))
            return False
        self._current = self._package.with_overrides(checked.templates, kept.told())
        return True

    async def load(self) -> Refreshed:
        """Begin: with the source, or while that is faulty or away with what was kept of it, and a warning.

        Raises:
            ConfigError: there is nothing to begin with.
        """
        restored = self.restore()
        outcome = await self.refresh()
        if not outcome.good and not restored:
            way_out = "nothing is kept of an earlier time; without a source the packaged prompts are used"
            raise ConfigError(f"{outcome.trouble()} ({way_out})")
        if not outcome.good:
            logger.warning("%s; going on with the prompts kept of an earlier time", outcome.trouble())
        return outcome

    async def refresh(self) -> Refreshed:
        """Read the source now, and swap the whole set if it is without fault.

        Any number may ask at once: who asks while it is read waits for one more reading, and shares it.
        """
        if self._source is None:
            return Refreshed(status="unchanged", source=self._package.source)
        if self._next is not None and not self._next.done():
            mine = self._next
        elif self._reading is not None and not self._reading.done():
            self._next = mine = asyncio.ensure_future(self._read_after(self._reading, self._source))
        else:
            self._reading = mine = asyncio.ensure_future(self._read(self._source))
        return await asyncio.shield(mine)  # whoever goes away leaves the others waiting

    async def _read_after(self, before: asyncio.Task[Refreshed], source: PromptSource) -> Refreshed:
        await asyncio.wait((before,))
        self._reading, self._next = self._next, None
        return await self._read(source)

    async def _read(self, source: PromptSource) -> Refreshed:
        try:
            raw = await source.read()
        except SourceAway as error:
            return Refreshed(status="away", source=source.name, reason=str(error))
        return await self._judged(raw, source.name)

    async def _judged(self, raw: Mapping[PromptKey, bytes], name: str) -> Refreshed:
        checked = self._contract.check(raw)
        if checked.faults:
            return Refreshed(status="faulty", source=name, faults=checked.faults, notes=checked.notes)
        gone = sorted(self._current.overridden - set(checked.templates))
        if gone and not checked.templates:
            reason = f"{name} holds no prompts any more, where it held {len(gone)}; publish them again"
            return Refreshed(status="away", source=name, reason=reason)
        notes = (*checked.notes, *(f"{key} is not there any more: the packaged one is used" for key in gone))
        if not checked.templates:
            notes = (*notes, f"{name} holds no prompts: the packaged ones are used")
        changes = self._swap(self._package.with_overrides(checked.templates, name))
        await self._keep(checked.templates)
        status = "swapped" if changes else "unchanged"
        return Refreshed(status=status, source=name, changes=changes, notes=notes)

    def _swap(self, new: PromptCatalog) -> tuple[PromptChange, ...]:
        old, self._current = self._current, new
        pairs = ((key, old.templates[key].version, template.version) for key, template in new.templates.items())
        return tuple(PromptChange(key=key, old=was, new=now) for key, was, now in sorted(pairs) if was != now)

    async def _keep(self, overrides: Mapping[PromptKey, PromptTemplate]) -> None:
        if self._kept is not None:
            await asyncio.to_thread(self._kept.save, {key: one.text for key, one in overrides.items()})


def _packaged(package: PackagedPrompts) -> PromptCatalog:
    """The packaged set, which is judged by itself.

    Raises:
        ConfigError: the installation is damaged.
    """
    read = read_prompts(package.texts())
    if read.faults or not read.templates:
        raise ConfigError(f"the packaged prompts are damaged; install dure again: {told(read.faults)}")
    return PromptCatalog(templates=read.templates)
