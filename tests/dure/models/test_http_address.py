import pytest

from dure.errors import ConfigError
from dure.models.http_address import Address, checked_headers, is_loopback
from dure.models.shown_url import shown_url


@pytest.mark.parametrize(
    ("base", "url", "shown"),
    [
        ("http://h/v1", "http://h/v1/chat", "http://h/v1"),
        ("http://h/v1//", "http://h/v1/chat", "http://h/v1"),
        (" http://h/v1/\n", "http://h/v1/chat", "http://h/v1"),
        ("http://h/v1?api-version=2&k=s3cret", "http://h/v1/chat?api-version=2&k=s3cret", "http://h/v1"),
        ("http://h/v1/?a=b/", "http://h/v1/chat?a=b/", "http://h/v1"),
        ("http://[::1]:8080/v1", "http://[::1]:8080/v1/chat", "http://[::1]:8080/v1"),
        ("http://u:p@h:1/v1", "http://u:p@h:1/v1/chat", "http://h:1/v1"),
        ("http://한글.invalid/v1", "http://xn--bj0bj06e.invalid/v1/chat", "http://한글.invalid/v1"),
    ],
)
def test_a_path_is_put_where_the_base_ends_and_nothing_secret_is_shown(base: str, url: str, shown: str) -> None:
    address = Address(base)
    assert (str(address.of("/chat")), address.shown) == (url, shown)


@pytest.mark.parametrize(
    "base",
    [
        "",
        "h:80",
        "ftp://h",
        "http://",
        "http://u:s3cret@h:port",
        "http://u:s3cret@h:99999",
        "http://h h/",
        "http://h/#f",
    ],
)
def test_what_is_no_address_is_refused_without_its_password(base: str) -> None:
    with pytest.raises(ConfigError, match="URL; give one like") as refused:
        Address(base)
    assert "s3cret" not in str(refused.value)


def test_what_may_be_shown_of_a_url_is_neither_user_nor_query() -> None:
    assert shown_url("https://user:p@ss@h/v1?key=1") == "https://h/v1"
    assert shown_url("https://h/a@b") == "https://h/a@b"


def test_a_later_header_replaces_an_earlier_one_in_whatever_letters() -> None:
    headers = checked_headers(
        {"Content-Type": "a", "X-Team": "1"}, {"content-type": "b", "x-팀"[:1] + "-Note": "재고\ud800"}
    )
    assert list(headers.items()) == [("content-type", "b"), ("X-Team", "1"), ("x-Note", "재고?")]


@pytest.mark.parametrize(
    ("name", "value"), [("X", "a\nb"), ("X", "a\r\nY: 1"), ("X", "a\0"), ("X Y", "a"), ("", "a"), ("팀", "a")]
)
def test_a_header_that_cannot_be_sent_is_refused_without_its_value(name: str, value: str) -> None:
    with pytest.raises(ConfigError, match="header") as refused:
        checked_headers({name: value})
    assert "Y: 1" not in str(refused.value)


@pytest.mark.parametrize(
    ("host", "here"),
    [
        ("localhost", True),
        ("a.localhost", True),
        ("127.0.0.1", True),
        ("127.8.8.8", True),
        ("::1", True),
        ("10.0.0.1", False),
        ("localhost.example", False),
    ],
)
def test_this_machine_is_known_by_all_its_names(host: str, here: bool) -> None:
    assert is_loopback(host) is here


@pytest.mark.parametrize(
    ("exempt", "proxied"),
    [
        ("", True),
        ("model.invalid", False),
        ("model.invalid:8080", False),
        ("model.invalid:9090", True),
        (".invalid", False),
    ],
)
def test_a_server_is_exempt_from_the_proxy_by_its_name_or_with_its_port(
    monkeypatch: pytest.MonkeyPatch, exempt: str, proxied: bool
) -> None:
    monkeypatch.setenv("http_proxy", "http://proxy.invalid:3128")
    monkeypatch.setenv("no_proxy", exempt)
    assert (Address("http://model.invalid:8080/v1").proxy() is not None) is proxied


@pytest.mark.parametrize("base", ["http://127.0.0.1:1", "http://localhost:1", "http://[::1]:1"])
def test_this_machine_is_never_asked_through_a_proxy(monkeypatch: pytest.MonkeyPatch, base: str) -> None:
    monkeypatch.setenv("http_proxy", "http://proxy.invalid:3128")
    monkeypatch.setenv("no_proxy", "")
    assert Address(base).proxy() is None
