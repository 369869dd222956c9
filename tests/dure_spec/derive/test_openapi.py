"""The OpenAPI document: valid for every artifact set, and faithful to the backend artifact."""

import json
from pathlib import Path
from typing import Any

import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator

from dure_spec.artifacts import Artifacts, Backend, Erd, Frontend, Ia, Prd
from dure_spec.artifacts.backend import Attribute, Bo, Op, OpError
from dure_spec.artifacts.erd import Column, Meta, Table
from dure_spec.derive.openapi import openapi_document

GOLD = Path(__file__).parents[2] / "data" / "gold_order_mgmt"


def gold() -> Artifacts:
    def text(name: str) -> str:
        return (GOLD / name).read_text(encoding="utf-8")

    return Artifacts(
        prd=Prd.model_validate_json(text("1_prd.json")),
        ia=Ia.model_validate_json(text("2_ia.json")),
        erd=Erd.model_validate_json(text("3_erd.json")),
        backend=Backend.model_validate_json(text("4_backend.json")),
        frontend=Frontend.model_validate_json(text("5_frontend.json")),
    )


def op(**changes: object) -> Op:
    base: dict[str, Any] = {
        "id": "OP-thing.list",
        "kind": "list",
        "method": "GET",
        "path": "/things",
        "roles": ("A1",),
        "reqs": ("FR-001",),
        "out": "BO-thing[]",
    }
    return Op.model_validate(base | changes)


def thing(*ops: Op, attrs: tuple[Attribute, ...] = (Attribute(name="id", col="things.id", ro=True),)) -> Bo:
    return Bo(id="BO-thing", name="물건", table="things", attrs=attrs, ops=ops)


def things_erd(*columns: Column) -> Erd:
    key = Column(name="id", logical="물건ID", type="bigint", pk=True)
    table = Table(name="things", logical="물건", kind="entity", reqs=("FR-001",), columns=(key, *columns))
    return Erd(meta=Meta(dialect="sqlite", pk="bigint identity", audit=()), tables=(table,), relations=())


def valid_document(artifacts: Artifacts) -> dict[str, Any]:
    document = openapi_document(artifacts)
    errors = [str(error) for error in OpenAPIV31SpecValidator(document).iter_errors()]  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType, reportUnknownMemberType]
    assert errors == []
    return document


def test_gold_backend_becomes_a_valid_document_with_every_operation() -> None:
    document = valid_document(gold())
    found = {each["x-operation"] for item in document["paths"].values() for each in item.values()}
    backend = gold().backend
    assert backend is not None
    assert found == {each.id for bo in backend.bos for each in bo.ops}
    assert document["info"]["title"] == "주문 관리 시스템"
    assert [tag["name"] for tag in document["tags"]][:3] == ["사용자", "고객", "상품"]


def test_hangul_is_raw_in_the_serialised_document() -> None:
    assert "주문 목록 조회" in json.dumps(openapi_document(gold()), ensure_ascii=False)


def test_list_answers_a_page_and_takes_page_and_size() -> None:
    operation = openapi_document(gold())["paths"]["/orders"]["get"]
    assert [parameter["name"] for parameter in operation["parameters"]] == ["page", "size"]
    schema = operation["responses"]["200"]["content"]["application/json"]["schema"]
    assert schema == {"$ref": "#/components/schemas/OrderPage"}
    page = openapi_document(gold())["components"]["schemas"]["OrderPage"]
    assert page["required"] == ["items", "page", "size", "total"]


def test_request_takes_the_inputs_and_only_writable_fields_of_child_objects() -> None:
    schemas = openapi_document(gold())["components"]["schemas"]
    request = schemas["OrderCreateRequest"]
    assert request["required"] == ["customerId", "items"]
    assert request["properties"]["items"] == {"type": "array", "items": {"$ref": "#/components/schemas/OrderItemInput"}}
    assert list(schemas["OrderItemInput"]["properties"]) == ["productId", "quantity"]
    assert schemas["Order"]["properties"]["items"]["items"] == {"$ref": "#/components/schemas/OrderItem"}


def test_update_requires_no_field() -> None:
    assert "required" not in openapi_document(gold())["components"]["schemas"]["CustomerUpdateRequest"]


def test_columns_give_length_enumeration_range_nullability_and_default() -> None:
    schemas = openapi_document(gold())["components"]["schemas"]
    customer, order, product = schemas["Customer"]["properties"], schemas["Order"]["properties"], schemas["Product"]
    assert customer["name"]["maxLength"] == 100
    assert customer["phone"]["type"] == ["string", "null"]
    assert customer["phone"]["x-pii"] is True
    assert order["status"]["enum"] == ["PLACED", "SHIPPED", "DELIVERED", "CANCELLED"]
    assert order["status"]["default"] == "PLACED"
    assert order["orderedAt"]["format"] == "date-time"
    assert "default" not in order["orderedAt"]
    assert product["properties"]["stockQty"]["minimum"] == 0
    assert schemas["Payment"]["properties"]["amount"]["exclusiveMinimum"] == 0
    assert schemas["User"]["properties"]["password"]["writeOnly"] is True


def test_errors_carry_their_codes_beside_401_and_403() -> None:
    responses = openapi_document(gold())["paths"]["/orders/{id}/cancel"]["post"]["responses"]
    assert sorted(responses) == ["200", "401", "403", "404", "409"]
    narrowed = responses["409"]["content"]["application/json"]["schema"]["allOf"][1]
    assert narrowed["properties"]["code"]["enum"] == ["ALREADY_SHIPPED"]


def test_login_is_open_and_others_need_a_bearer_token() -> None:
    document = openapi_document(gold())
    assert document["security"] == [{"bearerAuth": []}]
    login = document["paths"]["/auth/login"]["post"]
    assert login["security"] == []
    assert "403" not in login["responses"]


def test_roles_and_requirements_are_kept() -> None:
    operation = openapi_document(gold())["paths"]["/orders/{id}/cancel"]["post"]
    assert operation["x-roles"] == ["A1", "A3"]
    assert operation["x-requirements"] == ["FR-006"]
    assert operation["summary"] == "주문 취소"
    assert operation["parameters"][0]["schema"] == {"type": "integer", "format": "int64"}


@pytest.mark.parametrize("artifacts", [Artifacts(), Artifacts(backend=Backend(bos=()))])
def test_no_backend_gives_a_valid_document_without_paths(artifacts: Artifacts) -> None:
    assert valid_document(artifacts)["paths"] == {}


def test_backend_without_erd_or_prd_is_valid() -> None:
    assert valid_document(Artifacts(backend=gold().backend))["paths"]


def test_object_without_operations_still_has_its_schema() -> None:
    document = valid_document(Artifacts(backend=Backend(bos=(thing(),))))
    assert document["components"]["schemas"]["Thing"]["title"] == "물건"


def test_objects_that_contain_each_other_are_valid() -> None:
    left = Bo(id="BO-a", name="가", table="a", attrs=(Attribute(name="b", type="BO-b[]"),), ops=())
    right = Bo(id="BO-b", name="나", table="b", attrs=(Attribute(name="a", type="BO-a"),), ops=())
    create = op(id="OP-a.create", kind="create", method="POST", path="/a", out="BO-a", **{"in": ("b",)})
    left = left.model_copy(update={"ops": (create,)})
    schemas = valid_document(Artifacts(backend=Backend(bos=(left, right))))["components"]["schemas"]
    assert schemas["BInput"]["properties"]["a"] == {"$ref": "#/components/schemas/AInput"}


def test_unknown_answer_input_type_and_column_stay_valid() -> None:
    attrs = (
        Attribute(name="id", col="nowhere.id"),
        Attribute(name="what", type="수수께끼"),
        Attribute(name="many", type="string[]"),
        Attribute(name="bare"),
    )
    create = op(id="OP-thing.create", kind="create", method="POST", out="BO-none", **{"in": ("what", "없음", "bare")})
    document = valid_document(Artifacts(backend=Backend(bos=(thing(create, attrs=attrs),))))
    request = document["components"]["schemas"]["ThingCreateRequest"]
    assert list(request["properties"]) == ["what", "없음", "bare"]


def test_second_operation_of_one_method_and_path_is_named_as_a_conflict() -> None:
    bo = thing(op(), op(id="OP-thing.search"))
    operation = valid_document(Artifacts(backend=Backend(bos=(bo,))))["paths"]["/things"]["get"]
    assert operation["x-operation"] == "OP-thing.list"
    assert operation["x-conflicts"] == ["OP-thing.search"]


def test_paths_that_differ_only_in_parameter_names_are_one_path() -> None:
    read = op(id="OP-thing.get", kind="read", path="/things/{id}", out="BO-thing")
    drop = op(id="OP-thing.delete", kind="delete", method="DELETE", path="/things/:thingId", out="BO-thing")
    paths = valid_document(Artifacts(backend=Backend(bos=(thing(read, drop),))))["paths"]
    assert sorted(paths["/things/{id}"]) == ["delete", "get"]
    assert "content" not in paths["/things/{id}"]["delete"]["responses"]["204"]


@pytest.mark.parametrize(
    ("raw", "path"),
    [
        ("things/", "/things"),
        ("/things/{id}/parts/{id}", "/things/{id}/parts/{id2}"),
        ("/물건/{번호}", "/물건/{번호}"),
        ("/things/{}", "/things/{id}"),
        ("/things/{id", "/things/id"),
        ("/things?state=x", "/things"),
        ("", "/"),
    ],
)
def test_odd_paths_become_valid_ones(raw: str, path: str) -> None:
    read = op(id="OP-thing.get", kind="read", path=raw, out="BO-thing")
    assert list(valid_document(Artifacts(backend=Backend(bos=(thing(read),))))["paths"]) == [path]


def test_get_sends_its_inputs_as_query_parameters() -> None:
    attrs = (Attribute(name="id", col="things.id"), Attribute(name="name", col="things.name"))
    erd = things_erd(Column(name="name", logical="이름", type="varchar(30)"))
    bo = thing(op(**{"in": ("name", "page")}), attrs=attrs)
    parameters = valid_document(Artifacts(erd=erd, backend=Backend(bos=(bo,))))["paths"]["/things"]["get"]["parameters"]
    assert [each["name"] for each in parameters] == ["page", "size", "name"]
    assert parameters[2]["schema"]["maxLength"] == 30


def test_error_status_outside_http_is_the_default_response() -> None:
    bo = thing(op(errors=(OpError(http=9999, code="이상함"), OpError(http=200, code="OK"))))
    responses = valid_document(Artifacts(backend=Backend(bos=(bo,))))["paths"]["/things"]["get"]["responses"]
    assert responses["default"]["description"].endswith("이상함, OK")


def test_objects_whose_names_collide_get_different_schemas_and_tags() -> None:
    first = Bo(id="BO-error", name="오류", table="errors", attrs=(Attribute(name="a", type="string"),), ops=())
    second = Bo(id="BO-a-b", name="오류", table="ab", attrs=(Attribute(name="b", type="string"),), ops=())
    third = Bo(id="BO-a--b", name="오류2", table="ab", attrs=(Attribute(name="c", type="string"),), ops=())
    document = valid_document(Artifacts(backend=Backend(bos=(first, second, third))))
    assert set(document["components"]["schemas"]) == {"Error", "Error2", "AB", "AB2"}
    assert [tag["name"] for tag in document["tags"]] == ["오류", "오류 (BO-a-b)", "오류2"]


def test_object_that_is_there_twice_has_one_tag() -> None:
    document = valid_document(
        Artifacts(backend=Backend(bos=(thing(op()), thing(op(id="OP-thing.find", path="/found")))))
    )
    assert [tag["name"] for tag in document["tags"]] == ["물건"]


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (Column(name="c", logical="씨", type="integer", default="7"), {"type": "integer", "default": 7}),
        (Column(name="c", logical="씨", type="integer", default="many"), {"type": "integer"}),
        (Column(name="c", logical="씨", type="integer", default=-1, check="c >= 0"), {"type": "integer", "minimum": 0}),
        (Column(name="c", logical="씨", type="boolean", default=0), {"type": "boolean", "default": False}),
        (Column(name="c", logical="씨", type="varchar(2)", default="too long"), {"type": "string", "maxLength": 2}),
        (Column(name="c", logical="씨", type="text", default="now()"), {"type": "string"}),
        (Column(name="c", logical="씨", type="timestamptz", default="CURRENT_TIMESTAMP"), {"format": "date-time"}),
        (Column(name="c", logical="씨", type="jsonb", null=True), {"type": ["object", "null"]}),
        (Column(name="c", logical="씨", type="double precision", check="c < 1 or c > 2"), {"type": "number"}),
        (Column(name="c", logical="씨", type="numeric(5,2)", check="c between 0 and 9.5"), {"maximum": 9.5}),
        (Column(name="c", logical="씨", type="integer", enum=("1", "2"), null=True), {"enum": [1, 2, None]}),
        (Column(name="c", logical="씨", type="mystery(1,2,3)"), {"type": "string"}),
    ],
)
def test_column_facts_become_schema_facts(column: Column, expected: dict[str, Any]) -> None:
    bo = thing(attrs=(Attribute(name="c", col="things.c"),))
    document = valid_document(Artifacts(erd=things_erd(column), backend=Backend(bos=(bo,))))
    schema = document["components"]["schemas"]["Thing"]["properties"]["c"]
    assert {key: schema.get(key) for key in expected} == expected
    for fact in ("default", "minimum", "maximum"):
        assert (fact in schema) == (fact in expected or (fact == "minimum" and expected.get("maximum") == 9.5))
