"""The one module that runs engine calls: on worker threads, answers as messages."""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from textual.app import App
from textual.message import Message
from textual.message_pump import MessagePump
from textual.worker import Worker

from engine.errors import EngineError
from tui.failures import in_words
from tui.messages import (
    CallFailed,
    EngineFailed,
    EngineOpened,
    IndexChanged,
    Noticed,
    StatusChanged,
    SyncEvent,
)

if TYPE_CHECKING:
    from engine import events
    from engine.config.request import EngineOptions
    from engine.memory import MemoryEngine, Surroundings
    from engine.status import EngineStatus

T = TypeVar("T")
Key = tuple[str, MessagePump]
OpenEngine = Callable[["EngineOptions", "Surroundings"], "MemoryEngine"]

PROGRESS_INTERVAL_S = 0.05
CLOSE_PATIENCE_S = 5.0


class Bridge:
    """Opens the engine and answers requests on threads; touches no widget.

    Threads cannot be stopped, so each request has a generation number: when a
    newer one with the same group and target was made, an older outcome is dropped.
    """

    def __init__(
        self,
        app: App[Any],
        options: EngineOptions,
        around: Surroundings,
        open_engine: OpenEngine | None = None,
        pace: Callable[[], float] = time.monotonic,
    ) -> None:
        self._app = app
        self._options = options
        self._around = around
        self._lock = threading.Lock()
        self._generations: dict[Key, int] = {}
        self._waiting: dict[Key, Callable[[], None]] = {}
        self._unsubscribe: Callable[[], None] | None = None
        self._open_engine = open_engine or _open_engine
        self._pace = pace
        self._next_progress = 0.0
        self._telling = threading.Lock()
        self._progress: events.SyncProgress | None = None
        self._closed = False
        self._opening = 0
        self.engine: MemoryEngine | None = None
        self.error: EngineError | None = None

    @property
    def options(self) -> EngineOptions:
        """What the engine was, or will be, opened with."""
        return self._options

    @property
    def around(self) -> Surroundings:
        """The surroundings the engine is given: environment, folders, clock."""
        return self._around

    def now_ms(self) -> float:
        """The engine's wall clock, for ages on screen (milliseconds since the epoch)."""
        fixed = self._options.now_ms
        return self._around.clock.now_ms() if fixed is None else fixed

    def open(self) -> None:
        """Open the engine on a thread; ends in EngineOpened or EngineFailed."""
        self._opening += 1
        self._start("engine", partial(self._open, self._opening, self._options, None))

    def reopen(self, options: EngineOptions) -> None:
        """Close the engine and open it with other options (another agent or folder)."""
        with self._lock:
            self._generations = {key: number + 1 for key, number in self._generations.items()}
            self._waiting.clear()
            old, self.engine, self.error = self.engine, None, None
        self._progress = None
        self._options = options
        self._opening += 1
        self._start("engine", partial(self._open, self._opening, options, old))

    def request(
        self,
        group: str,
        work: Callable[[MemoryEngine], T],
        wrap: Callable[[T], Message],
        to: MessagePump,
    ) -> None:
        """Run ``work`` on a thread and post its wrapped result, or CallFailed, to ``to``.

        A newer request of the same group and target supersedes this one. Requests
        made before the engine is open wait for it.
        """
        key = (group, to)
        with self._lock:
            number = self._generations[key] = self._generations.get(key, 0) + 1
            start = partial(self._start, group, partial(self._answer, key, number, work, wrap))
            if self.engine is None and self.error is None:
                self._waiting[key] = start
                return
        start()

    def refresh_status(self) -> None:
        """Ask for a fresh status; StatusChanged follows."""
        if self.engine is not None:
            self.request("status", lambda engine: engine.status(), self._newest, self._app)

    def _newest(self, status: EngineStatus) -> StatusChanged:
        """The status with the last progress that was heard, which may be newer than its own."""
        sync = status.sync
        if sync.phase == "running" and self._progress is not None:
            status = replace(status, sync=replace(sync, progress=self._progress))
        return StatusChanged(status)

    async def close(self, patience_s: float = CLOSE_PATIENCE_S) -> None:
        """Stop listening and close the engine; waits for it, but not for ever.

        What does not end in time dies with the process; the store survives that.
        """
        self._closed = True
        if self._unsubscribe is not None:
            self._unsubscribe()
        if self.engine is not None:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(_on_thread(self.engine.close), patience_s)

    def _start(self, group: str, body: Callable[[], None]) -> None:
        async def call() -> None:
            await _on_thread(body)

        _: Worker[None] = self._app.run_worker(call, name=group, group=group, exit_on_error=False)

    def _open(self, number: int, options: EngineOptions, old: MemoryEngine | None) -> None:
        try:
            if old is not None:
                self._leave(old)
            engine = self._open_engine(options, self._around)
        except Exception as error:
            self._failed_to_open(number, in_words(error, "opening the memory"))
            return
        with self._lock:
            wanted = number == self._opening and not self._closed
            if wanted:
                self.engine = engine
        if not wanted:
            engine.close()
            return
        self._unsubscribe = engine.events.subscribe(self._hear)
        self._post(self._app, EngineOpened())
        self._release()

    def _leave(self, engine: MemoryEngine) -> None:
        if self._unsubscribe is not None:
            self._unsubscribe()
            self._unsubscribe = None
        engine.close()

    def _failed_to_open(self, number: int, error: EngineError) -> None:
        if number != self._opening:
            return
        with self._lock:
            self.error = error
        self._post(self._app, EngineFailed(error))
        self._release()

    def _release(self) -> None:
        with self._lock:
            waiting, self._waiting = list(self._waiting.values()), {}
        for start in waiting:
            self._app.call_later(start)

    def _answer(
        self,
        key: Key,
        number: int,
        work: Callable[[MemoryEngine], T],
        wrap: Callable[[T], Message],
    ) -> None:
        group, to = key
        if self._superseded(key, number):
            return
        try:
            if self.engine is None:
                raise self.error or EngineError("Not open", "The memory is not open.", "")
            found = work(self.engine)
            with self._telling:
                message = wrap(found)
                if not self._superseded(key, number):
                    self._post(to, message)
        except Exception as error:
            if not self._superseded(key, number):
                self._post(to, CallFailed(group, in_words(error, group)))

    def _superseded(self, key: Key, number: int) -> bool:
        with self._lock:
            return self._closed or self._generations.get(key) != number

    def _post(self, to: MessagePump, message: Message) -> None:
        if not self._closed:
            to.post_message(message)

    def _hear(self, event: events.EngineEvent) -> None:
        """Take an engine event on the engine's own thread and turn it into messages.

        One at a time, and not between a status and its message: so no message is older than
        the one before it.
        """
        with self._telling:
            self._tell(event)

    def _tell(self, event: events.EngineEvent) -> None:
        from engine import events

        borders = (
            events.SyncStarted | events.SyncFinished | events.SyncFailed | events.SyncCancelled
        )
        if isinstance(event, events.SyncProgress):
            self._progress = event
            if not self._due():
                return
        elif isinstance(event, borders):
            self._progress = None
        if isinstance(event, events.StageReached):
            return
        if isinstance(event, events.Notice):
            self._post(self._app, Noticed(event.level, event.text))
        elif isinstance(event, events.IndexChanged):
            self._post(self._app, IndexChanged(event.revision))
        else:
            self._post(self._app, SyncEvent(event))

    def _due(self) -> bool:
        now = self._pace()
        if now < self._next_progress:
            return False
        self._next_progress = now + PROGRESS_INTERVAL_S
        return True


def _open_engine(options: EngineOptions, around: Surroundings) -> MemoryEngine:
    """Loads the engine's heavy parts, so it runs on a worker after the first frame."""
    from engine.memory import MemoryEngine

    return MemoryEngine.open(options, around)


async def _on_thread(body: Callable[[], None]) -> None:
    """Run ``body``, which must not raise, on a thread of its own that no exit waits for."""
    loop, done = asyncio.get_running_loop(), asyncio.Event()

    def run() -> None:
        try:
            body()
        finally:
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(done.set)

    threading.Thread(target=run, name="memlens call", daemon=True).start()
    await done.wait()
