"""Names, keys, references and types of schemas that others wrote, read from their own files."""

from functools import cache
from pathlib import Path

import pytest
from erd_values import TABLE_VALIDATORS, source_policy

from dure_spec.artifacts import Artifacts
from dure_spec.artifacts.findings import Finding
from dure_spec.lint.reading import read_source
from dure_spec.validators import judge

_FOLDER = Path(__file__).parents[4] / "shared" / "data" / "ddl"


@cache
def _found(name: str) -> tuple[Finding, ...]:
    file = _FOLDER / f"{name}.sql"
    if not file.exists():
        pytest.skip("the shared schemas are not beside this checkout")
    source = read_source(file.read_text(encoding="utf-8"), None)
    judgement = judge(Artifacts(erd=source.erd), "dba", source_policy())
    return tuple(finding for finding in judgement.findings if finding.validator in TABLE_VALIDATORS)


def _places(name: str, validator: str, severity: str) -> set[str]:
    return {each.ref for each in _found(name) if (each.validator, each.severity) == (validator, severity)}


@pytest.mark.parametrize("name", ["chinook_pg"])
def test_sound_schema_has_no_finding(name: str) -> None:
    assert _found(name) == ()


def test_same_schema_in_pascal_case_differs_in_names_alone() -> None:
    assert {each.validator for each in _found("chinook_mysql_pascalcase")} == {"V04"}
    assert len(_places("chinook_mysql_pascalcase", "V04", "major")) == 11


def test_spaces_and_dates_without_a_type_are_found_in_sqlite() -> None:
    assert _places("northwind_sqlite_spaces", "V04", "critical") == {"Order Details"}
    assert {"Orders.OrderDate", "Employees.BirthDate"} <= _places("northwind_sqlite_spaces", "V08", "major")


def test_money_as_real_and_bare_references_are_all_that_is_wrong_with_northwind() -> None:
    assert _places("northwind_pg", "V08", "major") == {
        "order_details.unit_price",
        "orders.freight",
        "products.unit_price",
    }
    assert len(_places("northwind_pg", "V07", "minor")) == 10
    assert {each.validator for each in _found("northwind_pg")} == {"V07", "V08"}


def test_references_that_nobody_declared_are_found_behind_prefixes_and_other_keys() -> None:
    assert _places("defog_broker", "V07", "major") == {
        "sbTransaction.sbTxCustId",
        "sbTransaction.sbTxTickerId",
        "sbDailyPrice.sbDpTickerId",
    }
    assert "user_sessions.user_id" in _places("defog_ewallet", "V07", "major")
    assert not any("device_id" in each.ref or "sender_id" in each.ref for each in _found("defog_ewallet"))


def test_tables_without_keys_and_references_of_another_width_are_found() -> None:
    assert len(_places("defog_academic", "V06", "critical")) == 15
    assert len(_places("defog_yelp", "V06", "critical")) == 7
    assert _places("petclinic_pg", "V06", "critical") == {"vet_specialties"}
    assert len(_places("petclinic_pg", "V07", "minor")) == 2
    assert _places("defog_ewallet", "V08", "major") == {"notifications(user_id)"}


def test_oracle_schema_has_bare_references_alone() -> None:
    assert {(each.validator, each.severity) for each in _found("oracle_hr")} == {("V07", "minor")}


def test_partitions_of_sakila_lack_keys_but_their_numbers_are_their_own() -> None:
    assert _places("sakila_pg", "V06", "critical") == {f"payment_p2007_0{n}" for n in range(1, 7)}
    assert _places("sakila_pg", "V07", "major") == set()
