"""Words of names: cases, plurals, particles."""

import pytest

from dure_spec.derive.words import Josa, camel, constant, josa, kebab, name_words, parts, plural, singular, snake


@pytest.mark.parametrize(
    ("one", "many"),
    [
        ("order", "orders"),
        ("category", "categories"),
        ("day", "days"),
        ("box", "boxes"),
        ("branch", "branches"),
        ("class", "classes"),
        ("status", "statuses"),
        ("address", "addresses"),
        ("person", "people"),
        ("child", "children"),
        ("history", "histories"),
        ("warehouse", "warehouses"),
        ("course", "courses"),
        ("menu", "menus"),
        ("quiz", "quizzes"),
        ("purchase_order", "purchase_orders"),
        ("staff", "staff"),
        ("news", "news"),
        ("terms", "terms"),
        ("series", "series"),
        ("equipment", "equipment"),
        ("alias", "aliases"),
        ("crisis", "crises"),
        ("index", "indexes"),
        ("lens", "lenses"),
        ("gas", "gases"),
        ("sku", "skus"),
        ("niche", "niches"),
        ("tomato", "tomatoes"),
        ("metric", "metrics"),
        ("physics", "physics"),
        ("information", "information"),
    ],
)
def test_singular_and_plural_lead_back_to_each_other(one: str, many: str) -> None:
    assert plural(one) == many
    assert singular(many) == one
    assert plural(many) == many
    assert singular(one) == one


@pytest.mark.parametrize("name", ["orderItems", "OrderItems", "order_items", "order-items", "Order Items"])
def test_every_case_style_gives_the_same_name(name: str) -> None:
    assert parts(name) == ["order", "items"]
    assert (snake(name), camel(name), kebab(name), constant(name)) == (
        "order_items",
        "orderItems",
        "order-items",
        "ORDER_ITEMS",
    )


def test_a_name_without_latin_letters_has_no_words() -> None:
    assert snake("주문") == ""
    assert camel("주문") == ""


@pytest.mark.parametrize(
    ("word", "pair", "text"),
    [
        ("주문", "을/를", "주문을"),
        ("메모", "을/를", "메모를"),
        ("상품", "이/가", "상품이"),
        ("예약", "은/는", "예약은"),
        ("의사", "은/는", "의사는"),
        ("서울", "(으)로", "서울로"),
        ("화면", "(으)로", "화면으로"),
        ("메모", "(으)로", "메모로"),
        ("FR-001", "을/를", "FR-001을"),
        ("FR-002", "을/를", "FR-002를"),
        ("결제", "와/과", "결제와"),
        ("주문(P)", "이/가", "주문(P)가"),
        ("상품", "(이)나", "상품이나"),
        ("", "을/를", "를"),
    ],
)
def test_particles_follow_the_last_sound(word: str, pair: Josa, text: str) -> None:
    assert josa(word, pair) == text


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("sbTxCustId", ["sb", "tx", "cust", "id"]),
        ("CUSTOMER_ID", ["customer", "id"]),
        ("address2", ["address", "2"]),
        ("Order Details", ["order", "details"]),
        ("고객_주문ID", ["고객", "주문", "id"]),
        ("HTMLPage", ["html", "page"]),
        ("café_menu", ["café", "menu"]),
        ("", []),
    ],
)
def test_names_of_any_script_fall_into_words_and_numbers(name: str, words: list[str]) -> None:
    assert name_words(name) == words
