"""Nothing unfinished, and no trace of the machine it was written on."""

import re
from pathlib import Path

import pytest
from project_files import ROOT, python_files, shown, tracked_files

UNFINISHED = re.compile(r"\b(?:TODO|FIXME|XXX|HACK)\b|\braise NotImplementedError\b")
# Written in pieces, so that this file does not find itself.
HOSTS = re.compile("|".join((r"pypi\.or" + "g", r"python" + r"hosted\.org", r"npm" + r"js\.org", "index-" + "url *=")))
PLACES = re.compile(r"(?<![\w.:/-])/(?:" + "|".join(("wor" + "k", "ro" + "ot", "Use" + "rs", "ho" + "me")) + r")/\w")
EXEMPT = ("LICENSE", "src/dure_spec/render/vendor/")
"""Files of others, kept as they came."""


def test_source_has_nothing_unfinished() -> None:
    assert _hits(python_files("src"), UNFINISHED) == []


def test_no_file_names_a_registry_host() -> None:
    assert _hits(_texts(), HOSTS) == []


def test_no_file_names_a_place_on_somebodys_machine() -> None:
    assert _hits(_texts(), PLACES) == []


@pytest.mark.parametrize("line", ["see /" + "home/kim/dure", "cd '/" + "work/main'"])
def test_a_place_on_a_machine_would_be_found(line: str) -> None:
    assert PLACES.search(line)
    assert not PLACES.search(f"https://example.com{line.split()[-1].strip(chr(39))}")


def _texts() -> list[Path]:
    return [path for path in tracked_files() if not shown(path).startswith(EXEMPT) and not _binary(path)]


def _binary(path: Path) -> bool:
    return b"\0" in path.read_bytes()[:8192]


def _hits(paths: list[Path], pattern: re.Pattern[str]) -> list[str]:
    assert paths, f"no files below {ROOT}"
    return [
        f"{shown(path)}:{number}: {line.strip()[:120]}"
        for path in paths
        for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), start=1)
        if pattern.search(line)
    ]
