"""What a person can do to the index: sync, cancel, rebuild, each with the question it needs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from textual.app import App
from textual.message import Message

from tui.glyphs import glyphs_of

if TYPE_CHECKING:
    from engine.memory import MemoryEngine
    from engine.status import EngineStatus, RebuildEstimate
    from tui.bridge import Bridge


class SyncAsked(Message):
    """A sync was asked for; ``started`` False says that one was running already."""

    def __init__(self, started: bool) -> None:
        super().__init__()
        self.started = started


class Estimated(Message):
    """What a forced reindex would cost; ``first`` when the index waits for consent."""

    def __init__(self, cost: RebuildEstimate, first: bool) -> None:
        super().__init__()
        self.cost = cost
        self.first = first


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
            self.estimate(first=True)
        else:
            self._sync(force=False)

    def consider(self, status: EngineStatus) -> None:
        """Ask, once for each opened memory, when the index waits for the person's consent."""
        if status.sync.awaits_consent and not self._considered:
            self._considered = True
            self.estimate(first=True)

    def opened(self) -> None:
        """Another memory: its question has not been asked yet."""
        self._considered = False

    def cancel(self) -> None:
        """Ask the running sync to stop."""
        self._bridge.request(
            "cancel", lambda engine: engine.cancel_sync(), lambda _: Cancelling(), self._app
        )

    def estimate(self, *, first: bool = False) -> None:
        """Ask what a rebuild costs; ``Estimated`` follows."""
        self._bridge.request(
            "estimate",
            lambda engine: engine.estimate_rebuild(),
            lambda cost: Estimated(cost, first),
            self._app,
        )

    def ask(self, message: Estimated) -> None:
        """Show the cost and do it when the person agrees."""
        from tui.screens.asking import confirm_first_index, confirm_rebuild

        confirm = confirm_first_index if message.first else confirm_rebuild

        def agreed(yes: bool | None) -> None:
            if yes:
                self._sync(force=not message.first)

        self._app.push_screen(confirm(message.cost, glyphs_of(self._app)), agreed)

    def _sync(self, *, force: bool) -> None:
        self._bridge.request(
            "sync", lambda engine: engine.start_sync("demand", force=force), SyncAsked, self._app
        )


def _begin(engine: MemoryEngine) -> bool:
    """Runs on a worker."""
    engine.watch()
    return engine.start_sync("start")
