"""What a model's name says about its size."""

import re

_SIZE = re.compile(r"(?:^|[-_:/ ])e?(\d+(?:\.\d+)?)b(?![a-z0-9])", re.IGNORECASE)
_SMALL = 4.0


def billions(model: str) -> float | None:
    """Parameters in billions as the name shows them, the largest figure of several."""
    return max((float(size) for size in _SIZE.findall(model)), default=None)


def looks_small(model: str) -> bool:
    """Whether the name shows at most four billion parameters; a name without a size is not small."""
    size = billions(model)
    return size is not None and size <= _SMALL
