"""Words that names of one schema share in front (`sb` of `sbCustomer`, `wp` of `wp_posts`) and that say nothing."""

from collections.abc import Sequence

_LEAST = 3
"""Names from which on a common beginning is a habit."""


def shared_prefix(names: Sequence[Sequence[str]]) -> list[str]:
    """The words with which all names begin; nothing where there are few names, or one would lose all its words."""
    if len(names) < _LEAST:
        return []
    shared: list[str] = []
    for words in zip(*names, strict=False):
        if len(set(words)) > 1:
            break
        shared.append(words[0])
    shortest = min(len(name) for name in names)
    return shared[: shortest - 1] if shared else []


def plain_words(words: Sequence[str], prefix: Sequence[str]) -> list[str]:
    """The words without the prefix that they begin with."""
    cut = len(prefix)
    return list(words[cut:]) if list(words[:cut]) == list(prefix) and len(words) > cut else list(words)
