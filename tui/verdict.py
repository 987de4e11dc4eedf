"""How the index stands, in one word: the same for the status line and the overview."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tui.glyphs import Glyphs
from tui.wording import count

if TYPE_CHECKING:
    from engine.events import SyncProgress
    from engine.status import EngineStatus


@dataclass(frozen=True, slots=True)
class Verdict:
    """A sign, the shortest form, a few words, a style, and what may be added where room is."""

    sign: str
    short: str
    words: str
    style: str
    more: str = ""


def verdict(status: EngineStatus, progress: SyncProgress | None, glyphs: Glyphs) -> Verdict:
    """The most important thing to know first; "clean" only when the disk was looked at."""
    sync = status.sync
    if progress is not None or sync.phase == "running":
        return _running(progress, glyphs)
    if sync.phase == "failed":
        told = f"{sync.error or 'no reason was given'} {sync.error_hint}".strip()
        return _made(glyphs.failed, "sync failed", "bold $text-error", more=told)
    if sync.awaits_consent:
        more = "press r to see what it costs"
        return _made(glyphs.paused, "waits for your consent", "bold $text-warning", more=more)
    if status.identity.status == "mismatched":
        more = "; ".join(status.identity.changes)
        return _made(glyphs.paused, "made with other settings", "bold $text-warning", more=more)
    if status.dirty:
        number, more = count(len(status.dirty)), "the disk differs from the index"
        return _made(glyphs.dirty, f"dirty {number}", "bold $text-warning", number, more)
    if status.scanned_at_ms is None:
        return _made("?", "not looked yet", "$text-muted", more="the disk is still to be looked at")
    if status.identity.status == "missing":
        return _made(glyphs.paused, "nothing indexed", "bold $text-warning")
    return _made(glyphs.clean, "clean", "bold $text-success")


def _running(progress: SyncProgress | None, glyphs: Glyphs) -> Verdict:
    style = "bold $text-accent"
    if progress is None:
        return _made(glyphs.running, "sync starts", style)
    done = f"{progress.files_done}/{progress.files_total}"
    return _made(glyphs.running, f"sync {done}", style, done)


def _made(sign: str, words: str, style: str, number: str = "", more: str = "") -> Verdict:
    return Verdict(sign, f"{sign}{number}", f"{sign} {words}", style, more)
