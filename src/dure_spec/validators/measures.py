"""What makes a sentence testable: figures with a unit, fixed intervals, named standards; and what stands in quotes."""

import re
from typing import Literal

Measure = Literal["", "time", "amount", "any"]
"""Which figures make a word testable: none, durations and intervals, all others, or either."""

_NEAR = 300
"""A figure that stands farther off than so many letters is not about the word."""
_NUMBER = r"(?:\d[\d.,]*|(?<![A-Za-z])(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|thirty|sixty))"
_NATIVE = r"(?<![가-힣])(?:한|두|세|네|다섯|여섯|열)"
_TIME = re.compile(
    rf"{_NUMBER}[\s-]*(?:밀리초|초|분|시간|영업일|근무일|일|주일|주|개월|달|월|년|시(?![가-힣])|"
    r"(?:ms|msecs?|milliseconds?|s|secs?|seconds?|min|minutes?|h|hrs?|hours?|(?:business |working |calendar )?days?"
    r"|weeks?|months?|quarters?|years?|a\.?m|p\.?m)(?![A-Za-z]))"
    rf"|{_NATIVE}\s?(?:시간|달|주|해)(?![가-힣])"
    r"|\d{1,2}:\d\d|(?<![A-Za-z])p\d\d|매(?:일|주|월|년|시간|분|분기|시)(?![가-힣]{2})"
    r"|(?:초|분|시간|일|주|월|분기|날|밤|년)마다"
    r"|(?<![A-Za-z])(?:hourly|daily|nightly|weekly|monthly|quarterly|yearly|annually"
    r"|(?:every|each|per|once an?|the next|the same)\s(?:\w+\s)?"
    r"(?:second|minute|hour|day|night|week|month|quarter|year|morning|monday))",
    re.IGNORECASE,
)
_AMOUNT = re.compile(
    rf"{_NUMBER}[\s-]*(?:%|퍼센트|건|개|명|회|번|자리|자|원|장|줄|페이지|쪽|배|단계|클릭|가지|종|점|대|곳|권|글자|화소|도(?![가-힣])"
    r"|(?:px|[kmgt]i?b|bytes?|bits?|tps|rps|qps|percent|points?|steps?|clicks?|taps?|items?|records?|rows?|lines?|pages?"
    r"|entries|results?|users?|sessions?|requests?|transactions?|orders?|customers?|products?|files?|characters?|digits?"
    r"|decimals?|decimal places?|times?|attempts?|copies|pieces?|levels?|concurrent|simultaneous"
    r"|krw|usd|eur|won|dollars?|kg|g|cm|mm|m|km)(?![A-Za-z]))"
    r"|[<>≤≥=]\s*\d|[±$₩€]\s*\d|\d+\s*(?:에서|부터|~|-|to)\s*\d+"
    rf"|{_NATIVE}\s?(?:번|건|개|명|가지|단계|자리|장|곳)(?![가-힣])"
    r"|(?<![A-Za-z])(?-i:K?WCAG|TLS|AES|SHA|RSA|ISO|OWASP|RFC|bcrypt|scrypt|argon2\w*|SUS|CVSS|UTF)(?![A-Za-z])",
    re.IGNORECASE,
)
_CLAUSE = re.compile(
    r"[.!?;](?=\s|$)|\n|(?<=[가-힣]면)[,\s]|(?<=때)[,\s]"
    r"|,\s(?=(?:then\s)?(?:the|it|they)\s\w+\s?\w*\s(?:shall|must|should|will|can|may)\b)",
    re.IGNORECASE,
)
_QUOTED = re.compile(
    r"\"[^\"\n]+\"|“[^”\n]+”|‘[^’\n]+’|「[^」\n]+」|『[^』\n]+』|`[^`\n]+`|《[^》\n]+》|〈[^〉\n]+〉"
    r"|(?<!\w)'[^'\n]+'(?!\w)"
)


def is_measured(text: str, start: int, measure: Measure) -> bool:
    """Whether the clause round `start` has a figure of this kind."""
    if not measure:
        return False
    clause = _clause(text, start)
    timed = measure in ("time", "any") and _TIME.search(clause) is not None
    return timed or (measure in ("amount", "any") and _AMOUNT.search(clause) is not None)


def quoted(text: str) -> tuple[tuple[int, int], ...]:
    """Spans in quotes, the quotes included."""
    return tuple(match.span() for match in _QUOTED.finditer(text))


def _clause(text: str, at: int) -> str:
    first, last = max(0, at - _NEAR), min(len(text), at + _NEAR)
    begin, stop = first, last
    for match in _CLAUSE.finditer(text, first, last):
        if match.end() <= at:
            begin = match.end()
        elif match.start() >= at:
            stop = match.start()
            break
    return text[begin:stop]
