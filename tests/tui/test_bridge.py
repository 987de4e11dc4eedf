"""The bridge: answers arrive as messages, old ones are dropped, failures never end the app."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from textual.app import App
from textual.message import Message

from engine import events
from engine.config.request import EngineOptions
from engine.errors import EngineError, StoreError
from engine.memory import MemoryEngine, Surroundings
from engine.status import EngineStatus
from tests.screens.scripted import ScriptedEngine, running
from tests.screens.stage import stage
from tui import messages
from tui.bridge import Bridge, OpenEngine


class Answer(Message):
    """What the requests of these tests are wrapped into."""

    def __init__(self, value: object) -> None:
        super().__init__()
        self.value = value


class Listener(App[None]):
    """An application that only notes what it is told."""

    def __init__(self, root: Path, engine: OpenEngine, pace: Callable[[], float]) -> None:
        super().__init__()
        self.bridge = Bridge(self, EngineOptions(), stage(root).around(), engine, pace)
        self.heard: list[Message] = []

    def on_answer(self, message: Answer) -> None:
        self.heard.append(message)

    def on_call_failed(self, message: messages.CallFailed) -> None:
        self.heard.append(message)

    def on_engine_opened(self, message: messages.EngineOpened) -> None:
        self.heard.append(message)

    def on_engine_failed(self, message: messages.EngineFailed) -> None:
        self.heard.append(message)

    def on_sync_event(self, message: messages.SyncEvent) -> None:
        self.heard.append(message)

    def on_status_changed(self, message: messages.StatusChanged) -> None:
        self.heard.append(message)

    def on_index_changed(self, message: messages.IndexChanged) -> None:
        self.heard.append(message)

    def on_noticed(self, message: messages.Noticed) -> None:
        self.heard.append(message)


Drive = Callable[[Listener, Callable[[], Awaitable[None]]], Awaitable[None]]


def listen(
    root: Path,
    drive: Drive,
    engine: OpenEngine | None = None,
    pace: Callable[[], float] = lambda: 0.0,
) -> list[Message]:
    """Run the listener, drive it, let everything finish, and return what it heard."""
    app = Listener(root, engine or ScriptedEngine().opener(), pace)

    async def run() -> None:
        async with app.run_test() as pilot:

            async def rest() -> None:
                await app.workers.wait_for_complete()
                await pilot.pause()

            await drive(app, rest)
            await rest()
            await app.bridge.close()

    asyncio.run(run())
    return app.heard


def values(heard: list[Message]) -> list[object]:
    return [message.value for message in heard if isinstance(message, Answer)]


def test_an_answer_is_wrapped_and_waits_for_the_engine_to_open(tmp_path: Path) -> None:
    async def drive(app: Listener, rest: Callable[[], Awaitable[None]]) -> None:
        app.bridge.request("files", lambda engine: engine.status().files, Answer, app)
        await rest()
        assert app.heard == []
        app.bridge.open()

    heard = listen(tmp_path, drive)
    assert isinstance(heard[0], messages.EngineOpened)
    assert values(heard) == [112]


def test_only_the_newest_request_of_a_group_is_answered(tmp_path: Path) -> None:
    started, go_on = threading.Event(), threading.Event()

    def slow(_engine: MemoryEngine) -> str:
        started.set()
        assert go_on.wait(30)
        return "old"

    async def drive(app: Listener, rest: Callable[[], Awaitable[None]]) -> None:
        app.bridge.open()
        await rest()
        app.bridge.request("search", slow, Answer, app)
        app.bridge.request("other group", lambda _engine: "other", Answer, app)
        await asyncio.to_thread(started.wait, 30)
        app.bridge.request("search", lambda _engine: "new", Answer, app)
        while "new" not in values(app.heard):
            await asyncio.sleep(0.001)
        go_on.set()

    assert sorted(map(str, values(listen(tmp_path, drive)))) == ["new", "other"]


def test_an_engine_error_comes_as_it_is_and_any_other_without_its_text(tmp_path: Path) -> None:
    known = StoreError("Store is busy", "Another process writes.", "Try again.")

    def known_failure(_engine: MemoryEngine) -> None:
        raise known

    def surprise(_engine: MemoryEngine) -> None:
        raise KeyError("sk-secret-from-a-note")

    async def drive(app: Listener, rest: Callable[[], Awaitable[None]]) -> None:
        app.bridge.open()
        app.bridge.request("one", known_failure, Answer, app)
        await rest()
        app.bridge.request("two", surprise, Answer, app)

    failed = [m for m in listen(tmp_path, drive) if isinstance(m, messages.CallFailed)]
    assert [message.group for message in failed] == ["one", "two"]
    assert failed[0].error is known
    assert "KeyError" in failed[1].error.message
    assert "sk-secret" not in str(failed[1].error)


def test_a_memory_that_does_not_open_fails_every_waiting_request(tmp_path: Path) -> None:
    problem = EngineError("Not ours", "Another program made it.")

    def refuse(_options: EngineOptions, _around: object) -> MemoryEngine:
        raise problem

    async def drive(app: Listener, _rest: Callable[[], Awaitable[None]]) -> None:
        app.bridge.request("files", lambda engine: engine.status().files, Answer, app)
        app.bridge.open()

    heard = listen(tmp_path, drive, refuse)
    assert isinstance(heard[0], messages.EngineFailed)
    assert isinstance(heard[1], messages.CallFailed)
    assert heard[1].error is problem


def test_reopening_closes_the_first_engine_and_drops_what_it_still_owed(tmp_path: Path) -> None:
    engine = ScriptedEngine()

    async def drive(app: Listener, rest: Callable[[], Awaitable[None]]) -> None:
        app.bridge.open()
        await rest()
        app.bridge.request("files", lambda _engine: "of the first", Answer, app)
        app.bridge.reopen(EngineOptions(agent="work"))
        await rest()
        app.bridge.request("files", lambda _engine: "of the second", Answer, app)
        assert app.bridge.options.agent == "work"

    assert values(listen(tmp_path, drive, engine.opener())) == ["of the second"]
    assert engine.asked == ["close", "close"]


def test_an_engine_that_opens_too_late_is_closed_and_not_used(tmp_path: Path) -> None:
    first, second, gate = ScriptedEngine(), ScriptedEngine(), threading.Event()

    def opener(options: EngineOptions, around: Surroundings) -> MemoryEngine:
        if options.agent is None:
            assert gate.wait(30)
            return first.opener()(options, around)
        return second.opener()(options, around)

    async def drive(app: Listener, rest: Callable[[], Awaitable[None]]) -> None:
        app.bridge.open()
        app.bridge.reopen(EngineOptions(agent="work"))
        while app.bridge.engine is None:
            await asyncio.sleep(0.001)
        gate.set()
        await rest()

    heard = listen(tmp_path, drive, opener)
    assert sum(isinstance(message, messages.EngineOpened) for message in heard) == 1
    assert first.asked == second.asked == ["close"]


def test_closing_does_not_wait_for_ever(tmp_path: Path) -> None:
    stuck = threading.Event()

    class Stuck(ScriptedEngine):
        def close(self) -> None:
            stuck.wait(30)

    async def drive(app: Listener, rest: Callable[[], Awaitable[None]]) -> None:
        app.bridge.open()
        await rest()
        await app.bridge.close(patience_s=0.01)
        app.bridge.engine = None

    listen(tmp_path, drive, Stuck().opener())
    assert not stuck.is_set()
    stuck.set()


def test_progress_is_throttled_and_other_events_are_not(tmp_path: Path) -> None:
    engine = ScriptedEngine()
    moments = iter(number * 0.010 for number in range(100))
    progress = events.SyncProgress("embedding", 1, 2, 3, 4, 5, None)

    async def drive(app: Listener, rest: Callable[[], Awaitable[None]]) -> None:
        app.bridge.open()
        await rest()
        for _ in range(100):
            engine.events.emit(progress)
        engine.events.emit(events.IndexChanged(8))
        engine.events.emit(events.Notice("warning", "fell back"))
        engine.events.emit(events.StageReached("publish-after"))
        engine.events.emit(events.SyncCancelled())

    heard = listen(tmp_path, drive, engine.opener(), lambda: next(moments))
    told = [message.event for message in heard if isinstance(message, messages.SyncEvent)]
    assert 15 <= told.count(progress) <= 21
    assert told[-1] == events.SyncCancelled()
    assert any(isinstance(m, messages.IndexChanged) and m.revision == 8 for m in heard)
    assert any(isinstance(m, messages.Noticed) and m.text == "fell back" for m in heard)
    assert len(told) == told.count(progress) + 1


@dataclass
class Overtaken(ScriptedEngine):
    """An engine that goes on telling while it writes down its status."""

    later: tuple[events.EngineEvent, ...] = ()

    def status(self) -> EngineStatus:
        """The state as it was when it was asked for."""
        state = self.state
        for event in self.later:
            self.events.emit(event)
        return state


def told_with_status(tmp_path: Path, *later: events.EngineEvent) -> list[Message]:
    """What is heard of a status of 2,250 files that is overtaken by later events."""
    early = events.SyncProgress("embedding", 2250, 3000, 0, 0, 0, None)
    engine = Overtaken(running(early), later=later)

    async def drive(app: Listener, rest: Callable[[], Awaitable[None]]) -> None:
        app.bridge.open()
        await rest()
        app.heard.clear()
        app.bridge.refresh_status()
        await rest()

    return listen(tmp_path, drive, engine.opener(), pace=count().__next__)


def test_a_status_never_tells_of_less_progress_than_was_told_before(tmp_path: Path) -> None:
    late = events.SyncProgress("embedding", 3000, 3000, 0, 0, 0, None)
    heard = told_with_status(tmp_path, late)
    assert [type(message).__name__ for message in heard] == ["SyncEvent", "StatusChanged"]
    status = heard[1]
    assert isinstance(status, messages.StatusChanged)
    assert status.status.sync.progress == late


def test_a_status_without_later_progress_keeps_its_own(tmp_path: Path) -> None:
    heard = told_with_status(tmp_path)
    status = heard[-1]
    assert isinstance(status, messages.StatusChanged)
    assert status.status.sync.progress is not None
    assert status.status.sync.progress.files_done == 2250
