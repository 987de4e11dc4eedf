"""Whether the first provider answers, known to all processes that share an index file."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Protocol

from engine.clock import Clock
from engine.embeddings.fallback_history import NOTE, begun_spell, ended_spell, spells_of
from engine.embeddings.outage import (
    LONGEST_ALONE_S,
    LONGEST_WAIT_S,
    Outage,
    as_text,
    begun,
    from_text,
)
from engine.errors import EngineError
from engine.status import FallbackSpell


class Notes(Protocol):
    """Where small texts are kept by name; the index file is such a place."""

    def note(self, name: str) -> str | None:
        """The text under a name; None when there is none. Raises EngineError."""
        ...

    def keep_note(self, name: str, change: Callable[[str | None], str | None]) -> bool:
        """Change a text; False where nothing may be written. Raises EngineError."""
        ...


@dataclass(frozen=True, slots=True)
class Parties:
    """The vector space of the first provider, its name, and that of the standby if any."""

    space: str
    first: str
    standby: str | None


class OutageLog:
    """The outage of now, and past ones in which the standby answered. Thread-safe.

    ``notes`` gives the place where they are kept, None while there is none; then, or when
    it cannot be written, this process knows of its own failures only.
    """

    def __init__(self, clock: Clock, notes: Callable[[], Notes | None], parties: Parties) -> None:
        self._clock = clock
        self._notes = notes
        self._parties = parties
        self._lock = threading.Lock()
        self._outage: Outage | None = None
        self._kept: str | None = None
        self._spells: str | None = None

    def current(self) -> Outage | None:
        """The outage of now, as this or another process has met it."""
        with suppress(EngineError):  # an index that cannot be read has told so already
            notes = self._notes()
            if notes is not None:
                self._take(notes.note(self._name))
        return self._outage

    def failed(self, reason: str, hint: str, *, slow: bool) -> bool:
        """The first provider failed; True when an outage begins with that."""
        now_ms, now_s = self._clock.now_ms(), self._clock.monotonic()
        longest_s = LONGEST_ALONE_S if self._parties.standby is None else LONGEST_WAIT_S
        with self._lock:
            before = self._outage
            if before is None:
                self._outage = begun(reason, hint, now_ms, now_s, slow=slow)
            else:
                self._outage = before.again(reason, hint, now_s, slow=slow, longest_s=longest_s)
            text = as_text(self._outage, now_ms, now_s)
        self._keep(self._name, lambda kept: text)
        standby = self._parties.standby
        if before is None and standby is not None:
            spell = FallbackSpell(self._parties.first, standby, reason, now_ms)
            self._keep(NOTE, lambda kept: begun_spell(kept, spell))
        return before is None

    def answered(self) -> bool:
        """The first provider answers; True when an outage ends with that."""
        with self._lock:
            before, self._outage = self._outage, None
        if before is None:
            return False
        self._keep(self._name, lambda kept: None)
        now_ms = self._clock.now_ms()
        if self._parties.standby is not None:
            self._keep(NOTE, lambda kept: ended_spell(kept, now_ms))
        return True

    def spells(self) -> tuple[FallbackSpell, ...]:
        """The latest times in which a standby answered, newest first."""
        with suppress(EngineError):
            notes = self._notes()
            if notes is not None and (kept := notes.note(NOTE)) is not None:
                return spells_of(kept)
        return spells_of(self._spells)

    @property
    def _name(self) -> str:
        return f"outage:{self._parties.space}"

    def _take(self, kept: str | None) -> None:
        """Learn from what is kept, if it is not what we kept ourselves."""
        with self._lock:
            if kept == self._kept:
                return
            self._kept = kept
            now_ms, now_s = self._clock.now_ms(), self._clock.monotonic()
            self._outage = None if kept is None else from_text(kept, now_ms, now_s)

    def _keep(self, name: str, change: Callable[[str | None], str | None]) -> None:
        if name == NOTE:
            self._spells = change(self._spells)
        # What cannot be kept is still known here; a full disk must not fail a search.
        with suppress(EngineError):
            notes = self._notes()
            if notes is not None and notes.keep_note(name, change) and name == self._name:
                self._kept = change(None)
