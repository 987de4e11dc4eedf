"""What the indexer needs to know of the configuration."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from engine.chunking.chunk import ChunkingRules
from engine.sources.found import SourceRoots
from engine.store.contract import Tokenizer

OnIdentityChange = Literal["rebuild", "ask", "pause"]

BATCH_CHUNKS = 500
"""Chunks of one write transaction: more keep a second writer waiting too long."""


@dataclass(frozen=True, slots=True)
class IndexSettings:
    """Where memory lies and how it is indexed; plain values that fit into a job for a child.

    ``on_identity_change`` says what happens by itself when the index no longer fits the
    configuration: "rebuild" always rebuilds, "ask" only when it costs nothing, "pause"
    never. ``cache_enabled`` False embeds everything again in a forced reindex.
    ``interval_minutes`` 0 is off. ``on_start`` and ``on_search`` let a start and a search
    begin a sync. ``batch_chunks`` bounds one write transaction.
    """

    roots: SourceRoots
    rules: ChunkingRules
    tokenizer: Tokenizer = "unicode61"
    cache_enabled: bool = True
    on_identity_change: OnIdentityChange = "ask"
    interval_minutes: float = 0.0
    on_start: bool = True
    on_search: bool = True
    batch_chunks: int = BATCH_CHUNKS
