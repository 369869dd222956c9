"""Who is let in by a token."""

import pytest

from dure.web import check_bearer


@pytest.mark.parametrize("header", ["Bearer sesame-열쇠", "bearer sesame-열쇠", "Bearer  sesame-열쇠 "])
def test_the_right_token_opens(header: str) -> None:
    assert check_bearer(header, "sesame-열쇠") == "granted"


def test_a_token_of_other_letters_is_known_as_it_comes_from_the_wire() -> None:
    assert check_bearer("Bearer " + "열쇠".encode().decode("latin-1"), "열쇠") == "granted"
    assert check_bearer("Bearer \xff\xfe", "\udcff\udcfe") == "granted"
    assert check_bearer("Bearer \xff", "ÿ") == "denied"


@pytest.mark.parametrize("header", [None, "", "Bearer", "Bearer ", "Bearer sesam", "Basic sesame", "Bearer sesame x"])
def test_anything_else_does_not(header: str | None) -> None:
    assert check_bearer(header, "sesame") == "denied"


@pytest.mark.parametrize("token", [None, ""])
def test_without_a_token_nothing_opens(token: str | None) -> None:
    assert check_bearer("Bearer ", token) == "closed"
    assert check_bearer(None, token) == "closed"
