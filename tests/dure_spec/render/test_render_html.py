"""`report.html`: complete, self-contained, every link lands, and nothing that came in with a name can run."""

import re
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser
from typing import Any, cast

import pytest

from dure_spec.artifacts import Artifacts, Prd
from dure_spec.render.html import html_report
from dure_spec.render.view import build_view

EVIL = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)> & </title></style>"
VOID = {"meta", "img", "br", "input", "link", "hr"}


class Page(HTMLParser):
    """Collects what a browser would see."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.unbalanced: list[str] = []
        self.text = ""
        self.feed(source)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.unbalanced.append(tag)

    def handle_data(self, data: str) -> None:
        if "script" not in self.open and "style" not in self.open:
            self.text += data

    def values(self, name: str) -> list[str]:
        return [value for _, attrs in self.tags if (value := attrs.get(name)) is not None]


def source_of(artifacts: Artifacts) -> str:
    return html_report(build_view(artifacts))


def page(artifacts: Artifacts) -> Page:
    return Page(source_of(artifacts))


def poisoned(value: object, key: str = "") -> object:
    """The same JSON with markup in every free text; ids and words of fixed sets stay."""
    free = set("name title text summary label logical def term g w t goal key metric unit entity route path".split())
    free |= set("type code computed default options definition".split())
    if isinstance(value, dict):
        return {each: poisoned(inner, each) for each, inner in cast(dict[str, object], value).items()}
    if isinstance(value, list):
        return [poisoned(inner, key) for inner in cast(list[object], value)]
    return f"{value} {EVIL}" if isinstance(value, str) and key in free else value


def poisoned_design(finished: Artifacts) -> Artifacts:
    plain = finished.model_dump(mode="json", by_alias=True)
    screen_types = [screen["type"] for screen in plain["ia"]["screens"]]
    evil: Any = poisoned(plain)
    for screen, kind in zip(evil["ia"]["screens"], screen_types, strict=True):
        screen["type"] = kind
    return Artifacts.model_validate(evil)


def test_every_section_of_a_finished_design_is_there(finished: Artifacts) -> None:
    found = page(finished)
    sections = [value for value in found.values("id") if value.startswith("s-")]
    assert sections == [
        f"s-{name}"
        for name in "overview requirements screens data states api permissions frontend trace stages open".split()
    ]
    drawings = [name for tag, attrs in found.tags if tag == "svg" and "drawing" in (name := attrs.get("class") or "")]
    assert drawings == ["drawing navigation", "drawing erd", "drawing states"]
    for text in ("주문 관리 시스템", "AC-004-2", "OUT_OF_STOCK", "조건부 통과", "local:small", "쿠폰·할인", "ORD-0001"):
        assert text in found.text


def test_page_loads_nothing_from_anywhere(finished: Artifacts) -> None:
    source = source_of(finished)
    assert not re.search(r"https?:|//[a-z]|@import|url\(", source)
    found = Page(source)
    assert not {"link", "iframe", "object", "img", "base"} & {tag for tag, _ in found.tags}
    assert found.values("src") == []
    assert all(value.startswith("#") for value in found.values("href"))


def test_every_link_lands_and_every_id_is_used_once(finished: Artifacts) -> None:
    found = page(finished)
    ids = found.values("id")
    assert len(ids) == len(set(ids))
    assert {value[1:] for value in found.values("href")} <= set(ids)
    assert found.unbalanced == []


def test_reference_to_nothing_is_text_and_no_link(finished: Artifacts) -> None:
    found = page(finished)
    assert "FR-404" in found.text
    assert "#FR-404" not in found.values("href")


def test_ids_inside_sentences_lead_to_their_places_also_before_a_particle(finished: Artifacts) -> None:
    assert '<a class="ref" href="#OP-order.create">OP-order.create</a>의 한' in source_of(finished)


def test_only_the_script_and_style_of_the_page_are_allowed(finished: Artifacts) -> None:
    source = source_of(finished)
    for tag in ("script", "style"):
        blocks = re.findall(rf"<{tag}>(.*?)</{tag}>", source, re.S)
        assert len(blocks) == 1
        allowed = b64encode(sha256(blocks[0].encode()).digest()).decode()
        policy = next(value for value in Page(source).values("content") if "default-src" in value)
        assert f"{tag}-src 'sha256-{allowed}'" in policy
        assert "default-src 'none'" in policy


def test_markup_in_names_is_shown_and_never_run(finished: Artifacts) -> None:
    found = page(poisoned_design(finished))
    assert [tag for tag, _ in found.tags].count("script") == 1
    assert "img" not in {tag for tag, _ in found.tags}
    assert not any(name.startswith("on") for _, attrs in found.tags for name in attrs)
    assert found.unbalanced == []
    assert "<script>alert(1)</script>" in found.text


@pytest.mark.parametrize("stages", [(), ("prd",), ("erd",), ("backend",), ("ia",), ("frontend",), ("prd", "ia", "erd")])
def test_stopped_run_has_a_page_of_what_exists(gold: Artifacts, stages: tuple[str, ...]) -> None:
    found = page(Artifacts.model_validate({name: getattr(gold, name) for name in stages}))
    assert found.unbalanced == []
    assert {value[1:] for value in found.values("href")} <= set(found.values("id"))
    assert "아직 끝나지 않았습니다" in found.text


def test_english_design_has_an_english_page(gold: Artifacts) -> None:
    assert gold.prd is not None
    project = gold.prd.project.model_copy(update={"lang": "en", "name": "Orders"})
    prd = Prd.model_validate(gold.prd.model_copy(update={"project": project}).model_dump(by_alias=True))
    source = html_report(build_view(gold.model_copy(update={"prd": prd})))
    assert '<html lang="en">' in source
    assert "Trace matrix" in source
    assert "추적 매트릭스" not in source


def test_lines_of_a_record_are_read_across_the_whole_panel_and_not_added_to(gold: Artifacts) -> None:
    assert gold.frontend is not None
    with_lines = next(c for c in gold.frontend.components if any(each.kind == "lines" for each in c.controls))
    record = with_lines.model_copy(update={"kind": "detail"})
    frontend = gold.frontend.model_copy(update={"components": (record,)})
    page = html_report(build_view(gold.model_copy(update={"frontend": frontend})))
    (line,) = (line for line in page.splitlines() if '<dl class="facts-list">' in line)
    assert '<div class="wide"><dt>' in line
    assert '<span class="lines"><table>' in page
    assert "줄 추가" not in page
