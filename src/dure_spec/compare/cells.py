"""What is compared: every sentence with every model and every set of prompts."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from dure.errors import ConfigError
from dure.prompts.source_url import parse_source_url
from dure_spec.config_file import read_bounded

MAX_BYTES = 1_000_000
_FIELDS = ("sentence", "prompt", "text")


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """What differs between two columns of the comparison."""

    model: str | None
    """`provider:model`; `None` is what the configuration says."""
    prompts: str | None = field(repr=False)
    """A folder or address of prompts, which may hold a password; `None` is what the configuration says."""

    @property
    def source(self) -> str | None:
        """What its prompts are called, without the password of an address.

        Raises:
            ConfigError: the parts of the address cannot be told apart.
        """
        is_address = self.prompts is not None and "://" in self.prompts
        return parse_source_url(self.prompts.strip()).name if self.prompts and is_address else self.prompts

    @property
    def label(self) -> str:
        """For people."""
        return " · ".join(part for part in (self.model or "as configured", self.source) if part)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One run of the comparison; `turn` counts repetitions from 1."""

    sentence: str
    variant: Variant
    turn: int = 1
    settings: str = ""
    """Stands for the texts of the prompts and the configuration: a run with others is another run."""

    @property
    def key(self) -> str:
        """The same for the same run in another sitting; 12 hex digits, fit for a folder's name."""
        parts = (self.sentence, self.variant.model or "", self.variant.source or "", str(self.turn), self.settings)
        return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:12]


def plan(sentences: Sequence[str], models: Sequence[str], prompts: Sequence[str], repeat: int = 1) -> tuple[Cell, ...]:
    """All runs, sentence by sentence, so that an early end still compares.

    Raises:
        ConfigError: there is nothing to run, fewer than one repetition, or an address that cannot be read.
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
    for variant in variants:
        _ = variant.label  # an address that cannot be read is refused before anything runs
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
    return tuple(_sentences(path, read_bounded(path, MAX_BYTES, "list of sentences")))


def _sentences(path: Path, text: str) -> Iterator[str]:
    for number, line in enumerate(text.split("\n"), 1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        if not line.startswith("{"):
            yield line
            continue
        try:
            row = cast(dict[str, object], json.loads(line))
        except (ValueError, RecursionError) as error:
            raise ConfigError(f"{path}:{number} is no JSON: {error}; write the sentence as it is") from error
        said = next((row[name] for name in _FIELDS if isinstance(row.get(name), str)), None)
        if said is None:
            raise ConfigError(f'{path}:{number} has none of {", ".join(_FIELDS)}; write {{"sentence": …}}')
        yield str(said)
