"""What a model is told about finding tools, in Korean and English."""

import re
from collections.abc import Sequence

from dure.chat import ToolDefinition
from dure.tools.search.search_tool import SEARCH_TOOL_NAME, Language
from dure.tools.search.sentences import first_sentence

_HANGUL = re.compile("[가-힣]")

_SEARCH_SUFFIX: dict[Language, str] = {
    "en": (
        f"There are more tools than those you see. If none of them fits, call {SEARCH_TOOL_NAME} with what has to be "
        "done, then call the tool it found. If what it found does not fit, search again in other words."
    ),
    "ko": (
        f"지금 보이는 툴이 전부가 아닙니다. 알맞은 툴이 보이지 않으면 {SEARCH_TOOL_NAME}로 필요한 일을 검색한 뒤 "
        "찾은 툴을 호출하세요. 검색 결과가 맞지 않으면 다른 표현으로 다시 검색하세요."
    ),
}
_MENU: dict[Language, str] = {
    "en": "These tools are always there. Call them directly when they fit, without searching:\n{menu}",
    "ko": "다음 툴은 늘 사용할 수 있습니다. 상황에 맞으면 검색하지 말고 바로 호출하세요:\n{menu}",
}
_BEYOND_MENU: dict[Language, str] = {
    "en": (
        f"For anything else, call {SEARCH_TOOL_NAME} with what has to be done, then call the tool it found. "
        "If what it found does not fit, search again in other words."
    ),
    "ko": (
        f"그 밖의 일이 필요하면 {SEARCH_TOOL_NAME}로 알맞은 툴을 찾은 뒤 그 툴을 호출하세요. "
        "검색 결과가 맞지 않으면 다른 표현으로 다시 검색하세요."
    ),
}
_FOUND: dict[Language, str] = {
    "en": "Found; call the one that fits by its name:",
    "ko": "찾은 툴입니다. 알맞은 것을 이름으로 호출하세요:",
}
_NOTHING: dict[Language, str] = {
    "en": "No tool fits {query!r}. Search again in other words: what is to be done, and to what.",
    "ko": "{query!r}에 맞는 툴이 없습니다. 무엇을 어떻게 할지 다른 말로 다시 검색하세요.",
}
_VISIBLE: dict[Language, str] = {
    "en": "{name} is visible already; call it directly.",
    "ko": "{name}은(는) 이미 보입니다. 바로 호출하세요.",
}
_BROKEN: dict[Language, str] = {
    "en": "The search for tools does not work now ({reason}). From the next step on all tools are shown.",
    "ko": "지금은 툴 검색이 되지 않습니다({reason}). 다음 단계부터 모든 툴이 보입니다.",
}
_QUOTED = 80


def language_of(text: str) -> Language:
    """Korean as soon as there is a Hangul syllable, since Korean texts are full of English words."""
    return "ko" if _HANGUL.search(text) else "en"


def search_suffix(language: Language) -> str:
    """How to look for tools that are not shown."""
    return _SEARCH_SUFFIX[language]


def menu_suffix(language: Language, always: Sequence[ToolDefinition], *, searching: bool) -> str:
    """What is always there, a line a tool, and how to look for the others."""
    if not always:
        return search_suffix(language) if searching else ""
    menu = "\n".join(_line(definition) for definition in always)
    text = _MENU[language].format(menu=menu)
    return f"{text}\n\n{_BEYOND_MENU[language]}" if searching else text


def found_text(language: Language, query: str, found: Sequence[ToolDefinition]) -> str:
    """The result of a search."""
    if not found:
        return _NOTHING[language].format(query=query[:_QUOTED])
    return "\n".join((_FOUND[language], *map(_line, found)))


def visible_text(language: Language, name: str) -> str:
    """The result of a search for a tool that is always there."""
    return _VISIBLE[language].format(name=name)


def broken_text(language: Language, reason: str) -> str:
    """The result of a search that failed."""
    return _BROKEN[language].format(reason=reason)


def _line(definition: ToolDefinition) -> str:
    about = first_sentence(definition.description)
    return f"- {definition.name}: {about}" if about else f"- {definition.name}"
