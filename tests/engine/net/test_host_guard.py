"""Addresses, origins, and which proxy is used."""

from __future__ import annotations

import pytest

from engine.errors import ProviderError
from engine.net.host_guard import (
    checked_base_url,
    is_loopback,
    joined,
    origin,
    same_origin,
    without_secrets,
)
from engine.net.proxies import proxy_for


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("https://API.example.com/v1/", "https://api.example.com/v1"),
        (" http://127.0.0.1:8080 ", "http://127.0.0.1:8080"),
        ("https://h/v1?api-version=3#part", "https://h/v1?api-version=3"),
    ],
)
def test_a_base_address_is_trimmed(given: str, kept: str) -> None:
    assert checked_base_url(given, "remote.baseUrl") == kept


@pytest.mark.parametrize(
    "url",
    ["", "api.example.com", "ftp://h", "https://", "http://[::1", "http://h:99999", "file:/x"],
)
def test_no_address(url: str) -> None:
    with pytest.raises(ProviderError, match=r"remote\.baseUrl"):
        checked_base_url(url, "remote.baseUrl")


def test_credentials_inside_an_address_are_refused_and_not_repeated() -> None:
    with pytest.raises(ProviderError) as caught:
        checked_base_url("https://joe:hunter2@h/v1", "remote.baseUrl")
    assert "hunter2" not in f"{caught.value} {caught.value.hint}"


def test_joining_keeps_the_query() -> None:
    assert joined("https://h/v1?a=1", "embeddings") == "https://h/v1/embeddings?a=1"
    assert joined("https://h", "embeddings") == "https://h/embeddings"


def test_origins() -> None:
    assert origin("https://h/v1") == "https://h:443"
    assert same_origin("https://h/a", "https://h:443/b")
    assert not same_origin("https://h/a", "http://h/a")
    assert not same_origin("https://h.evil/a", "https://h/a")
    assert is_loopback("http://127.0.0.1:1/v1")
    assert is_loopback("http://[::1]:1/v1")
    assert not is_loopback("http://127.evil.com")


def test_secret_query_fields_leave_the_address() -> None:
    assert without_secrets("https://h/v1?key=abc&version=2") == "https://h/v1?version=2"


@pytest.mark.parametrize(
    ("url", "environ", "proxy"),
    [
        ("https://h/v1", {}, None),
        ("https://h/v1", {"HTTPS_PROXY": "http://p:3128"}, "http://p:3128"),
        ("https://h/v1", {"https_proxy": "p:1", "HTTPS_PROXY": "q:2"}, "http://p:1"),
        ("https://h/v1", {"HTTP_PROXY": "http://p:3128"}, None),
        ("https://h/v1", {"ALL_PROXY": "http://p:3128"}, "http://p:3128"),
        ("https://a.h.com/", {"ALL_PROXY": "http://p", "NO_PROXY": "x, .h.com"}, None),
        ("https://ah.com/", {"ALL_PROXY": "http://p", "NO_PROXY": "h.com"}, "http://p"),
        ("https://h:8443/", {"ALL_PROXY": "http://p", "NO_PROXY": "h:8443"}, None),
        ("https://h/", {"ALL_PROXY": "http://p", "NO_PROXY": "*"}, None),
        ("http://127.0.0.1:9/", {"HTTP_PROXY": "http://p"}, None),
    ],
)
def test_proxies(url: str, environ: dict[str, str], proxy: str | None) -> None:
    assert proxy_for(url, environ) == proxy
