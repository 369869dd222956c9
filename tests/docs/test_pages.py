"""Every example of the documentation is a file that runs and prints what the page says."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest

import dure
from dure import errors, events
from dure.advisors import order

ROOT = Path(__file__).parents[2]
PAGES = sorted((ROOT / "docs").glob("*.md"))
SOURCES = sorted((ROOT / "docs_src").glob("*.py"))

_SHOWN = re.compile(r"<!-- docs_src/(\w+)\.py -->\n```python\n(.*?)```\n(?:```text\n(.*?)```\n)?", re.DOTALL)
_SHOWN_AT = [(page, *match.groups()) for page in PAGES for match in _SHOWN.finditer(page.read_text(encoding="utf-8"))]
_NAMES = [name for _, name, _, _ in _SHOWN_AT]


def test_every_example_is_shown_once() -> None:
    assert SOURCES
    assert sorted(_NAMES) == [source.stem for source in SOURCES]


def test_no_page_has_python_that_is_not_an_example() -> None:
    blocks = sum(page.read_text(encoding="utf-8").count("```python") for page in PAGES)
    assert blocks == len(_SHOWN_AT)


@pytest.mark.parametrize(("page", "name", "code", "printed"), _SHOWN_AT, ids=_NAMES)
def test_an_example_prints_what_its_page_says(page: Path, name: str, code: str, printed: str, tmp_path: Path) -> None:
    source = ROOT / "docs_src" / f"{name}.py"
    assert code == source.read_text(encoding="utf-8"), f"{page.name} does not show {source.name} as it is"
    turns = source.with_suffix(".jsonl")
    plain = {key: value for key, value in os.environ.items() if not key.startswith(("DURE_", "OPENAI_", "ANTHROPIC_"))}
    environment = {**plain, "DURE_MODEL": f"scripted:{turns}", "PYTHONUTF8": "1"}
    done = subprocess.run(
        [sys.executable, "-W", "error", str(source)],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, printed), done.stderr


def test_every_page_is_listed_and_every_link_leads_somewhere() -> None:
    index = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    assert [page.name for page in PAGES if page.name != "README.md" and f"]({page.name})" not in index] == []
    for page in PAGES:
        links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
        assert [link for link in links if not (page.parent / link).exists()] == [], page.name


def _not_in(page: str, names: set[str]) -> set[str]:
    """Those that the page does not tell of, outside its examples."""
    text = re.sub(r"```.*?```", "", (ROOT / "docs" / page).read_text(encoding="utf-8"), flags=re.DOTALL)
    return {name for name in names if re.search(rf"`{name}`", text) is None}


def test_every_public_name_every_event_error_and_order_is_told_of() -> None:
    written = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    assert [name for name in dure.__all__ if re.search(rf"\b{name}\b", written) is None] == []
    assert _not_in("events.md", {event.__name__ for event in get_args(events.Event)}) == set()
    kinds = {name for name, one in vars(errors).items() if isinstance(one, type) and one.__module__ == errors.__name__}
    assert _not_in("errors.md", kinds) == set()
    assert _not_in("advisors.md", {name for name in vars(order) if name.isupper()}) == set()
