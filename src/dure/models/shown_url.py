"""What of a URL may stand in messages and lists."""

import re

_USER = re.compile(r"(?<=//)[^/?#]*@")


def shown_url(url: str) -> str:
    """A URL without what may be secret in it: user and password, query."""
    return _USER.sub("", url.strip()).partition("?")[0]
