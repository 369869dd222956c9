"""The tools and queries that tool search is measured by, and as many other tools as are wanted.

All were written by hand. `data/queries.jsonl` was in view while the glossary and the weights were made, so what it
finds says how well they were made for it; `data/unseen_queries.jsonl` was written when they were finished. Other
tools are put together from domains that none of those is from.
"""

import itertools
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dure.chat import ToolDefinition

DATA = Path(__file__).parent / "data"

_ACTIONS = (
    ("get", "Returns one {en} of the {domain} with its details.", "{domain}의 {ko} 하나를 자세히 조회합니다."),
    ("list", "Lists the {en} records of the {domain}, newest first.", "{domain}의 {ko} 목록을 최신순으로 보여 줍니다."),
    ("create", "Creates a {en} record at the {domain}.", "{domain}에 {ko}을(를) 새로 등록합니다."),
    ("update", "Changes fields of a {en} at the {domain}.", "{domain} {ko}의 항목을 수정합니다."),
    ("delete", "Deletes a {en} record of the {domain} for good.", "{domain}의 {ko} 기록을 삭제합니다."),
    ("search", "Searches {en} records of the {domain} by text.", "{domain}의 {ko}을(를) 검색어로 찾습니다."),
    ("export", "Writes {en} records of the {domain} to a file.", "{domain} {ko} 자료를 파일로 내보냅니다."),
    ("import", "Reads {en} records of the {domain} from a file.", "{domain} {ko} 자료를 파일에서 읽어들입니다."),
    ("approve", "Approves a pending {en} of the {domain}.", "대기 중인 {domain} {ko}을(를) 승인합니다."),
    ("assign", "Puts somebody in charge of a {en} at the {domain}.", "{domain} {ko}에 담당자를 배정합니다."),
    ("archive", "Moves an old {en} of the {domain} to the archive.", "{domain}의 오래된 {ko}을(를) 보관합니다."),
    ("inspect", "Runs an inspection of a {en} at the {domain}.", "{domain}의 {ko}을(를) 점검합니다."),
    ("schedule", "Plans when a {en} of the {domain} is due.", "{domain} {ko}의 일정을 잡습니다."),
    ("compare", "Compares two {en} records of the {domain}.", "{domain}의 {ko} 둘을 비교합니다."),
    ("forecast", "Predicts figures of a {en} at the {domain}.", "{domain} {ko}의 수치를 예측합니다."),
    ("validate", "Checks a {en} of the {domain} against its rules.", "{domain} {ko}이(가) 규칙에 맞는지 검증합니다."),
    ("clone", "Copies a {en} of the {domain} under a new number.", "{domain}의 {ko}을(를) 새 번호로 복제합니다."),
    ("lock", "Stops changes to a {en} of the {domain}.", "{domain} {ko}을(를) 수정하지 못하게 잠급니다."),
    ("tag", "Puts labels on a {en} of the {domain}.", "{domain} {ko}에 꼬리표를 답니다."),
    ("subscribe", "Sends news of a {en} at the {domain} to somebody.", "{domain} {ko}의 소식을 구독합니다."),
    ("measure", "Takes a reading of a {en} at the {domain}.", "{domain} {ko}을(를) 측정합니다."),
    ("calibrate", "Calibrates the instruments of a {en} at the {domain}.", "{domain} {ko}의 계측기를 교정합니다."),
    ("reserve", "Holds a {en} of the {domain} for a time.", "{domain}의 {ko}을(를) 일정 시간 확보합니다."),
    ("retire", "Takes a {en} of the {domain} out of use.", "{domain}의 {ko}을(를) 폐기 처리합니다."),
    ("audit", "Lists who changed a {en} of the {domain}.", "{domain} {ko}의 변경 이력을 감사합니다."),
    ("simulate", "Simulates what happens to a {en} at the {domain}.", "{domain} {ko}의 변화를 모의 실험합니다."),
    ("print", "Prints the sheet of a {en} of the {domain}.", "{domain} {ko} 서식을 인쇄합니다."),
    ("count", "Counts the {en} records of the {domain} by state.", "{domain} {ko} 건수를 상태별로 셉니다."),
    ("notify", "Tells the people concerned about a {en} at the {domain}.", "{domain} {ko} 관계자에게 알립니다."),
    ("benchmark", "Sets a {en} of the {domain} beside others of its kind.", "{domain} {ko}을(를) 동종과 견줍니다."),
)
_PARAMETERS = (
    {"{id}_id": "string: {en} id"},
    {"{id}_id": "string: {ko} 번호", "note?": "string: 비고"},
    {"state?": "string: Only in this state", "limit?": "integer: Rows at most", "page?": "integer: Page"},
    {"from?": "string: 시작일", "to?": "string: 종료일", "region?": "string: 구역"},
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """What a person or a model looks for, and the tools any of which is right."""

    text: str
    tools: tuple[str, ...]


def tools() -> tuple[ToolDefinition, ...]:
    """The tools written by hand."""
    return tuple(definition(one["name"], one["description"], one["parameters"]) for one in _lines(DATA / "tools.jsonl"))


def known_queries() -> tuple[Query, ...]:
    """Four queries for each of `tools()`. Glossary and weights were made with these in view."""
    return _queries("queries.jsonl")


def unseen_queries() -> tuple[Query, ...]:
    """One query for each of `tools()`, written when glossary and weights were finished, and only measured by."""
    return _queries("unseen_queries.jsonl")


def other_tools() -> Iterator[ToolDefinition]:
    """About 10,000 tools from other domains, all different, English and Korean in turns."""
    things = list(_things())
    for number, ((verb, english, korean), (domain, domain_ko, thing, thing_ko)) in enumerate(
        itertools.product(_ACTIONS, things)
    ):
        words = thing.replace("_", " ")
        if number % 2:
            about = korean.format(domain=domain_ko, ko=thing_ko)
        else:
            about = english.format(domain=domain.replace("_", " "), en=words)
        parameters = {
            name.format(id=thing): kind.format(en=words, ko=thing_ko)
            for name, kind in _PARAMETERS[(number + number // len(things)) % len(_PARAMETERS)].items()
        }
        yield definition(f"{domain}_{verb}_{thing}", about, parameters)


def tool_set(size: int) -> tuple[ToolDefinition, ...]:
    """`size` tools: those written by hand first, then others.

    Raises:
        ValueError: there are not so many.
    """
    chosen = tuple(itertools.islice(itertools.chain(tools(), other_tools()), size))
    if len(chosen) < size:
        raise ValueError(f"there are {len(chosen)} tools, not {size}")
    return chosen


def definition(name: str, description: str, parameters: dict[str, str]) -> ToolDefinition:
    """A tool from short forms of its parameters: `{"order_id": "string: Order", "reason?": "string: Why"}`."""
    properties: dict[str, Any] = {}
    for short, told in parameters.items():
        kind, _, about = told.partition(": ")
        properties[short.removesuffix("?")] = {"type": kind, "description": about}
        if kind == "array":
            properties[short.removesuffix("?")]["items"] = {"type": "string"}
    required = [short for short in parameters if not short.endswith("?")]
    schema = {"type": "object", "properties": properties, "required": required}
    return ToolDefinition(name=name, description=description, parameters=schema)


def _queries(name: str) -> tuple[Query, ...]:
    return tuple(Query(text=one["query"], tools=tuple(one["tools"])) for one in _lines(DATA / name))


def _things() -> Iterator[tuple[str, str, str, str]]:
    for line in (DATA / "filler.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        domain, _, things = line.partition(": ")
        english, _, korean = domain.partition("|")
        for thing in things.split(", "):
            name, _, thing_ko = thing.partition("/")
            yield english, korean, name, thing_ko


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    for line in path.read_text(encoding="utf-8").splitlines():
        yield json.loads(line)
