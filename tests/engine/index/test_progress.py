"""Progress: seldom enough, with an estimate, and never stuck before the end."""

from __future__ import annotations

from engine.clock import FixedClock
from engine.events import EngineEvent, SyncProgress
from engine.index.progress import Progress
from tests.engine.index.desk import Desk
from tests.engine.index.toy_provider import ToyProvider


def test_at_most_twenty_a_second() -> None:
    clock, told = FixedClock(0.0), list[EngineEvent]()
    progress = Progress(told.append, clock)
    for _ in range(1000):
        progress.tick()
        clock.seconds += 0.001
    assert 18 <= len(told) <= 21


def test_a_new_stage_is_told_at_once_and_once() -> None:
    told = list[EngineEvent]()
    progress = Progress(told.append, FixedClock(0.0))
    progress.stage("embedding")
    progress.stage("embedding")
    progress.stage("storing")
    assert [event.stage for event in told if isinstance(event, SyncProgress)] == [
        "embedding",
        "storing",
    ]


def test_the_estimate_is_what_the_pace_so_far_says() -> None:
    clock, told = FixedClock(0.0), list[SyncProgress]()

    def keep(event: EngineEvent) -> None:
        if isinstance(event, SyncProgress):
            told.append(event)

    progress = Progress(keep, clock)
    progress.begin(4, 400)
    progress.tick()
    clock.seconds, progress.work_done, progress.files_done = 2.0, 100, 1
    progress.tick()
    assert [event.remaining_s for event in told] == [None, 6.0]
    assert (told[-1].files_done, told[-1].files_total) == (1, 4)


def test_vectors_that_follow_the_texts_have_a_progress_of_their_own(desk: Desk) -> None:
    for number in range(5):
        desk.write(f"memory/{number}.md", f"heron {number}")
    desk.sync(ToyProvider(inputs_per_request=1))
    last = desk.told(SyncProgress)[-1]
    assert (last.files_done, last.files_total, last.chunks_done, last.embedded) == (5, 5, 5, 5)
    seen = [event.chunks_done for event in desk.told(SyncProgress) if event.stage == "embedding"]
    assert seen == sorted(seen)
