"""Overview: what is in the memory, what the index holds of it, and what happens now."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.events import Resize
from textual.widget import Widget
from textual.widgets import Static

from tui.screens.base import MemlensScreen
from tui.text import plain
from tui.widgets.index_facts import Setting, index_facts
from tui.widgets.news_list import NewsList, entries
from tui.widgets.panel import Panel
from tui.widgets.provider_facts import caution_facts, provider_facts
from tui.wording import told

if TYPE_CHECKING:
    from engine import events
    from engine.errors import EngineError
    from engine.status import EngineStatus

OPENING = "Opening the memory."
TICK_S = 1.0
"""Ages on the screen grow older this often."""


class OverviewScreen(MemlensScreen):
    """Counts, store, provider, live progress, dirty files, recent changes, warnings."""

    NAME = "overview"
    AUTO_FOCUS = "#news"
    HELP = (
        "The whole memory at a glance. The upper part says what the index holds, which provider "
        "makes its vectors and why, and what runs now. The list below names the files that "
        "differ from the index, those that are not indexed, and what recent syncs did."
    )
    DEFAULT_CSS = """
    OverviewScreen #facts { height: auto; max-height: 75%; }
    OverviewScreen #news { height: 1fr; min-height: 3; }
    OverviewScreen #opening { padding: 1 2; color: $text-muted; }
    OverviewScreen.wide #body { layout: horizontal; }
    OverviewScreen.wide #facts { width: 55%; height: 1fr; max-height: 100%; }
    OverviewScreen.wide #right { width: 45%; height: 1fr; padding-left: 1; }
    OverviewScreen #right { height: 1fr; }
    OverviewScreen.wide Panel { margin-bottom: 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "r",
            "app.sync",
            "sync",
            id="overview.sync",
            tooltip="Bring the index up to date.",
        ),
        Binding(
            "x",
            "app.cancel_sync",
            "cancel",
            id="overview.cancel",
            tooltip="Stop the running sync; the last published index goes on answering.",
        ),
        Binding(
            "R",
            "app.rebuild",
            "rebuild",
            id="overview.rebuild",
            tooltip="Build the index anew from all files.",
        ),
        Binding(
            "f",
            "app.provider",
            "provider",
            id="overview.provider",
            tooltip="Which provider is in use, and why.",
        ),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._progress: events.SyncProgress | None = None
        self._opening = Static(plain(OPENING), id="opening")
        self._facts = VerticalScroll(id="facts")
        self._index = Panel("index", id="index")
        self._cautions = Panel("warnings", id="cautions")
        self._provider = Panel("provider", id="provider")
        self._right = Vertical(id="right")
        self._news = NewsList()

    def compose_body(self) -> Iterable[Widget]:
        """Facts on the left or top, the list on the right or below."""
        yield self._opening
        with self._facts:
            yield self._index
            yield self._cautions
            yield self._provider
        with self._right:
            yield self._news

    def on_mount(self) -> None:
        """Facts stay hidden until there are any."""
        self._reveal(known=False)
        self.set_interval(TICK_S, self._draw_facts)

    def on_memory_left(self) -> None:
        """Back to the calm beginning."""
        super().on_memory_left()
        self._progress = None
        self._opening.update(plain(OPENING))
        self._reveal(known=False)

    def on_open_error(self, error: EngineError) -> None:
        """Say it in place of the facts too; the dialog over it goes away."""
        self._opening.update(told(error))

    def on_status(self, status: EngineStatus) -> None:
        """Draw everything anew."""
        self._progress = status.sync.progress
        self._reveal(known=True)
        self._draw()

    def on_engine_event(self, event: events.EngineEvent) -> None:
        """Follow a running sync."""
        from engine import events

        if isinstance(event, events.SyncProgress):
            self._progress = event
            self._draw_facts()
        elif isinstance(event, events.SyncFinished | events.SyncFailed | events.SyncCancelled):
            self._progress = None

    def on_resize(self, event: Resize) -> None:
        """Widths decide where paths are cut."""
        super().on_resize(event)
        self.call_after_refresh(self._draw)

    def _reveal(self, *, known: bool) -> None:
        self._opening.display = not known
        self._facts.display = self._right.display = known

    def _draw(self) -> None:
        self._draw_facts()
        status = self.host.status
        if status is not None:
            found = entries(status, self.bridge.now_ms(), self.glyphs)
            self._news.show(list(found))
        self.refresh_bindings()

    def _draw_facts(self) -> None:
        status = self.host.status
        if status is None:
            return
        home = str(self.bridge.around.places.home)
        at = Setting(self.bridge.now_ms(), home, self.glyphs, self.has_class("wide"))
        self._index.facts = index_facts(status, self._progress, at)
        self._provider.facts = provider_facts(status, at)
        self._cautions.facts = caution_facts(status, at)
        self._cautions.display = bool(status.warnings)
