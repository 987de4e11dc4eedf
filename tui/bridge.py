"""The one module that runs engine calls: on worker threads, answers as messages."""

from __future__ import annotations

import logging
import threading
import time
import traceback
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from textual.app import App
from textual.message import Message
from textual.message_pump import MessagePump

from engine.errors import EngineError
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

T = TypeVar("T")
Key = tuple[str, MessagePump]
OpenEngine = Callable[["EngineOptions", "Surroundings"], "MemoryEngine"]

PROGRESS_INTERVAL_S = 0.05
log = logging.getLogger("memlens.bridge")
log.addHandler(logging.NullHandler())


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
        self._closed = False
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
        self._start("engine", self._open)

    def reopen(self, options: EngineOptions) -> None:
        """Close the engine and open it with other options (another agent or folder)."""
        with self._lock:
            self._generations = {key: number + 1 for key, number in self._generations.items()}
            self._waiting.clear()
        old, self.engine, self.error = self.engine, None, None
        self._options = options
        self._start("engine", partial(self._open, old))

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
            self.request("status", lambda engine: engine.status(), StatusChanged, self._app)

    def close(self) -> None:
        """Stop listening and close the engine; blocks until its threads are done."""
        self._closed = True
        if self._unsubscribe is not None:
            self._unsubscribe()
        if self.engine is not None:
            self.engine.close()

    def _start(self, group: str, body: Callable[[], None]) -> None:
        self._app.run_worker(body, thread=True, group=group, exit_on_error=False)

    def _open(self, old: MemoryEngine | None = None) -> None:
        try:
            if old is not None:
                if self._unsubscribe is not None:
                    self._unsubscribe()
                old.close()
            engine = self._open_engine(self._options, self._around)
        except Exception as error:
            self._failed_to_open(_told(error, "opening the memory"))
            return
        self._unsubscribe = engine.events.subscribe(self._hear)
        with self._lock:
            self.engine = engine
        self._post(self._app, EngineOpened())
        self._release()

    def _failed_to_open(self, error: EngineError) -> None:
        with self._lock:
            self.error = error
        self._post(self._app, EngineFailed(error))
        self._release()

    def _release(self) -> None:
        with self._lock:
            waiting, self._waiting = list(self._waiting.values()), {}
        for start in waiting:
            self._app.call_from_thread(start)

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
            message = wrap(work(self.engine))
        except Exception as error:
            message = CallFailed(group, _told(error, group))
        if not self._superseded(key, number):
            self._post(to, message)

    def _superseded(self, key: Key, number: int) -> bool:
        with self._lock:
            return self._closed or self._generations.get(key) != number

    def _post(self, to: MessagePump, message: Message) -> None:
        if not self._closed:
            to.post_message(message)

    def _hear(self, event: events.EngineEvent) -> None:
        """Take an engine event on the engine's own thread and turn it into messages."""
        from engine import events

        if isinstance(event, events.SyncProgress) and not self._due():
            return
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


def _told(error: Exception, doing: str) -> EngineError:
    """The error as something a person can read; an unexpected one is logged by place only."""
    if isinstance(error, EngineError):
        return error
    places = traceback.extract_tb(error.__traceback__)
    trail = " < ".join(f"{frame.name}:{frame.lineno}" for frame in reversed(places))
    log.error("unexpected %s while %s: %s", type(error).__name__, doing, trail)
    return EngineError(
        "Unexpected failure",
        f"{type(error).__name__} in {places[-1].name if places else 'the engine'} ({doing}).",
        "The application goes on. Please report this with what you did just before.",
    )
