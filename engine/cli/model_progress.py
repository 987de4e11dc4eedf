"""A model download as one line on stderr: a bar where it is a terminal, else begin and end."""

from __future__ import annotations

import sys

from engine.cli.output import say
from engine.events import EngineEvent, ModelDownload
from engine.untrusted import visible

_BAR = 24
_VERBS = {"waiting": "another process downloads", "downloading": "downloading"}


class DownloadLine:
    """Shows what a download tells; ``end`` leaves its line."""

    def __init__(self) -> None:
        self._drawn = 0
        self._begun: str | None = None

    def __call__(self, event: ModelDownload) -> None:
        """Show the state now."""
        if sys.stderr.isatty():
            self._draw(event)
        elif self._begun != event.name and event.stage != "done":
            self._begun = event.name
            size = "" if event.total_bytes is None else f" ({megabytes(event.total_bytes)})"
            say(f"{_VERBS.get(event.stage, 'checking')} {event.name}{size}")

    def heard(self, event: EngineEvent) -> None:
        """As a subscriber of an engine: whatever is not about a download ends the line."""
        if not isinstance(event, ModelDownload):
            self.end()
            return
        self(event)
        if event.stage == "done":
            self.end()

    def end(self) -> None:
        """Leave the line of the bar."""
        if self._drawn:
            sys.stderr.write("\n")
            self._drawn = 0

    def _draw(self, event: ModelDownload) -> None:
        text = visible(sentence(event))
        sys.stderr.write(f"\r{text:<{self._drawn}}")
        sys.stderr.flush()
        self._drawn = len(text)


def sentence(event: ModelDownload) -> str:
    """Bar, bytes, speed and remaining time, as far as they are known."""
    if event.stage == "done":
        return f"{event.name}: complete, {megabytes(event.done_bytes)}"
    if event.stage == "verifying":
        return f"{event.name}: checking {_share(event)}"
    parts = [f"{event.name} {_share(event)} {megabytes(event.done_bytes)}"]
    if event.total_bytes is not None:
        parts[0] += f" of {megabytes(event.total_bytes)}"
    if event.stage == "waiting":
        parts.append("by another process")
    if event.bytes_per_s:
        parts.append(f"{megabytes(event.bytes_per_s)}/s")
    if event.remaining_s is not None:
        parts.append(f"{_span(event.remaining_s)} left")
    return ", ".join(parts)


def megabytes(count: float) -> str:
    """Bytes for people."""
    return f"{count / 1e6:,.1f} MB"


def _share(event: ModelDownload) -> str:
    if not event.total_bytes:
        return ""
    share = min(event.done_bytes / event.total_bytes, 1.0)
    filled = round(share * _BAR)
    return f"[{'#' * filled}{'-' * (_BAR - filled)}] {share:.0%}"


def _span(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest:02d} s" if minutes else f"{rest} s"
