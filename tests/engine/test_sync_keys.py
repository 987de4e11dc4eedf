"""Every ``sync.*`` key does what it says, through the facade."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from engine.assembly import index_settings
from engine.config.request import EngineOptions, Places
from engine.events import EngineEvent, ScanChanged, SyncFinished, SyncStarted
from engine.memory import MemoryEngine, Surroundings
from engine.sources.native_watch import PathChange
from engine.tools.memory_search import memory_search
from tests.engine.agent_home import AgentHome, remote
from tests.fakes.provider_server import FakeProvider

PATIENCE_S = 60.0


class Heard:
    """What an engine tells, with a way to wait for more."""

    def __init__(self) -> None:
        self.events: list[EngineEvent] = []
        self._changed = threading.Condition()

    def __call__(self, event: EngineEvent) -> None:
        with self._changed:
            self.events.append(event)
            self._changed.notify_all()

    def wait(self, condition: Callable[[], bool]) -> None:
        """Wait until a condition holds."""
        with self._changed:
            assert self._changed.wait_for(condition, PATIENCE_S), self.events

    def reasons(self) -> list[str]:
        """Why the syncs so far were begun."""
        return [event.reason for event in self.events if isinstance(event, SyncStarted)]

    def finished(self) -> int:
        """How many syncs have ended."""
        return sum(isinstance(event, SyncFinished) for event in self.events)


@pytest.fixture
def home(tmp_path: Path) -> AgentHome:
    """Two notes; the index holds one of them."""
    home = AgentHome(tmp_path)
    home.configure({"provider": "builtin"})
    home.write("MEMORY.md", "The heron stands at the pond.\n")
    with home.open() as engine:
        engine.sync("demand")
    home.write("memory/late.md", "A wagtail came late.\n")
    return home


@contextmanager
def opened(home: AgentHome, *settings: str) -> Iterator[tuple[MemoryEngine, Heard]]:
    """An engine, and what it tells."""
    heard = Heard()
    with home.open(*settings) as engine:
        engine.events.subscribe(heard)
        yield engine, heard


def finds(engine: MemoryEngine, word: str) -> bool:
    """Whether a search gives back a snippet with that word."""
    answer = memory_search(engine, word, min_score=0)
    return any(word in result.snippet for result in answer.results)


# -- onSessionStart


def test_a_start_syncs(home: AgentHome) -> None:
    with opened(home) as (engine, heard):
        assert engine.start_sync("start")
        heard.wait(lambda: heard.finished() == 1)
        assert heard.reasons() == ["start"]
        assert finds(engine, "wagtail")


def test_without_on_session_start_a_start_only_looks(home: AgentHome) -> None:
    with opened(home, "sync.onSessionStart=false") as (engine, heard):
        assert engine.start_sync("start")
        heard.wait(lambda: any(isinstance(event, ScanChanged) for event in heard.events))
        assert [state.path for state in engine.status().dirty] == ["memory/late.md"]
        assert heard.reasons() == []
        assert engine.sync("demand").files_indexed == 1


# -- onSearch


NOT_WATCHED = "sync.watch=false"


def test_a_search_in_long_use_syncs_in_the_background(home: AgentHome) -> None:
    with opened(home, NOT_WATCHED) as (engine, heard):
        engine.watch()
        answer = memory_search(engine, "wagtail")
        assert [r.ranked.candidate.path for r in answer.results] in (
            ["MEMORY.md"], [], ["memory/late.md"], ["memory/late.md", "MEMORY.md"],
        )  # fmt: skip
        heard.wait(lambda: heard.finished() == 1)
        assert heard.reasons() == ["search"]
        assert finds(engine, "wagtail")


def test_a_search_does_not_wait_for_the_sync(home: AgentHome) -> None:
    """The sync stands still until the search has answered."""
    answered = threading.Event()

    def stand(event: EngineEvent) -> None:
        if isinstance(event, SyncStarted):
            assert answered.wait(PATIENCE_S)

    with opened(home, NOT_WATCHED) as (engine, heard):
        engine.watch()
        engine.events.subscribe(stand)
        assert finds(engine, "heron")
        assert not finds(engine, "wagtail")
        answered.set()
        heard.wait(lambda: heard.finished() == 1)
        assert finds(engine, "wagtail")


def test_searches_look_at_the_disk_only_now_and_then(home: AgentHome) -> None:
    with opened(home, NOT_WATCHED) as (engine, heard):
        engine.watch()
        finds(engine, "heron")
        heard.wait(lambda: heard.finished() == 1)
        home.write("memory/later.md", "A dunlin came later.\n")
        assert not finds(engine, "dunlin")
        assert heard.reasons() == ["search"]
        home.time.clock.seconds += 2.0
        finds(engine, "heron")
        heard.wait(lambda: heard.finished() == 2)
        assert finds(engine, "dunlin")


def test_without_on_search_a_search_only_says_what_is_pending(home: AgentHome) -> None:
    with opened(home, NOT_WATCHED, "sync.onSearch=false") as (engine, heard):
        engine.watch()
        memory_search(engine, "heron")
        heard.wait(lambda: any(isinstance(event, ScanChanged) for event in heard.events))
        answer = memory_search(engine, "wagtail")
        assert answer.stale
        notices = answer.notices
        assert "1 file is pending, not yet in the index as on disk: memory/late.md." in notices
        assert heard.reasons() == []
        assert not finds(engine, "wagtail")


def test_a_single_search_never_syncs(home: AgentHome) -> None:
    with opened(home) as (engine, heard):
        answer = memory_search(engine, "wagtail")
        assert answer.stale
        home.time.clock.seconds += 60.0
        memory_search(engine, "wagtail")
    assert heard.reasons() == []


# -- watch, watchDebounceMs, intervalMinutes


def threads(name: str) -> int:
    """How many threads of that name live."""
    return sum(thread.name == name for thread in threading.enumerate())


@pytest.mark.parametrize("watch", [True, False])
def test_watching_can_be_switched_off(watch: bool, home: AgentHome) -> None:
    with opened(home, f"sync.watch={str(watch).lower()}") as (engine, _):
        engine.watch()
        assert threads("memory-watch") == int(watch)
    assert threads("memory-watch") == 0


@pytest.mark.parametrize("minutes", [0, 1])
def test_the_interval_keeps_a_thread_waiting(minutes: int, home: AgentHome) -> None:
    with opened(home, NOT_WATCHED, f"sync.intervalMinutes={minutes}") as (engine, _):
        engine.watch()
        assert threads("memlens-index") == minutes
        assert index_settings(engine.config).interval_minutes == minutes


def test_a_change_is_held_back_until_it_was_quiet_for_the_debounce_time(home: AgentHome) -> None:
    reports: queue.Queue[list[PathChange]] = queue.Queue()
    taken = threading.Semaphore(0)

    def native(
        folders: Sequence[str], stop: threading.Event, tick_s: float
    ) -> Iterator[list[PathChange]]:
        while not stop.is_set():
            try:
                yield reports.get(timeout=0.05)
            except queue.Empty:
                continue
            taken.release()

    around = Surroundings(
        {"OPENCLAW_STATE_DIR": str(home.state)},
        Places(home.root / "home", home.root / "data", home.root / "settings"),
        home.time.clock,
        inline_indexing=True,
        native_watch=native,
    )
    options = EngineOptions(settings=("sync.watchDebounceMs=7000",))
    engine, heard = MemoryEngine.open(options, around), Heard()
    engine.events.subscribe(heard)
    clock = home.time.clock

    def report(*changes: PathChange) -> None:
        """Hand over a report, and an empty one, and wait until both were dealt with."""
        for part in (list(changes), []):
            reports.put(part)
            assert taken.acquire(timeout=PATIENCE_S)

    try:
        engine.sync("demand")
        engine.watch()
        report()
        file = home.write("memory/new.md", "A turnstone.\n")
        report(PathChange(str(file), gone=False))
        clock.seconds += 6.9
        report()
        assert heard.reasons() == ["demand"]
        clock.seconds += 0.2
        report()
        heard.wait(lambda: heard.finished() == 2)
        assert heard.reasons() == ["demand", "watch"]
    finally:
        engine.close()


# -- onIdentityChange


@pytest.fixture
def fake() -> Iterator[FakeProvider]:
    with FakeProvider() as fake:
        yield fake


def changed_model(home: AgentHome, fake: FakeProvider, **keys: Any) -> None:
    """Index with one paid model, then configure another one."""
    home.configure(remote(fake.base_url))
    with home.open() as engine:
        engine.sync("demand")
    home.configure(remote(fake.base_url) | {"model": "other", **keys})


@pytest.mark.parametrize(("rule", "sent"), [("rebuild", 2), ("ask", 0), ("pause", 0)])
def test_a_paid_change_of_model(rule: str, sent: int, home: AgentHome, fake: FakeProvider) -> None:
    changed_model(home, fake)
    before = len(fake.texts)
    with opened(home, f"sync.onIdentityChange={rule}") as (engine, _):
        status = engine.status()
        assert status.identity.changes == ("model bow-192 -> other",)
        assert status.identity.cost == "2 of 2 chunks, about 13 tokens, are sent to openai/other."
        assert status.sync.awaits_consent == (rule != "rebuild")
        engine.sync("start")
        assert len(fake.texts) - before == sent
        assert finds(engine, "wagtail")
        engine.sync("demand")
        assert engine.status().identity.status == "valid"
        notes = [text for text in fake.texts[before:] if "came" in text or "stands" in text]
        assert len(notes) == 2, "each text is paid once, by whichever sync was allowed to"


@pytest.mark.parametrize(("rule", "followed"), [("rebuild", True), ("ask", True), ("pause", False)])
def test_a_free_change_of_chunk_sizes(rule: str, followed: bool, home: AgentHome) -> None:
    with opened(home, f"sync.onIdentityChange={rule}", "chunking.tokens=100") as (engine, _):
        assert engine.status().identity.changes[0].startswith("chunking 400/80")
        engine.sync("start")
        assert (engine.status().identity.status == "valid") == followed
        assert finds(engine, "wagtail"), "new files are taken up by the old rules meanwhile"
        engine.sync("demand")
        assert engine.status().identity.status == "valid"
