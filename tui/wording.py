"""How the application says numbers, ages and states in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content

from tui.text import assemble

if TYPE_CHECKING:
    from engine.errors import EngineError
    from engine.status import EngineStatus


def percent(share: float) -> str:
    """A share 0..1 as whole percent; only a full share says 100 and only none says 0."""
    if 0.0 < share < 1.0:
        return f"{min(max(round(share * 100), 1), 99)}%"
    return f"{round(share * 100)}%"


def count(number: int) -> str:
    """A count with commas between thousands."""
    return f"{number:,}"


def counted(number: int, word: str) -> str:
    """A count with its noun: "1 file", "1,204 files"."""
    return f"{count(number)} {word}" + ("" if number == 1 else "s")


def size(octets: int) -> str:
    """A file size in bytes, kB or MB (powers of 1000)."""
    if octets < 1000:
        return f"{octets} B"
    if octets < 1_000_000:
        return f"{octets / 1000:.1f} kB"
    return f"{octets / 1_000_000:.1f} MB"


def span(seconds: float) -> str:
    """A length of time with one unit: 12 ms, 1.4 s, 41 s, 3 min, 5 h, 2 days."""
    if seconds < 1:
        return f"{max(seconds, 0.0) * 1000:.0f} ms"
    if seconds < 10:
        return f"{seconds:.1f} s"
    if seconds < 60:
        return f"{seconds:.0f} s"
    if seconds < 3600:
        return f"{seconds / 60:.0f} min"
    if seconds < 86_400:
        return f"{seconds / 3600:.0f} h"
    days = round(seconds / 86_400)
    return f"{days} day" + ("s" if days != 1 else "")


def ago(then_ms: float, now_ms: float) -> str:
    """How long ago a moment was; below a second it is "just now"."""
    seconds = int((now_ms - then_ms) / 1000)
    if seconds < 1:
        return "just now"
    return f"{seconds} s ago" if seconds < 60 else f"{span(seconds)} ago"


def mode_words(status: EngineStatus) -> str:
    """The search mode, and when a leg is missing why."""
    if status.search_mode == "hybrid":
        return "hybrid"
    if status.search_mode == "vector":
        why = "FTS is off" if not status.fts.enabled else "no FTS"
        return f"vector only: {why}"
    if status.provider.provider == "none":
        return (
            "keyword only: by choice"
            if status.provider.requested == "none"
            else ("keyword only: no provider")
        )
    if status.provider.error:
        return "keyword only: provider failed"
    if not status.vector.enabled:
        return "keyword only: vectors are off"
    return "keyword only: no vectors yet"


def short_path(path: str, home: str) -> str:
    """The path with the home folder as ``~``."""
    inside = home and path.startswith(home.rstrip("/") + "/")
    return "~" + path[len(home.rstrip("/")) :] if inside else path


def sentence(text: str) -> str:
    """The text with a full stop, unless it ends in a mark of its own."""
    text = text.rstrip()
    return text if text.endswith(tuple(".!?:;。！？…")) else f"{text}."


def told(error: EngineError) -> Content:
    """An error's message, and what to do about it below."""
    return assemble(error.message, (f"\n\n{error.hint}" if error.hint else "", "$text-muted"))
