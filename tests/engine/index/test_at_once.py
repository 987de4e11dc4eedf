"""Several requests at once: how many, in which order, and what is kept when it goes wrong."""

from __future__ import annotations

import json
import threading

import pytest

from engine.embeddings.contract import EmbeddingProvider, ProviderLimits
from engine.errors import CancelledError
from engine.index.in_flight import InFlight
from engine.store.contract import Unembedded
from tests.engine.embeddings.bench import provider_on
from tests.engine.index.desk import WAIT_S, Desk
from tests.fakes.answers import Answer, Received, status, vectors
from tests.fakes.bow192 import bow_192
from tests.fakes.provider_server import FakeProvider, case_script
from tests.fakes.still_time import StillTime
from tests.shared import shared

TEN = ProviderLimits(10, 300_000, 8192)


def notes(desk: Desk, count: int) -> None:
    for number in range(count):
        desk.write(f"memory/{number:03}.md", f"note {number} about kestrel and router {number}")


def without(desk: Desk, provider: EmbeddingProvider) -> list[Unembedded]:
    return desk.store.reader.unembedded(provider.identity.key())


class Together:
    """Holds requests back until so many of them are in the server."""

    def __init__(self, parties: int) -> None:
        self._barrier = threading.Barrier(parties)

    def __call__(self, received: Received) -> Answer:
        self._barrier.wait(WAIT_S)
        return vectors(received)


def test_as_many_requests_run_at_once_as_are_allowed(desk: Desk) -> None:
    notes(desk, 90)
    together = Together(4)
    with FakeProvider(script=[vectors], otherwise=together) as fake:
        with provider_on(fake, limits=TEN, concurrency=4) as provider:
            report = desk.sync(provider)
        assert (report.embedded, report.not_embedded) == (90, 0)
        assert fake.most_parallel == 4
        assert len(fake.requests) == 9
        assert sorted(fake.texts) == sorted(set(fake.texts))


def test_a_provider_that_takes_one_at_a_time_gets_one_at_a_time(desk: Desk) -> None:
    notes(desk, 50)
    with FakeProvider() as fake, provider_on(fake, limits=TEN, concurrency=1) as provider:
        assert desk.sync(provider).embedded == 50
        assert fake.most_parallel == 1


def test_each_text_gets_its_own_vector(desk: Desk) -> None:
    notes(desk, 60)
    with FakeProvider() as fake, provider_on(fake, limits=TEN, concurrency=4) as provider:
        desk.sync(provider)
        space = provider.identity.key()
    chunks = desk.store.reader.chunks()
    found = desk.store.vectors_for(space, [chunk.hash for chunk in chunks])
    for chunk in chunks:
        expected = bow_192(chunk.text)
        length = sum(x * x for x in expected) ** 0.5
        assert found[chunk.hash].tolist() == pytest.approx([x / length for x in expected], abs=1e-6)


def test_the_first_request_goes_alone_so_that_a_wrong_key_is_met_once(desk: Desk) -> None:
    notes(desk, 50)
    with FakeProvider(key="another") as fake:
        with provider_on(fake, limits=TEN, concurrency=4) as provider:
            report = desk.sync(provider)
        assert "the key from remote.apiKey" in (report.embedding_error or "")
        assert len(fake.requests) == 1


def test_a_failure_keeps_what_the_others_were_answered(desk: Desk) -> None:
    notes(desk, 90)
    meet = threading.Barrier(4)

    def one_fails(received: Received) -> Answer:
        """Of the four that meet, the one with note 29 fails and the others are answered."""
        meet.wait(WAIT_S)
        failing = any("note 29 " in text for text in received.inputs)
        return (status(404) if failing else vectors)(received)

    with FakeProvider(script=[vectors, *[one_fails] * 4]) as fake:
        with provider_on(fake, limits=TEN, concurrency=4) as provider:
            report = desk.sync(provider)
            left = without(desk, provider)
        answered = len(fake.requests) - 1
        assert report.embedded == 10 * answered
        assert len(left) == 90 - 10 * answered
        assert {row.error is not None for row in left} == {True}


def test_nothing_further_begins_after_a_failure() -> None:
    failed = threading.Event()
    asked = []
    flight: InFlight[int, int]

    def ask(number: int) -> int:
        asked.append(number)
        if number == 1:
            flight.stop()
            failed.set()
        else:
            assert failed.wait(WAIT_S)
        return number

    flight = InFlight(ask, lambda: 2, 2)
    assert sorted(flight.answers(iter(range(100)))) == [0, 1]
    assert sorted(asked) == [0, 1]


def test_a_failure_is_told_in_the_words_of_the_first_in_line(desk: Desk) -> None:
    notes(desk, 50)
    meet = threading.Barrier(4)

    def all_fail(received: Received) -> Answer:
        meet.wait(WAIT_S)
        number = min(int(text.split()[1]) for text in received.inputs)
        return status(400 + number, {"error": {"message": f"from {number} on"}})(received)

    with FakeProvider(script=[vectors], otherwise=all_fail) as fake:
        with provider_on(fake, limits=TEN, concurrency=4) as provider:
            report = desk.sync(provider)
        assert "from 10 on" in (report.embedding_error or "")
        assert len(fake.requests) == 5


def test_a_cancel_releases_all_at_once_and_keeps_what_was_paid_for(desk: Desk) -> None:
    notes(desk, 90)
    stop, never_set = threading.Event(), threading.Event()
    inside = threading.Barrier(4, action=stop.set)

    def hang(received: Received) -> Answer:
        inside.wait(WAIT_S)
        never_set.wait(WAIT_S)
        return vectors(received)

    with FakeProvider(script=[vectors], otherwise=hang) as fake:
        with provider_on(fake, limits=TEN, concurrency=4) as provider:
            with pytest.raises(CancelledError):
                desk.sync(provider, cancelled=stop.is_set)
            assert len(without(desk, provider)) == 80
        assert len(fake.requests) == 5
        never_set.set()


def test_a_storm_of_refusals_is_survived_with_nothing_embedded_twice(desk: Desk) -> None:
    notes(desk, 120)
    time = StillTime()
    refused = status(429, headers={"Retry-After": "2"})
    lock = threading.Lock()
    served = [0]

    def every_other(received: Received) -> Answer:
        with lock:
            served[0] += 1
            turn = served[0]
        return (refused if turn % 2 else vectors)(received)

    with (
        FakeProvider(otherwise=every_other) as fake,
        provider_on(fake, time=time, limits=TEN, concurrency=4) as provider,
    ):
        report = desk.sync(provider)
        assert without(desk, provider) == []
    assert (report.embedded, report.embedding_error) == (120, None)
    answered = [text for received in fake.requests for text in received.inputs]
    assert len(set(answered)) == 120


@pytest.mark.parametrize(("name", "calls"), [("wait", 12 + 2), ("quota", 1), ("long", 1)])
def test_the_case_rate_limit_with_one_chunk_a_request_and_four_at_once(
    desk: Desk, name: str, calls: int
) -> None:
    case = json.loads(shared("cases", "rate-limit", f"provider_{name}.json").read_text("utf-8"))
    notes(desk, 12)
    time = StillTime()
    with FakeProvider(script=case_script(case["script"])) as fake:
        limits = ProviderLimits(1, 300_000, 8192)
        with provider_on(fake, time=time, limits=limits, concurrency=4) as provider:
            report = desk.sync(provider)
        assert len(fake.requests) == calls
    if name == "wait":
        assert report.embedded == 12
        assert time.slept == [2.0, 2.0]
    else:
        assert report.embedded == 0
        words = {"quota": "the quota of this account is used up", "long": "24 hours"}[name]
        assert words in (report.embedding_error or "")


def test_two_thousand_chunks_take_at_least_five_times_fewer_requests_than_the_originals(
    desk: Desk,
) -> None:
    """The originals fill a request until its texts would pass 8,000 bytes, file by file."""
    line = "The kestrel watches router {} from the ridge and writes down what it sees there. "
    for number in range(100):
        lines = [line.format(f"{number}-{at}") * 19 for at in range(20)]
        desk.write(f"memory/{number:03}.md", "\n".join(lines))
    with FakeProvider() as fake, provider_on(fake, concurrency=4) as provider:
        report = desk.sync(provider)
        chunks = desk.store.reader.chunks()
        assert report.embedded >= 2000
        assert len(fake.requests) * 5 <= original_requests([c.text for c in chunks])


def original_requests(texts: list[str]) -> int:
    """How many requests of at most 8,000 bytes these texts make."""
    requests, room = 1, 8000
    for text in texts:
        size = len(text.encode())
        if size > room:
            requests, room = requests + 1, 8000
        room -= size
    return requests


def test_a_reader_that_goes_away_abandons_what_runs() -> None:
    started, hold = threading.Event(), threading.Event()
    flight: InFlight[int, int]

    def ask(number: int) -> int:
        if number:
            started.set()
            while not flight.abandoned:
                hold.wait(0.01)
        return number

    flight = InFlight(ask, lambda: 2, 2)
    answers = flight.answers(iter(range(100)))
    assert next(answers) == 0
    assert started.wait(WAIT_S)
    answers.close()
    assert flight.abandoned


def test_what_goes_wrong_in_a_thread_is_raised_to_the_reader() -> None:
    def ask(number: int) -> int:
        if number == 3:
            raise ValueError("three")
        return number

    flight = InFlight(ask, lambda: 2, 2)
    seen = []
    with pytest.raises(ValueError, match="three"):
        for number in flight.answers(iter(range(100))):
            seen.append(number)
    assert seen == [0, 1, 2]
