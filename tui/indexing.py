"""What a person can do to the index: sync, cancel, rebuild, each with the question it needs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from textual.app import App
from textual.message import Message

from tui.navigation import HOME

if TYPE_CHECKING:
    from engine.memory import MemoryEngine
    from engine.status import EngineStatus
    from tui.bridge import Bridge


class SyncAsked(Message):
    """A sync was asked for; ``started`` False says that one was running already."""

    def __init__(self, started: bool) -> None:
        super().__init__()
        self.started = started


class Cancelling(Message):
    """The running sync was asked to stop."""


class Indexing:
    """Runs the indexer through the bridge and asks before anything that costs."""

    def __init__(self, app: App[Any], bridge: Bridge) -> None:
        self._app = app
        self._bridge = bridge
        self._considered = False

    def start(self) -> None:
        """Watch the folders and bring the index up to date."""
        self._bridge.request("start", _begin, SyncAsked, self._app)

    def sync(self, status: EngineStatus | None) -> None:
        """Start a sync in the background, after the question that it may need."""
        if status is not None and status.sync.awaits_consent:
            self.estimate(waiting=True)
        else:
            self._sync(force=False)

    def consider(self, status: EngineStatus | None) -> None:
        """Ask, once for each opened memory, when a provider that costs waits for consent.

        The question comes up on the overview alone, where it is about what is seen there: in
        the middle of a query it would take the keys away.
        """
        if status is None or self._considered:
            return
        waits = status.sync.awaits_consent and status.provider.remote
        if waits and self._app.current_mode == HOME and len(self._app.screen_stack) == 1:
            self._considered = True
            self.estimate(waiting=True)

    def opened(self) -> None:
        """Another memory: its question has not been asked yet."""
        self._considered = False

    def cancel(self) -> None:
        """Ask the running sync to stop."""
        self._bridge.request(
            "cancel", lambda engine: engine.cancel_sync(), lambda _: Cancelling(), self._app
        )

    def estimate(self, *, waiting: bool = False) -> None:
        """Ask whether to make the index anew, or what it waits for; the cost comes first."""
        from tui.screens.costing import Costing

        def agreed(yes: bool | None) -> None:
            if yes:
                self._sync(force=not waiting)

        self._app.push_screen(Costing(self._bridge, waiting=waiting), agreed)

    def _sync(self, *, force: bool) -> None:
        self._bridge.request(
            "sync", lambda engine: engine.start_sync("demand", force=force), SyncAsked, self._app
        )


def _begin(engine: MemoryEngine) -> bool:
    """Runs on a worker."""
    engine.watch()
    return engine.start_sync("start")
