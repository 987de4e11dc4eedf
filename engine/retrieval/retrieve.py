"""From a query to its candidate pool: the only part of a search that does I/O."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from engine.chunking.utf16 import well_formed
from engine.ranking.pool import CandidatePool
from engine.ranking.settings import RankSettings
from engine.retrieval.findings import Findings
from engine.retrieval.legs import KeywordLeg, VectorLeg, keyword_legs
from engine.retrieval.query import query_terms

if TYPE_CHECKING:
    from engine.store.contract import IndexReader


def retrieve(
    reader: IndexReader,
    query: str,
    settings: RankSettings,
    vectors: VectorLeg,
    *,
    monotonic: Callable[[], float] = time.perf_counter,
) -> CandidatePool:
    """The pool of a query: up to 200 candidates a leg, each with cosine and bm25.

    A leg that fails leaves its error in its LegInfo and a notice; the other one answers.
    All reads see one state of the index. Any text is a valid query. Raises StoreError
    when the index itself cannot be read, CancelledError when it was interrupted.
    """
    query = well_formed(query).strip()
    terms = query_terms(query)
    found = Findings(settings.source, vectors, monotonic)
    found.embed(query)
    legs: list[KeywordLeg] = []
    with reader.snapshot() as now:
        found.ask_vectors(now)
        if query:
            legs = keyword_legs(query, terms, settings, alone=found.no_vectors)
        found.ask_keywords(now, legs)
        found.complete(now)
        candidates = found.candidates(now)
        identity, revision = now.identity(), now.revision()
    return CandidatePool(
        query=query,
        terms=terms.shown,
        mode=found.mode,
        legs=tuple(found.legs),
        candidates=candidates,
        provider=vectors.provider,
        model=vectors.model,
        identity=vectors.space,
        revision=revision,
        source=settings.source,
        query_vector=found.vector is not None,
        vector_floor=vectors.floor,
        notices=tuple(found.remarks(indexed=identity is not None)),
        timings_ms=found.timings_ms,
    )
