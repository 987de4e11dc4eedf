"""When a provider that does not answer is asked again."""

from __future__ import annotations

from engine.embeddings.outage import FIRST_WAIT_S, LONGEST_WAIT_S, begun


def test_each_attempt_in_vain_doubles_the_wait_up_to_ten_minutes() -> None:
    outage = begun("down", "wait", 1_000.0, 0.0)
    waits = []
    for _ in range(8):
        waits.append(outage.wait_s)
        outage = outage.again("still down", "wait", outage.ask_at_s)
    assert waits == [30.0, 60.0, 120.0, 240.0, 480.0, 600.0, 600.0, 600.0]
    assert (waits[0], waits[-1]) == (FIRST_WAIT_S, LONGEST_WAIT_S)
    assert (outage.reason, outage.since_ms) == ("still down", 1_000.0)


def test_a_failure_before_its_time_keeps_the_wait() -> None:
    outage = begun("down", "", 0.0, 0.0).again("a sync failed too", "", 10.0)
    assert (outage.wait_s, outage.ask_at_s) == (FIRST_WAIT_S, 10.0 + FIRST_WAIT_S)
