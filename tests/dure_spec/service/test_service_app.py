"""The HTTP application over stores of prompts of every kind."""

import asyncio
import shutil
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx2
import pytest
from valkey_server import running_valkey

from dure.prompts import PackagedPrompts, PromptKey, PromptStore, open_source
from dure_spec.agents.prompt_files import load_prompts, open_store
from dure_spec.service.app import create_app

TOKEN = "sesame-4711"
ADMIN = {"Authorization": f"Bearer {TOKEN}"}
BA = PromptKey("ko", "ba")
TEXT = PackagedPrompts("dure_spec").texts()[BA]
EDITED = TEXT + "\n한 줄 더\n".encode()


@asynccontextmanager
async def serving(store: PromptStore, token: str | None = TOKEN) -> AsyncGenerator[httpx2.AsyncClient]:
    transport = httpx2.ASGITransport(app=create_app(store, admin_token=token))
    async with httpx2.AsyncClient(transport=transport, base_url="http://service") as client, asyncio.timeout(60):
        yield client


async def folder_store(folder: Path) -> PromptStore:
    """A store that was loaded from a folder with one edited prompt."""
    await open_source(str(folder)).publish({BA: EDITED})
    store = open_store(str(folder))
    await store.load()
    return store


async def test_health_needs_no_token() -> None:
    async with serving(open_store(None), token=None) as client:
        answer = await client.get("/health")
    assert (answer.status_code, answer.json()["status"]) == (200, "ok")


async def test_prompts_are_listed_with_language_version_and_source(tmp_path: Path) -> None:
    store = await folder_store(tmp_path)
    async with serving(store) as client:
        answer = (await client.get("/prompts")).json()
    assert answer["source"] == str(tmp_path)
    assert len(answer["prompts"]) == 12
    assert answer["prompts"][:2] == [
        {
            "stage": "ba",
            "lang": "ko",
            "version": store.current.templates[BA].version,
            "source": str(tmp_path),
            "changed": True,
        },
        {
            "stage": "ba",
            "lang": "en",
            "version": load_prompts("en")["ba"].version,
            "source": "packaged",
            "changed": False,
        },
    ]


async def test_a_refresh_tells_old_and_new_versions(tmp_path: Path) -> None:
    store = await folder_store(tmp_path)
    old = store.current.templates[BA].version
    await open_source(str(tmp_path)).publish({BA: EDITED + b"more\n"})
    async with serving(store) as client:
        answer = await client.post("/refresh-prompts", headers=ADMIN)
        new = store.current.templates[BA].version
        assert answer.status_code == 200
        assert answer.json() == {
            "status": "swapped",
            "source": str(tmp_path),
            "changes": [{"prompt": "ko/ba", "old": old, "new": new}],
            "notes": [],
        }
        assert old != new
        again = (await client.post("/refresh-prompts", headers=ADMIN)).json()
        assert (again["status"], again["changes"]) == ("unchanged", [])


async def test_a_faulty_prompt_is_refused_with_its_faults_and_the_old_set_stays(tmp_path: Path) -> None:
    store = await folder_store(tmp_path)
    before = store.current
    await open_source(str(tmp_path)).publish({BA: TEXT.replace(b"$system", b"")})
    async with serving(store) as client:
        answer = await client.post("/refresh-prompts", headers=ADMIN)
    assert answer.status_code == 422
    assert answer.json()["error"] == {
        "code": "faulty_prompts",
        "message": f"{tmp_path} has faulty prompts: those in use stay",
        "details": [
            {
                "prompt": "ko/ba",
                "section": "sentences",
                "placeholder": "system",
                "problem": "the placeholder is missing",
                "remedy": "write $system where its value belongs",
            }
        ],
    }
    assert store.current is before


async def test_a_source_that_is_away_is_a_503_and_the_old_set_stays(tmp_path: Path) -> None:
    store = await folder_store(tmp_path / "own")
    before = store.current
    shutil.rmtree(tmp_path / "own")
    async with serving(store) as client:
        answer = await client.post("/refresh-prompts", headers=ADMIN)
    assert (answer.status_code, answer.json()["error"]["code"]) == (503, "source_away")
    assert store.current is before


async def test_a_redis_that_goes_away_and_comes_back_is_told_of_and_keeps_the_set_in_use() -> None:
    with running_valkey() as valkey:
        await open_source(valkey.url).publish({BA: EDITED})
        store = open_store(valkey.url)
        await store.load()
        before = store.current
        async with serving(store) as client:
            valkey.stop()
            gone = await client.post("/refresh-prompts", headers=ADMIN)
            assert (gone.status_code, gone.json()["error"]["code"]) == (503, "source_away")
            valkey.start()  # without what it held
            empty = await client.post("/refresh-prompts", headers=ADMIN)
            assert (empty.status_code, empty.json()["error"]["code"]) == (503, "source_away")
            assert "holds no prompts any more" in empty.json()["error"]["message"]
            assert store.current is before
            await open_source(valkey.url).publish({BA: TEXT})
            back = await client.post("/refresh-prompts", headers=ADMIN)
            assert [change["prompt"] for change in back.json()["changes"]] == ["ko/ba"]


async def test_two_refreshes_at_once_are_both_answered_and_one_of_them_swaps(tmp_path: Path) -> None:
    store = await folder_store(tmp_path)
    await open_source(str(tmp_path)).publish({BA: TEXT})
    async with serving(store) as client:
        answers = await asyncio.gather(*(client.post("/refresh-prompts", headers=ADMIN) for _ in range(2)))
    assert sorted(answer.json()["status"] for answer in answers) == ["swapped", "unchanged"]
    assert store.current.templates[BA].version == load_prompts("ko")["ba"].version


@pytest.mark.parametrize("headers", [{}, {"Authorization": "Bearer wrong"}, {"Authorization": f"Basic {TOKEN}"}])
async def test_a_wrong_token_is_a_401_and_reads_nothing(headers: dict[str, str], tmp_path: Path) -> None:
    store = await folder_store(tmp_path)
    await open_source(str(tmp_path)).publish({BA: TEXT})
    before = store.current
    async with serving(store) as client:
        answer = await client.post("/refresh-prompts", headers=headers)
    assert (answer.status_code, answer.headers["WWW-Authenticate"]) == (401, "Bearer")
    assert answer.json()["error"]["code"] == "wrong_token"
    assert TOKEN not in answer.text
    assert store.current is before


@pytest.mark.parametrize("token", [None, ""])
async def test_without_a_configured_token_the_door_is_closed_and_says_what_to_set(token: str | None) -> None:
    async with serving(open_store(None), token=token) as client:
        answer = await client.post("/refresh-prompts", headers={"Authorization": "Bearer "})
    assert answer.status_code == 403
    assert "set DURE_ADMIN_TOKEN" in answer.json()["error"]["message"]


@pytest.mark.parametrize("path", ["/health", "/prompts"])
async def test_whoever_only_wants_to_know_whether_it_is_there_may_ask_for_the_head(path: str) -> None:
    async with serving(open_store(None)) as client:
        assert (await client.head(path)).status_code == 200
        assert (await client.get("/openapi.json")).json()["paths"][path].keys() == {"get"}


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("GET", "/refresh-prompts", 405), ("GET", "/nothing", 404), ("GET", "/health/", 404), ("DELETE", "/health", 405)],
)
async def test_other_requests_are_refused_in_the_same_shape(method: str, path: str, status: int) -> None:
    async with serving(open_store(None)) as client:
        answer = await client.request(method, path)
        assert (answer.status_code, set(answer.json()["error"])) == (status, {"code", "message", "details"})
        large = await client.post("/refresh-prompts", headers=ADMIN, content=b"x" * 70_000)
        assert large.status_code == 413
