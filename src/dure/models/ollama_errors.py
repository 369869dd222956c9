"""What to do about the failures that are Ollama's own; the rest is told by `http_errors`."""

import aiohttp

from dure.errors import (
    ConnectionFailed,
    ContextTooLong,
    InvalidRequest,
    ModelError,
    ModelNotFound,
    ModelUnavailable,
    ServerFailed,
    Unauthenticated,
)
from dure.messages import Json
from dure.models.http_errors import from_stream
from dure.models.ollama_context import VARIABLE, ContextWindow

_NO_MEMORY = ("more system memory", "out of memory", "cudamalloc failed", "unable to allocate")


def from_line(error: Json, *, server: str) -> ModelError:
    """Our error for an `error` line inside a stream."""
    return from_stream(error, server=server)


def with_next_step(error: ModelError, model: str) -> ModelError:
    """The same failure with what to do about it, of another class where that is something else."""
    said = str(error)
    lowered = said.lower()
    match error:
        case ModelNotFound():
            return ModelNotFound(f"Ollama has no model {model!r} ({said}); fetch it with: ollama pull {model}")
        case ConnectionFailed() if isinstance(error.__cause__, aiohttp.ClientConnectorError):
            return ConnectionFailed(f"{said}; start Ollama with: ollama serve, or say where it runs with OLLAMA_HOST")
        case Unauthenticated():
            return Unauthenticated(f"{said}; give it with OLLAMA_API_KEY")
        case InvalidRequest() if "think" in lowered and "support" in lowered:
            return InvalidRequest(f"{said}; leave ChatOptions.reasoning out for {model!r}")
        case InvalidRequest() if "does not support tools" in lowered:
            return InvalidRequest(f"{said}; use a model that lists tools in: ollama show {model}")
        case ServerFailed() if any(mark in lowered for mark in _NO_MEMORY):
            return ModelUnavailable(
                f"{said}; {model!r} does not fit into the memory here: use a smaller model, "
                f"or a smaller context with {VARIABLE}"
            )
        case _:
            return error


def too_long(reason: str, window: ContextWindow, size: int) -> ContextTooLong:
    """A request does not fit `size` tokens; says whether more may be allowed."""
    more = window.trained is None or size < window.trained
    step = f"send less, or allow more with {VARIABLE}" if more else "send less, or use a model with a larger context"
    return ContextTooLong(f"{reason} (num_ctx {size}); {step}")
