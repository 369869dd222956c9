"""How long `dure lint` takes for a large schema, as a process of its own.

`python bench/lint.py [TABLES]` makes the DDL and prints the seconds of three runs; 1 if the best one takes longer than
a thousand tables may.
"""

import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

TABLES = 1000
LIMIT = 5.0
"""Seconds for a thousand tables, start-up included."""
ROUNDS = 3
_WORDS = "amber basil cedar delta ember fjord grove heath inlet jetty knoll ledge marsh notch ocean plain".split()
_THINGS = "order ticket parcel invoice meter permit sensor voucher claim parade".split()


def ddl(tables: int) -> str:
    """Tables of a dozen columns with keys, checks, indexes and references, as a dump has them."""
    statements: list[str] = []
    for number in range(tables):
        name = _name(number)
        lines = ["id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY"]
        lines += [f"{word}_{_THINGS[number % 10]}_text varchar(50) NOT NULL" for word in _words(number, 7)]
        if number:
            parent = _name(number * 7 // 11)
            lines.append(f"{parent.removesuffix('s')}_id bigint NOT NULL REFERENCES {parent} (id)")
            statements.append(f"CREATE INDEX ix_{name} ON {name} ({parent.removesuffix('s')}_id);")
        lines.append("unit_price numeric(12,2) NOT NULL CHECK (unit_price >= 0)")
        lines.append("created_at timestamptz NOT NULL DEFAULT now()")
        body = ",\n    ".join(lines)
        statements.insert(len(statements) - bool(number), f"CREATE TABLE {name} (\n    {body}\n);")
    return "\n\n".join(statements) + "\n"


def _name(number: int) -> str:
    first, second, third = number % 16, number // 16 % 16, number // 256 % 16
    return f"{_WORDS[first]}_{_WORDS[second]}_{_WORDS[third]}_{_THINGS[number % 10]}s"


def _words(number: int, count: int) -> list[str]:
    return [f"{_WORDS[(number + step) % 16]}_{_WORDS[(number * 3 + step * 5) % 16]}" for step in range(count)]


def seconds(path: Path) -> float:
    """Wall-clock time of one run."""
    code = "import sys; from dure.console.main import main; sys.exit(main())"
    begun = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", code, "lint", "--format", "json", "--fail-on", "critical", str(path)],
        stdout=subprocess.DEVNULL,
        timeout=600,
        check=False,
    )
    if done.returncode not in (0, 3):
        raise SystemExit(f"dure lint ended with {done.returncode}")
    return time.perf_counter() - begun


def main(arguments: Sequence[str]) -> int:
    """Make the schema and time it."""
    tables = int(arguments[0]) if arguments else TABLES
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "schema.sql"
        path.write_text(ddl(tables), encoding="utf-8")
        took = [seconds(path) for _ in range(ROUNDS)]
    limit = LIMIT * max(1.0, tables / TABLES)
    print(f"{tables} tables: {', '.join(f'{each:.2f}' for each in took)} s (limit {limit:.0f})")
    return 1 if min(took) > limit else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
