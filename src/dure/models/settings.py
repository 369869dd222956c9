"""Settings of the environment as people really write them."""

from collections.abc import Mapping

_QUOTES = "\"'"


def setting(environ: Mapping[str, str], name: str) -> str:
    """The value, or an empty string where there is none.

    Space, line ends and quotes around it fall away: files of variables and `export X=$(cat …)` leave them in.
    """
    return environ.get(name, "").strip().strip(_QUOTES).strip()
