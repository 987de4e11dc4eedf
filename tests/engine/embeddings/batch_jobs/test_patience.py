"""When a job is looked at again, and when jobs are given up."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import settings as patience
from hypothesis import strategies as st

from engine.embeddings.batch_jobs.breaker import Breaker
from engine.embeddings.batch_jobs.schedule import (
    LONGEST_S,
    SHORTEST_S,
    first_look,
    next_look,
    put_off,
)


@patience(deadline=None)
@given(st.floats(0, 1000), st.floats(0, 1e6))
def test_pauses_double_up_to_five_minutes(interval: float, now: float) -> None:
    look = first_look(interval, now)
    waits = [look.wait_s]
    for _ in range(30):
        look = next_look(look, interval, now)
        waits.append(look.wait_s)
    assert waits[0] == max(interval, SHORTEST_S)
    assert waits[-1] == max(LONGEST_S, interval)
    assert all(b == min(2 * a, max(LONGEST_S, interval)) for a, b in pairwise(waits))


def test_what_the_service_asks_for_counts_once_and_not_for_ever() -> None:
    look = put_off(first_look(2.0, 100.0), 100.0, 40.0)
    assert (look.due_s, look.wait_s) == (140.0, 2.0)
    assert put_off(look, 100.0, 1.0).due_s == 140.0
    assert put_off(look, 100.0, 1e9).due_s == 100.0 + LONGEST_S


def test_two_failures_in_a_row_are_the_end() -> None:
    breaker = Breaker()
    assert [breaker.failed("one"), breaker.failed("two"), breaker.failed("three")] == [
        False,
        True,
        False,
    ]
    assert breaker.open
    assert breaker.trips.off == "2 batch jobs failed one after the other. two"


def test_a_success_between_two_failures_counts() -> None:
    breaker = Breaker()
    breaker.failed("one")
    breaker.succeeded()
    assert not breaker.failed("two")
    assert not breaker.open


def test_what_is_not_there_is_news_once() -> None:
    breaker = Breaker()
    assert [breaker.unavailable("no"), breaker.unavailable("no"), breaker.failed("x")] == [
        True,
        False,
        False,
    ]
    assert breaker.trips.off == "no"


def test_trouble_is_noted_once() -> None:
    breaker = Breaker()
    assert [breaker.noted("a"), breaker.noted("a"), breaker.noted("b")] == [True, False, True]
    assert not breaker.open
