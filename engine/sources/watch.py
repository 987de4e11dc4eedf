"""Noticing that memory files change on disk."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from engine.clock import Clock, SystemClock
from engine.sources.found import SourceRoots
from engine.sources.native_watch import NativeWatch, PathChange, watch_folders, why_not_watched
from engine.sources.quiet import QuietTime
from engine.sources.watch_plan import WatchPlan, plan_watch
from engine.status import WatchMode, WatchState

_PLANS = 5
"""How often in a row a folder may vanish before it is watched; then polling begins."""


@dataclass(frozen=True, slots=True)
class WatchPace:
    """How often the watcher does what, in seconds.

    ``supervise_s``: looks whether a folder was replaced, which no event tells.
    ``rescan_s``: asks for a scan whatever happened, and tries native watching again.
    ``poll_s``: compares scans when polling. ``longest_s``: acts at the latest when
    changes never rest. ``tick_s``: wakes up.
    """

    supervise_s: float = 1.0
    rescan_s: float = 60.0
    poll_s: float = 2.0
    longest_s: float = 15.0
    tick_s: float = 0.2


class Watcher:
    """Calls ``on_change`` when memory files may have changed; that only means "scan again".

    Runs in one daemon thread of its own, on which both callbacks are called; they should
    return quickly. Start it before the first scan, then nothing can fall between. When
    native watching is not possible it compares scans instead and says why in its state.
    """

    def __init__(
        self,
        roots: SourceRoots,
        on_change: Callable[[], None],
        on_state: Callable[[WatchState], None],
        *,
        quiet_s: float = 1.5,
        force_polling: bool = False,
        clock: Clock | None = None,
        pace: WatchPace | None = None,
        native: NativeWatch = watch_folders,
    ) -> None:
        self._roots = roots
        self._on_change = on_change
        self._on_state = on_state
        self._force_polling = force_polling
        self._clock = clock or SystemClock()
        self._pace = pace or WatchPace()
        self._native = native
        self._quiet = QuietTime(quiet_s, self._pace.longest_s)
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._state = WatchState("off", 0, None)
        self._why = ""
        self._last_event_ms: float | None = None
        self._rescan_at = 0.0

    @property
    def state(self) -> WatchState:
        """The state as of now; safe from any thread."""
        return self._state

    def start(self) -> None:
        """Begin to watch; a no-op when already started."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="memory-watch", daemon=True)
            self._thread.start()

    def stop(self, timeout_s: float = 5.0) -> None:
        """Stop watching and wait for the thread; safe to call twice and from a callback."""
        self._stop.set()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(timeout_s)

    def _run(self) -> None:
        self._rescan_at = self._now() + self._pace.rescan_s
        try:
            while not self._stop.is_set():
                try:
                    self._watch()
                except Exception as problem:
                    # A callback that fails must not end the watch: begin again, and look.
                    self._why = f"watching was interrupted: {problem}"
                    self._quiet.note(self._now())
                    self._stop.wait(self._pace.poll_s)
        finally:
            self._tell("off", 0)

    def _watch(self) -> None:
        """Watch natively until something is in the way, then by comparing scans."""
        if self._force_polling:
            self._poll("as configured")
            return
        for _ in range(_PLANS):
            try:
                self._follow()
                return
            except (FileNotFoundError, PermissionError) as problem:
                # A folder may go away or be closed after planning: plan again.
                obstacle: Exception = problem
            except Exception as problem:
                obstacle = problem
                break
        self._quiet.note(self._now())
        self._poll(f"the system cannot watch: {why_not_watched(obstacle)}")

    def _follow(self) -> None:
        """Watch natively until the stop, or until there are other folders to watch."""
        plan = plan_watch(self._roots)
        note = "" if plan.folders else "the workspace does not exist yet; looking for it"
        supervise_at = self._now() + self._pace.supervise_s
        for number, changes in enumerate(self._reports(plan)):
            now = self._now()
            if number == 0:  # the watch stands
                self._tell("native", len(plan.folders), note)
                if plan_watch(self._roots) != plan:
                    self._noted(now)  # something happened while it was set up
            lost = self._take(plan, changes, now)
            acted = self._act(now)
            if now >= supervise_at:
                supervise_at = now + self._pace.supervise_s
                lost = lost or plan.outdated()
            if lost or (acted and plan_watch(self._roots).places != plan.places):
                self._noted(now)  # what happens until the next watch stands is not reported
                return

    def _reports(self, plan: WatchPlan) -> Iterator[list[PathChange]]:
        if plan.folders:
            return self._native(plan.folders, self._stop, self._pace.tick_s)
        return self._ticks()

    def _ticks(self) -> Iterator[list[PathChange]]:
        while not self._stop.wait(self._pace.tick_s):
            yield []

    def _take(self, plan: WatchPlan, changes: list[PathChange], now: float) -> bool:
        """Note changes that matter; True when a watched folder itself is gone."""
        relevant = [change for change in changes if plan.concerns(change.path)]
        if relevant:
            self._noted(now)
        return any(change.gone and change.path in plan.places for change in relevant)

    def _poll(self, why: str) -> None:
        """Compare scans until the stop, or until native watching is worth another try."""
        seen = plan_watch(self._roots)
        self._tell("polling", len(seen.folders), why)
        poll_at = self._now() + self._pace.poll_s
        retry_at = self._now() + self._pace.rescan_s
        while not self._stop.wait(self._pace.tick_s):
            now = self._now()
            if now >= poll_at:
                fresh, poll_at = plan_watch(self._roots), now + self._pace.poll_s
                if fresh != seen:
                    self._noted(now)
                seen = fresh
                self._tell("polling", len(seen.folders), why)
            self._act(now)
            if now >= retry_at and not self._force_polling:
                return

    def _noted(self, now: float) -> None:
        self._quiet.note(now)
        self._last_event_ms = self._clock.now_ms()

    def _act(self, now: float) -> bool:
        """Ask for a scan when it is time; True when that was done."""
        if not self._quiet.due(now) and now < self._rescan_at:
            return False
        self._quiet.clear()
        self._rescan_at = now + self._pace.rescan_s
        trouble = ""
        try:
            self._on_change()
        except Exception as problem:
            trouble = f"the last change could not be handled: {problem}"
        self._show(replace(self._state, note=trouble or self._why))
        return True

    def _tell(self, mode: WatchMode, folders: int, why: str = "") -> None:
        self._why = why
        self._show(WatchState(mode, folders, None, why))

    def _show(self, state: WatchState) -> None:
        state = replace(state, last_event_ms=self._last_event_ms)
        if state != self._state:
            self._state = state
            self._on_state(state)

    def _now(self) -> float:
        return self._clock.monotonic()
