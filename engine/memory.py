"""MemoryEngine: the facade. It wires the parts and holds no logic of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from engine.clock import Clock, SystemClock
from engine.config.request import EngineOptions, Places
from engine.events import EventBus, SyncReason, SyncReport

if TYPE_CHECKING:
    from engine.config.resolved import AgentInfo, LookedFor, ResolvedConfig
    from engine.ranking.pool import CandidatePool
    from engine.ranking.settings import RankSettings
    from engine.ranking.trace import Ranking
    from engine.sources.reading import MemoryText
    from engine.status import EngineStatus, FileState, RebuildEstimate
    from engine.store.contract import ChunkRow


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Everything from outside that the engine may look at; tests hand in their own."""

    environ: Mapping[str, str]
    places: Places
    clock: Clock = field(default_factory=SystemClock)
    inline_indexing: bool = False
    """True keeps bulk indexing in this process (tests, measurements)."""


class MemoryEngine:
    """One agent's memory: status, search, reading, indexing. Thread-safe; blocking."""

    events: EventBus
    config: ResolvedConfig

    @classmethod
    def open(cls, options: EngineOptions, around: Surroundings) -> MemoryEngine:
        """Resolve the configuration and open the store; starts no thread, sends nothing.

        Raises ConfigError for wrong options and StoreError when no store can be opened.
        """
        raise NotImplementedError

    @property
    def agents(self) -> Sequence[AgentInfo]:
        """The agents of the configuration; one in demo and folder mode."""
        raise NotImplementedError

    @property
    def looked_for(self) -> Sequence[LookedFor]:
        """The places that were looked at for a memory, for the first-run screen."""
        raise NotImplementedError

    @property
    def has_memory(self) -> bool:
        """True when the workspace exists and holds at least one memory file."""
        raise NotImplementedError

    def status(self) -> EngineStatus:
        """The state as of now: a cheap read of the store plus the last scan."""
        raise NotImplementedError

    def scan(self) -> Sequence[FileState]:
        """Look at the disk and compare with the index: every file with its state."""
        raise NotImplementedError

    def chunks(self, path: str) -> Sequence[ChunkRow]:
        """The chunks of a file in the published index, in order."""
        raise NotImplementedError

    def read_text(self, path: str) -> str:
        """The decoded text of a memory file (UTF-8, bad bytes as U+FFFD). Raises PathError."""
        raise NotImplementedError

    def absolute_path(self, path: str) -> Path:
        """Where a memory file lies on disk, for an editor. Raises PathError."""
        raise NotImplementedError

    def get(self, path: str, from_: int | None = None, lines: int | None = None) -> MemoryText:
        """Read a range as ``memory_get`` returns it. Raises PathError."""
        raise NotImplementedError

    def rank_settings(self, profile: str | None = None) -> RankSettings:
        """The settings of a profile with what the configuration overrides."""
        raise NotImplementedError

    def retrieve(
        self, query: str, settings: RankSettings, *, send_query: bool = True
    ) -> CandidatePool:
        """Fetch the candidates of a query, once. Raises SearchUnavailableError, StoreError.

        ``send_query`` False keeps a paid provider out of it: keywords and cached or
        free query vectors only (search as you type).
        """
        raise NotImplementedError

    def rank(self, pool: CandidatePool, settings: RankSettings) -> Ranking:
        """Rank a pool; pure, touches neither index nor provider."""
        raise NotImplementedError

    def sync(self, reason: SyncReason, *, force: bool = False) -> SyncReport:
        """Bring the index up to date and wait for it. Raises SyncError, CancelledError."""
        raise NotImplementedError

    def start_sync(self, reason: SyncReason, *, force: bool = False) -> bool:
        """Start a sync in the background; False when one is already running (it is joined)."""
        raise NotImplementedError

    def cancel_sync(self) -> None:
        """Ask a running sync to stop; returns at once."""
        raise NotImplementedError

    def estimate_rebuild(self) -> RebuildEstimate:
        """What a forced reindex would cost; sends nothing."""
        raise NotImplementedError

    def watch(self) -> None:
        """Watch the folders and sync on change until close; a no-op when switched off."""
        raise NotImplementedError

    def close(self) -> None:
        """Stop watching, cancel a running sync, close the store. Safe to call twice."""
        raise NotImplementedError
