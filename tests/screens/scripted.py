"""An engine with a script instead of a store, for states that a real one reaches rarely."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

from engine.config.resolved import AgentInfo, ConfigProblem, ConfigValue, LookedFor
from engine.errors import EngineError
from engine.events import EventBus, RecentChange, SyncProgress, SyncReason, SyncReport
from engine.status import (
    CacheState,
    EngineStatus,
    FileState,
    FtsState,
    IdentityState,
    ProviderState,
    RebuildEstimate,
    SourceCount,
    SyncState,
    VectorState,
    WatchState,
)
from tests.screens.stage import NOW_MS
from tui.bridge import OpenEngine

if TYPE_CHECKING:
    from engine.memory import MemoryEngine

HELD_S = 60.0
REPORT = SyncReport(
    reason="start",
    forced=False,
    files_indexed=3,
    files_removed=0,
    chunks_added=9,
    chunks_removed=4,
    embedded=5,
    cached=4,
    not_embedded=0,
    skipped=(),
    changes=(),
    started_ms=NOW_MS - 44_200,
    duration_ms=3_200,
)
RECENT = (
    RecentChange("memory/2026-02-10.md", "changed", NOW_MS - 41_000, 3, 2, 2, 1),
    RecentChange("memory/network.md", "added", NOW_MS - 41_000, 4, 0, 1, 3),
    RecentChange("memory/old-plan.md", "removed", NOW_MS - 3_600_000, 0, 2, 0, 0),
)
CLEAN = EngineStatus(
    agent_id="main",
    mode="agent",
    workspace="/home/ada/clawd",
    store_path="/home/ada/.openclaw/memory/main.memlens.sqlite",
    store_bytes=18_400_000,
    sqlite_version="3.54.0",
    era="2026.3",
    profile="2026.3",
    search_mode="hybrid",
    enabled=True,
    provider=ProviderState(
        requested="auto",
        provider="builtin",
        model="static-256",
        dimensions=256,
        mode="active",
        reason="no provider is set and no key was found, so the built-in model is used",
        passed_over=(),
        agent_would="The agent itself would search by keywords only.",
    ),
    files=112,
    chunks=1204,
    revision=7,
    generation=1,
    identity=IdentityState("valid"),
    dirty=(),
    skipped=(),
    scanned_at_ms=NOW_MS - 3_000,
    sync=SyncState("idle", None, False, REPORT, NOW_MS - 41_000, None),
    fts=FtsState(True, True, "unicode61"),
    vector=VectorState(True, True, "sqlite-vec", "0.1.9", None, None, 256, 1204),
    cache=CacheState(True, 1_310, 50_000, 93, 7),
    watch=WatchState("native", 4, NOW_MS - 45_000),
    sources=("memory",),
    extra_paths=(),
    source_counts=(SourceCount("memory", 112, 1204),),
    recent=RECENT,
    warnings=(),
    config_path="/home/ada/.openclaw/openclaw.json",
)
ESTIMATE = RebuildEstimate(
    files=112,
    chunks=1204,
    cached=1180,
    to_embed=24,
    tokens=9_600,
    remote=False,
    provider="builtin",
    seconds=1.4,
    note="",
)


def dirty_file(path: str, state: str = "changed") -> FileState:
    """A file that differs from the index."""
    made = FileState(path, "memory", 1_200, NOW_MS - 5_000, "0" * 64, "changed", 2)
    return replace(made, state=state)  # type: ignore[arg-type]


@dataclass
class ScriptedEngine:
    """Answers with what it was given; counts what it was asked."""

    state: EngineStatus = CLEAN
    agents: Sequence[AgentInfo] = (AgentInfo("main", Path("/home/ada/clawd"), True),)
    looked_for: Sequence[LookedFor] = ()
    has_memory: bool = True
    cost: RebuildEstimate = ESTIMATE
    failure: EngineError | None = None
    unusable: EngineError | None = None
    values: Sequence[ConfigValue] = ()
    counting: threading.Event | None = None
    """What an estimate waits for."""
    events: EventBus = field(default_factory=EventBus)
    asked: list[str] = field(default_factory=list)

    @property
    def store(self) -> None:
        """The index file; opening it is all that is asked of it."""
        if self.unusable is not None:
            raise self.unusable

    @property
    def problems(self) -> tuple[ConfigProblem, ...]:
        """Nothing is wrong with it."""
        return ()

    @property
    def config(self) -> ScriptedEngine:
        """The configuration, of which only what stands here is asked for."""
        return self

    @property
    def workspace(self) -> Path:
        """The folder of the first agent."""
        return self.agents[0].workspace

    def status(self) -> EngineStatus:
        """The scripted state."""
        return self.state

    def watch(self) -> None:
        """Nothing to watch."""

    def start_sync(self, reason: SyncReason, *, force: bool = False) -> bool:
        """Note the wish; it fails with the scripted failure, if there is one."""
        self.asked.append(f"sync {reason}{' forced' if force else ''}")
        if self.failure is not None:
            raise self.failure
        return True

    def cancel_sync(self) -> None:
        """Note the wish."""
        self.asked.append("cancel")

    def estimate_rebuild(self) -> RebuildEstimate:
        """The scripted cost, or failure; both may be held back."""
        self.asked.append("estimate")
        if self.counting is not None:
            self.counting.wait(HELD_S)
        if self.failure is not None:
            raise self.failure
        return self.cost

    def close(self) -> None:
        """Note it."""
        self.asked.append("close")

    def opener(self) -> OpenEngine:
        """What the application opens instead of a real engine."""
        return lambda _options, _around: cast("MemoryEngine", self)


def running(progress: SyncProgress) -> EngineStatus:
    """The clean state with a bulk sync under way."""
    return replace(CLEAN, sync=replace(CLEAN.sync, phase="running", progress=progress, bulk=True))
