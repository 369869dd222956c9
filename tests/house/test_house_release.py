"""What a release says about itself agrees."""

import importlib.metadata
import re
import tomllib

from project_files import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_the_changelog_has_a_section_for_this_version() -> None:
    headings = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert headings[:1] == [PROJECT["version"]]


def test_every_dependency_is_pinned_for_reproducible_installs() -> None:
    pinned = set(
        re.findall(r"^([a-z0-9._-]+)==", (ROOT / "constraints.txt").read_text(encoding="utf-8"), flags=re.MULTILINE)
    )
    wanted = [*PROJECT["dependencies"], *(one for extra in PROJECT["optional-dependencies"].values() for one in extra)]
    names = {re.split(r"[\[<>=;! ]", one, maxsplit=1)[0] for one in wanted} - {"dure"}
    assert names - pinned == set(), "run `make lock`"


def test_every_command_of_the_help_can_be_loaded() -> None:
    commands = importlib.metadata.entry_points(group="dure.commands")
    assert {entry.name for entry in commands} == set(PROJECT["entry-points"]["dure.commands"])
    for entry in commands:
        assert callable(entry.load())
