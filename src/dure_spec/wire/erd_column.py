"""One column of the ERD text, read and written."""

import re
from typing import Final, cast

from dure_spec.artifacts.erd import Column, OnDelete
from dure_spec.derive.types import family_of, parse_type
from dure_spec.wire.text import split_list

ColumnSyntax: Final = "column label type|>table [?] [uq] [=default] [{A,B}] [chk(_ > 0)] [BR-01] [pii]"
_TOKEN = re.compile(
    r"chk\((?:[^()]|\([^()]*\))*\)|\{[^}]*\}|=\"[^\"]*\"|=\w+\(\)|=\S+"
    r"|>[\w.]+(?:\s+(?:RESTRICT|CASCADE|SET NULL|NO ACTION)\b)?|\w+ ?\(\s*\d+\s*(?:,\s*\d+\s*)?\)|\S+"
)


def read_column(text: str, derivations: set[str]) -> Column | None:
    """A column, or `None` where the line has no name, no type and no reference."""
    tokens = _TOKEN.findall(text)
    if len(tokens) < 2 or not re.fullmatch(r"[A-Za-z_]\w*", tokens[0]):
        return None
    at = next((i for i, token in enumerate(tokens[1:], start=1) if token.startswith(">") or _is_type(token)), None)
    if at is None:
        return None
    label = " ".join(tokens[1:at]) or tokens[0]
    found: dict[str, object] = {"name": tokens[0], "logical": label}
    if tokens[at].startswith(">"):
        found |= _reference(tokens[at])
    else:
        words = tokens[at]
        if at + 1 < len(tokens) and parse_type(f"{words} {tokens[at + 1]}") and tokens[at + 1].isalpha():
            words = f"{words} {tokens[at + 1]}"
        found["type"] = re.sub(r"\s*([(),])\s*", r"\1", words).lower()
    for token in tokens[at + 1 :]:
        found |= _option(token, found, derivations)
    return Column.model_validate(found)


def _is_type(token: str) -> bool:
    return parse_type(token) is not None and not re.search(r"[가-힣]", token)


def _reference(token: str) -> dict[str, object]:
    target, _, action = token[1:].partition(" ")
    name = target if "." in target else f"{target}.id"
    return {"fk": name, "type": "bigint", "on_delete": cast(OnDelete, action.strip() or "RESTRICT")}


def _option(token: str, found: dict[str, object], derivations: set[str]) -> dict[str, object]:
    lower = token.lower()
    if lower in ("?", "null"):
        return {"null": True}
    if lower in ("uq", "unique", "pk", "pii"):
        return {"uq" if lower == "unique" else lower: True}
    if token.startswith(">"):
        reference = _reference(token)
        return {"fk": reference["fk"], "on_delete": reference["on_delete"]}
    if token.startswith("="):
        return {"default": typed_default(token[1:].strip('"'), str(found.get("type", "")))}
    if token.startswith("{"):
        return {"enum": tuple(split_list(token.strip("{}")))}
    if lower.startswith("chk("):
        return {"check": re.sub(r"(?<!\w)_(?!\w)", str(found["name"]), token[4:-1]).strip()}
    if re.fullmatch(r"BR-\d{2}", token):
        return {"derived" if token in derivations else "rule": token}
    return {}


def typed_default(text: str, sql_type: str) -> bool | int | float | str:
    """A default as the value that its column holds."""
    family = family_of(sql_type)
    if family == "bool" and text.lower() in ("true", "false", "1", "0", "t", "f"):
        return text.lower() in ("true", "1", "t")
    if family == "int" and re.fullmatch(r"-?\d+", text):
        return int(text)
    if family in ("dec", "float") and re.fullmatch(r"-?\d+(\.\d+)?", text):
        return float(text) if "." in text else int(text)
    return text


def write_column(column: Column) -> str:
    """The column as one line."""
    parts = [column.name, column.logical]
    plain_key = column.fk is not None and column.fk.endswith(".id")
    if column.fk:
        parts.append(f">{column.fk.removesuffix('.id') if plain_key else column.fk}")
        parts += [column.on_delete] if column.on_delete and column.on_delete != "RESTRICT" else []
    else:
        parts.append(column.type)
    flags = {"pk": column.pk, "?": column.null, "uq": column.uq}
    parts += [flag for flag, on in flags.items() if on]
    if column.default is not None:
        text = str(column.default)
        parts.append(f'="{text}"' if " " in text else f"={text}")
    parts += [f"{{{','.join(column.enum)}}}"] if column.enum else []
    if column.check:
        own = rf"(?<!\w){re.escape(column.name)}(?!\w)"
        parts.append(f"chk({re.sub(own, '_', column.check)})")
    parts += [rule for rule in (column.rule, column.derived) if rule]
    parts += ["pii"] if column.pii else []
    return " ".join(parts)
