"""Bulk work in a child process: it reports, can be cancelled and killed, and never outlives us."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import engine
from engine.child_process import child_environment
from engine.embeddings.builtin.provider import BuiltinProvider
from engine.errors import CancelledError, StoreError, SyncError
from engine.events import EngineEvent, EventBus, IndexChanged, SyncFailed, SyncProgress, SyncStarted
from engine.index.bulk import BulkProcess
from engine.index.decision import SyncRequest
from engine.index.priority import NICENESS
from engine.index.wire import ChildSetup, Job
from tests.engine.index.desk import WAIT_S, Desk, open_store
from tests.engine.index.test_sync import finds
from tests.engine.index.toy_provider import ToyProvider

ROOT = Path(engine.__file__).parents[1]


@pytest.fixture
def full(desk: Desk) -> Iterator[Desk]:
    """A desk with enough text for bulk work."""
    for number in range(60):
        lines = [f"The heron number {number} was seen on day {day}." for day in range(300)]
        desk.write(f"memory/{number}.md", "\n".join(lines))
    yield desk


def at_first(desk: Desk, kind: type[EngineEvent], act: Callable[[], None]) -> None:
    """Do something when the first event of a kind is told."""
    done = threading.Event()

    def heard(event: EngineEvent) -> None:
        if isinstance(event, kind) and not done.is_set():
            done.set()
            act()

    desk.bus.subscribe(heard)


def kill(pid: int | None) -> None:
    assert pid is not None
    os.kill(pid, signal.SIGKILL)


def test_bulk_work_is_done_by_a_child_and_told_as_it_goes(full: Desk) -> None:
    indexer = full.indexer(BuiltinProvider(), child=True)
    pids: list[int | None] = []
    at_first(full, SyncStarted, lambda: pids.append(indexer.child_pid))
    report = indexer.run("start")
    assert (report.files_indexed, report.not_embedded) == (60, 0)
    assert report.chunks_added > 300
    assert full.told(SyncStarted)[0].bulk
    assert pids[0] not in (None, os.getpid())
    assert indexer.child_pid is None
    assert full.told(SyncProgress)[-1].files_done == 60
    assert full.told(IndexChanged)[-1].revision == full.store.reader.revision()
    assert full.store.last_sync() == indexer.state().last == report
    assert not any(state.dirty for state in indexer.coverage())
    assert len(finds(full, "heron")) == 10


def test_the_child_steps_back_behind_whoever_is_at_the_screen(full: Desk) -> None:
    indexer = full.indexer(child=True)
    seen: list[tuple[int, str]] = []

    def look() -> None:
        pid = indexer.child_pid
        assert pid is not None
        session = Path(f"/proc/{pid}/autogroup")
        grouped = session.read_text() if session.exists() else f"nice {NICENESS}"
        seen.append((os.getpriority(os.PRIO_PROCESS, pid), grouped.strip()))

    at_first(full, SyncStarted, look)
    indexer.run("start")
    ((niceness, session),) = seen
    assert niceness == min(19, os.getpriority(os.PRIO_PROCESS, 0) + NICENESS)
    assert session.endswith(f"nice {NICENESS}")


def test_where_sessions_have_no_weight_stepping_back_is_no_failure(tmp_path: Path) -> None:
    code = (
        "from pathlib import Path; from engine.index.priority import step_back; "
        f"step_back(Path({str(tmp_path / 'none')!r})); step_back(Path({str(tmp_path)!r}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONPATH": str(ROOT)},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")


def test_keyword_tables_alone_are_bulk_work_too(full: Desk) -> None:
    report = full.indexer(child=True).run("start")
    assert full.told(SyncStarted)[0].bulk
    assert (report.chunks_added > 300, report.embedded) == (True, 0)


def test_small_work_and_paid_work_stay_here(full: Desk) -> None:
    indexer = full.indexer(ToyProvider(remote=True), child=True)
    indexer.run("start")
    full.write("memory/0.md", "plover")
    full.indexer(child=True).run("watch")
    assert [event.bulk for event in full.told(SyncStarted)] == [False, False]


def test_a_killed_child_leaves_the_old_index_and_the_next_sync_heals(full: Desk) -> None:
    indexer = full.indexer(BuiltinProvider(), child=True)
    indexer.run("start")
    chunks = full.store.counts().chunks
    full.write("memory/new.md", "A turnstone came.")
    full.events.clear()
    at_first(full, SyncProgress, lambda: kill(indexer.child_pid))
    with pytest.raises(SyncError) as failed:
        indexer.run("demand", force=True)
    assert "signal 9" in failed.value.message
    assert full.told(SyncFailed)[0].message == failed.value.message
    assert full.store.counts().chunks == chunks
    assert len(finds(full, "heron")) == 10
    assert indexer.run("watch").files_indexed == 1
    full.reopen()
    assert finds(full, "turnstone") == ["memory/new.md"]
    again = full.indexer(BuiltinProvider(), child=True)
    assert again.run("demand", force=True).files_indexed == 61


def test_a_child_killed_in_the_first_index_costs_nothing_but_time(full: Desk) -> None:
    indexer = full.indexer(BuiltinProvider(), child=True)
    at_first(full, SyncProgress, lambda: kill(indexer.child_pid))
    with pytest.raises(SyncError):
        indexer.run("start")
    assert indexer.run("start").files_indexed == 60


def test_cancel_reaches_the_child(full: Desk) -> None:
    indexer = full.indexer(BuiltinProvider(), child=True)
    indexer.run("start")
    generation = full.store.counts().generation
    at_first(full, SyncProgress, indexer.cancel)
    with pytest.raises(CancelledError):
        indexer.run("demand", force=True)
    assert full.store.counts().generation == generation
    assert indexer.run("demand", force=True).files_indexed == 60


def test_what_goes_wrong_in_the_child_arrives_with_its_own_words(full: Desk) -> None:
    indexer = full.indexer(BuiltinProvider(), child=True)
    indexer.run("start")
    identity = full.store.reader.identity()
    assert identity is not None
    other = open_store(full.store.path, full.bus)
    build = other.build(identity)
    with pytest.raises(StoreError) as refused:
        indexer.run("demand", force=True)
    assert f"Process {os.getpid()}" in refused.value.message
    build.abandon()
    other.close()


def test_a_child_that_cannot_start_working_says_its_last_words(tmp_path: Path, desk: Desk) -> None:
    job = Job(ChildSetup(tmp_path), desk.settings, SyncRequest("start"), builtin=False)
    home = tmp_path / "broken"
    (home / "engine").mkdir(parents=True)
    (home / "engine/__init__.py").write_text("raise RuntimeError('no engine here')")
    child = BulkProcess(job, {**os.environ, "PYTHONPATH": str(home)})
    with pytest.raises(StoreError):  # our own engine comes first: it is the folder that is wrong
        child.run(lambda event: None)


def test_a_child_ended_from_outside_is_told_with_its_signal(tmp_path: Path, desk: Desk) -> None:
    job = Job(ChildSetup(tmp_path / "i"), desk.settings, SyncRequest("start"), builtin=False)
    child = BulkProcess(job, os.environ)
    child.kill()
    with pytest.raises(SyncError) as failed:
        child.run(lambda event: None)
    assert "signal 9" in failed.value.message


def test_a_child_stopped_before_it_began_is_cancelled(tmp_path: Path, desk: Desk) -> None:
    job = Job(ChildSetup(tmp_path / "i"), desk.settings, SyncRequest("start"), builtin=False)
    child = BulkProcess(job, os.environ)
    child.stop()
    with pytest.raises(CancelledError):
        child.run(lambda event: None)


def test_the_child_sees_no_key(desk: Desk) -> None:
    environ = {"PATH": "/bin", "OPENAI_API_KEY": "sk-secret", "OTHER": "x", "PYTHONPATH": "/p"}
    seen = child_environment(environ)
    assert "sk-secret" not in str(seen)
    assert "OTHER" not in seen
    assert seen["PATH"] == "/bin"
    assert seen["PYTHONPATH"].split(os.pathsep) == [str(ROOT), "/p"]


PARENT = """
import os, sys
from pathlib import Path
from tests.engine.index.desk import make_desk
from engine.embeddings.builtin.provider import BuiltinProvider
from engine.events import SyncProgress

desk = make_desk(Path(sys.argv[1]))
for number in range(400):
    desk.write(f"memory/{number}.md", f"The heron {number} on the pier.\\n" * 300)
indexer = desk.indexer(BuiltinProvider(), child=True)

def heard(event):
    if isinstance(event, SyncProgress):
        print(indexer.child_pid, flush=True)
        sys.stdin.read()

desk.bus.subscribe(heard)
indexer.run("start")
"""


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="needs process handles (Linux)")
def test_the_child_does_not_outlive_a_killed_parent(tmp_path: Path) -> None:
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=ROOT,
        text=True,
    )
    assert parent.stdout is not None
    child = os.pidfd_open(int(parent.stdout.readline()))
    parent.kill()
    parent.communicate()
    ended, _, _ = select.select([child], [], [], WAIT_S)
    os.close(child)
    assert ended
    store = open_store(tmp_path / "index.sqlite", EventBus())
    assert store.identity() is None
    store.close()


def test_what_another_process_stores_during_a_rebuild_is_seen_as_missing_and_comes_back(
    full: Desk,
) -> None:
    indexer = full.indexer(BuiltinProvider(), child=True)
    indexer.run("start")
    other = open_store(full.store.path, EventBus())
    second = full.indexer(BuiltinProvider(), store=other)

    def meanwhile() -> None:
        full.write("memory/late.md", "A turnstone came late.")
        assert second.run("watch").files_indexed == 1
        assert finds(full, "turnstone") == ["memory/late.md"]

    at_first(full, SyncProgress, meanwhile)
    indexer.run("demand", force=True)
    missing = [state.path for state in second.scan_now() if state.dirty]
    assert missing in ([], ["memory/late.md"])
    second.run("watch")
    second.close()
    other.close()
    assert finds(full, "turnstone") == ["memory/late.md"]
    assert full.store.counts().files == 61


def test_embedding_what_keywords_had_indexed_is_bulk_work(full: Desk) -> None:
    full.sync()
    report = full.indexer(BuiltinProvider(), child=True).run("start")
    assert full.told(SyncStarted)[-1].bulk
    assert (report.files_indexed, report.not_embedded) == (0, 0)
    assert report.embedded > 300
