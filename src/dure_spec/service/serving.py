"""Runs the service until somebody stops it: the socket first, so that a taken port is told in one line."""

import asyncio
import errno
import logging
import os
import signal
import socket
from collections.abc import Callable, Generator
from contextlib import contextmanager

import uvicorn
from fastapi import FastAPI

from dure.errors import ConfigError
from dure_spec.service.connections import TimedConnection

_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_AT_ONCE = 200
_STOPPING_SECONDS = 10


class _Server(uvicorn.Server):
    """Ends by itself after a signal; uvicorn would raise the signal again, as if the process had failed."""

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        loop = asyncio.get_running_loop()
        for number in _SIGNALS:
            loop.add_signal_handler(number, self.handle_exit, number, None)
        try:
            yield
        finally:
            for number in _SIGNALS:
                loop.remove_signal_handler(number)


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens; port 0 takes any that is free.

    Raises:
        ConfigError: the address cannot be had.
    """
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family)
    except (OSError, OverflowError, UnicodeError) as error:
        if isinstance(error, OSError) and error.errno == errno.EADDRINUSE:
            raise ConfigError(f"port {port} of {host} is taken; give another one, or --port 0 for any") from error
        said = _said(error)
        raise ConfigError(f"cannot listen on {host[:80]!r}, port {port}: {said}; give another --host") from error


def _said(error: Exception) -> str:
    """What the system says, without the address once more."""
    number = error.errno if isinstance(error, OSError) else None
    return os.strerror(number) if number and number > 0 else getattr(error, "strerror", None) or str(error)


async def serve(app: FastAPI, listening: socket.socket, started: Callable[[], None]) -> None:
    """Answer requests until SIGINT or SIGTERM; those that were begun are answered first."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    config = uvicorn.Config(
        app,
        http=TimedConnection,
        log_config=None,
        access_log=False,
        server_header=False,
        limit_concurrency=_AT_ONCE,
        timeout_graceful_shutdown=_STOPPING_SECONDS,
    )
    started()
    await _Server(config).serve(sockets=[listening])
