"""What is kept of a source survives a process that dies while it writes."""

import asyncio
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import command_line
import pytest

from dure.prompts import FolderPrompts, KeptPrompts, PackagedPrompts, PromptKey, PromptStore

PACKAGE = PackagedPrompts("dure_spec")
BA = PromptKey("ko", "ba")
PACKAGED = PACKAGE.texts()


def edited(key: PromptKey, mark: str) -> bytes:
    """The packaged prompt with one more line."""
    return PACKAGED[key] + f"\n{mark}\n".encode()


KILLED = """
import asyncio, os, signal, sys
from pathlib import Path
from dure.prompts import FolderPrompts, KeptPrompts, PackagedPrompts, PromptStore

def hook(event, arguments):
    written = event == "os.rename" and ".json" in os.fsdecode(arguments[1])
    if written and sys.argv[2] == "before the rename" or event == "os.chmod" and sys.argv[2] == "after the content":
        os.kill(os.getpid(), signal.SIGKILL)

sys.addaudithook(hook)
source = FolderPrompts(Path(sys.argv[1]))
asyncio.run(PromptStore(PackagedPrompts("dure_spec"), source, kept=KeptPrompts(source.name)).load())
sys.exit("nobody killed it")
"""


def store_of(source: FolderPrompts) -> PromptStore:
    return PromptStore(PACKAGE, source, kept=KeptPrompts(source.name))


@pytest.mark.parametrize("point", ["after the content", "before the rename"])
def test_a_process_killed_while_it_writes_leaves_what_was_kept_before(point: str, tmp_path: Path) -> None:
    folder = FolderPrompts(tmp_path / "own")
    asyncio.run(folder.publish({BA: edited(BA, "first")}))
    asyncio.run(store_of(folder).load())
    before = KeptPrompts(folder.name).path.read_bytes()
    asyncio.run(folder.publish({BA: edited(BA, "second")}))
    done = subprocess.run(
        [sys.executable, "-c", KILLED, folder.name, point],
        env=command_line.environment(Path(os.environ["HOME"])),
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == -signal.SIGKILL, done.stderr.decode()
    assert KeptPrompts(folder.name).path.read_bytes() == before
    shutil.rmtree(folder.name)
    store = store_of(folder)
    asyncio.run(store.load())
    assert store.current.texts()[BA] == edited(BA, "first")
