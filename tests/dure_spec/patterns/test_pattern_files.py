from pathlib import Path

import pytest

from dure.errors import ConfigError
from dure_spec.patterns import match, propose, read_library

GOOD = """
[stall]
name = "노점 | Market stall"
level = 2
roles = \"\"\"
상인 | trader | 물건을 판다 | sell goods
\"\"\"
entities = \"\"\"
stall_sale event* 판매 (거래 / sale): sold_at 판매일시, sold_amount 판매금액, status 상태
goods_item thing* 물건 (상품 / goods): item_name 물건이름, unit_price 값
\"\"\"
features = \"\"\"
판매 기록 | Record a sale | workflow create M | stall_sale, goods_item | trader
판매 취소 | Cancel a sale | workflow SOLD>CANCELLED S | stall_sale | trader
\"\"\"
relations = \"\"\"
goods_item 1:N stall_sale
\"\"\"
[stall.triggers]
ko = "노점"
en = "market stall"
"""


def test_a_folder_of_ones_own_is_a_library(tmp_path: Path) -> None:
    (tmp_path / "stall.toml").write_text(GOOD, encoding="utf-8")
    library = read_library(tmp_path)
    pattern = match("노점 장부", library=library)[0]
    assert [column.text for column in pattern.entities[0].columns] == [
        "sold_at timestamptz",
        "sold_amount numeric(14,2)",
        "status varchar(20)",
    ]
    assert pattern.states[0].values == ("SOLD", "CANCELLED")
    assert pattern.states[0].transitions == (("SOLD", "CANCELLED", "Cancel a sale"),)
    assert propose("a market stall", library=library).patterns == ("stall",)


@pytest.mark.parametrize(
    ("good", "bad", "field", "problem"),
    [
        ("stall_sale event*", "stall_sale happening*", "entities.0.kind", "happening"),
        ("stall_sale event* 판매 (거래 / sale): sold", "stall_sale event* sold", "entities", "line 1"),
        ("sold_at 판매일시", "sold_at", "entities", "sold_at"),
        ("goods_item thing*", "order thing*", "entities", "reserved word"),
        ("goods_item thing* 물건", "goods_item line* 물건", "entities", "does not say whose"),
        ("| stall_sale, goods_item | trader", "| stall_sale, goods | trader", "features", "'goods'"),
        ("M | stall_sale, goods_item | trader", "M | stall_sale, goods_item | seller", "features", "'seller'"),
        ("workflow create M", "workflow create", "features", "kind action priority"),
        ("workflow create M", "workflow invent M", "features.0.action", "invent"),
        ("상인 | trader | 물건을 판다 | sell goods", "상인 | trader | 물건을 판다", "roles", "4 filled cells"),
        ("goods_item 1:N stall_sale", "goods_item 1:M stall_sale", "relations", "1:N"),
        ("goods_item 1:N stall_sale", "goods_item 1:N buyer", "relations", "'buyer'"),
        ("level = 2", 'level = "2"', "level", "integer"),
        ("level = 2", "level = 9", "level", "9"),
        ("level = 2", "level = 2\ncolour = 1", "colour", "Extra"),
        ("level = 2", "level = 2\nbeats = 3", "beats", "commas"),
        ('en = "market stall"', 'en = ""', "triggers", "Korean and English"),
        ('ko = "노점"', 'ko = ["노점"]', "triggers.ko", "commas"),
        ('name = "노점 | Market stall"', 'name = "노점"', "en", "''"),
    ],
)
def test_a_bad_file_names_file_pattern_and_field(tmp_path: Path, good: str, bad: str, field: str, problem: str) -> None:
    assert good in GOOD
    (tmp_path / "stall.toml").write_text(GOOD.replace(good, bad), encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        read_library(tmp_path)
    message = str(caught.value)
    assert "'stall.toml'" in message
    assert "'stall'" in message
    assert f"'{field}'" in message
    assert problem in message


def test_a_file_that_is_no_toml_is_named(tmp_path: Path) -> None:
    (tmp_path / "broken.toml").write_text("[stall", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"'broken\.toml' cannot be read"):
        read_library(tmp_path)


def test_a_key_that_is_no_pattern_is_named(tmp_path: Path) -> None:
    (tmp_path / "flat.toml").write_text("stall = 3", encoding="utf-8")
    with pytest.raises(ConfigError, match="must be a table"):
        read_library(tmp_path)


def test_one_id_in_two_files_is_an_error(tmp_path: Path) -> None:
    for name in ("a.toml", "b.toml"):
        (tmp_path / name).write_text(GOOD, encoding="utf-8")
    with pytest.raises(ConfigError, match="'stall' is in two files"):
        read_library(tmp_path)


def test_a_suite_or_a_beaten_pattern_must_exist(tmp_path: Path) -> None:
    (tmp_path / "stall.toml").write_text(GOOD.replace("level = 2", 'level = 2\nbeats = "shop"'), encoding="utf-8")
    with pytest.raises(ConfigError, match="no pattern 'shop'"):
        read_library(tmp_path)
    (tmp_path / "stall.toml").write_text(GOOD, encoding="utf-8")
    suite = '[fair]\nname = "장터 | Fair"\nmodules = "stall, shop"\n[fair.triggers]\nko = "장터"\nen = "fair"\n'
    (tmp_path / "suites.toml").write_text(suite, encoding="utf-8")
    with pytest.raises(ConfigError, match="no pattern 'shop'"):
        read_library(tmp_path)
