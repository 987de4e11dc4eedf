"""The four ways in which a provider says how long to wait."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.net.messages import HttpResponse
from engine.net.retry_hints import retry_hint_s

NOW_MS = 1_770_000_000_000.0  # Mon, 02 Feb 2026 02:40:00 GMT
INFO = "type.googleapis.com/google.rpc.RetryInfo"


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "2"}, 2.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after": "-3"}, 0.0),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": ""}, None),
        ({"retry-after-ms": "1500", "retry-after": "60"}, 1.5),
        ({"retry-after-ms": "x", "retry-after": "60"}, 60.0),
        ({"retry-after": "Mon, 02 Feb 2026 02:40:30 GMT"}, 30.0),
        ({"retry-after": "Mon, 02 Feb 2026 02:39:00 GMT"}, 0.0),
        ({"retry-after": "Mon, 99 Feb 2026 02:39:00 GMT"}, None),
    ],
)
def test_headers(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_hint_s(HttpResponse(429, headers, b""), NOW_MS) == seconds


def test_the_largest_retry_info_of_a_google_error_counts_even_behind_a_long_body() -> None:
    details = [{"note": "x" * 4000}, {"@type": INFO, "retryDelay": "10.5s"}]
    body = [{"error": {"code": 429, "details": [*details, {"@type": INFO, "retryDelay": "22s"}]}}]
    assert retry_hint_s(HttpResponse(429, {}, json.dumps(body).encode()), NOW_MS) == 22.0


@pytest.mark.parametrize("delay", ["", "soon", "1h", None, 5])
def test_a_retry_info_without_seconds_is_no_hint(delay: object) -> None:
    body = json.dumps({"error": {"details": [{"@type": INFO, "retryDelay": delay}]}}).encode()
    assert retry_hint_s(HttpResponse(429, {}, body), NOW_MS) is None


@settings(deadline=None)
@given(st.text(max_size=60), st.binary(max_size=200))
def test_no_answer_breaks_the_reading(header: str, body: bytes) -> None:
    headers = {"retry-after": header}
    hint = retry_hint_s(HttpResponse(429, headers, body + INFO.encode()), NOW_MS)
    assert hint is None or hint >= 0
