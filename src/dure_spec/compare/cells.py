"""What is compared: every sentence with every model and every set of prompts."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from dure.errors import ConfigError

MAX_BYTES = 1_000_000
_FIELDS = ("sentence", "prompt", "text")


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """What differs between two columns of the comparison."""

    model: str | None
    """`provider:model`; `None` is what the configuration says."""
    prompts: str | None
    """A folder or address of prompts; `None` is what the configuration says."""

    @property
    def label(self) -> str:
        """For people; without the password of an address."""
        source = (self.prompts or "").rpartition("@")[2] if self.prompts and "://" in self.prompts else self.prompts
        return " · ".join(part for part in (self.model or "as configured", source) if part)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One run of the comparison; `turn` counts repetitions from 1."""

    sentence: str
    variant: Variant
    turn: int = 1

    @property
    def key(self) -> str:
        """The same for the same run in another sitting; 12 hex digits, fit for a folder's name."""
        parts = (self.sentence, self.variant.model or "", self.variant.prompts or "", str(self.turn))
        return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:12]


def plan(sentences: Sequence[str], models: Sequence[str], prompts: Sequence[str], repeat: int = 1) -> tuple[Cell, ...]:
    """All runs, sentence by sentence, so that an early end still compares.

    Raises:
        ConfigError: there is nothing to run, or fewer than one repetition.
    """
    asked = tuple(dict.fromkeys(sentence.strip() for sentence in sentences if sentence.strip()))
    if not asked:
        raise ConfigError('what shall be compared? Give sentences, or --sentences FILE: dure compare "주문 관리" -m …')
    if repeat < 1:
        raise ConfigError(f"--repeat is {repeat}; give 1 or more")
    variants = [
        Variant(model=model, prompts=source)
        for model in (tuple(dict.fromkeys(models)) or (None,))
        for source in (tuple(dict.fromkeys(prompts)) or (None,))
    ]
    return tuple(
        Cell(sentence=sentence, variant=variant, turn=turn)
        for turn in range(1, repeat + 1)
        for sentence in asked
        for variant in variants
    )


def sentences_in(path: Path) -> tuple[str, ...]:
    """The sentences of a file: one a line, or JSON lines with `sentence`, `prompt` or `text`.

    Raises:
        ConfigError: the file cannot be read, or a line of it is no sentence.
    """
    try:
        if path.stat().st_size > MAX_BYTES:
            raise ConfigError(f"{path} is larger than {MAX_BYTES:,} bytes; that is no list of sentences")
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise ConfigError(f"cannot read {path}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path} is not UTF-8: byte {error.start} cannot be read") from error
    return tuple(_sentences(path, text))


def _sentences(path: Path, text: str) -> Iterator[str]:
    for number, line in enumerate(text.splitlines(), 1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        if not line.startswith("{"):
            yield line
            continue
        try:
            row = cast(dict[str, object], json.loads(line))
        except ValueError as error:
            raise ConfigError(f"{path}:{number} is no JSON: {error}") from error
        said = next((row[name] for name in _FIELDS if isinstance(row.get(name), str)), None)
        if said is None:
            raise ConfigError(f"{path}:{number} has none of {', '.join(_FIELDS)}")
        yield str(said)
