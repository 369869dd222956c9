"""One operation of a run while it is traced and measured: the frame that all spans share.

Whatever goes wrong in here is logged and leaves the run alone.
"""

import asyncio
import functools
import logging
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from contextvars import Token
from types import TracebackType
from typing import Concatenate, ParamSpec, Self, TypeVar

from opentelemetry.context import Context, attach, detach, get_current
from opentelemetry.trace import Span, SpanKind, Status, StatusCode, Tracer, set_span_in_context
from opentelemetry.util.types import AttributeValue

from dure.errors import Signal
from dure.observability import conventions as names
from dure.observability.content import clean, shortened

logger = logging.getLogger(__name__)

P = ParamSpec("P")
T = TypeVar("T")

_NANOSECONDS = 1e9


def guarded(method: Callable[Concatenate[T, P], None]) -> Callable[Concatenate[T, P], None]:
    """The method, its own faults logged instead of raised."""

    @functools.wraps(method)
    def safe(self: T, *given: P.args, **named: P.kwargs) -> None:
        try:
            method(self, *given, **named)
        except Exception as fault:
            logger.warning("telemetry failed and is left out: %s: %s", type(fault).__name__, fault)

    return safe


class Operation(ABC):
    """`with` it round the work: a span begins, is the parent of what happens inside, and ends.

    Enter and leave it in the same task. An exception marks the span with `error.type`; one that was
    asked for (a `Signal`, a cancellation) does so too, but is no failure: the span's status stays unset.
    """

    __slots__ = ("_begun", "_capture", "_context", "_error", "_span", "_token", "_tracer")

    def __init__(self, tracer: Tracer | None, *, capture: bool) -> None:
        self._tracer = tracer
        self._capture = capture
        self._error: str | None = None
        self._span: Span | None = None
        self._context: Context | None = None
        self._token: Token[Context] | None = None
        self._begun = 0

    def __enter__(self) -> Self:
        self._begun = time.time_ns()
        self._enter()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        ended = time.time_ns()
        if error is not None:
            self._mark(error)
        self._finish(max(0, ended - self._begun) / _NANOSECONDS)
        self._leave(error)
        self._end(ended)

    @property
    def recording(self) -> bool:
        """Whether attributes are of any use."""
        return self._span is not None and self._span.is_recording()

    def seconds(self) -> float:
        """Since the operation began."""
        return max(0, time.time_ns() - self._begun) / _NANOSECONDS

    def set(self, attributes: Mapping[str, AttributeValue | None]) -> None:
        """Set those attributes that have a value."""
        if self._span is not None:
            self._span.set_attributes({name: _clean(value) for name, value in attributes.items() if value is not None})

    def fail(self, error: str, text: str) -> None:
        """Mark the operation as failed; the text, which may quote what was said, is kept with the content only."""
        self._error = error
        if self._span is not None:
            self._span.set_attribute(names.ERROR_TYPE, error)
            self._span.set_status(Status(StatusCode.ERROR, clean(shortened(text)) if self._capture else None))

    @abstractmethod
    def _open(self) -> None:
        """Begin the span, by way of `_start`."""

    def _close(self, seconds: float) -> None:  # noqa: B027 - most have nothing to add
        """Add what is known at the end, and measure it."""

    def _start(self, name: str, kind: SpanKind, attributes: Mapping[str, AttributeValue]) -> None:
        if self._tracer is None:
            return
        cleaned = {name: _clean(value) for name, value in attributes.items()}
        self._span = self._tracer.start_span(clean(name), kind=kind, attributes=cleaned, start_time=self._begun)
        self._context = set_span_in_context(self._span)
        self._token = attach(self._context)

    @guarded
    def _enter(self) -> None:
        self._open()

    @guarded
    def _mark(self, error: BaseException) -> None:
        kind = error_type(error)
        if isinstance(error, Signal | asyncio.CancelledError | GeneratorExit):
            self._error = kind
            self.set({names.ERROR_TYPE: kind})
        else:
            self.fail(kind, str(error))

    @guarded
    def _finish(self, seconds: float) -> None:
        self._close(seconds)

    def _leave(self, error: BaseException | None) -> None:
        if self._token is None:
            return
        if isinstance(error, GeneratorExit) and get_current() is not self._context:
            return  # a coroutine that is thrown away is closed elsewhere, where there is nothing to restore
        detach(self._token)

    @guarded
    def _end(self, ended: int) -> None:
        if self._span is not None:
            self._span.end(ended)


def error_type(error: BaseException) -> str:
    """The class, with its module unless it is ours or Python's own."""
    kind = type(error)
    if kind.__module__.partition(".")[0] in ("builtins", "dure", "asyncio"):
        return kind.__qualname__
    return f"{kind.__module__}.{kind.__qualname__}"


def _clean(value: AttributeValue) -> AttributeValue:
    if isinstance(value, str):
        return clean(value)
    return tuple(clean(one) for one in value if isinstance(one, str)) if isinstance(value, tuple) else value
