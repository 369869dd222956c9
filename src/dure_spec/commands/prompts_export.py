"""Writes a set of prompts to a place of its own, where people or other processes take it from."""

from collections.abc import Mapping

from dure.errors import ConfigError
from dure.prompts import FolderPrompts, PackagedPrompts, PromptKey, PromptSource, SourceAway
from dure.prompts.keys import raw_version
from dure_spec.agents.prompt_files import open_source, open_store
from dure_spec.commands.prompts_reading import where_from
from dure_spec.config import PACKAGED


async def exported(destination: str, source: str | None, *, force: bool) -> tuple[str, ...]:
    """Export what is in use; what is told of it, a line each.

    Raises:
        ConfigError: the destination cannot be written, or holds what would be lost.
    """
    place = open_source(destination)
    if isinstance(place, PackagedPrompts):
        raise ConfigError("packaged prompts cannot be changed; give a folder, redis://… or postgresql://…")
    origin = where_from(source)
    itself = origin is not None and open_source(origin).name == place.name
    texts = await _whole(PACKAGED if itself else origin)
    there = await _there(place)
    kept = {key: text for key, text in there.items() if key in texts}
    if itself and not force:
        texts = {**texts, **kept}  # nobody goes back to the packaged ones by the way
    wanted = {key: text for key, text in texts.items() if kept.get(key) != text}
    lost = [] if force else await _would_be_lost(place, wanted, kept)
    if lost:
        raise ConfigError(f"{place.name} holds other versions of {', '.join(lost)}; --force puts these in their place")
    if wanted:
        await place.publish(wanted)
    lines = [_line(key, kept.get(key), text) for key, text in sorted(wanted.items())]
    return (*lines, f"{place.name}: {len(wanted)} written, {len(texts) - len(wanted)} as they were")


async def _whole(origin: str | None) -> Mapping[PromptKey, bytes]:
    """The whole set as it is now; what was kept of an earlier time is not handed on."""
    store = open_store(origin)
    outcome = await store.refresh()
    if not outcome.good:
        raise ConfigError(f"nothing was exported: {outcome.trouble()}")
    return store.current.texts()


async def _there(place: PromptSource) -> Mapping[PromptKey, bytes]:
    """What the destination holds; a folder need not be there yet."""
    try:
        return await place.read()
    except SourceAway:
        if isinstance(place, FolderPrompts) and not place.exists():
            return {}
        raise


async def _would_be_lost(
    place: PromptSource, wanted: Mapping[PromptKey, bytes], kept: Mapping[PromptKey, bytes]
) -> list[str]:
    """Edited files; in a place that keeps versions only what goes back to an older one."""
    lost: list[str] = []
    for key, text in sorted(wanted.items()):
        if key not in kept:
            continue
        known = {entry.version for entry in await place.history(key)}
        if isinstance(place, FolderPrompts) or raw_version(text) in known:
            lost.append(str(key))
    return lost


def _line(key: PromptKey, before: bytes | None, text: bytes) -> str:
    return f"{key}: {'new' if before is None else raw_version(before)} → {raw_version(text)}"
