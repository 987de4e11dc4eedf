"""What a download tells of itself."""

from __future__ import annotations

import pytest

from engine.clock import FixedClock
from engine.events import ModelDownload
from engine.local_models.progress import ProgressMeter


def test_speed_and_remaining_time_come_from_the_last_seconds() -> None:
    clock, told = FixedClock(0.0), list[ModelDownload]()
    meter = ProgressMeter("m", clock, told.append)
    meter.at(0, 10_000)
    for second in range(1, 9):
        clock.seconds = float(second)
        meter.at(1000 * second if second < 4 else 3000 + 500 * (second - 3), 10_000)
    assert told[0].bytes_per_s is None
    assert told[1].bytes_per_s == pytest.approx(1000.0)
    assert told[-1].bytes_per_s == pytest.approx(500.0)
    assert told[-1].remaining_s == pytest.approx((10_000 - 5500) / 500)


def test_at_most_ten_events_a_second_but_each_stage() -> None:
    clock, told = FixedClock(0.0), list[ModelDownload]()
    meter = ProgressMeter("m", clock, told.append)
    for step in range(100):
        clock.seconds = step / 100
        meter.at(step, None)
    meter.at(100, 100, "verifying")
    assert len(told) <= 12
    assert told[-1].stage == "verifying"
    assert told[0].total_bytes is None and told[0].remaining_s is None


def test_a_start_from_the_beginning_gives_no_negative_speed() -> None:
    clock, told = FixedClock(0.0), list[ModelDownload]()
    meter = ProgressMeter("m", clock, told.append)
    for second, done in enumerate((0, 5000, 0, 1000)):
        clock.seconds = float(second)
        meter.at(done, 9000)
    assert [event.bytes_per_s for event in told] == [None, 5000.0, None, 1000.0]
