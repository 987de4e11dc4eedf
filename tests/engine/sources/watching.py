"""Running a watcher on real folders and waiting for what it says."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from engine.sources.found import SourceRoots
from engine.sources.watch import Watcher, WatchPace
from engine.status import WatchState

QUICK = WatchPace(supervise_s=0.05, rescan_s=3600.0, poll_s=0.05, longest_s=3600.0, tick_s=0.01)
GENEROUS_S = 30.0


@dataclass
class Record:
    """Everything a watcher said, with a way to wait for more."""

    changes: int = 0
    states: list[WatchState] = field(default_factory=list)
    heard: threading.Condition = field(default_factory=threading.Condition)

    def on_change(self) -> None:
        with self.heard:
            self.changes += 1
            self.heard.notify_all()

    def on_state(self, state: WatchState) -> None:
        with self.heard:
            self.states.append(state)
            self.heard.notify_all()

    @property
    def state(self) -> WatchState:
        return self.states[-1]

    def wait(self, condition: Callable[[], bool]) -> None:
        """Wait until a condition holds; it is looked at after everything that is heard."""
        with self.heard:
            assert self.heard.wait_for(condition, GENEROUS_S), (self.changes, self.states)

    def wait_for_state(self, condition: Callable[[WatchState], bool]) -> None:
        self.wait(lambda: bool(self.states) and condition(self.state))

    @contextmanager
    def change(self) -> Iterator[None]:
        """Whatever is done inside must be followed by a call."""
        before = self.changes
        yield
        self.wait(lambda: self.changes > before)


@contextmanager
def watching(roots: SourceRoots, **options: Any) -> Iterator[Record]:
    """A running watcher, quick unless told otherwise."""
    record = Record()
    settings = {"quiet_s": 0.02, "pace": QUICK, **options}
    watcher = Watcher(roots, record.on_change, record.on_state, **settings)
    watcher.start()
    try:
        record.wait_for_state(lambda state: state.mode != "off")
        yield record
    finally:
        watcher.stop(GENEROUS_S)
    assert record.state.mode == "off"
    assert watcher.state == record.state
