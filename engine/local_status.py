"""What the engine says of a model that runs on this machine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

LocalPhase = Literal["missing", "downloading", "stopped", "loading", "ready", "failed"]


@dataclass(frozen=True, slots=True)
class LocalModelState:
    """The model of the provider ``local`` and the process that runs it.

    ``phase``: "missing" until the first indexing or ``memlens model pull`` downloads it,
    "stopped" while no text has needed it, "failed" with ``error`` after a failure, which
    the next text tries to mend. ``binding`` is the library with its version; ``dimensions``
    and ``window`` (tokens) are known once it was loaded. Bytes are those of a download.
    """

    model: str
    phase: LocalPhase
    path: str | None = None
    folder: str = ""
    pid: int | None = None
    binding: str | None = None
    dimensions: int | None = None
    window: int | None = None
    error: str | None = None
    done_bytes: int = 0
    total_bytes: int | None = None
