"""`dure lint` as people call it: reports, exit codes, repairs, and files that are none."""

import json
import os
from pathlib import Path

import pytest
from tests.support.command_line import Ended, dure

_SCHEMA = """\
CREATE TABLE shops (
  id bigint PRIMARY KEY,
  name varchar(50) NOT NULL,
  price double precision NOT NULL,
  opened date NOT NULL
);
CREATE TABLE sales (id bigint PRIMARY KEY, shop_id integer NOT NULL REFERENCES shops (id), sold_on date NOT NULL);
"""
_SOUND = """\
CREATE TABLE shops (id bigint PRIMARY KEY, name varchar(50) NOT NULL);
CREATE TABLE sales (id bigint PRIMARY KEY, shop_id bigint NOT NULL REFERENCES shops (id), sold_on date NOT NULL);
CREATE INDEX ix_sales_shop_id ON sales (shop_id);
"""
_GOLD = Path(__file__).parents[2] / "data" / "gold_order_mgmt"


def _lint(folder: Path, *words: str, **settings: str) -> Ended:
    return dure("lint", *words, home=folder, cwd=folder, settings={"DURE_LANG": "en", **settings})


def _file(folder: Path, text: str, name: str = "schema.sql") -> str:
    (folder / name).write_text(text, encoding="utf-8")
    return name


def test_sound_schema_ends_with_nothing(tmp_path: Path) -> None:
    ended = _lint(tmp_path, _file(tmp_path, _SOUND))
    assert (ended.code, ended.err) == (0, "")
    assert ended.out == "schema.sql: tables: 2, postgresql (guessed): score 10.0; nothing found\n"


def test_finding_is_a_line_with_file_line_rule_weight_place_and_what_would_be_right(tmp_path: Path) -> None:
    ended = _lint(tmp_path, _file(tmp_path, _SCHEMA))
    assert ended.code == 1
    lines = ended.out.splitlines()
    assert lines[0].startswith("schema.sql:1:  V11 minor    shops: no column says when")
    assert lines[1].startswith("schema.sql:4:  V08 major    shops.price: ")
    assert [line.split("  ")[0] for line in lines[:-1]] == [
        "schema.sql:1:",
        "schema.sql:4:",
        "schema.sql:7:",
        "schema.sql:7:",
    ]
    assert "0 critical, 2 major, 2 minor; --fix can repair 4" in lines[-1]
    assert "\x1b" not in ended.out


@pytest.mark.parametrize(
    ("text", "option", "code"),
    [
        (_SCHEMA, "critical", 0),
        (_SCHEMA, "minor", 1),
        (_SOUND.replace("bigint PRIMARY KEY, name", "bigint, name"), "critical", 3),
        (_SOUND.replace("bigint NOT NULL REFERENCES", "bigint REFERENCES"), "minor", 0),
    ],
)
def test_exit_code_tells_how_bad_it_is(tmp_path: Path, text: str, option: str, code: int) -> None:
    assert _lint(tmp_path, _file(tmp_path, text), "--fail-on", option).code == code


def test_statement_that_cannot_be_read_is_critical_at_its_line(tmp_path: Path) -> None:
    broken = _SOUND + "\nCREATE TABLE notes (id bigint PRIMARY KEY,\n"
    ended = _lint(tmp_path, _file(tmp_path, broken))
    assert ended.code == 3
    assert "schema.sql:5:  V12 critical notes: " in ended.out


def test_report_for_programs_has_the_documented_keys(tmp_path: Path) -> None:
    ended = _lint(tmp_path, _file(tmp_path, _SCHEMA), "--format", "json")
    report = json.loads(ended.out)
    assert set(report) == {"version", "exit_code", "worst", "judged", "unusable"}
    assert (report["exit_code"], report["worst"], report["unusable"]) == (1, "major", [])
    (judged,) = report["judged"]
    assert (judged["kind"], judged["dialect"], judged["items"]) == ("schema", "postgresql", 2)
    price = next(each for each in judged["findings"] if each["ref"] == "shops.price")
    assert (price["id"], price["severity"], price["file"], price["line"]) == ("V08", "major", "schema.sql", 4)
    assert price["fixable"] is True


def test_report_goes_to_standard_input_and_output(tmp_path: Path) -> None:
    ended = _lint(tmp_path, "/dev/stdin" if os.name != "posix" else "-")
    assert ended.code == 2  # nothing was typed
    assert ended.err == "dure: -: empty\n"


def test_repairs_are_written_in_place_and_told(tmp_path: Path) -> None:
    name = _file(tmp_path, _SCHEMA)
    (tmp_path / name).chmod(0o640)
    ended = _lint(tmp_path, "--fix", name)
    assert ended.code == 0
    text = (tmp_path / name).read_text(encoding="utf-8")
    assert "shop_id bigint NOT NULL REFERENCES" in text
    assert "price numeric" in text
    assert "created_at timestamptz NOT NULL DEFAULT now()" in text
    assert "schema.sql:  fixed V08 shops.price: double precision → numeric" in ended.out.replace(
        "sql: fixed", "sql:  fixed"
    )
    assert (tmp_path / name).stat().st_mode & 0o777 == 0o640
    assert sorted(path.name for path in tmp_path.iterdir()) == [name]
    assert _lint(tmp_path, name).code == 0


def test_repairs_can_be_written_elsewhere(tmp_path: Path) -> None:
    name = _file(tmp_path, _SCHEMA)
    assert _lint(tmp_path, "--fix", name, "--out", "new.sql").code == 0
    assert (tmp_path / name).read_text(encoding="utf-8") == _SCHEMA
    assert "bigint NOT NULL REFERENCES" in (tmp_path / "new.sql").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--out", "x.sql", "a.sql"), "--fix"),
        (("--fix", "--out", "x.sql", "a.sql", "b.sql"), "one file"),
        (("--dialect", "postgres", "a.sql"), "did you mean postgresql?"),
        (("--fail-on", "mayor", "a.sql"), "did you mean major?"),
        (("--format", "xml", "a.sql"), "text, json, sarif"),
        (("--config", "none.toml", "a.sql"), "none.toml"),
    ],
)
def test_wrong_use_is_one_line_and_code_two(tmp_path: Path, words: tuple[str, ...], said: str) -> None:
    ended = _lint(tmp_path, *words)
    assert ended.code == 2
    assert ended.err.count("\n") == 1
    assert said in ended.err


def _big(folder: Path) -> None:
    with (folder / "big.sql").open("wb") as file:
        file.truncate(20_000_000)


def test_file_that_is_none_is_one_line_and_the_others_are_judged(tmp_path: Path) -> None:
    _file(tmp_path, _SCHEMA)
    _big(tmp_path)
    (tmp_path / "binary.sql").write_bytes(bytes(range(256)) * 40)
    (tmp_path / "empty.sql").write_bytes(b"")
    (tmp_path / "folder").mkdir()
    _file(tmp_path, "SELECT 1;", "none.sql")
    _file(tmp_path, '{"tables": [', "cut.json")
    _file(tmp_path, '{"paths": {}}', "other.json")
    _file(tmp_path, '{"tables": [], "meta": {"dialect": "db2"}}', "formless.json")
    bad = ["big.sql", "binary.sql", "empty.sql", "folder", "none.sql", "cut.json", "missing.sql"]
    ended = _lint(tmp_path, *bad, "schema.sql")
    assert ended.code == 2
    assert sorted(line.split(":")[1].strip() for line in ended.err.splitlines()) == sorted(bad)
    assert "pg_dump --schema-only" in ended.err
    assert "schema.sql:4:  V08" in ended.out
    for name, said in (("other.json", "no artifact"), ("formless.json", "meta.dialect")):
        ended = _lint(tmp_path, name)
        assert (ended.code, ended.err.count("\n")) == (2, 1)
        assert said in ended.err


def test_design_is_judged_as_a_whole_with_lines_in_its_files(tmp_path: Path) -> None:
    for path in _GOLD.glob("[1-5]_*.json"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    ended = _lint(tmp_path, ".")
    assert (ended.code, ended.err) == (0, "")
    assert "artifacts: 5: score 10.0; nothing found" in ended.out
    erd = tmp_path / "3_erd.json"
    text = erd.read_text(encoding="utf-8").replace('"business_no"', '"businessNo"', 1)
    erd.write_text(text, encoding="utf-8")
    ended = _lint(tmp_path, *sorted(path.name for path in tmp_path.glob("*.json")))
    line = next(number for number, each in enumerate(text.splitlines(), 1) if "businessNo" in each)
    assert f"3_erd.json:{line}:  V04 minor" in ended.out


def test_design_is_repaired_in_its_files_and_nothing_else_of_them_changes(tmp_path: Path) -> None:
    for path in _GOLD.glob("[1-5]_*.json"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    erd = tmp_path / "3_erd.json"
    before = erd.read_text(encoding="utf-8")
    wrong = before.replace(
        '"type": "bigint",\n     "fk": "products.id"', '"type": "integer",\n     "fk": "products.id"'
    )
    wrong = wrong if wrong != before else before.replace('"bigint",\n', '"integer",\n', 2)
    erd.write_text(wrong, encoding="utf-8")
    _lint(tmp_path, "--fix", ".")
    after = erd.read_text(encoding="utf-8")
    assert after == before
    assert _lint(tmp_path, ".").code == 0


def test_house_rules_come_from_the_configuration(tmp_path: Path) -> None:
    name = _file(
        tmp_path, "CREATE TABLE tblShop (shopId int PRIMARY KEY, a int NOT NULL, b int NOT NULL, c int NOT NULL);"
    )
    assert _lint(tmp_path, name).code == 1
    _file(
        tmp_path,
        '[lint]\ndialect = "mysql"\nignore = ["V11:tbl*"]\n'
        '[lint.names]\nstyle = "camelCase"\nforbidden_prefixes = []\n',
        "dure.toml",
    )
    ended = _lint(tmp_path, name)
    assert (ended.code, ended.out) == (0, "schema.sql: tables: 1, mysql: score 10.0; nothing found; 1 ignored\n")


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ('[lint]\nignored = ["V11"]', "unknown key lint.ignored; did you mean 'ignore'?"),
        ('[lint]\nignore = ["V99"]', "there is no validator V99"),
        ('[lint]\nignore = ["naming"]', "V04:legacy_*"),
        ('[lint]\ndialect = "db2"', "lint.dialect"),
        ('[lint.names]\naudit = ["made at"]', "lint.names.audit"),
    ],
)
def test_wrong_configuration_names_file_and_key(tmp_path: Path, table: str, said: str) -> None:
    _file(tmp_path, table, "dure.toml")
    ended = _lint(tmp_path, _file(tmp_path, _SOUND))
    assert ended.code == 2
    assert "dure.toml" in ended.err
    assert said in ended.err


def test_korean_is_spoken_where_the_terminal_does(tmp_path: Path) -> None:
    ended = _lint(tmp_path, _file(tmp_path, _SCHEMA), DURE_LANG="ko")
    assert "점수" in ended.out
    assert "심각 0, 주요 2, 경미 2" in ended.out
