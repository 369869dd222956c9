"""How large one request may be, and how long it may take from its first byte to its answer."""

import asyncio

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dure.web.errors import HttpError

MAX_BYTES = 64 * 1024
SECONDS = 30.0


class RequestLimits:
    """Middleware that takes a request in before it is handed on, so that a slow or an endless one costs little."""

    def __init__(self, app: ASGIApp, *, max_bytes: int = MAX_BYTES, seconds: float = SECONDS) -> None:
        self._app = app
        self._max_bytes = max_bytes
        self._seconds = seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begun = False

        async def watched(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            async with asyncio.timeout(self._seconds):
                await self._handed_on(scope, receive, watched)
        except TimeoutError:
            if not begun:
                said = f"the request took longer than {self._seconds:g} s; try again later"
                await HttpError(503, "too_slow", said).response()(scope, receive, send)
        except asyncio.CancelledError:
            if begun:
                raise
            said = "the service is stopping; try again later"  # nobody but a server that ends cancels a request
            await HttpError(503, "stopping", said).response()(scope, receive, send)

    async def _handed_on(self, scope: Scope, receive: Receive, send: Send) -> None:
        body = bytearray()
        more = True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                return  # half a request is none
            body += message.get("body", b"")
            more = message.get("more_body", False)
            if len(body) > self._max_bytes:
                said = f"the request is larger than {self._max_bytes:,} bytes"
                refusal = HttpError(413, "too_large", said, headers={"Connection": "close"})
                await refusal.response()(scope, receive, send)
                return
        waiting: list[Message] = [{"type": "http.request", "body": bytes(body), "more_body": False}]

        async def replayed() -> Message:
            return waiting.pop() if waiting else await receive()

        await self._app(scope, replayed, send)
