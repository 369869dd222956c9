"""The child process that runs a model for its owner: `python -m dure.models.local_server`.

    owner ── stdin: one line of settings, then silence ──▶ child ── folder/address ──▶ owner

The open pipe is the leash: when it ends, for whatever reason the owner ended, the child is gone too.
"""

import os
import select
import shutil
import signal
import sys
import threading
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

import msgspec

ADDRESS_FILE = "address"
"""Written into the folder, whole or not at all, once requests are answered."""
LOG_FILE = "log"

_POLL_SECONDS = 1.0
_CACHE_MIB = 1024
_WARNINGS = 2


class ServerSettings(msgspec.Struct, frozen=True, kw_only=True):
    """What the owner tells the child."""

    model: str
    """Path of the weights."""
    context: int
    """Tokens of all slots together."""
    parallel: int
    threads: int
    api_key: str
    folder: str
    """Private to this pair of processes; removed with the child."""


def serve(start: Callable[[ServerSettings], str]) -> NoReturn:  # pragma: no cover - runs in a child, see test_local
    """Run a server under the owner's leash; `start` gives its address and keeps it running."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; the owner decides
    settings = msgspec.json.decode(sys.stdin.buffer.readline(), type=ServerSettings)
    folder = Path(settings.folder)
    threading.Thread(target=_end_with_owner, args=(os.getppid(), folder), daemon=True).start()
    try:
        address = start(settings)
    except Exception as error:  # the whole process is for this one call; the owner reads the log's end
        sys.stderr.write(f"cannot run {settings.model!r}: {error}\n")
        raise SystemExit(1) from None
    draft = folder / f"{ADDRESS_FILE}.draft"
    draft.write_text(address, encoding="utf-8")
    draft.replace(folder / ADDRESS_FILE)
    while True:
        threading.Event().wait(3600)


def _end_with_owner(owner: int, folder: Path) -> None:  # pragma: no cover - runs in a child, see test_local
    # A forked copy of the owner may hold the pipe open, so a changed parent ends it as well.
    pipe = sys.stdin.fileno()
    while os.getppid() == owner:
        if sys.platform == "win32" or select.select([pipe], [], [], _POLL_SECONDS)[0]:
            if not os.read(pipe, 4096):
                break
    shutil.rmtree(folder, ignore_errors=True)
    os._exit(0)  # the server's own threads would keep an ordinary exit waiting


def start_llama(settings: ServerSettings) -> str:  # pragma: no cover - needs real weights
    """Load the weights and answer on a free port of the loopback interface."""
    llama: Any = import_module("xllamacpp")
    params = llama.CommonParams()
    params.model.path = settings.model
    params.n_ctx = settings.context
    params.n_parallel = settings.parallel
    params.cpuparams.n_threads = settings.threads
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.api_keys = [settings.api_key]
    params.cache_prompt = True
    params.cache_ram_mib = _CACHE_MIB
    params.ui = False
    params.verbosity = _WARNINGS
    server = llama.Server(params)
    _RUNNING.append(server)
    return str(server.listening_address)


_RUNNING: list[object] = []
"""Keeps the server alive: it stops when it is collected."""


if __name__ == "__main__":  # pragma: no cover - the child
    serve(start_llama)
