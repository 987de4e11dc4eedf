"""What a host has taught about its limits, kept for the next run."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from engine.embeddings.contract import LearnsLimits, ProviderLimits
from engine.embeddings.remote.query_memory import without_memory

if TYPE_CHECKING:
    from engine.embeddings.contract import EmbeddingProvider

GOOD_FOR_MS = 30 * 86_400_000.0
"""After a month the host is tried with what it is said to take: limits grow, too."""


class Notes(Protocol):
    """Where small texts are kept by name."""

    def note(self, name: str) -> str | None:
        """The text under a name; None when there is none."""
        ...

    def keep_note(self, name: str, change: Callable[[str | None], str | None]) -> bool:
        """Change a text; False where nothing may be written."""
        ...


def recall_limits(provider: EmbeddingProvider, notes: Notes, now_ms: float) -> None:
    """Begin with what an earlier run was taught, unless that was long ago."""
    asked = without_memory(provider)
    if not isinstance(asked, LearnsLimits) or asked.learned_limits is not None:
        return
    kept = _read(notes.note(_name(provider)), now_ms)
    if kept is not None:
        asked.recall_limits(kept)


def remember_limits(provider: EmbeddingProvider, notes: Notes, now_ms: float) -> None:
    """Keep what was taught, with the day when it was first kept."""
    asked = without_memory(provider)
    learned = asked.learned_limits if isinstance(asked, LearnsLimits) else None
    if learned is None or _read(notes.note(_name(provider)), now_ms) == learned:
        return
    text = json.dumps(
        {
            "inputs": learned.inputs_per_request,
            "bytes": learned.bytes_per_request,
            "bytesPerInput": learned.bytes_per_input,
            "concurrency": learned.concurrency,
            "atMs": now_ms,
        }
    )
    notes.keep_note(_name(provider), lambda kept: text)


def _name(provider: EmbeddingProvider) -> str:
    return f"limits:{provider.identity.key()}"


def _read(text: str | None, now_ms: float) -> ProviderLimits | None:
    if text is None:
        return None
    try:
        kept = json.loads(text)
        if not 0 <= now_ms - kept["atMs"] < GOOD_FOR_MS:
            return None
        return ProviderLimits(
            kept["inputs"], kept["bytes"], kept["bytesPerInput"], kept["concurrency"]
        )
    except (ValueError, KeyError, TypeError):
        return None
