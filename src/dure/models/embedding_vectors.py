"""What every embedder does: refuse texts that mean nothing, send them in batches, and check the vectors."""

import math
from collections.abc import Iterator, Sequence

from dure.errors import InvalidRequest, MalformedResponse

_LENGTH_SLACK = 1e-6


def meaningful(texts: Sequence[str]) -> list[str]:
    """The texts as they can be sent: broken surrogates and NULs, which end a text for some, are replaced.

    Raises:
        InvalidRequest: one of them is empty.
    """
    for place, text in enumerate(texts):
        if not text.strip():
            raise InvalidRequest(f"text {place} of {len(texts)} is empty and has no vector; leave it out")
    return [text.encode("utf-8", "replace").decode().replace("\0", " ") for text in texts]


def batches(texts: Sequence[str], *, most: int, most_bytes: int) -> Iterator[Sequence[str]]:
    """The texts in order, in parts of at most `most` texts and, unless one text is longer, `most_bytes` bytes."""
    begin, size = 0, 0
    for place, text in enumerate(texts):
        length = len(text.encode())
        if place > begin and (place - begin >= most or size + length > most_bytes):
            yield texts[begin:place]
            begin, size = place, 0
        size += length
    if begin < len(texts):
        yield texts[begin:]


class VectorCheck:
    """Vectors of one model: as many as texts, all of one dimension, of finite numbers, made 1 long."""

    __slots__ = ("_dimension", "_name")

    def __init__(self, name: str) -> None:
        self._name = name
        self._dimension: int | None = None

    def unit(self, vectors: Sequence[Sequence[float]], *, count: int) -> list[list[float]]:
        """The vectors, each of length 1.

        Raises:
            MalformedResponse: they are not what was asked for.
        """
        if len(vectors) != count:
            raise MalformedResponse(f"{self._name} gave {len(vectors)} vectors for {count} texts")
        return [self._unit(vector) for vector in vectors]

    def _unit(self, vector: Sequence[float]) -> list[float]:
        if self._dimension is None:
            self._dimension = len(vector)
        if len(vector) != self._dimension:
            raise MalformedResponse(
                f"{self._name} gave a vector of {len(vector)} numbers where others have {self._dimension}"
            )
        length = math.hypot(*vector)
        if not math.isfinite(length) or not length:
            what = "of zeros" if not length else "with numbers that are not finite"
            raise MalformedResponse(f"{self._name} gave a vector {what}; ask again, or use another model")
        if abs(length - 1) <= _LENGTH_SLACK:
            return list(vector)
        return [number / length for number in vector]
