import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from dure.chat import ChatRequest
from dure.errors import ConnectionFailed, ModelUnavailable
from dure.messages import UserMessage
from dure.models.local import LocalModel
from dure.models.local_process import COMMAND, Endpoint, LocalServer, ServerSpec, SharedServers, runtime_is_installed
from dure.run import RunContext

STAND_IN = """
import http.server, json, sys, threading
from pathlib import Path
from dure.models.local_server import serve

def start(settings):
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            self.rfile.read(int(self.headers["Content-Length"]))
            known = self.headers["Authorization"] == "Bearer " + settings.api_key
            told = f"{settings.context} {settings.parallel} {settings.threads} {Path(settings.model).name}"
            message = {"content": told}
            body = json.dumps({"choices": [{"message": message, "finish_reason": "stop"}]}).encode()
            self.send_response(200 if known else 401)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
    server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"

serve(start)
"""
BROKEN = """
from dure.models.local_server import serve

def start(settings):
    raise RuntimeError("the file is no model")

serve(start)
"""
OWNER = """
import asyncio, sys
from pathlib import Path
from dure.models.local_process import LocalServer, ServerSpec

async def main():
    command = tuple(sys.argv[1:])
    server = LocalServer(ServerSpec(model=Path("w.gguf"), context=8, parallel=2, threads=1, command=command))
    server.join()
    await server.endpoint()
    print(server.process_id, server.folder, flush=True)
    await asyncio.sleep(60)

asyncio.run(main())
"""
pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at processes through /proc")
REQUEST = ChatRequest(messages=(UserMessage(text="?"),))


def command(folder: Path, source: str = STAND_IN) -> tuple[str, ...]:
    script = folder / "server.py"
    script.write_text(source, encoding="utf-8")
    return (sys.executable, str(script))


def local_model(folder: Path, source: str = STAND_IN, *, context: int = 8, parallel: int = 2) -> LocalModel:
    weights = folder / "small-1.5b.gguf"
    weights.write_bytes(b"weights")
    return LocalModel(weights, threads=1, command=command(folder, source), context=context, parallel=parallel)


def spec(folder: Path, source: str = STAND_IN, *, seconds: float = 20) -> ServerSpec:
    return ServerSpec(
        model=folder / "w", context=8, parallel=2, threads=1, command=command(folder, source), start_seconds=seconds
    )


async def started(server: LocalServer) -> Endpoint:
    async with asyncio.timeout(20):
        return await server.endpoint()


async def until(happened: Callable[[], bool]) -> None:
    async with asyncio.timeout(10):
        while not happened():  # noqa: ASYNC110 a process that ends sets no event
            await asyncio.sleep(0.02)


def command_line(process: int) -> str:
    return Path(f"/proc/{process}/cmdline").read_text(encoding="utf-8")


def is_running(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text(encoding="utf-8").split(")")[-1].split()[0] != "Z"
    except FileNotFoundError:
        return False


async def test_a_local_model_answers_by_way_of_its_child(tmp_path: Path) -> None:
    model = local_model(tmp_path, context=64, parallel=4)
    async with asyncio.timeout(20):
        await model.start()
        response = await model.chat(REQUEST, RunContext())
        await model.close()
        await model.close()
    assert response.text == "64 4 1 small-1.5b.gguf"
    assert (response.model, model.name) == ("local:small-1.5b", "local:small-1.5b")


async def test_models_with_the_same_weights_share_one_child_until_the_last_leaves(tmp_path: Path) -> None:
    one, two = local_model(tmp_path), local_model(tmp_path)
    async with asyncio.timeout(20):
        await asyncio.gather(one.start(), two.start())
        assert one.server is two.server
        child = one.server.process_id
        assert child is not None
        await one.close()
        assert is_running(child)
        assert (await two.chat(REQUEST, RunContext())).text
        await two.close()
    assert not is_running(child)


async def test_a_model_that_was_closed_can_be_used_again(tmp_path: Path) -> None:
    model = local_model(tmp_path)
    async with asyncio.timeout(20):
        await model.start()
        await model.close()
        assert (await model.chat(REQUEST, RunContext())).text
        await model.close()


async def test_a_child_that_died_is_started_again_for_the_next_call(tmp_path: Path) -> None:
    model = local_model(tmp_path)
    async with asyncio.timeout(20):
        await model.start()
        child, folder = model.server.process_id, model.server.folder
        assert child is not None
        assert folder is not None
        os.kill(child, signal.SIGKILL)
        await until(lambda: os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT | os.WNOHANG) is not None)
        assert (await model.chat(REQUEST, RunContext())).text
        assert not folder.exists()
        await model.close()


async def test_only_the_owner_has_the_key(tmp_path: Path) -> None:
    server = LocalServer(spec(tmp_path))
    server.join()
    endpoint = await started(server)
    assert len(endpoint.api_key) > 20
    assert server.folder is not None
    assert server.process_id is not None
    assert endpoint.api_key not in command_line(server.process_id)
    assert server.folder.stat().st_mode & 0o077 == 0
    server.leave()


async def test_a_child_that_cannot_start_is_explained_with_its_log(tmp_path: Path) -> None:
    model = local_model(tmp_path, BROKEN)
    async with asyncio.timeout(20):
        with pytest.raises(ModelUnavailable, match=r"ended with code 1 .*the file is no model; check the weights"):
            await model.start()
        await model.close()


async def test_everybody_who_waits_for_a_child_that_cannot_start_is_told(tmp_path: Path) -> None:
    server = LocalServer(spec(tmp_path, BROKEN))
    told = await asyncio.gather(started(server), started(server), return_exceptions=True)
    assert [type(error) for error in told] == [ModelUnavailable, ModelUnavailable]


async def test_a_child_that_says_nothing_is_given_up_after_its_time(tmp_path: Path) -> None:
    server = LocalServer(spec(tmp_path, "import sys; sys.stdin.buffer.read()", seconds=0.2))
    with pytest.raises(ModelUnavailable, match=r"did not answer within 0\.2 s; check the weights"):
        await started(server)
    assert server.process_id is None


async def test_a_child_that_ignores_the_end_of_its_pipe_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dure.models.local_process._STOP_SECONDS", 0.1)
    server = LocalServer(spec(tmp_path, STAND_IN.replace("serve(start)", STUBBORN)))
    server.join()
    await started(server)
    child = server.process_id
    assert child is not None
    server.leave()
    assert not is_running(child)


STUBBORN = """
import msgspec
from dure.models.local_server import ADDRESS_FILE, ServerSettings
settings = msgspec.json.decode(sys.stdin.buffer.readline(), type=ServerSettings)
(Path(settings.folder) / ADDRESS_FILE).write_text(start(settings))
threading.Event().wait(60)
"""


async def test_a_program_that_is_not_there_is_named(tmp_path: Path) -> None:
    server = LocalServer(replace(spec(tmp_path), command=(str(tmp_path / "none"),)))
    with pytest.raises(ModelUnavailable, match="cannot start the local model server"):
        await started(server)


async def test_missing_weights_are_named_with_the_next_step(tmp_path: Path) -> None:
    model = LocalModel(tmp_path / "none.gguf", command=command(tmp_path))
    with pytest.raises(ModelUnavailable, match="dure models pull"):
        await model.chat(REQUEST, RunContext())


async def test_a_missing_runtime_is_named_with_its_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dure.models.local.runtime_is_installed", lambda: False)
    weights = tmp_path / "w.gguf"
    weights.write_bytes(b"")
    with pytest.raises(ModelUnavailable, match=r"dure\[local\]"):
        await LocalModel(weights, command=COMMAND).start()
    assert isinstance(runtime_is_installed(), bool)


def test_capabilities_tell_slots_grammar_and_size(tmp_path: Path) -> None:
    capabilities = local_model(tmp_path, context=8192, parallel=2).capabilities
    assert (capabilities.grammar, capabilities.json_schema, capabilities.small) == (True, True, True)
    assert (capabilities.context_window, capabilities.parallel) == (4096, 2)
    assert not LocalModel(tmp_path / "big-7b.gguf").capabilities.small
    assert LocalModel(tmp_path / "nameless.gguf").capabilities.small


def owner_with_child(folder: Path) -> tuple[subprocess.Popen[bytes], int, Path]:
    script = folder / "owner.py"
    script.write_text(OWNER, encoding="utf-8")
    owner = subprocess.Popen(
        [sys.executable, str(script), *command(folder)], stdout=subprocess.PIPE, start_new_session=True
    )
    assert owner.stdout is not None
    child, place = owner.stdout.readline().decode().split()
    owner.stdout.close()
    return owner, int(child), Path(place)


async def test_the_child_is_gone_after_its_owner_was_killed(tmp_path: Path) -> None:
    owner, child, folder = await asyncio.wait_for(asyncio.to_thread(owner_with_child, tmp_path), 20)
    assert is_running(child)
    owner.kill()
    owner.wait(10)
    await until(lambda: not is_running(child) and not folder.exists())


async def test_ctrl_c_of_the_whole_group_ends_owner_and_child(tmp_path: Path) -> None:
    owner, child, folder = await asyncio.wait_for(asyncio.to_thread(owner_with_child, tmp_path), 20)
    os.kill(child, signal.SIGINT)
    assert is_running(child)
    os.killpg(owner.pid, signal.SIGINT)
    owner.wait(10)
    await until(lambda: not is_running(child) and not folder.exists())


async def test_a_call_to_a_child_that_just_died_fails_as_a_connection(tmp_path: Path) -> None:
    model = local_model(tmp_path)
    async with asyncio.timeout(20):
        await model.start()
        child = model.server.process_id
        assert child is not None
        os.kill(child, signal.SIGSTOP)
        waiting = asyncio.create_task(model.chat(REQUEST, RunContext()))
        await asyncio.sleep(0.05)
        os.kill(child, signal.SIGKILL)
        with pytest.raises(ConnectionFailed):
            await waiting
        await model.close()


async def test_what_still_runs_when_the_owner_exits_is_stopped(tmp_path: Path) -> None:
    servers = SharedServers()
    used, unused = servers.of(spec(tmp_path)), servers.of(spec(tmp_path, seconds=1))
    await started(used)
    child = used.process_id
    assert child is not None
    servers.stop_all()
    assert not is_running(child)
    assert unused.process_id is None


async def test_a_log_that_cannot_be_read_leaves_the_reason_without_it(tmp_path: Path) -> None:
    source = "import sys, json, shutil; shutil.rmtree(json.loads(sys.stdin.readline())['folder']); sys.exit(3)"
    with pytest.raises(ModelUnavailable, match="ended with code 3 while it started; check"):
        await started(LocalServer(spec(tmp_path, source)))
