"""The top line: which memory, which provider, which mode, and what the index does now."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from tui.glyphs import Glyphs, glyphs_of
from tui.text import assemble, cut, width
from tui.verdict import verdict
from tui.wording import mode_words, percent

if TYPE_CHECKING:
    from engine import events
    from engine.errors import EngineError
    from engine.status import EngineStatus

GAP = "  "


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of the line: its full and short text and its style."""

    full: str
    short: str
    style: str = ""


def parts(status: EngineStatus, progress: events.SyncProgress | None, glyphs: Glyphs) -> list[Part]:
    """Everything the line has to say, most important first."""
    provider = status.provider
    model = f"{provider.provider}/{provider.model}" if provider.model else provider.provider
    words = mode_words(status)
    found = [
        Part(status.agent_id, cut(status.agent_id, 10), "bold"),
        Part(model, cut(model, 18)),
        Part(words, status.search_mode, "" if status.search_mode == "hybrid" else "$text-warning"),
        _index_part(status, progress, glyphs),
    ]
    rate = status.cache.hit_rate
    if rate is not None:
        found.append(Part(f"cache {percent(rate)}", percent(rate)))
    count = len(status.warnings)
    if count:
        text = f"{glyphs.warning} {count} warning" + ("s" if count > 1 else "")
        found.append(Part(text, f"{glyphs.warning}{count}", "$text-warning"))
    return found


def _index_part(status: EngineStatus, progress: events.SyncProgress | None, glyphs: Glyphs) -> Part:
    found = verdict(status, progress, glyphs)
    return Part(found.words, found.short, found.style)


def fit(found: list[Part], room: int) -> list[tuple[str, str]]:
    """The parts that fit: shortened from the left first, then dropped from the right."""
    texts = [part.full for part in found]
    for at, part in enumerate(found):
        if _cells(texts) <= room:
            break
        texts[at] = part.short
    while texts and _cells(texts) > room:
        texts.pop()
    return [(text, part.style) for text, part in zip(texts, found, strict=False)]


def _cells(texts: list[str]) -> int:
    return sum(width(text) for text in texts) + len(GAP) * max(len(texts) - 1, 0)


class StatusLine(Widget):
    """One line, never more; says "opening" until the engine has answered."""

    status: reactive[EngineStatus | None] = reactive(None)
    error: reactive[EngineError | None] = reactive(None)
    progress: reactive[events.SyncProgress | None] = reactive(None)

    def __init__(self, now_ms: Callable[[], float]) -> None:
        super().__init__()
        self._now_ms = now_ms

    def watch_status(self, status: EngineStatus | None) -> None:
        """A status knows of a running sync even when its events were missed."""
        self.progress = status.sync.progress if status else None

    def take_event(self, event: events.EngineEvent) -> None:
        """Follow a running sync between two statuses."""
        from engine import events

        if isinstance(event, events.SyncProgress):
            self.progress = event
        elif isinstance(event, events.SyncFinished | events.SyncFailed | events.SyncCancelled):
            self.progress = None

    def render(self) -> Content:
        """The line for the width of this moment."""
        glyphs = glyphs_of(self)
        if self.error is not None:
            return assemble(
                " ", (f"{glyphs.failed} not open: {self.error.title}", "bold $text-error")
            )
        if self.status is None:
            return assemble((" memlens  opening the memory" + glyphs.ellipsis, "$text-muted"))
        pieces: list[str | tuple[str, str]] = [" "]
        room = self.size.width - 2
        for at, piece in enumerate(fit(parts(self.status, self.progress, glyphs), room)):
            pieces += [GAP, piece] if at else [piece]
        return assemble(*pieces)
