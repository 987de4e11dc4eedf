"""From a query to its candidate pool: the only part of a search that does I/O."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from engine.chunking.utf16 import well_formed
from engine.ranking.pool import CandidatePool
from engine.ranking.settings import RankSettings
from engine.retrieval.findings import Findings
from engine.retrieval.later_legs import LATER_JOINS, ask_later
from engine.retrieval.legs import VectorLeg, keyword_legs
from engine.retrieval.query import query_terms
from engine.retrieval.unbroken import unbroken_text

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
    with reader.snapshot() as now:
        found.ask_vectors(now)
        if query and settings.join in LATER_JOINS:
            found.ask_elsewhere(lambda: ask_later(found, now, query, settings))
        elif query:
            legs = keyword_legs(now, query, terms, settings, alone=found.no_vectors)
            found.ask_keywords(now, legs)
        found.complete(now)
        candidates = found.candidates(now)
        identity, revision = now.identity(), now.revision()
    notices = [*found.remarks(indexed=identity is not None)]
    tokenizer = identity.tokenizer if identity is not None else ""
    unbroken = unbroken_text(query, tokenizer, found.legs)
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
        notices=(*notices, unbroken) if unbroken is not None else tuple(notices),
        timings_ms=found.timings_ms,
    )
