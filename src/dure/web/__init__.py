"""What HTTP services of `dure` have in common: who may ask, what an error looks like, how much one request may take."""

from dure.web.bearer import Access, check_bearer
from dure.web.errors import HttpError, answer_errors
from dure.web.limits import RequestLimits

__all__ = ["Access", "HttpError", "RequestLimits", "answer_errors", "check_bearer"]
