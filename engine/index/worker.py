"""The indexing process: a job comes in on standard input, JSON lines go out.

Started as ``python -P -m engine.index.worker``. It ends when its standard input closes,
so it never outlives the application, and leaves the published index as it was.
"""

from __future__ import annotations

import os
import sys
import threading
from typing import IO, TYPE_CHECKING

from engine.clock import Clock, SystemClock
from engine.errors import EngineError
from engine.events import EngineEvent
from engine.index.context import SyncParts
from engine.index.priority import step_back
from engine.index.sync import run_sync
from engine.index.wire import Job, decode_job, encode_error, encode_event, encode_report

if TYPE_CHECKING:
    from engine.store.store import Store


class Lines:
    """Writes whole lines at once; the parent's end closing ends this process's work."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream

    def event(self, event: EngineEvent) -> None:
        """Tell an event."""
        self.line(encode_event(event))

    def line(self, text: str) -> None:
        """Write one line. Raises BrokenPipeError once nobody listens."""
        self._stream.write(text + "\n")
        self._stream.flush()


def work(job: Job, lines: Lines, cancelled: threading.Event) -> None:
    """Do one job and say how it ended."""
    from engine.embeddings.builtin.provider import BuiltinProvider

    clock = SystemClock()
    try:
        store = open_store(job, lines, clock)
        try:
            provider = BuiltinProvider() if job.builtin else None
            parts = SyncParts(store, job.settings, provider, clock, lines.event)
            outcome = run_sync(parts, job.request, cancelled.is_set, bulk=True)
        finally:
            store.close()
    except EngineError as error:
        lines.line(encode_error(error))
    else:
        lines.line(encode_report(outcome.report))


def open_store(job: Job, lines: Lines, clock: Clock) -> Store:
    """Open the parent's index file the way the parent did. Raises StoreError."""
    from engine.store.store import Store

    setup = job.setup
    return Store.open(
        setup.store,
        tokenizer=job.settings.tokenizer,
        vector_enabled=setup.vector_enabled,
        extension_path=setup.extension_path,
        cache_max=setup.cache_max,
        events=lines.event,
        clock=clock,
    )


def watch_parent(stream: IO[str], cancelled: threading.Event) -> None:
    """Set ``cancelled`` when the parent closes its end, on purpose or by dying."""
    while stream.readline():
        pass
    cancelled.set()


def main() -> int:
    """Read the job, do it; 0 when the last line says how it ended."""
    step_back()
    job = decode_job(sys.stdin.readline())
    cancelled = threading.Event()
    threading.Thread(target=watch_parent, args=(sys.stdin, cancelled), daemon=True).start()
    try:
        work(job, Lines(sys.stdout), cancelled)
    except BrokenPipeError:
        return 1
    return 0


if __name__ == "__main__":
    code = main()
    # The watching thread still holds standard input: a normal exit would wait for its lock.
    os._exit(code)
