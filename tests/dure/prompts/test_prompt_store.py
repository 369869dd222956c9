"""The store: only a whole set is swapped in, and there is always one to go on with."""

import asyncio
import json
import logging
import os
import shutil
import stat
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from dure.errors import ConfigError
from dure.prompts import FolderPrompts, KeptPrompts, PackagedPrompts, PromptKey, PromptStore
from dure.prompts.keys import raw_version

PACKAGE = PackagedPrompts("dure_spec")
BA, DBA = PromptKey("ko", "ba"), PromptKey("en", "dba")
PACKAGED = PACKAGE.texts()


def edited(key: PromptKey, mark: str) -> bytes:
    """The packaged prompt with one more line."""
    return PACKAGED[key] + f"\n{mark}\n".encode()


@pytest.fixture
async def folder(tmp_path: Path) -> AsyncGenerator[FolderPrompts]:
    source = FolderPrompts(tmp_path / "own")
    async with asyncio.timeout(30):
        await source.publish({BA: edited(BA, "first")})
        yield source


def left_empty(source: FolderPrompts) -> None:
    """As a mount point that lost its disk."""
    Path(source.name).mkdir()


def link_to_nothing(path: Path) -> None:
    """As of a disk that is not there."""
    path.unlink()
    path.symlink_to("nowhere.md")


def store_of(source: FolderPrompts) -> PromptStore:
    return PromptStore(PACKAGE, source, kept=KeptPrompts(source.name))


async def test_a_source_overrides_some_prompts_and_the_package_has_the_rest(folder: FolderPrompts) -> None:
    store = store_of(folder)
    outcome = await store.load()
    assert outcome.status == "swapped"
    assert [(change.key, change.old, change.new) for change in outcome.changes] == [
        (BA, raw_version(PACKAGED[BA]), raw_version(edited(BA, "first")))
    ]
    assert store.current.texts() == {**PACKAGED, BA: edited(BA, "first")}
    assert (store.current.origin(BA), store.current.origin(DBA)) == (folder.name, "packaged")


async def test_nothing_is_read_until_somebody_says_refresh(folder: FolderPrompts) -> None:
    store = store_of(folder)
    await store.load()
    before = store.current
    await folder.publish({BA: edited(BA, "second"), DBA: edited(DBA, "new")})
    assert store.current is before
    outcome = await store.refresh()
    assert [change.key for change in outcome.changes] == [DBA, BA]
    assert before.texts()[BA] == edited(BA, "first")
    assert (await store.refresh()).status == "unchanged"


async def test_one_faulty_prompt_keeps_the_whole_old_set(folder: FolderPrompts) -> None:
    store = store_of(folder)
    await store.load()
    before = store.current
    await folder.publish({BA: edited(BA, "$nobody"), DBA: edited(DBA, "good")})
    outcome = await store.refresh()
    assert (outcome.status, outcome.good, outcome.changes) == ("faulty", False, ())
    assert [(fault.prompt, fault.placeholder) for fault in outcome.faults] == [("ko/ba", "nobody")]
    assert outcome.trouble().startswith(f"{folder.name} has faulty prompts: ko/ba [repair] $nobody")
    assert store.current is before
    await folder.publish({BA: edited(BA, "better")})
    assert [change.key for change in (await store.refresh()).changes] == [DBA, BA]


async def test_a_folder_that_disappears_keeps_the_old_set(folder: FolderPrompts) -> None:
    store = store_of(folder)
    await store.load()
    before = store.current
    shutil.rmtree(folder.name)
    outcome = await store.refresh()
    assert (outcome.status, outcome.reason) == (
        "away",
        f"the prompt folder {folder.name} is not there; make it with: dure prompts export {folder.name}",
    )
    left_empty(folder)
    outcome = await store.refresh()
    assert (outcome.status, outcome.reason) == (
        "away",
        f"{folder.name} holds no prompts any more, where it held 1; publish them again",
    )
    assert store.current is before


async def test_a_link_that_leads_nowhere_keeps_the_old_set(folder: FolderPrompts) -> None:
    store = store_of(folder)
    await store.load()
    before = store.current
    link_to_nothing(Path(folder.name) / "ko" / "ba.md")
    outcome = await store.refresh()
    assert (outcome.status, store.current) == ("away", before)
    assert outcome.reason == f"{folder.name}/ko/ba.md is a link that leads nowhere; put a file there, or remove it"


async def test_a_folder_whose_name_is_no_text_works_like_any_other(tmp_path: Path) -> None:
    source = FolderPrompts(tmp_path / "own-\udcff")
    await source.publish({BA: edited(BA, "first")})
    assert source.name == f"{tmp_path}/own-\\xff"
    assert (await store_of(source).load()).status == "swapped"
    assert store_of(source).restore()


async def test_one_prompt_that_is_taken_away_is_the_packaged_one_again(folder: FolderPrompts) -> None:
    await folder.publish({DBA: edited(DBA, "x")})
    store = store_of(folder)
    await store.load()
    (Path(folder.name) / "ko" / "ba.md").unlink()
    outcome = await store.refresh()
    assert outcome.notes == ("ko/ba is not there any more: the packaged one is used",)
    assert store.current.texts() == {**PACKAGED, DBA: edited(DBA, "x")}


async def test_a_source_without_prompts_is_noted(tmp_path: Path) -> None:
    store = store_of(FolderPrompts(tmp_path))
    outcome = await store.load()
    assert (outcome.status, outcome.notes) == (
        "unchanged",
        (f"{tmp_path} holds no prompts: the packaged ones are used",),
    )


async def test_without_a_source_there_are_the_packaged_prompts(tmp_path: Path) -> None:
    store = PromptStore(PACKAGE)
    assert (await store.load()).status == "unchanged"
    assert store.current.texts() == PACKAGED
    assert not store.restore()


@pytest.mark.parametrize("ruin", ["gone", "faulty"])
async def test_a_process_that_begins_while_the_source_is_bad_goes_on_with_what_was_kept(
    ruin: str, folder: FolderPrompts, caplog: pytest.LogCaptureFixture
) -> None:
    await store_of(folder).load()
    if ruin == "gone":
        shutil.rmtree(folder.name)
    else:
        await folder.publish({BA: b"=== system\n"})
    later = store_of(folder)
    outcome = await later.load()
    assert outcome.status == ("away" if ruin == "gone" else "faulty")
    assert later.current.texts()[BA] == edited(BA, "first")
    assert later.current.origin(BA).startswith(f"{folder.name}, kept ")
    (warning,) = [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING]
    assert warning == f"{outcome.trouble()}; going on with the prompts kept of an earlier time"


async def test_a_process_that_has_nothing_to_begin_with_says_why(folder: FolderPrompts) -> None:
    await folder.publish({BA: b"=== system\n"})
    store = store_of(folder)
    with pytest.raises(
        ConfigError, match=r"faulty prompts: .*and \d+ more \(nothing is kept of an earlier time; without a source"
    ):
        await store.load()
    assert store.current is store.package


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"source": 1}', b"\xff\xfe\x00"])
async def test_a_damaged_file_of_kept_prompts_is_not_used(
    content: bytes, folder: FolderPrompts, caplog: pytest.LogCaptureFixture
) -> None:
    store = store_of(folder)
    await store.load()
    KeptPrompts(folder.name).path.write_bytes(content)
    assert not store_of(folder).restore()
    assert "cannot be read and are not used" in caplog.text


async def test_kept_prompts_that_do_not_fit_any_more_or_are_of_another_source_are_not_used(
    folder: FolderPrompts, caplog: pytest.LogCaptureFixture
) -> None:
    store = store_of(folder)
    await store.load()
    path = KeptPrompts(folder.name).path
    kept = json.loads(path.read_bytes())
    path.write_text(json.dumps({**kept, "source": "elsewhere"}), encoding="utf-8")
    assert not store_of(folder).restore()
    path.write_text(json.dumps({**kept, "prompts": {"ko/ba": "=== system\nx"}}), encoding="utf-8")
    assert not store_of(folder).restore()
    assert "do not fit any more: ko/ba" in caplog.text


async def test_kept_prompts_are_for_their_owner_only_and_old_halves_are_swept(folder: FolderPrompts) -> None:
    path = KeptPrompts(folder.name).path
    path.parent.mkdir(parents=True)
    old, young = path.parent / f".{path.name}.old", path.parent / f".{path.name}.young"
    old.write_text("half", encoding="utf-8")
    young.write_text("half", encoding="utf-8")
    os.utime(old, (0, 0))
    await store_of(folder).load()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert (old.exists(), young.exists()) == (False, True)


async def test_a_disk_that_cannot_keep_prompts_ends_nothing(
    folder: FolderPrompts, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    monkeypatch.setenv("DURE_CACHE_DIR", str(tmp_path / "file"))
    store = store_of(folder)
    assert (await store.load()).status == "swapped"
    assert "cannot be kept for when" in caplog.text


def test_a_package_without_usable_prompts_is_a_damaged_installation() -> None:
    with pytest.raises(ConfigError, match="the packaged prompts are damaged; install dure again"):
        PromptStore(PackagedPrompts("dure_spec", "intake"))
