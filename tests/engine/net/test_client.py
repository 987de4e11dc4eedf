"""Retries and pauses end to end, over real sockets, with time that only moves on demand."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from engine.clock import SystemClock
from engine.errors import CancelledError, ProviderError
from engine.net.client import HttpClient
from engine.net.messages import ExchangeLimits, HttpRequest, HttpResponse, TransportError, never
from engine.net.pauses import EventSleeper, Pause
from engine.net.retry import INDEXING, QUERYING, RetryPolicy
from engine.net.transport import HttpxTransport
from tests.fakes.answers import Answer, Received, hang_up, slow, status, vectors
from tests.fakes.provider_server import FakeProvider
from tests.fakes.still_time import StillTime

BODY = b'{"model": "m", "input": ["router"]}'


class Bench:
    """A client on still time, and what it announced."""

    def __init__(self) -> None:
        self.time = StillTime()
        self.announced: list[tuple[str, float]] = []
        self.paused: list[Pause] = []
        self.resumed: list[str] = []
        self.transport = HttpxTransport({})
        self.client = HttpClient(
            self.transport,
            self.time.clock,
            lambda: 0.0,
            sleeper=self.time,
            on_wait=lambda host, seconds: self.announced.append((host, seconds)),
            on_pause=self.paused.append,
            on_resume=self.resumed.append,
        )

    def send(self, fake: FakeProvider, policy: RetryPolicy = INDEXING) -> HttpResponse:
        request = HttpRequest(f"{fake.base_url}/embeddings", {}, BODY)
        return self.client.send(request, ExchangeLimits(), policy, never)


@pytest.fixture
def bench() -> Iterator[Bench]:
    made = Bench()
    yield made
    made.transport.close()


def test_a_passing_failure_is_retried(bench: Bench) -> None:
    with FakeProvider(script=[status(500), hang_up]) as fake:
        assert bench.send(fake).ok
        assert len(fake.requests) == 3
    assert bench.time.slept == [0.5, 1.0]
    assert [seconds for _, seconds in bench.announced] == [0.5, 1.0]


@pytest.mark.parametrize("code", [400, 401, 403, 404, 413, 422])
def test_a_lasting_failure_is_not(bench: Bench, code: int) -> None:
    with FakeProvider(script=[status(code, {"error": "503 dims, 429 tokens"})]) as fake:
        assert bench.send(fake).status == code
        assert len(fake.requests) == 1


def test_the_last_answer_comes_back_when_retries_are_used_up(bench: Bench) -> None:
    with FakeProvider(otherwise=status(503)) as fake:
        assert bench.send(fake).status == 503
        assert len(fake.requests) == 3


def test_a_lost_connection_is_raised_when_retries_are_used_up(bench: Bench) -> None:
    with FakeProvider(otherwise=hang_up) as fake:
        with pytest.raises(TransportError) as caught:
            bench.send(fake)
        assert caught.value.trouble == "dropped"
        assert len(fake.requests) == 3


def test_quota_is_asked_once(bench: Bench) -> None:
    body = {"error": {"code": "insufficient_quota", "message": "You exceeded your quota"}}
    with FakeProvider(otherwise=status(429, body)) as fake:
        assert bench.send(fake).status == 429
        assert len(fake.requests) == 1


def test_a_stated_pause_holds_back_everybody_on_that_host(bench: Bench) -> None:
    times: list[float] = []
    with FakeProvider(script=[status(429, headers={"Retry-After": "30"})]) as fake:

        def noting(received: Received) -> Answer:
            times.append(bench.time.clock.monotonic())
            return vectors(received)

        fake.otherwise = noting
        start = bench.time.clock.monotonic()
        assert bench.send(fake).ok
        assert bench.send(fake).ok
        assert times[0] - start >= 30.0


def test_a_pause_is_told_with_its_reason_and_so_is_its_end(bench: Bench) -> None:
    with FakeProvider(script=[status(429, headers={"Retry-After": "30"})]) as fake:
        seen = []

        def looking(received: Received) -> Answer:
            seen.append((list(bench.resumed), bench.client.pauses))
            return vectors(received)

        fake.otherwise = looking
        assert bench.send(fake).ok
        assert bench.paused == [Pause(fake.origin, 30.0, "too many requests (429)")]
        assert seen == [([fake.origin], [])]
        assert bench.announced == []


def test_a_busy_server_that_names_a_time_is_left_alone_by_everybody(bench: Bench) -> None:
    with FakeProvider(script=[status(503, headers={"Retry-After": "3"})]) as fake:
        assert bench.send(fake).ok
    assert [(pause.seconds, pause.reason) for pause in bench.paused] == [(3.0, "busy (503)")]


def test_after_a_pause_one_request_goes_first() -> None:
    """Of four that were refused together only one comes back until it is welcome."""
    client = HttpClient(HttpxTransport({}), SystemClock(), lambda: 0.0)
    soon = {"retry-after-ms": "40"}
    together = threading.Barrier(4)

    def refuse(received: Received) -> Answer:
        together.wait(30)
        return status(429, headers=soon)(received)

    with FakeProvider(script=[refuse] * 4 + [status(429, headers=soon)] * 3) as fake:
        alone: list[int] = []

        def welcome(received: Received) -> Answer:
            alone.append(received.number)
            return vectors(received)

        fake.otherwise = welcome
        request = HttpRequest(f"{fake.base_url}/embeddings", {}, BODY)
        threads = [
            threading.Thread(target=client.send, args=(request, ExchangeLimits(), INDEXING, never))
            for _ in range(4)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(30)
        # Four at once, three refusals of the one on trial, then everybody once.
        assert alone == [8, 9, 10, 11]
        assert client.meter.counts().requests == 11
    client.close()


def test_a_query_does_not_wait_behind_the_request_on_trial(bench: Bench) -> None:
    hold, released = threading.Event(), threading.Event()
    with FakeProvider(script=[status(429, headers={"Retry-After": "1"}), slow(hold)]) as fake:

        def send() -> None:
            bench.send(fake)
            released.set()

        trial = threading.Thread(target=send)
        trial.start()
        fake.wait_for_requests(2)
        assert bench.send(fake, QUERYING).ok
        assert not released.is_set()
        hold.set()
        trial.join(30)
    assert released.is_set()


def test_a_cancel_ends_the_wait_behind_the_request_on_trial(bench: Bench) -> None:
    hold, stop = threading.Event(), threading.Event()
    with FakeProvider(script=[status(429, headers={"Retry-After": "1"}), slow(hold)]) as fake:
        trial = threading.Thread(target=bench.send, args=(fake,))
        trial.start()
        fake.wait_for_requests(2)
        stop.set()
        request = HttpRequest(f"{fake.base_url}/embeddings", {}, BODY)
        with pytest.raises(CancelledError):
            bench.client.send(request, ExchangeLimits(), INDEXING, stop.is_set)
        hold.set()
        trial.join(30)
        assert len(fake.requests) == 2


def test_traffic_is_counted(bench: Bench) -> None:
    with FakeProvider(script=[status(500), vectors, status(401)]) as fake:
        assert bench.send(fake).ok
        assert bench.send(fake).status == 401
        with pytest.raises(CancelledError):
            request = HttpRequest(f"{fake.base_url}/embeddings", {}, BODY)
            bench.client.send(request, ExchangeLimits(), INDEXING, lambda: True)
    counts = bench.client.meter.counts()
    assert (counts.requests, counts.retries, counts.failures, counts.in_flight) == (4, 1, 1, 0)
    assert counts.last_error == "It answered with status 401."
    assert counts.last_ms is not None
    assert counts.mean_ms is not None


def test_the_time_limit_of_a_query_holds_for_all_its_attempts(bench: Bench) -> None:
    def late(received: Received) -> Answer:
        bench.time.clock.seconds += 59.8
        return status(500)(received)

    with FakeProvider(otherwise=late) as fake:
        assert bench.send(fake, QUERYING).status == 500
        assert len(fake.requests) == 1


def test_a_query_does_not_wait_out_the_pause_of_an_index_run(bench: Bench) -> None:
    with FakeProvider() as fake:
        bench.client.send(
            HttpRequest(f"{fake.base_url}/embeddings", {}, BODY), ExchangeLimits(), QUERYING, never
        )
        fake.script(status(429, headers={"Retry-After": "30"}))
        with pytest.raises(CancelledError):
            bench.client.send(
                HttpRequest(f"{fake.base_url}/embeddings", {}, BODY),
                ExchangeLimits(),
                INDEXING,
                lambda: bool(bench.paused),
            )
        with pytest.raises(ProviderError) as caught:
            bench.send(fake, QUERYING)
        assert caught.value.status == 429
        assert "30 s" in caught.value.message
        assert len(fake.requests) == 2


def test_closing_ends_a_real_wait() -> None:
    waiting = threading.Event()
    client = HttpClient(
        HttpxTransport({}), SystemClock(), lambda: 0.0, on_pause=lambda pause: waiting.set()
    )
    failures: list[BaseException] = []

    def run(fake: FakeProvider) -> None:
        try:
            request = HttpRequest(f"{fake.base_url}/embeddings", {}, BODY)
            client.send(request, ExchangeLimits(), INDEXING, never)
        except CancelledError as error:
            failures.append(error)

    with FakeProvider(otherwise=status(429, headers={"Retry-After": "50"})) as fake:
        thread = threading.Thread(target=run, args=(fake,))
        thread.start()
        assert waiting.wait(30)
        client.close()
        thread.join(30)
    assert len(failures) == 1


def test_a_cancel_ends_a_real_wait() -> None:
    asked = iter([False, False, True])
    with pytest.raises(CancelledError):
        EventSleeper(SystemClock()).sleep(3600.0, lambda: next(asked))
