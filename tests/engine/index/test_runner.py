"""The indexer: one thread, shared runs, cancel, interval, state."""

from __future__ import annotations

import shutil
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from engine.embeddings.builtin.provider import BuiltinProvider
from engine.errors import CancelledError, StoreError, SyncError
from engine.events import (
    EngineEvent,
    ScanChanged,
    SyncCancelled,
    SyncFailed,
    SyncFinished,
    SyncStarted,
)
from tests.engine.index.desk import WAIT_S, Desk, by_path, open_store
from tests.engine.index.toy_provider import ToyProvider


class Gate:
    """Holds a provider's call until it is opened."""

    def __init__(self) -> None:
        self.reached = threading.Event()
        self.open = threading.Event()

    def __call__(self, number: int) -> None:
        self.reached.set()
        assert self.open.wait(WAIT_S)


def writer_threads() -> list[str]:
    return [t.name for t in threading.enumerate() if t.name == "memlens-index"]


def test_the_thread_starts_on_first_need_and_ends_with_close(desk: Desk) -> None:
    indexer = desk.indexer()
    indexer.scan_now()
    assert writer_threads() == []
    indexer.run("demand")
    assert writer_threads() == ["memlens-index"]
    indexer.close()
    indexer.close()
    assert writer_threads() == []
    with pytest.raises(SyncError):
        indexer.start("demand")


def test_a_request_during_a_run_is_answered_by_the_next_one(desk: Desk) -> None:
    desk.write("memory/a.md", "heron")
    gate = Gate()
    indexer = desk.indexer(ToyProvider(on_call=gate))
    assert indexer.start("start")
    assert gate.reached.wait(WAIT_S)
    assert indexer.state().phase == "running"
    desk.write("memory/b.md", "plover")
    assert not indexer.start("watch")
    with ThreadPoolExecutor(2) as pool:
        answers = [pool.submit(indexer.run, "demand") for _ in range(2)]
        gate.open.set()
        reports = [answer.result(WAIT_S) for answer in answers]
    assert reports[0].changes[0].path == "memory/b.md"
    # the two, or one of them with an unchanged run after it, if it came late
    assert [r.files_indexed for r in reports] in ([1, 1], [1, 0], [0, 1])
    assert len(desk.told(SyncStarted)) <= 3


def test_requests_that_wait_share_one_run(desk: Desk) -> None:
    gate = Gate()
    desk.write("memory/a.md", "heron")
    indexer = desk.indexer(ToyProvider(on_call=gate))
    indexer.start("start")
    assert gate.reached.wait(WAIT_S)
    for _ in range(5):
        assert not indexer.start("search")
    with ThreadPoolExecutor(1) as pool:
        answer = pool.submit(indexer.run, "demand")
        while not answer.running():
            pass
        gate.open.set()
        answer.result(WAIT_S)
    reasons = [event.reason for event in desk.told(SyncStarted)]
    assert reasons in (["start", "demand"], ["start", "search", "demand"])


def test_cancel(desk: Desk) -> None:
    desk.write("memory/a.md", "heron")
    desk.sync(ToyProvider())
    gate = Gate()
    desk.write("memory/a.md", "plover")
    indexer = desk.indexer(ToyProvider("toy", on_call=gate))
    with ThreadPoolExecutor(2) as pool:
        running = pool.submit(indexer.run, "demand")
        assert gate.reached.wait(WAIT_S)
        indexer.cancel()
        gate.open.set()
        with pytest.raises(CancelledError):
            running.result(WAIT_S)
    assert indexer.state().phase == "cancelled"
    assert len(desk.told(SyncCancelled)) == 1
    assert desk.store.reader.chunks()[0].text == "heron"
    assert indexer.run("demand").files_indexed == 1
    assert indexer.state().phase == "idle"


def test_cancel_drops_what_waits(desk: Desk) -> None:
    desk.write("memory/a.md", "heron")
    gate = Gate()
    indexer = desk.indexer(ToyProvider(on_call=gate))
    indexer.start("start")
    assert gate.reached.wait(WAIT_S)
    indexer.start("watch")
    cancelled = desk.wait_for(SyncCancelled)
    indexer.cancel()
    gate.open.set()
    assert cancelled.wait(WAIT_S)
    indexer.close()
    assert len(desk.told(SyncStarted)) == 1


def test_a_failure_is_told_with_its_remedy_and_the_next_run_works(desk: Desk) -> None:
    desk.write("memory/a.md", "heron")
    indexer = desk.indexer()
    indexer.run("start")
    away = desk.folder / "away"
    shutil.move(desk.workspace, away)
    with pytest.raises(SyncError):
        indexer.run("watch")
    state = indexer.state()
    assert state.phase == "failed"
    assert "does not exist" in (state.error or "")
    assert "Bring the folder back" in state.error_hint
    assert desk.told(SyncFailed)[0].hint == state.error_hint
    shutil.move(away, desk.workspace)
    indexer.run("watch")
    assert indexer.state().phase == "idle"


def test_an_unforeseen_error_ends_the_run_but_not_the_thread(desk: Desk) -> None:
    desk.write("memory/a.md", "heron")

    def explode(number: int) -> None:
        if number == 1:
            raise ValueError("surprise")

    indexer = desk.indexer(ToyProvider(on_call=explode))
    with pytest.raises(SyncError) as failed:
        indexer.run("demand")
    assert "ValueError: surprise" in failed.value.message
    assert isinstance(failed.value.__cause__, ValueError)
    assert indexer.run("demand").embedded == 1


def test_a_provider_failure_is_a_state_of_its_own(desk: Desk) -> None:
    desk.write("memory/a.md", "heron")
    indexer = desk.indexer(ToyProvider(fails=[1]))
    assert indexer.run("demand").not_embedded == 1
    assert (indexer.state().phase, indexer.state().error) == (
        "failed",
        "The toy answered 500: boom.",
    )
    later = desk.indexer(ToyProvider())
    assert later.state().phase == "failed"
    later.run("watch")
    assert later.state().phase == "idle"


def test_progress_can_be_read_while_it_runs(desk: Desk) -> None:
    for number in range(4):
        desk.write(f"memory/{number}.md", f"heron {number}")
    indexer = desk.indexer(ToyProvider(inputs_per_request=1))
    seen = []

    def heard(event: EngineEvent) -> None:
        if isinstance(event, SyncStarted):
            seen.append(indexer.state())

    desk.bus.subscribe(heard)
    report = indexer.run("demand")
    assert seen[0].phase == "running"
    state = indexer.state()
    assert (state.phase, state.progress, state.last) == ("idle", None, report)
    assert state.last_at_ms == report.started_ms + report.duration_ms


def test_the_last_run_of_an_earlier_process_is_known(desk: Desk) -> None:
    desk.write("memory/a.md", "heron")
    report = desk.indexer(BuiltinProvider()).run("demand")
    desk.reopen()
    assert desk.indexer(BuiltinProvider()).state().last == report


def test_the_interval_syncs_by_itself(desk: Desk) -> None:
    desk.configure(interval_minutes=0.0001)
    desk.write("memory/a.md", "heron")
    finished = desk.wait_for(SyncFinished)
    indexer = desk.indexer()
    indexer.keep_interval()
    assert finished.wait(WAIT_S)
    indexer.close()
    assert desk.told(SyncStarted)[0].reason == "interval"
    assert desk.store.counts().files == 1


def test_without_an_interval_nothing_starts(desk: Desk) -> None:
    desk.indexer().keep_interval()
    assert writer_threads() == []


def test_a_scan_tells_when_other_files_are_dirty(desk: Desk) -> None:
    indexer = desk.indexer()
    assert indexer.scanned_at_ms is None
    desk.write("memory/a.md", "heron")
    indexer.scan_now()
    indexer.scan_now()
    assert [event.dirty for event in desk.told(ScanChanged)] == [1]
    indexer.run("demand")
    assert [event.dirty for event in desk.told(ScanChanged)] == [1, 0]
    assert indexer.scanned_at_ms is not None


def test_coverage_follows_what_another_process_stores(desk: Desk) -> None:
    desk.write("memory/a.md", "heron")
    indexer = desk.indexer()
    assert by_path(indexer.scan_now())["memory/a.md"].state == "new"
    desk.sync()
    assert by_path(indexer.coverage())["memory/a.md"].state == "indexed"


def test_another_provider_is_used_from_the_next_sync_on(desk: Desk) -> None:
    desk.write("memory/a.md", "heron")
    first, second = ToyProvider("first"), ToyProvider("second")
    indexer = desk.indexer(first)
    indexer.run("start")
    indexer.use_provider(second)
    indexer.run("watch")
    assert (first.texts, second.texts) == (["heron"], ["heron"])


def test_a_later_success_of_another_process_outweighs_our_failure(desk: Desk) -> None:
    desk.write("memory/a.md", "heron")
    desk.sync()
    identity = desk.store.reader.identity()
    assert identity is not None
    other = open_store(desk.store.path, desk.bus)
    build = other.build(identity)
    indexer = desk.indexer()
    with pytest.raises(StoreError):
        indexer.run("demand", force=True)
    assert indexer.state().phase == "failed"
    build.abandon()
    other.close()
    desk.sync(force=True)
    assert indexer.state().phase == "idle"
