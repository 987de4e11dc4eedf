"""What a person can do to the index: sync, cancel, rebuild, each with the question it needs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
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
    """What making the index anew would cost.

    ``waits_for`` is None for a forced rebuild. Otherwise the index waits for consent: because
    of these changes of settings, or, when there are none, because it has no vectors yet.
    """

    def __init__(self, cost: RebuildEstimate, waits_for: Sequence[str] | None) -> None:
        super().__init__()
        self.cost = cost
        self.waits_for = waits_for


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

    def consider(self, status: EngineStatus) -> None:
        """Ask, once for each opened memory, when a provider that costs waits for consent."""
        waits = status.sync.awaits_consent and status.provider.remote
        if waits and not self._considered:
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
        """Ask what a rebuild costs; ``Estimated`` follows."""
        self._bridge.request(
            "estimate", partial(_estimated, waiting=waiting), lambda cost: cost, self._app
        )

    def ask(self, message: Estimated) -> None:
        """Show the cost and do it when the person agrees."""
        from tui.screens.asking import confirm_rebuild, confirm_waiting

        glyphs, changes = glyphs_of(self._app), message.waits_for

        def agreed(yes: bool | None) -> None:
            if yes:
                self._sync(force=changes is None)

        self._app.push_screen(
            confirm_rebuild(message.cost, glyphs)
            if changes is None
            else confirm_waiting(message.cost, changes, glyphs),
            agreed,
        )

    def _sync(self, *, force: bool) -> None:
        self._bridge.request(
            "sync", lambda engine: engine.start_sync("demand", force=force), SyncAsked, self._app
        )


def _begin(engine: MemoryEngine) -> bool:
    """Runs on a worker."""
    engine.watch()
    return engine.start_sync("start")


def _estimated(engine: MemoryEngine, waiting: bool) -> Estimated:
    """Runs on a worker."""
    changes = engine.status().identity.changes if waiting else None
    return Estimated(engine.estimate_rebuild(), changes)
