"""One local model for many callers: its process is started on first need and after every death."""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from engine.clock import Clock
from engine.errors import EngineError, ProviderError
from engine.local_models.bindings.binding import BindingName
from engine.local_models.turns import Turns
from engine.local_models.worker_lines import Embedded, Loaded, Start
from engine.local_models.worker_process import WorkerProcess
from engine.net.messages import Cancelled

LOAD_SECONDS = 300.0
_MOST_THREADS = 2
_SPARE_S = 10.0

Phase = Literal["stopped", "loading", "ready", "failed"]


@dataclass(frozen=True, slots=True)
class RunnerState:
    """What the model's process does; ``error`` says why it is not there.

    ``dimensions`` and ``window`` (tokens) are those of the model last loaded, None before.
    """

    phase: Phase = "stopped"
    pid: int | None = None
    binding: str | None = None
    dimensions: int | None = None
    window: int | None = None
    error: str | None = None


@dataclass(frozen=True, slots=True)
class _Refusal:
    """A model that could not be loaded, as it was then."""

    error: ProviderError
    stamp: tuple[str, int, int]
    until_s: float


class ModelRunner:
    """Thread-safe; callers take turns, and a call ends within 0.1 s of its cancel."""

    def __init__(
        self,
        context: int | None,
        environ: Mapping[str, str],
        clock: Clock,
        *,
        binding: BindingName | None = None,
        threads: int | None = None,
    ) -> None:
        self._context = context
        self._environ = environ
        self._clock = clock
        self._binding = binding
        self._threads = threads or fitting_threads()
        self._turns = Turns()
        self._lock = threading.Lock()
        self._process: WorkerProcess | None = None
        self._closed = False
        self._state = RunnerState()
        self._refusal: _Refusal | None = None

    @property
    def state(self) -> RunnerState:
        """For the status; starts nothing."""
        with self._lock:
            process, state = self._process, self._state
        if state.phase == "ready" and (process is None or not process.alive):
            return replace(state, phase="stopped", pid=None)
        return state

    def embed(
        self,
        model: Path,
        texts: Sequence[str],
        seconds: float,
        cancelled: Cancelled,
        *,
        urgent: bool = False,
    ) -> Embedded:
        """Vectors for texts, none of them empty. Raises ProviderError, CancelledError.

        ``seconds`` bounds the answer to these texts; loading has its own limit.
        """
        with self._turns.turn(cancelled, urgent=urgent):
            if urgent:
                self._spare(model)
            process = self._running(model, cancelled)
            try:
                return process.embed(texts, seconds, cancelled)
            except ProviderError as error:
                self._note(replace(self._state, phase="failed", pid=None, error=error.message))
                raise

    def close(self) -> None:
        """End the process, in the middle of a call too."""
        with self._lock:
            self._closed = True
            process, self._process = self._process, None
            self._state = replace(self._state, phase="stopped", pid=None)
        if process is not None:
            process.kill()

    def _running(self, model: Path, cancelled: Cancelled) -> WorkerProcess:
        with self._lock:
            process = self._process
        if process is not None and process.alive:
            return process
        if process is not None:
            process.kill()
        process = self._start(model)
        self._note(RunnerState("loading", process.pid))
        try:
            loaded = process.load(LOAD_SECONDS, cancelled)
        except EngineError as error:
            process.kill()
            if isinstance(error, ProviderError):
                until_s = self._clock.monotonic() + _SPARE_S
                self._refusal = _Refusal(error, _stamp(model), until_s)
                self._note(RunnerState("failed", error=error.message))
            else:
                self._note(RunnerState("stopped"))
            raise
        self._refusal = None
        self._note(_ready(loaded, process.pid))
        return process

    def _spare(self, model: Path) -> None:
        """Do not load for each key typed what has just refused to be loaded."""
        refusal = self._refusal
        if refusal is None or self._clock.monotonic() > refusal.until_s:
            return
        if _stamp(model) == refusal.stamp:
            error = refusal.error
            raise ProviderError(error.title, error.message, error.hint)

    def _start(self, model: Path) -> WorkerProcess:
        start = Start(str(model), self._context, self._threads, self._binding)
        with self._lock:
            if self._closed:
                raise ProviderError("Closed", "The local model is closed already.")
            self._process = WorkerProcess(start, self._environ, self._clock)
            return self._process

    def _note(self, state: RunnerState) -> None:
        with self._lock:
            if not self._closed:
                self._state = state


def _ready(loaded: Loaded, pid: int) -> RunnerState:
    binding = f"{loaded.binding} {loaded.version}".strip()
    return RunnerState("ready", pid, binding, loaded.dimensions, loaded.window)


def _stamp(model: Path) -> tuple[str, int, int]:
    """Changes when the file is another one."""
    try:
        found = model.stat()
    except OSError:
        return str(model), 0, 0
    return str(model), found.st_size, found.st_mtime_ns


def fitting_threads() -> int:
    """Half of the processors, one or two: the library waits in circles when they are taken."""
    available = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 2
    return max(1, min(available // 2, _MOST_THREADS))
