"""Case watcher-lost: changes are found without a working watch, and the state says so."""

from __future__ import annotations

import ctypes
import errno
import shutil
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from engine.config.request import EngineOptions, Places
from engine.events import EngineEvent, SyncFinished, WatchChanged
from engine.memory import MemoryEngine, Surroundings
from engine.sources.native_watch import NativeWatch, PathChange
from engine.tools.memory_search import memory_search
from tests.cases.inputs import DATA, case_copy

PATIENCE_S = 60.0
DEEP = "memory/sub/deep"


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    return case_copy("watcher-lost", tmp_path) / "workspace"


class Ear:
    """Keeps what an engine tells, with a way to wait for more."""

    def __init__(self) -> None:
        self.heard: list[EngineEvent] = []
        self._changed = threading.Condition()

    def __call__(self, event: EngineEvent) -> None:
        with self._changed:
            self.heard.append(event)
            self._changed.notify_all()

    def wait(self, condition: Callable[[], bool]) -> None:
        """Wait until a condition holds; it is looked at after everything that is heard."""
        with self._changed:
            assert self._changed.wait_for(condition, PATIENCE_S), self.heard

    def of(self, kind: type[EngineEvent]) -> list[EngineEvent]:
        """The events of one kind."""
        return [event for event in self.heard if isinstance(event, kind)]


@contextmanager
def attended(
    workspace: Path, *settings: str, native: NativeWatch | None = None
) -> Iterator[tuple[MemoryEngine, Ear]]:
    """An engine in long use, as the application has it, its index up to date."""
    home = workspace.parent / "home"
    options = EngineOptions(
        workspace=workspace,
        store=workspace.parent / "index.sqlite",
        settings=("sync.watchDebounceMs=0", *settings),
    )
    around = Surroundings({}, Places(home, home, home), inline_indexing=True, native_watch=native)
    engine, ear = MemoryEngine.open(options, around), Ear()
    engine.events.subscribe(ear)
    try:
        engine.sync("start")
        engine.watch()
        yield engine, ear
    finally:
        engine.close()


def finds(engine: MemoryEngine, word: str) -> bool:
    """Whether a search gives back a snippet with that word."""
    return any(word in result.snippet for result in memory_search(engine, word).results)


def no_capacity(
    folders: Sequence[str], stop: threading.Event, tick_s: float
) -> Iterator[list[PathChange]]:
    """What the system says when it has no inotify instance left."""
    raise OSError(errno.EMFILE, "Too many open files")


def test_without_watch_capacity_one_message_is_given_and_scans_are_compared(
    workspace: Path,
) -> None:
    with attended(workspace, native=no_capacity) as (engine, ear):
        ear.wait(lambda: engine.status().watch.mode == "polling")
        syncs = len(ear.of(SyncFinished))
        shutil.copy(DATA / "watcher-lost/late.md", workspace / DEEP)
        ear.wait(lambda: len(ear.of(SyncFinished)) > syncs)
        assert finds(engine, "bittern")
        told = [event for event in ear.heard if isinstance(event, WatchChanged)]
        assert [event.mode for event in told] == ["polling"]
        assert "Too many open files" in told[0].note
        syncs = len(ear.of(SyncFinished))
        (workspace / DEEP / "later.md").write_text("A second one.\n", "utf-8")
        ear.wait(lambda: len(ear.of(SyncFinished)) > syncs)
        watch = engine.status().watch
        assert watch.folders >= 3
        assert watch.last_event_ms is not None
        assert any("Too many open files" in c.message for c in engine.status().warnings)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_after_the_watch_thread_was_ended_a_search_looks_for_itself(workspace: Path) -> None:
    with attended(workspace) as (engine, ear):
        ear.wait(lambda: engine.status().watch.mode == "native")
        end_thread("memory-watch")
        ear.wait(lambda: engine.status().watch.mode == "off")
        finished = len(ear.of(SyncFinished))
        shutil.copy(DATA / "watcher-lost/late.md", workspace / DEEP)
        first = memory_search(engine, "bittern")  # nobody else looks
        if first.stale:
            said = [notice for notice in first.notices if notice.startswith("1 file is pending")]
            assert f"{DEEP}/late.md" in said[0]
        ear.wait(lambda: len(ear.of(SyncFinished)) > finished)
        assert finds(engine, "bittern")


def end_thread(name: str) -> None:
    """End a thread of this process from outside, wherever it stands."""
    (thread,) = [t for t in threading.enumerate() if t.name == name]
    assert thread.ident is not None
    ended = ctypes.pythonapi.PyThreadState_SetAsyncExc(
        ctypes.c_ulong(thread.ident), ctypes.py_object(SystemExit)
    )
    assert ended == 1
    thread.join(PATIENCE_S)
    assert not thread.is_alive()
