import re
from pathlib import Path

import pytest
from bench.environments import BENCH, Peer, UnknownPeer, all_peers, cache_folder, chosen
from bench.setup_peers import main

TEXT = """
[aiohttp]
title = "by hand"

[agno]
title = "agno"
packages = ["agno==1.0"]
"""


def names(words: str) -> list[str]:
    return [peer.name for peer in chosen(words, all_peers(TEXT))]


def test_what_needs_no_install_is_always_measured() -> None:
    assert names("all") == ["aiohttp", "agno"]
    assert names("none") == ["aiohttp"]
    assert names("agno") == ["aiohttp", "agno"]


def test_an_unknown_peer_is_named_with_those_there_are() -> None:
    with pytest.raises(UnknownPeer, match="no peer is called crewai; choose from agno"):
        chosen("agno,crewai", all_peers(TEXT))


def test_every_peer_has_its_script_and_exact_versions() -> None:
    peers = all_peers()
    assert {path.stem for path in (BENCH / "peers").glob("with_*.py")} == {f"with_{peer.name}" for peer in peers}
    wanted = [package for peer in peers for package in peer.packages]
    assert [package for package in wanted if not re.fullmatch(r"[a-z-]+(\[[a-z]+\])?==[\d.]+", package)] == []


def test_another_version_is_another_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DURE_CACHE_DIR", str(tmp_path))
    old, new = (Peer(name="agno", title="agno", packages=(f"agno=={version}",)) for version in ("1.0", "1.1"))
    assert old.folder != new.folder
    assert old.folder.parent == cache_folder() == tmp_path / "bench"
    old.folder.mkdir(parents=True)
    assert not old.is_installed
    old.stamp.write_text("", encoding="utf-8")
    assert (old.is_installed, new.is_installed) == (True, False)


def test_setting_up_an_unknown_peer_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["crewai"]) == 2
    assert "no peer is called crewai" in capsys.readouterr().err
