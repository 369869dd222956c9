"""Connections that send no whole request: the server itself would keep them, and soon take no others."""

import asyncio
from typing import cast

from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

HEAD_SECONDS = 15.0
"""From connecting, or from the answer before, to the last header line."""


class TimedConnection(H11Protocol):
    """A connection whose client has so long to say what it wants; a body then has the limits of a request."""

    head_seconds = HEAD_SECONDS
    _overdue: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """It begins."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """A piece of a request."""
        super().data_received(data)
        if self._is_answering():
            self._wait_no_more()

    def on_response_complete(self) -> None:
        """An answer has left; another request may come."""
        super().on_response_complete()
        if not self._is_answering():
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """It ends."""
        self._wait_no_more()
        super().connection_lost(exc)

    def _is_answering(self) -> bool:
        """Whether a request's head has come whole and its answer has not left."""
        cycle = cast(RequestResponseCycle | None, self.cycle)  # none before the first request
        return cycle is not None and not cycle.response_complete

    def _wait(self) -> None:
        self._wait_no_more()
        self._overdue = self.loop.call_later(self.head_seconds, self.transport.close)

    def _wait_no_more(self) -> None:
        if self._overdue is not None:
            self._overdue.cancel()
            self._overdue = None
