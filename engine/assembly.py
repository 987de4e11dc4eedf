"""From a resolved configuration to the parts of an engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.chunking.chunk import ChunkingRules
from engine.clock import Clock
from engine.events import EventSink
from engine.index.settings import IndexSettings
from engine.index.wire import ChildSetup
from engine.sources.found import SourceRoots
from engine.sources.media import MediaRules

if TYPE_CHECKING:
    from engine.config.resolved import ResolvedConfig
    from engine.index.batch_jobs.batches import Batches
    from engine.index.context import Standby
    from engine.provider_in_use import ProviderInUse
    from engine.store.store import Store

_ROOT_NOTES = ("MEMORY.md", "memory.md")


def source_roots(config: ResolvedConfig) -> SourceRoots:
    """Where this memory lies. A plain folder without memory files is taken whole."""
    workspace = config.workspace
    known = (workspace / "memory").is_dir() or any((workspace / n).is_file() for n in _ROOT_NOTES)
    return SourceRoots(
        workspace=workspace,
        extra_paths=config.memory_search.extra_paths,
        both_root_spellings=config.era.both_root_spellings,
        plain_folder=config.mode == "folder" and not known,
        max_file_bytes=config.own.max_file_bytes,
        root_files=config.era.root_files,
        media=_media_rules(config),
    )


def _media_rules(config: ResolvedConfig) -> MediaRules | None:
    media = config.memory_search.multimodal
    if not media.enabled:
        return None
    kinds = tuple(kind for kind in media.modalities if kind != "all")
    return MediaRules(kinds, media.max_file_bytes)


def index_settings(config: ResolvedConfig) -> IndexSettings:
    """How this memory is indexed."""
    search = config.memory_search
    chunking = search.chunking
    return IndexSettings(
        roots=source_roots(config),
        rules=ChunkingRules(chunking.tokens, chunking.overlap, config.era.chunking),
        tokenizer=search.store.fts.tokenizer,
        cache_enabled=search.cache.enabled,
        on_identity_change=config.own.sync.on_identity_change,
        interval_minutes=search.sync.interval_minutes,
        on_start=search.sync.on_session_start,
        on_search=search.sync.on_search,
    )


def standby_of(provider: ProviderInUse) -> Standby | None:
    """The fallback as the indexer knows it."""
    if provider.standby is None:
        return None
    from engine.index.context import Standby

    return Standby(provider.standby, lambda: provider.stands_in)


def batches_of(config: ResolvedConfig, provider: ProviderInUse) -> Batches:
    """The batch jobs of the provider as ``remote.batch.*`` wants them used."""
    from engine.index.batch_jobs.batches import Batches
    from engine.index.batch_jobs.settings import BatchSettings

    batch = config.memory_search.remote.batch
    settings = BatchSettings(
        enabled=batch.enabled,
        wait=batch.wait,
        concurrency=batch.concurrency,
        poll_interval_s=batch.poll_interval_ms / 1000.0,
        timeout_s=batch.timeout_minutes * 60.0,
    )
    absent = f"{provider.choice.provider} has no batch jobs"
    return Batches.of(settings, provider.batch_service, absent)


def child_setup(config: ResolvedConfig) -> ChildSetup:
    """How a process of its own opens the same store."""
    vector = config.memory_search.store.vector
    return ChildSetup(config.store_path, vector.enabled, vector.extension_path, _kept(config))


def _kept(config: ResolvedConfig) -> int | None:
    """The number of vectors above which those out of use go; 0 where the cache is off."""
    cache = config.memory_search.cache
    return cache.max_entries if cache.enabled else 0


def open_store(config: ResolvedConfig, emit: EventSink, clock: Clock) -> Store:
    """Open or make the index file. Raises StoreError."""
    from engine.store.store import Store

    search = config.memory_search
    return Store.open(
        config.store_path,
        tokenizer=search.store.fts.tokenizer,
        vector_enabled=search.store.vector.enabled,
        extension_path=search.store.vector.extension_path,
        cache_max=_kept(config),
        events=emit,
        clock=clock,
    )
