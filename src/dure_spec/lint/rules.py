"""What each validator is about, for people who meet its id first."""

from collections.abc import Mapping
from dataclasses import dataclass

from dure_spec.validators.policy import Text
from dure_spec.validators.registry import VALIDATORS


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A validator as a rule of a linter."""

    id: str
    name: str
    short: Text
    help: Text


_TEXTS: Mapping[str, tuple[Text, Text]] = {
    "V01": (
        Text(
            "요구사항은 그대로 만들고 시험할 수 있어야 합니다",
            "Requirements can be built and tested as they are written",
        ),
        Text(
            "모호한 낱말은 수치로 바꾸거나 지표·목표·단위가 있는 비기능 요구사항으로 옮기십시오.",
            "Replace vague words by numbers, or move them to a non-functional requirement with a target and a unit.",
        ),
    ),
    "V02": (
        Text(
            "요구사항마다 화면·테이블·오퍼레이션·컴포넌트가 있습니다",
            "Every requirement is covered by screen, table, operation and component",
        ),
        Text("빠진 산출물에 요구사항을 이으십시오.", "Connect the requirement with the artifact that lacks it."),
    ),
    "V03": (
        Text(
            "모든 경로와 링크는 볼 수 있는 화면으로 이어집니다",
            "Every route and link leads to a screen that its reader may see",
        ),
        Text("링크나 메뉴를 있는 화면으로 고치십시오.", "Point links and menus at screens that exist."),
    ),
    "V04": (
        Text("이름은 따옴표 없이, 한 가지 방식으로 씁니다", "Names need no quotes and follow one style"),
        Text(
            "테이블과 컬럼을 snake_case로, 단수나 복수 한 가지로 쓰십시오. 규칙은 [lint.names]에 있습니다.",
            "Write tables and columns in snake_case and in one number; [lint.names] in dure.toml changes the rules.",
        ),
    ),
    "V05": (
        Text("이름은 데이터베이스의 예약어가 아닙니다", "No name is a reserved word of the database"),
        Text(
            "예약어는 모든 SQL에서 따옴표를 요구합니다. 제안된 이름으로 바꾸십시오.",
            "A reserved word needs quotes in every statement; use the suggested name.",
        ),
    ),
    "V06": (
        Text("모든 행은 바뀌지 않는 키로 가릴 수 있습니다", "Every row can be told by a key that does not change"),
        Text("NOT NULL인 기본키를 두십시오.", "Give every table a primary key that is never null."),
    ),
    "V07": (
        Text("모든 참조는 선언되고 키에 이릅니다", "Every reference is declared and arrives at a key"),
        Text(
            "외래키가 있는 테이블의 기본키나 유일키를 가리키게 하고 인덱스를 두십시오.",
            "Let foreign keys reference a primary or unique key that exists, and index them.",
        ),
    ),
    "V08": (
        Text(
            "같은 값은 같은 타입이고, 타입은 뜻에 맞습니다",
            "Equal values have equal types, and types fit what names say",
        ),
        Text(
            "외래키는 대상과 같은 타입, 금액은 numeric, 전화번호와 코드는 varchar, 날짜는 날짜 타입으로 쓰십시오.",
            "Give a foreign key its target's type; money is numeric, phones and codes are varchar, dates dates.",
        ),
    ),
    "V09": (
        Text("관계의 모양대로 행을 넣을 수 있습니다", "Relations have the shape that lets rows be inserted"),
        Text(
            "N:M에는 교차 테이블, 1:1에는 UNIQUE, 순환에는 NULL을 허용하는 외래키 하나가 필요합니다.",
            "N:M needs a junction, 1:1 a UNIQUE key, and a cycle one nullable or deferrable foreign key.",
        ),
    ),
    "V10": (
        Text("한 컬럼에는 한 값, 한 사실은 한 곳에 둡니다", "One value a column, one place a fact"),
        Text(
            "반복 컬럼과 목록은 하위 테이블로, 다형 참조는 대상별 외래키로 바꾸십시오.",
            "Move numbered columns and lists to a child table; give a pair of type and id one key for each target.",
        ),
    ),
    "V11": (
        Text(
            "테이블은 이어져 있고 하나씩이며 언제 바뀌었는지 압니다",
            "Tables are connected, unique, and know when they changed",
        ),
        Text(
            "외딴 테이블을 잇고, 같은 테이블을 합치고, 등록·수정 일시 컬럼을 두십시오.",
            "Connect orphans, merge clones, and add columns that say when a row was made and last changed.",
        ),
    ),
    "V12": (
        Text("DDL은 실제 엔진에서 실행됩니다", "The DDL runs on a real engine"),
        Text("엔진의 메시지가 가리키는 문장을 고치십시오.", "Correct the statement that the message names."),
    ),
    "V13": (
        Text("업무 객체의 속성은 컬럼에 이어집니다", "Attributes of business objects have their columns"),
        Text(
            "빠진 컬럼이나 속성을 이으십시오.",
            "Map the attribute to a column that exists, or add the one that is missing.",
        ),
    ),
    "V14": (
        Text("엔드포인트와 OpenAPI 문서가 맞습니다", "Endpoints and the OpenAPI document are sound"),
        Text(
            "경로, 메서드, 응답을 관례대로 고치십시오.",
            "Follow the convention of the operation's kind for path, method and answers.",
        ),
    ),
    "V15": (
        Text("화면의 컨트롤은 API와 맞습니다", "Controls of screens fit the API"),
        Text("컨트롤을 있는 속성과 오퍼레이션에 이으십시오.", "Bind controls to attributes and operations that exist."),
    ),
}
RULES: tuple[Rule, ...] = tuple(
    Rule(id=each.id, name=each.name, short=_TEXTS[each.id][0], help=_TEXTS[each.id][1])
    for each in VALIDATORS
    if each.id in _TEXTS
)
"""In the order of their ids."""
