"""Another process on the same index: it holds a lock, or kills itself at a named point."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

from engine.clock import SystemClock
from engine.events import EngineEvent, StageReached
from engine.store.store import Store
from tests.engine.store.desk import SPACE, cut, file_row, identity, random_vectors

FILES = 8
"""Files a scenario writes, in batches of two."""


class Executioner:
    """Kills this process (SIGKILL) when a named point is passed for the n-th time."""

    def __init__(self, stage: str, turn: int) -> None:
        self._stage = stage
        self._left = turn

    def __call__(self, event: EngineEvent) -> None:
        if isinstance(event, StageReached) and event.name == self._stage:
            self._left -= 1
            if self._left == 0:
                os.kill(os.getpid(), signal.SIGKILL)


def texts_of(label: str, at: int) -> list[str]:
    """The chunk texts of one file; every one names its label."""
    return [f"{label} chunk {at} {part} " + "filler words " * 40 for part in range(3)]


def rebuild(store: Store, label: str) -> None:
    """Build and publish a generation in several batches."""
    with store.build(identity()) as build:
        for first in range(0, FILES, 2):
            with build.batch() as writer:
                for at in (first, first + 1):
                    texts = texts_of(label, at)
                    writer.put_vectors(SPACE, random_vectors(texts))
                    writer.upsert(file_row(f"{at}.md"), cut(*texts))
        build.publish()


def sync(store: Store, label: str) -> None:
    """Replace every file of the published generation, in several transactions."""
    for at in range(FILES):
        with store.write() as writer:
            texts = texts_of(label, at)
            writer.put_vectors(SPACE, random_vectors(texts))
            writer.upsert(file_row(f"{at}.md"), cut(*texts))


def main() -> None:
    """Run one scenario as the arguments say."""
    scenario, path, *rest = sys.argv[1:]
    sink = Executioner(rest[0], int(rest[1])) if rest else (lambda _: None)
    store = Store.open(Path(path), events=sink, clock=SystemClock())
    if scenario == "rebuild":
        rebuild(store, "new")
    elif scenario == "sync":
        sync(store, "new")
    elif scenario == "hold-write":
        with store.write() as writer:
            writer.upsert(file_row("held.md"), cut("written by the other process"))
            _wait_for_parent()
    elif scenario == "hold-build":
        with store.build(identity()):
            _wait_for_parent()
    store.close()


def _wait_for_parent() -> None:
    print("ready", flush=True)
    sys.stdin.readline()


if __name__ == "__main__":
    main()
