"""What a sync may do by itself: rebuild, embed, or wait for the person's word."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from engine.chunking.chunk import ChunkingRules
from engine.events import SyncReason
from engine.index.identity import NO_SPACE, same_chunks, same_space, stored_rules
from engine.index.settings import IndexSettings, OnIdentityChange
from engine.store.contract import StoredIdentity


@dataclass(frozen=True, slots=True)
class SyncRequest:
    """Why a sync is wanted. ``force`` builds a new generation whatever the disk says."""

    reason: SyncReason
    force: bool = False

    @property
    def by_person(self) -> bool:
        """True when somebody asked for it, which is consent to what it costs."""
        return self.reason == "demand" or self.force


@dataclass(frozen=True, slots=True)
class Decision:
    """``build`` makes a new generation, otherwise the published one is brought up to date.

    ``rules`` cut the texts; ``embed`` allows the provider to be asked; ``waits`` is True
    when something is left undone until a person asks for it.
    """

    build: bool
    rules: ChunkingRules
    embed: bool
    waits: bool


def decide(
    request: SyncRequest,
    settings: IndexSettings,
    stored: StoredIdentity | None,
    wanted: StoredIdentity,
    paid: Callable[[], bool],
) -> Decision:
    """Choose what one sync does. ``paid`` tells whether the missing vectors cost anything.

    An index is never left to grow stale: where a rebuild has to wait, changed files are
    still taken up by the rules the index was built with.
    """
    provider = wanted.vector_space != NO_SPACE
    fits = stored is not None and same_chunks(stored, wanted)
    paid_for = stored is not None and same_space(stored, wanted)
    if request.by_person or (fits and paid_for):
        return Decision(request.force or not fits, settings.rules, provider, False)
    if stored is None:
        free = is_automatic(settings.on_identity_change, new=True, paid=paid)
        return Decision(True, settings.rules, provider and free, provider and not free)
    if is_automatic(settings.on_identity_change, new=False, paid=paid):
        return Decision(not fits, settings.rules, provider, False)
    rules = settings.rules if fits else stored_rules(stored)
    if rules is None:
        return Decision(True, settings.rules, False, provider)
    return Decision(False, rules, provider and paid_for, True)


def is_automatic(rule: OnIdentityChange, *, new: bool, paid: Callable[[], bool]) -> bool:
    """Whether the rule lets a change of identity be followed without asking.

    A first index (``new``) replaces nothing, so "pause" holds it back only where it costs.
    """
    if rule == "rebuild":
        return True
    if rule == "pause" and not new:
        return False
    return not paid()


def asks_first(
    settings: IndexSettings,
    stored: StoredIdentity | None,
    wanted: StoredIdentity,
    paid: Callable[[], bool],
) -> bool:
    """Whether something waits for a person's word as things stand; ``paid`` as in ``decide``."""
    if stored is None:
        return wanted.vector_space != NO_SPACE and not is_automatic(
            settings.on_identity_change, new=True, paid=paid
        )
    if same_chunks(stored, wanted) and same_space(stored, wanted):
        return False
    return not is_automatic(settings.on_identity_change, new=False, paid=paid)
