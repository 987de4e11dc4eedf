"""What all main screens share: status line, tabs, body, key line, and the engine's news."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar, Protocol, runtime_checkable

from textual import events
from textual.app import ComposeResult
from textual.containers import Container
from textual.screen import Screen
from textual.widget import Widget

from tui.glyphs import Glyphs, glyphs_of
from tui.messages import IndexerTold, NewsWaiting
from tui.widgets.key_line import KeyLine
from tui.widgets.passing_line import PassingLine
from tui.widgets.status_line import StatusLine
from tui.widgets.tab_line import TabLine

if TYPE_CHECKING:
    from engine.errors import EngineError
    from engine.events import EngineEvent
    from engine.status import EngineStatus
    from tui.bridge import Bridge

TINY, NARROW, WIDE, SHORT = 60, 100, 120, 20


@runtime_checkable
class HasEngine(Protocol):
    """The application as screens see it: the bridge and the last news of the engine."""

    @property
    def bridge(self) -> Bridge:
        """The one way to run engine calls."""
        ...

    @property
    def status(self) -> EngineStatus | None:
        """The last status, None until the engine is open."""
        ...

    @property
    def open_error(self) -> EngineError | None:
        """Why the engine did not open, if it did not."""
        ...


class MemlensScreen(Screen[None]):
    """A main screen. Subclasses fill ``compose_body`` and the ``on_...`` hooks.

    A screen makes its parts in its constructor and holds them; ``compose`` only puts them in
    place. No part is ever looked up by name or type: what a message, a timer or an action
    finds is always there, before the screen is composed, and while it is being taken down.
    What the application and the engine have to say comes as messages, after composing.

    The classes ``tiny`` (under 60 cells wide), ``narrow`` (under 100), ``wide`` (120 and
    more) and ``short`` (under 20 lines) are kept up to date for style sheets.
    """

    NAME: ClassVar[str] = ""
    """The name of the tab and mode."""
    HELP: ClassVar[str] = ""
    """A paragraph for the help page."""

    def __init__(self) -> None:
        super().__init__()
        self._seen: EngineStatus | None = None
        self._revision: int | None = None
        self.status_line = StatusLine(self.bridge.now_ms)

    @property
    def host(self) -> HasEngine:
        """The application, as far as screens need it."""
        assert isinstance(self.app, HasEngine)
        return self.app

    @property
    def bridge(self) -> Bridge:
        """The one way to run engine calls."""
        return self.host.bridge

    @property
    def glyphs(self) -> Glyphs:
        """The set of signs in use."""
        return glyphs_of(self)

    def compose(self) -> ComposeResult:
        """Status line, tabs, body and key line, which gives way to what is told in passing."""
        yield self.status_line
        yield TabLine(self.NAME)
        with Container(id="body"):
            yield from self.compose_body()
        yield KeyLine()
        yield PassingLine()

    def compose_body(self) -> Iterable[Widget]:
        """The widgets between tab line and key line."""
        return ()

    def on_status(self, status: EngineStatus) -> None:
        """The engine has a new status; called also when the screen comes to the front."""

    def on_open_error(self, error: EngineError) -> None:
        """The memory could not be opened."""

    def on_index_changed(self) -> None:
        """The index has another revision than this screen has seen."""

    def on_engine_event(self, event: EngineEvent) -> None:
        """Progress and other news of the indexer, while this screen is in front."""

    def on_news_waiting(self, message: NewsWaiting) -> None:
        """Hand on what is new since the screen was last told."""
        line, status = self.status_line, message.status
        line.error = message.error
        if line.error is not None:
            self.on_open_error(line.error)
        if status is None or status is self._seen:
            return
        self._seen = line.status = status
        self.on_status(status)
        if self._revision is not None and status.revision != self._revision:
            self.on_index_changed()
        self._revision = status.revision

    def on_memory_left(self) -> None:
        """Another memory is being opened; nothing that was said holds for it."""
        self.status_line.status = self.status_line.error = None
        self._seen = self._revision = None

    def on_looks_changed(self) -> None:
        """Draw anew what was drawn from the status."""
        self._seen = None
        self.on_news_waiting(self._latest_news())

    def on_indexer_told(self, message: IndexerTold) -> None:
        """Hand an indexer event to the status line and the hook."""
        self.status_line.take_event(message.event)
        self.on_engine_event(message.event)

    def on_screen_resume(self) -> None:
        """Catch up with what happened while another screen was in front."""
        self.call_after_refresh(lambda: self.post_message(self._latest_news()))

    def _latest_news(self) -> NewsWaiting:
        return NewsWaiting(self.host.status, self.host.open_error)

    def on_resize(self, event: events.Resize) -> None:
        """Keep the size classes true."""
        across, down = event.size
        self.set_class(across < TINY, "tiny")
        self.set_class(across < NARROW, "narrow")
        self.set_class(across >= WIDE, "wide")
        self.set_class(down < SHORT, "short")
