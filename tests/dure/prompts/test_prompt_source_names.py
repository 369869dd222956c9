"""Which source a text stands for, and that no password is ever told."""

import sys
from pathlib import Path

import pytest

from dure.errors import ConfigError
from dure.prompts import SourceAway, open_source
from dure.prompts.keys import is_version

SECRET = "sesame-4711"


@pytest.mark.parametrize(
    ("where", "name"),
    [
        (f"redis://someone:{SECRET}@db.example:6379/2", "redis://db.example:6379/2"),
        (f"rediss://:{SECRET}@[::1]:6380", "rediss://[::1]:6380"),
        (f"redis://db.example/0?password={SECRET}", "redis://db.example/0"),
        (f"postgresql://someone:{SECRET}@db.example/prompts?sslmode=require", "postgresql://db.example/prompts"),
        (f"postgres://someone:{SECRET}%40%2F@db.example:5433/prompts", "postgres://db.example:5433/prompts"),
        ("postgresql:///prompts?host=db.example", "postgresql:///prompts"),
    ],
)
def test_a_server_is_named_without_its_secrets(where: str, name: str) -> None:
    source = open_source(where)
    assert source.name == name
    assert SECRET not in repr(source)


def test_anything_without_a_scheme_is_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert open_source("own/prompts").name == str(tmp_path / "own" / "prompts")
    assert open_source("~/prompts").name == str(Path.home() / "prompts")


@pytest.mark.parametrize("scheme", ["redis", "postgresql"])
@pytest.mark.parametrize(
    "rest", ["someone:se/{}@host/0", "someone:se#{}@host/0", "someone:12/{}@host", "x:se?{}@host/0", "[{}", "h:{}/0"]
)
def test_a_password_that_breaks_the_url_is_not_quoted(scheme: str, rest: str) -> None:
    with pytest.raises(
        ConfigError, match=rf"the {scheme}:// URL of the prompts cannot be read; write .*%40 for @"
    ) as said:
        open_source(f"{scheme}://{rest.format(SECRET)}")
    assert SECRET not in str(said.value)
    assert said.value.__cause__ is None


@pytest.mark.parametrize("where", ["", "  "])
def test_an_empty_source_is_refused(where: str) -> None:
    with pytest.raises(ConfigError, match="the source of the prompts is empty"):
        open_source(where)


def test_an_unknown_scheme_is_refused_and_says_what_there_is() -> None:
    with pytest.raises(
        ConfigError, match="prompts cannot come from 'https'://; give a folder, redis://… or postgresql"
    ):
        open_source(f"https://someone:{SECRET}@example.com/prompts")


@pytest.mark.parametrize(("kind", "scheme"), [("redis", "redis"), ("postgres", "postgresql")])
def test_a_client_that_is_not_installed_is_named(kind: str, scheme: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, f"dure.prompts.{kind}_source", None)
    with pytest.raises(ConfigError, match=rf"need its client: pip install 'dure\[{kind}\]'"):
        open_source(f"{scheme}://127.0.0.1:1/0")


@pytest.mark.parametrize(("text", "is_one"), [("0123456789ab", True), ("0123456789AB", False), ("", False)])
def test_a_version_is_twelve_hex_digits(text: str, is_one: bool) -> None:
    assert is_version(text) is is_one


@pytest.mark.parametrize(
    "where",
    [
        f"redis://:{SECRET}@127.0.0.1:1/0",
        f"redis://:{SECRET}@127.0.0.1:1/0?nonsense={SECRET}",
        f"postgresql://a:{SECRET}@127.0.0.1:1/x",
        f"postgresql://a:{SECRET}%zz@127.0.0.1:1/x",
        f"postgresql://a:{SECRET}@127.0.0.1:1/x?nonsense=1",
    ],
)
async def test_a_server_that_cannot_be_used_is_told_of_in_one_line_without_the_secret(where: str) -> None:
    source = open_source(where, deadline=5)
    with pytest.raises(SourceAway, match=r"^cannot use .*127\.0\.0\.1:1") as said:
        await source.read()
    assert SECRET not in str(said.value)
    assert "\n" not in str(said.value)
    assert said.value.__cause__ is None
