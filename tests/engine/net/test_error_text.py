"""Error bodies of every shape become one short line without keys."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.net.error_text import LONGEST, error_codes, error_text


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ({"error": {"message": "no such model", "type": "x"}}, "no such model"),
        ({"error": "queue full"}, "queue full"),
        ({"message": "Unauthorized"}, "Unauthorized"),
        ({"detail": "bad input"}, "bad input"),
        ({"detail": [{"loc": ["body"], "msg": "field required"}]}, "field required"),
        ([{"error": {"message": "wrapped"}}], "wrapped"),
        ("plain", "plain"),
        ({"error": {}}, ""),
        ({"error": {"message": None}, "message": "outer"}, "outer"),
        (17, ""),
    ],
)
def test_json_shapes(body: object, text: str) -> None:
    assert error_text(json.dumps(body).encode()) == text


def test_html_is_stripped_and_everything_is_on_one_short_line() -> None:
    page = b"<html><style>b{}</style><body><h1>502</h1>\n<p>Bad\x1b[31m gateway</p></body></html>"
    assert error_text(page) == "502 Bad [31m gateway"
    assert len(error_text(b"word " * 1000)) <= LONGEST


def test_the_key_that_a_server_echoes_is_masked() -> None:
    body = json.dumps({"error": {"message": "Incorrect key: test-key-123"}}).encode()
    assert error_text(body, ["test-key-123"]) == "Incorrect key: [secret]"


@pytest.mark.parametrize(
    ("body", "codes"),
    [
        ({"error": {"code": "insufficient_quota", "type": "T"}}, {"insufficient_quota", "t"}),
        ({"code": "1300", "type": "rate_limited"}, {"1300", "rate_limited"}),
        ({"error": {"code": 429, "status": "RESOURCE_EXHAUSTED"}}, {"resource_exhausted"}),
        ({"error": "text"}, set()),
        ([1], set()),
    ],
)
def test_codes(body: object, codes: set[str]) -> None:
    assert error_codes(json.dumps(body).encode()) == codes


@settings(deadline=None)
@given(st.recursive(st.none() | st.text() | st.integers(), lambda c: st.lists(c) | st.dictionaries(
    st.sampled_from(["error", "message", "detail", "code", "x"]), c)))  # fmt: skip
def test_any_json_is_survived(body: object) -> None:
    data = json.dumps(body).encode()
    assert len(error_text(data)) <= LONGEST
    assert "\n" not in error_text(data)
    error_codes(data)


@settings(deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes_are_survived(body: bytes) -> None:
    assert len(error_text(body)) <= LONGEST
    error_codes(body)
