"""What is known of a memory file: state, chunks, and the date that decay reads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tui.glyphs import Glyphs

if TYPE_CHECKING:
    from engine.ranking.decay import Age
    from engine.status import FileState

WORDS = {
    "indexed": "indexed",
    "new": "new",
    "changed": "changed",
    "deleted": "deleted",
    "skipped": "skipped",
    "failed": "failed",
}
INKS = {
    "indexed": ".files--good",
    "new": ".files--dirty",
    "changed": ".files--dirty",
    "deleted": ".files--dirty",
    "skipped": ".files--muted",
    "failed": ".files--bad",
}
DIRTY_WORDS = {
    "new": "not in the index yet",
    "changed": "changed on disk; the index has the older text",
    "deleted": "gone from disk; the index still has its text",
}


@dataclass(frozen=True, slots=True)
class FileFacts:
    """A file's state together with how old it counts as."""

    state: FileState
    age: Age

    @property
    def path(self) -> str:
        """The path as the index stores it."""
        return self.state.path

    @property
    def word(self) -> str:
        """The state in one word."""
        return WORDS[self.state.state]

    @property
    def ink(self) -> str:
        """The style that goes with the state."""
        return INKS[self.state.state]

    def sign(self, glyphs: Glyphs) -> str:
        """The sign of the state."""
        signs = {
            "indexed": glyphs.clean,
            "new": glyphs.new,
            "changed": glyphs.dirty,
            "deleted": glyphs.dirty,
            "skipped": glyphs.dash,
            "failed": glyphs.failed,
        }
        return signs[self.state.state]

    @property
    def date(self) -> str:
        """What decay counts from, short enough for a column."""
        if self.state.state == "skipped":
            return ""
        if self.age.by in ("evergreen", "pinned"):
            return "evergreen"
        return self.age.date or "no date"

    @property
    def date_words(self) -> str:
        """The same as a phrase."""
        if self.age.by == "evergreen":
            return "evergreen, never decays"
        if self.age.by == "pinned":
            return "evergreen by your settings"
        if self.age.by == "no file time":
            return "never decays, no file time"
        return f"ages from {self.age.date}, {self.age.by}"

    @property
    def remark(self) -> str:
        """What a person should know of the state; empty when all is as it should be."""
        reason = self.state.reason or ""
        if self.state.state == "skipped":
            return reason or "it is not indexed"
        if self.state.state == "failed":
            return reason or "it was not indexed"
        words = DIRTY_WORDS.get(self.state.state, "")
        if self.state.state == "changed" and reason:
            return reason
        return " ".join(part for part in (words, reason) if part)
