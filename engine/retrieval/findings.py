"""What the legs of one query give: hits, then every missing score, then candidates."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from engine.chunking.annotations import INVALID_PROJECT
from engine.errors import CancelledError, EngineError, StoreError
from engine.ranking.candidate import VECTOR_LEG, Candidate, LegHit
from engine.ranking.listing import Listing
from engine.ranking.pool import LegInfo
from engine.ranking.scope import SUPERSET
from engine.retrieval.legs import KeywordLeg, VectorLeg
from engine.store.annotated import projects_of

if TYPE_CHECKING:
    from engine.embeddings.contract import Vector
    from engine.store.contract import IndexReader, KeywordHit, ListedChunk

NO_LEGS: Mapping[str, LegHit] = {}


class Findings:
    """One retrieval under way. Rows are named by their number in the index.

    ``no_vectors`` turns True when there is no vector leg to be had at all, which is not
    the same as a query without a usable vector.
    """

    def __init__(
        self, source: str | None, vectors: VectorLeg, monotonic: Callable[[], float]
    ) -> None:
        self._source = source
        self._vectors = vectors
        self._monotonic = monotonic
        self._cosines: dict[int, float] = {}
        self._places: dict[int, int] = {}
        self._hits: dict[str, dict[int, LegHit]] = {}
        self._by_row: dict[int, dict[str, LegHit]] = {}
        self._asked: list[KeywordLeg] = []
        self._taken: list[KeywordLeg] = []
        self._failures: list[str] = []
        self.vector: Vector | None = None
        self.no_vectors = vectors.embed is None
        self.legs: list[LegInfo] = []
        self.timings_ms: dict[str, float] = {}

    @property
    def mode(self) -> str:
        """The legs that were to be had: hybrid, vector, keyword."""
        if self.no_vectors:
            return "keyword"
        failed = [leg for leg in self.legs if leg.name != VECTOR_LEG and leg.error is not None]
        asked = len(self._asked) + len(self._taken)
        return "vector" if failed and len(failed) == asked else "hybrid"

    def embed(self, query: str) -> None:
        """Turn the query into a vector; a failing provider leaves the keywords to answer."""
        if self._vectors.embed is None or not query:
            return
        with self._timed("embed"):
            try:
                self.vector = self._vectors.embed(query)
            except CancelledError:
                raise
            except EngineError as error:
                self._vector_failed(error)

    def ask_vectors(self, reader: IndexReader) -> None:
        """The nearest chunks of the query's vector."""
        if self.vector is None:
            return
        with self._timed("vector"):
            try:
                hits = reader.nearest(self._vectors.space, self.vector, SUPERSET, self._source)
            except StoreError as error:
                self._vector_failed(error)
                self.vector = None
                return
        self._cosines = {hit.rowid: hit.cosine for hit in hits}
        self._places = {hit.rowid: place for place, hit in enumerate(hits)}
        self.legs.append(LegInfo(VECTOR_LEG, None, len(hits)))
        if not hits and self._source is None:
            self._space_is_empty()

    def _space_is_empty(self) -> None:
        """Nothing is embedded yet: keywords answer as they do without a provider."""
        self.no_vectors, self.vector = True, None
        name = f"{self._vectors.provider}/{self._vectors.model}"
        self._failures.append(
            f"The index holds no vectors of {name} yet; only keywords were searched."
        )

    def _vector_failed(self, error: EngineError) -> None:
        self.no_vectors = True
        self.legs.append(LegInfo(VECTOR_LEG, None, 0, error=str(error)))
        self._failures.append(
            f"{_sentence(error)} Only keywords were searched. {error.hint}".strip()
        )

    def ask_keywords(self, reader: IndexReader, legs: Sequence[KeywordLeg]) -> None:
        """The best rows of every keyword leg."""
        self._asked = list(legs)
        with self._timed("keyword"):
            for leg in legs:
                self._ask_keyword(reader, leg)

    def _ask_keyword(self, reader: IndexReader, leg: KeywordLeg) -> None:
        found, failure = [], None
        if leg.match is not None:
            try:
                found = reader.keyword(leg.table, leg.match, SUPERSET, self._source)
            except StoreError as error:
                failure = str(error)
                self._failures.append(f"{_sentence(error)} {error.hint}".strip())
        self._note(leg.name, {h.rowid: LegHit(h.bm25, at) for at, h in enumerate(found)})
        self.legs.append(LegInfo(leg.name, leg.match, len(found), failure))

    def ask_elsewhere(self, ask: Callable[[], None]) -> None:
        """Let ``ask`` hand in its legs by ``take_leg``; its time counts as that of keywords."""
        with self._timed("keyword"):
            ask()

    def take_leg(
        self, leg: KeywordLeg, hits: Sequence[KeywordHit], failure: EngineError | None
    ) -> None:
        """A leg that was asked elsewhere, with its rows, best first."""
        if failure is not None:
            self._failures.append(f"{_sentence(failure)} {failure.hint}".strip())
        self._taken.append(leg)
        self._note(leg.name, {h.rowid: LegHit(h.bm25, at) for at, h in enumerate(hits)})
        error = str(failure) if failure is not None else None
        self.legs.append(LegInfo(leg.name, leg.match, len(hits), error))

    def _note(self, leg: str, hits: Mapping[int, LegHit]) -> None:
        self._hits.setdefault(leg, {}).update(hits)
        for row, hit in hits.items():
            self._by_row.setdefault(row, {})[leg] = hit

    def complete(self, reader: IndexReader) -> None:
        """Fill in the cosine and the bm25 of rows that only another leg listed.

        A keyword leg that gave less than it may has listed every match already.
        """
        with self._timed("complete"):
            rows = self._rows()
            if self.vector is not None:
                missing = [row for row in rows if row not in self._cosines]
                if missing:
                    space = self._vectors.space
                    self._cosines |= reader.cosines(space, self.vector, missing)
            for leg in self._asked:
                hits = self._hits[leg.name]
                if leg.match is None or len(hits) < SUPERSET:
                    continue
                missing = [row for row in rows if row not in hits]
                if missing:
                    scores = reader.keyword_scores(leg.table, leg.match, missing)
                    self._note(leg.name, {r: LegHit(bm25, None) for r, bm25 in scores.items()})

    def _rows(self) -> list[int]:
        """All rows that some leg listed, vector hits first."""
        listed = list(self._places)
        for hits in self._hits.values():
            listed += hits
        return list(dict.fromkeys(listed))

    def candidates(self, reader: IndexReader) -> Listing:
        """Every listed chunk with all its scores."""
        with self._timed("rows"):
            wanted = self._rows()
            rows = reader.listed(wanted)
            places = {
                leg: {row: hit.position for row, hit in hits.items() if hit.position is not None}
                for leg, hits in self._hits.items()
            }
            places[VECTOR_LEG] = self._places
            numbers = [number for number in wanted if number in rows]
            return Listing(numbers, lambda number: self._candidate(rows[number]), places)

    def _candidate(self, row: ListedChunk) -> Candidate:
        projects = projects_of(row.projects)
        return Candidate(
            chunk_id=f"{row.path}#{row.place}:{row.hash[:12]}",
            path=row.path,
            source=row.source,
            start_line=row.start_line,
            end_line=row.end_line,
            text=row.text,
            mtime_ms=row.mtime_ms,
            importance=row.importance,
            projects=projects,
            withheld=INVALID_PROJECT in projects,
            cosine=self._cosines.get(row.rowid),
            vector_position=self._places.get(row.rowid),
            legs=self._by_row.get(row.rowid, NO_LEGS),
        )

    def remarks(self, *, indexed: bool) -> Iterator[str]:
        """Sentences on what was not searched and why."""
        if not indexed:
            yield "Nothing is indexed yet."
            return
        wordless = not any(leg.match for leg in (*self._asked, *self._taken))
        if wordless and self.vector is None:
            yield "Nothing to search for: the query holds no word."
            return
        yield from self._failures
        if self._vectors.embed is None and self._vectors.absent:
            yield self._vectors.absent
        elif self.vector is None and not self.no_vectors:
            yield "This query has no usable vector; only keywords were searched."

    @contextmanager
    def _timed(self, what: str) -> Iterator[None]:
        begun = self._monotonic()
        try:
            yield
        finally:
            self.timings_ms[what] = (self._monotonic() - begun) * 1000


def _sentence(error: EngineError) -> str:
    text = str(error)
    return text if text.endswith((".", "!", "?")) else f"{text}."
