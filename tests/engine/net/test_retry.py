"""Retry decisions, without a network."""

from __future__ import annotations

import json

import pytest

from engine.net.messages import HttpResponse, TransportError, Trouble
from engine.net.retry import (
    INDEXING,
    PROBING,
    QUERYING,
    Attempts,
    Wait,
    daily_quota,
    quota_used_up,
    verdict,
)


def response(status: int, code: str = "", **headers: str) -> HttpResponse:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return HttpResponse(status, named, json.dumps({"error": {"code": code}}).encode())


@pytest.mark.parametrize(
    ("outcome", "expected"),
    [
        (response(200), "final"),
        (response(400, "512 tokens, 503"), "final"),
        (response(401), "final"),
        (response(404), "final"),
        (response(501), "final"),
        (response(408), "transient"),
        (response(500), "transient"),
        (response(503), "transient"),
        (response(529), "transient"),
        (response(429), "rate"),
        (response(429, "insufficient_quota"), "final"),
        (response(429, "insufficient_quota", retry_after="3"), "rate"),
        (response(500, x_should_retry="false"), "final"),
        (response(409, x_should_retry="true"), "transient"),
        (response(200, x_should_retry="true"), "final"),
    ],
)
def test_the_status_code_decides(outcome: HttpResponse, expected: str) -> None:
    assert verdict(outcome) == expected


@pytest.mark.parametrize(
    ("trouble", "expected"),
    [
        ("unreachable", "transient"),
        ("dropped", "transient"),
        ("timeout", "transient"),
        ("redirect", "final"),
        ("too-large", "final"),
        ("unsendable", "final"),
    ],
)
def test_connection_trouble(trouble: Trouble, expected: str) -> None:
    assert verdict(TransportError(trouble, "x")) == expected


def test_backoff_doubles_with_jitter_and_ends() -> None:
    attempts = Attempts(INDEXING, lambda: 0.5)
    waits = [attempts.next(response(500), 0.0) for _ in range(3)]
    assert waits == [Wait(0.55, False), Wait(1.1, False), None]


def test_a_rate_limit_has_five_attempts_and_holds_back_the_host() -> None:
    attempts = Attempts(INDEXING, lambda: 0.0)
    waits = [attempts.next(response(429), 0.0) for _ in range(5)]
    assert waits == [Wait(5.0, True), Wait(10.0, True), Wait(20.0, True), Wait(40.0, True), None]


def test_a_hint_beats_the_backoff_and_is_never_shortened() -> None:
    wait = Attempts(INDEXING, lambda: 0.999).next(response(429, retry_after="2"), 0.0)
    assert wait is not None
    assert 2.0 <= wait.seconds <= 2.4


def test_a_day_is_not_waited_for() -> None:
    attempts = Attempts(INDEXING, lambda: 0.0)
    assert attempts.next(response(429, retry_after="86400"), 0.0) is None


def test_a_query_waits_eight_seconds_in_all() -> None:
    attempts = Attempts(QUERYING, lambda: 0.0)
    assert attempts.next(response(429, retry_after="5"), 0.0) == Wait(5.0, True)
    assert attempts.next(response(429, retry_after="5"), 0.0) is None


def test_a_query_that_timed_out_is_not_sent_again() -> None:
    late = TransportError("timeout", "x")
    assert Attempts(QUERYING, lambda: 0.0).next(late, 0.0) is None
    indexing = Attempts(INDEXING, lambda: 0.0)
    assert indexing.next(late, 0.0) is not None
    assert indexing.next(late, 0.0) is None


def test_the_waits_of_an_indexing_request_are_bounded_as_well() -> None:
    attempts = Attempts(INDEXING, lambda: 0.0)
    assert attempts.afford(590.0)
    assert attempts.next(response(429, retry_after="11"), 0.0) is None
    assert not attempts.afford(11.0)


def test_a_probe_has_one_attempt() -> None:
    assert Attempts(PROBING, lambda: 0.0).next(response(503), 0.0) is None
    assert Attempts(PROBING, lambda: 0.0).next(response(429, retry_after="1"), 0.0) is None


@pytest.mark.parametrize(
    ("quota", "used_up"),
    [
        ("EmbedContentRequestsPerDayPerProjectPerModel-FreeTier", True),
        ("EmbedContentRequestsPerMinutePerProjectPerModel-FreeTier", False),
    ],
)
@pytest.mark.parametrize("wrapped", [False, True])
def test_a_quota_of_the_day_does_not_heal_in_the_seconds_that_google_names(
    quota: str, used_up: bool, wrapped: bool
) -> None:
    details = [
        {"@type": "type.googleapis.com/google.rpc.QuotaFailure",
         "violations": [{"quotaMetric": "embed", "quotaId": quota, "quotaValue": "1000"}]},
        {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "22s"},
    ]  # fmt: skip
    error = {"error": {"code": 429, "status": "RESOURCE_EXHAUSTED", "details": details}}
    body = json.dumps([error] if wrapped else error).encode()
    answer = HttpResponse(429, {}, body)
    assert quota_used_up(answer) is used_up
    assert daily_quota(answer) is used_up
    assert verdict(answer) == ("final" if used_up else "rate")


def test_quota_is_told_from_a_rate_limit() -> None:
    assert quota_used_up(response(429, "insufficient_quota"))
    assert not quota_used_up(response(429, "rate_limit_exceeded"))
    assert not quota_used_up(response(500, "insufficient_quota"))
