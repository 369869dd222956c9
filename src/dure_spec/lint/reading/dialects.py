"""Which dialect a file is written in, by what only that dialect writes."""

import re
from itertools import islice

from dure_spec.artifacts.erd import Dialect

_PIECE = 40_000
_MOST = 5

# pattern -> how much one hit says; the first few hits of each count
_EVIDENCE: tuple[tuple[Dialect, dict[str, int]], ...] = (
    (
        "postgresql",
        {
            r"\b(?:BIG|SMALL)?SERIAL\b": 4,
            r"\bTIMESTAMPTZ\b|\bJSONB\b|\bBYTEA\b|\bTSVECTOR\b": 4,
            r"\bTIMESTAMP\s+WITH(?:OUT)?\s+TIME\s+ZONE\b": 2,
            r"::\s*\w": 3,
            r"\bALTER\s+TABLE\s+(?:IF\s+EXISTS\s+)?ONLY\b": 5,
            r"\$\w*\$": 3,
            r"\bCHARACTER\s+VARYING\b": 2,
            r"\bnextval\s*\(": 4,
            r"\bAS\s+ENUM\s*\(": 5,
            r"\bUSING\s+(?:btree|gin|gist|hash)\b": 3,
            r"\bPARTITION\s+OF\b|\bINHERITS\s*\(": 5,
            r"\b(?:TEXT|INT|INTEGER|VARCHAR)\s*\[\s*\]": 4,
            r"\bGENERATED\s+(?:ALWAYS|BY\s+DEFAULT)\s+AS\s+IDENTITY\b": 2,
            r"\bCREATE\s+EXTENSION\b|\bgen_random_uuid\s*\(": 5,
            r"^COPY\s.*\bFROM\s+stdin": 6,
            r"\bCREATE\s+DOMAIN\b": 3,
        },
    ),
    (
        "mysql",
        {
            r"`\w[^`\n]*`": 2,
            r"\bENGINE\s*=": 5,
            r"\bAUTO_INCREMENT\b": 4,
            r"\bUNSIGNED\b": 2,
            r"\b(?:TINYINT|MEDIUMINT|LONGTEXT|MEDIUMTEXT)\b": 2,
            r"/\*!\d{5}": 5,
            r"^\s*DELIMITER\s+\S+": 5,
            r"\b(?:ENUM|SET)\s*\(\s*'": 3,
            r"\bON\s+UPDATE\s+CURRENT_TIMESTAMP": 3,
            r"\bCHARACTER\s+SET\b|\bDEFAULT\s+CHARSET\b|\bCOLLATE\s*=": 3,
            r"^\s*(?:UNIQUE\s+|FULLTEXT\s+)?KEY\s+\S+\s*\(": 3,
            r"\bCOMMENT\s+'": 2,
            r"^-- MySQL dump|^-- phpMyAdmin|^-- MariaDB": 10,
        },
    ),
    (
        "sqlite",
        {
            r"\bAUTOINCREMENT\b": 5,
            r"\bWITHOUT\s+ROWID\b": 6,
            r"(?<![\w\])])\[[A-Za-z_][^\]\n]*\]": 3,
            r"^\s*PRAGMA\b": 6,
            r"\bsqlite_\w+": 5,
            r"\)\s*STRICT\s*[;,]": 5,
            r"\bCREATE\s+VIRTUAL\s+TABLE\b": 5,
            r"\bON\s+CONFLICT\s+(?:REPLACE|IGNORE|ABORT|FAIL|ROLLBACK)\b": 3,
            r"\bstrftime\s*\(|\bdatetime\s*\(\s*'now'": 4,
        },
    ),
    (
        "oracle",
        {
            r"\bVARCHAR2\b": 5,
            r"\bNUMBER\b(?=\s*[(,)\n]|\s+(?:NOT|PRIMARY|DEFAULT|CONSTRAINT)\b)": 3,
            r"^\s*(?:REM|PROMPT)\b": 3,
            r"^/\s*$": 2,
            r"\b(?:CLOB|NVARCHAR2)\b": 2,
            r"\bSYSDATE\b|\bSYSTIMESTAMP\b|\bSYS_GUID\b": 3,
            r"\bADD\s*\(\s*CONSTRAINT\b": 3,
            r"\bUSING\s+INDEX\b|\bTABLESPACE\b.*\bPCTFREE\b": 2,
            r"\bORGANIZATION\s+INDEX\b": 4,
        },
    ),
)
_COMPILED: list[tuple[Dialect, list[tuple[re.Pattern[str], int]]]] = [
    (dialect, [(re.compile(pattern, re.IGNORECASE | re.MULTILINE), weight) for pattern, weight in patterns.items()])
    for dialect, patterns in _EVIDENCE
]


def guessed_dialect(text: str) -> Dialect:
    """The dialect with the most evidence at the beginning, in the middle and at the end; else PostgreSQL."""
    middle = len(text) // 2
    whole = len(text) <= 3 * _PIECE
    sample = text if whole else f"{text[:_PIECE]}\n{text[middle : middle + _PIECE]}\n{text[-_PIECE:]}"
    scores: dict[Dialect, int] = {dialect: _score(sample, patterns) for dialect, patterns in _COMPILED}
    return max(scores, key=lambda dialect: scores[dialect])


def _score(sample: str, patterns: list[tuple[re.Pattern[str], int]]) -> int:
    return sum(weight * len(list(islice(pattern.finditer(sample), _MOST))) for pattern, weight in patterns)
