"""From the parts of an engine to what it says of itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from engine.config.switched_off import switched_off
from engine.embeddings.builtin.provider import BUILTIN_ID
from engine.status import (
    CacheState,
    Caution,
    EngineStatus,
    FileState,
    FtsState,
    IdentityState,
    MissingVectors,
    ProviderState,
    SyncHits,
    SyncState,
    VectorState,
    WatchState,
)

if TYPE_CHECKING:
    from engine.config.resolved import ConfigProblem, ResolvedConfig
    from engine.events import RecentChange, SkippedFile
    from engine.index.runner import Indexer
    from engine.sources.found import ScanResult
    from engine.store.contract import StoreCounts
    from engine.store.store import Store

SearchMode = Literal["hybrid", "vector", "keyword"]
_MOST_NAMED = 3
NOT_OPENED = "the index has not been opened"


@dataclass(frozen=True, slots=True)
class IndexFacts:
    """What store and indexer say, read once; all empty before there is an index."""

    counts: StoreCounts | None
    fts: FtsState
    vector: VectorState
    identity: IdentityState
    sync: SyncState
    states: Sequence[FileState]
    scanned_at_ms: float | None
    scan: ScanResult | None
    recent: Sequence[RecentChange]
    store_mode: str
    cache_hits: tuple[SyncHits, ...] = ()


def facts_of(store: Store, indexer: Indexer, space: str | None) -> IndexFacts:
    """Ask store and indexer. The last scan counts; none is made here."""
    scanned = indexer.scanned_at_ms
    return IndexFacts(
        counts=store.counts(),
        fts=store.fts_state(),
        vector=store.vector_state(space),
        identity=indexer.identity(),
        sync=indexer.state(),
        states=indexer.coverage() if scanned is not None else (),
        scanned_at_ms=scanned,
        scan=indexer.scan_result() if scanned is not None else None,
        recent=store.recent_changes(),
        store_mode=store.mode,
        cache_hits=store.cache_hits(),
    )


def nothing_yet(config: ResolvedConfig) -> IndexFacts:
    """The facts while there is neither memory nor index."""
    search = config.memory_search
    return IndexFacts(
        counts=None,
        fts=FtsState(search.query.hybrid.enabled, False, search.store.fts.tokenizer, NOT_OPENED),
        vector=VectorState(
            search.store.vector.enabled, False, "none", None, None, NOT_OPENED, None, 0
        ),
        identity=IdentityState("missing"),
        sync=SyncState("idle", None, False, None, None, None),
        states=(),
        scanned_at_ms=None,
        scan=None,
        recent=(),
        store_mode="read-write",
    )


def engine_status(
    config: ResolvedConfig,
    facts: IndexFacts,
    provider: ProviderState,
    watch: WatchState,
    *,
    sqlite_version: str,
) -> EngineStatus:
    """Put everything into one frozen value."""
    counts = facts.counts
    return EngineStatus(
        agent_id=config.agent_id,
        mode=config.mode,
        workspace=str(config.workspace),
        store_path=str(config.store_path),
        store_bytes=counts.file_bytes if counts else 0,
        sqlite_version=sqlite_version,
        era=config.era.name,
        profile=config.profile,
        search_mode=_search_mode(config, facts, provider),
        enabled=config.memory_search.enabled and not config.memory_slot_disabled,
        provider=provider,
        files=counts.files if counts else 0,
        chunks=counts.chunks if counts else 0,
        revision=counts.revision if counts else 0,
        generation=counts.generation if counts else 0,
        identity=facts.identity,
        dirty=tuple(state for state in facts.states if state.dirty),
        skipped=_skipped(facts),
        scanned_at_ms=facts.scanned_at_ms,
        sync=facts.sync,
        fts=replace(facts.fts, enabled=config.memory_search.query.hybrid.enabled),
        vector=facts.vector,
        cache=_cache(config, facts),
        watch=watch,
        sources=config.memory_search.sources,
        extra_paths=config.memory_search.extra_paths,
        source_counts=counts.sources if counts else (),
        recent=tuple(facts.recent),
        warnings=tuple(_cautions(config, facts, provider, watch)),
        config_path=str(config.config_path) if config.config_path else None,
    )


def _search_mode(config: ResolvedConfig, facts: IndexFacts, provider: ProviderState) -> SearchMode:
    counts = facts.counts
    empty = counts is not None and counts.chunks > 0 and facts.vector.vectors == 0
    if provider.provider == "none" or provider.mode == "degraded" or empty:
        return "keyword"
    keywords = config.memory_search.query.hybrid.enabled and (facts.fts.available or counts is None)
    return "hybrid" if keywords else "vector"


def _skipped(facts: IndexFacts) -> tuple[SkippedFile, ...]:
    return facts.scan.skipped if facts.scan else ()


def _cache(config: ResolvedConfig, facts: IndexFacts) -> CacheState:
    cache, last = config.memory_search.cache, facts.sync.last
    return CacheState(
        enabled=cache.enabled,
        entries=facts.counts.cache_entries if facts.counts else 0,
        max_entries=cache.max_entries,
        last_hits=last.cached if last else 0,
        last_misses=last.embedded if last else 0,
        by_sync=facts.cache_hits,
    )


def _cautions(
    config: ResolvedConfig, facts: IndexFacts, provider: ProviderState, watch: WatchState
) -> list[Caution]:
    found = [_caution(problem) for problem in config.problems]
    off = switched_off(config)
    if off is not None:
        what = f"{off.because}: the agent gets no memory tools."
        found.append(Caution("Search is switched off", what, f"Screens still browse. {off.hint}"))
    found += [
        Caution("Memory folder", issue) for issue in (facts.scan.issues if facts.scan else ())
    ]
    if provider.error:
        found.append(_provider_trouble(provider))
    found += _refusals(provider, facts.vector)
    last = facts.sync.last
    if last is not None and last.embedding_error and not provider.error:
        found.append(Caution("Last sync", last.embedding_error, last.embedding_hint))
    if facts.store_mode == "read-only":
        found.append(Caution("Read-only index", "The index file cannot be written.", ""))
    if facts.identity.status == "mismatched":
        changes = "; ".join(facts.identity.changes)
        found.append(
            Caution(
                "Index identity",
                f"Changed: {changes}. {facts.identity.cost}",
                "It waits for your word: R, or memlens index."
                if facts.sync.awaits_consent
                else "The next sync follows by itself.",
            )
        )
    if facts.sync.awaits_consent:
        found.append(
            Caution(
                "Waiting for you",
                "Embedding with a paid provider has not been agreed to.",
                "R, or memlens index, is consent.",
            )
        )
    if facts.vector.load_error and facts.counts is not None:
        found.append(
            Caution(
                "sqlite-vec",
                facts.vector.load_error,
                "Cosines are computed in process, with the same results.",
            )
        )
    if watch.mode == "polling" and watch.note:
        found.append(Caution("Watching", watch.note, "Changes are found by comparing scans."))
    return found


def _provider_trouble(provider: ProviderState) -> Caution:
    instead = "Keywords answer" if provider.fallback is None else f"{provider.provider} answers"
    return Caution(
        "Embedding provider", provider.error or "", f"{instead} meanwhile. {provider.error_hint}"
    )


def _refusals(provider: ProviderState, vector: VectorState) -> list[Caution]:
    """What the provider gave no usable vector for; the built-in model only lacks words."""
    if provider.provider == BUILTIN_ID:
        return []
    return [
        Caution(
            "Without a vector",
            f"{_count(gap.chunks, 'chunk')} in {_count(gap.files, 'file')}, found by keywords "
            f"only: {gap.cause}. {_where(gap)}",
            "A forced reindex asks for them again.",
        )
        for gap in vector.missing
        if gap.final
    ]


def _count(number: int, thing: str) -> str:
    return f"{number:,} {thing}" + ("" if number == 1 else "s")


def _where(gap: MissingVectors) -> str:
    """``In memory/a.md lines 3-9, MEMORY.md lines 1-4 and 12 more.``"""
    named = [f"{at.path} lines {at.start_line}-{at.end_line}" for at in gap.places[:_MOST_NAMED]]
    more = gap.chunks - len(named)
    return f"In {', '.join(named)}{f' and {more} more' if more > 0 else ''}."


def _caution(problem: ConfigProblem) -> Caution:
    told = problem.file is None or problem.message.startswith(problem.file.name)
    place = "" if told or problem.file is None else f" ({problem.file.name}"
    if place and problem.line is not None:
        place += f", line {problem.line}" + (
            f", column {problem.column}" if problem.column is not None else ""
        )
    return Caution("Configuration", problem.message + (place + ")" if place else ""), problem.hint)
