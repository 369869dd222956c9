"""Everything that can go wrong, one class for each thing a caller would do differently.

DureError
 ├─ ConfigError              the programmer or operator must change something
 ├─ ModelError               the model or its provider (see `retryable`)
 │   ├─ Unauthenticated      no key, or a wrong one
 │   ├─ ModelNotFound        the provider has no such model
 │   ├─ ModelUnavailable     no usable model here, or its server does not come up
 │   ├─ InvalidRequest       the provider refuses this request for good
 │   ├─ ContextTooLong       the request does not fit the model
 │   ├─ RateLimited          too many requests (see `retry_after`)
 │   ├─ ServerFailed         5xx, or an error inside a stream
 │   ├─ ConnectionFailed     no connection, or it broke
 │   ├─ ModelTimeout         no answer in time
 │   ├─ MalformedResponse    the answer is not of the provider's own format
 │   └─ EmptyAnswer          neither text nor tool call
 ├─ OutputTruncated          cut at the token limit
 ├─ OutputInvalid            the answer stayed invalid after all retries
 ├─ ToolError                becomes a tool result for the model
 │   ├─ ToolNotFound
 │   ├─ InvalidArguments
 │   └─ ToolFailed
 └─ LimitExceeded
     ├─ CallLimitExceeded    model or tool calls of a run
     ├─ BudgetExceeded       tokens or money
     └─ DeadlineExceeded     time

Signal                       pausing is not failing: never caught by `except DureError`
 └─ Cancelled                somebody asked the run to stop
"""

from dure.usage import NO_USAGE, Usage


class DureError(Exception):
    """Root of all failures of this library."""


class ConfigError(DureError):
    """A setting or a call of the programmer is wrong; raised at construction, not later."""


class ModelError(DureError):
    """A model call failed."""

    retryable = False

    def __init__(self, message: str, *, retry_after: float | None = None, usage: Usage = NO_USAGE) -> None:
        super().__init__(message)
        self.retry_after = retry_after
        """Seconds the provider asks to wait, where it says so."""
        self.usage = usage
        """What the failed call took all the same, where the provider says so."""


class Unauthenticated(ModelError):
    """The provider does not accept the key."""


class ModelNotFound(ModelError):
    """The provider does not know the model."""


class ModelUnavailable(ModelError):
    """There is no usable model here, or a local server does not come up."""


class InvalidRequest(ModelError):
    """The provider refuses this request; the same request would be refused again."""


class ContextTooLong(InvalidRequest):
    """The request has more tokens than the model takes."""


class RateLimited(ModelError):
    """Too many requests or too many tokens for now."""

    retryable = True


class ServerFailed(ModelError):
    """The provider failed; the same request may work later."""

    retryable = True


class ConnectionFailed(ModelError):
    """No connection to the provider, or it broke before the answer was complete."""

    retryable = True


class ModelTimeout(ModelError):
    """The provider did not answer in time."""

    retryable = True


class MalformedResponse(ModelError):
    """The provider's answer is not of its own format."""

    retryable = True


class EmptyAnswer(ModelError):
    """The model answered with neither text nor a tool call."""

    retryable = True


class OutputTruncated(DureError):
    """The answer was cut at the token limit, so it is a fragment."""

    def __init__(self, message: str, *, raw_text: str = "") -> None:
        super().__init__(message)
        self.raw_text = raw_text


class OutputInvalid(DureError):
    """The answer stayed invalid after all retries; `raw_text` is the last one."""

    def __init__(self, message: str, *, raw_text: str = "") -> None:
        super().__init__(message)
        self.raw_text = raw_text


class ToolError(DureError):
    """A tool could not do its work; the model is told and may try again."""


class ToolNotFound(ToolError):
    """The model asked for a tool that it was not given."""


class InvalidArguments(ToolError):
    """The arguments are not JSON, or not of the tool's schema; the tool did not run."""


class ToolFailed(ToolError):
    """The tool ran and failed."""


class LimitExceeded(DureError):
    """A limit of the run is reached."""


class CallLimitExceeded(LimitExceeded):
    """The run made as many model or tool calls as it may."""


class BudgetExceeded(LimitExceeded):
    """The run spent as many tokens or as much money as it may."""


class DeadlineExceeded(LimitExceeded):
    """The run's time is over."""


class Signal(Exception):
    """A pause or a stop that somebody asked for. Not a failure."""


class Cancelled(Signal):
    """The run was asked to stop."""
