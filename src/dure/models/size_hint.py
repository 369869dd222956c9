"""What a model's name says about its size."""

import re

_SIZE = re.compile(r"(?:^|[-_:/ ])e?(\d+(?:\.\d+)?)b(?![a-z0-9])", re.IGNORECASE)
_SMALL = 4.0


def looks_small(model: str) -> bool:
    """Whether the name shows at most four billion parameters; a name without a size is not small."""
    sizes = [float(size) for size in _SIZE.findall(model)]
    return bool(sizes) and max(sizes) <= _SMALL
