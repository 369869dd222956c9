import pytest

from dure.models.settings import setting


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("sk-1", "sk-1"),
        (" sk-1 \r\n", "sk-1"),
        ('"sk-1"', "sk-1"),
        ("'sk-1'\n", "sk-1"),
        ('" sk-1 "', "sk-1"),
        ("", ""),
        ("  ", ""),
        ('""', ""),
    ],
)
def test_a_setting_is_what_was_meant(written: str, read: str) -> None:
    assert setting({"KEY": written}, "KEY") == read


def test_a_setting_that_is_not_there_is_empty() -> None:
    assert setting({}, "KEY") == ""
