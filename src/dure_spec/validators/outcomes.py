"""Outcomes of acceptance criteria that nobody can check: nothing said, or nothing to be seen."""

import re

from dure_spec.artifacts.prd import Criterion

_KOREAN = re.compile(
    r"(?:시스템|화면|기능|요청|작업|결과|모든|것|전부|모두|업무|사용자|그것|이것)(?:[이가은는을를도]|에)?"
    r"|(?:정상|올바르게|바르게|제대로|잘|성공적으로|문제|이상|오류|없이|문제없이|예상|기대|의도|원하는|한|대로|예상대로|의도대로|기대대로|바로|즉시|또는)"
    r"|정상적(?:으로|이다)|정상이(?:다|어야)|(?:처리|동작|작동|수행|실행|성공|완료|진행|해결|반영|운영|만족)(?:이|가|에|을|를|은|는)?"
    r"(?:된다|되어야|돼야|한다|하여야|해야|됨|함|되었다|했다|됩니다|합니다|이다|되고|하고)?"
    r"|한다|된다|있다|수|괜찮다|ok|[가-힣]*만족스럽다"
)
_ENGLISH = frozenset(
    """
    then the a an every all its it they this that system application app platform request feature function
    operation action task process result outcome everything user case thing shall should must will can is are be
    been has have gets get was were behaves behave runs run correctly properly successfully well fine as
    expected intended desired normally appropriately smoothly accordingly works work worked working functions
    functional succeeds succeed succeeded handled processed performed done executed ok okay success successful
    happy satisfied correct good right complete completed completes responds respond happens without errors
    error problems problem issues issue any to and by for
    """.split()
)
_HANGUL = re.compile(r"[가-힣]")
_TOKEN = re.compile(r"[가-힣]+|\w+")
_SPACE = re.compile(r"[\s.,!]+")


def is_untestable(criterion: Criterion) -> bool:
    """Whether the outcome says nothing to be seen, or repeats what was given or done."""
    words = _TOKEN.findall(criterion.t.lower())
    plain = _SPACE.sub("", criterion.t)
    if not words or plain in (_SPACE.sub("", criterion.w), _SPACE.sub("", criterion.g)):
        return True
    if _HANGUL.search(criterion.t):
        return all(_KOREAN.fullmatch(word) for word in words)
    return all(word in _ENGLISH for word in words)
