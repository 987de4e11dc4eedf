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
from engine.sources.media import modality_of
from engine.store.annotated import projects_of
from engine.store.contract import KeywordPass

if TYPE_CHECKING:
    from engine.embeddings.contract import Vector
    from engine.store.contract import IndexReader, KeywordHit, ListedChunk

NOTHING_FOUND = KeywordPass((), {})


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
        self._listed: dict[str, dict[int, int]] = {}
        self._scores: dict[str, Mapping[int, float]] = {}
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
            self._space_is_empty(reader)

    def _space_is_empty(self, reader: IndexReader) -> None:
        """Nothing is embedded yet: keywords answer as they do without a provider."""
        self.no_vectors, self.vector = True, None
        if not reader.chunk_total():
            self._failures.append("Nothing is indexed here, so nothing can be found.")
            return
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
        found, failure = NOTHING_FOUND, None
        if leg.match is not None:
            try:
                found = self._passed(reader, leg, leg.match)
            except StoreError as error:
                failure = str(error)
                self._failures.append(f"{_sentence(error)} {error.hint}".strip())
        self._listed[leg.name] = {row: at for at, row in enumerate(found.best)}
        self._scores[leg.name] = found.scores
        self.legs.append(LegInfo(leg.name, leg.match, len(found.best), failure, leg.full))

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
        self._listed[leg.name] = {hit.rowid: at for at, hit in enumerate(hits)}
        self._scores[leg.name] = {hit.rowid: hit.bm25 for hit in hits}
        error = str(failure) if failure is not None else None
        self.legs.append(LegInfo(leg.name, leg.match, len(hits), error))

    def _passed(self, reader: IndexReader, leg: KeywordLeg, match: str) -> KeywordPass:
        """The leg's list, and its scores of the rows that the vectors listed."""
        also = list(self._places)
        return reader.keyword_pass(leg.table, match, SUPERSET, self._source, also)

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
            if len(self._asked) > 1:
                for leg in self._asked:
                    self._complete_keyword(reader, leg, rows)

    def _complete_keyword(self, reader: IndexReader, leg: KeywordLeg, rows: Sequence[int]) -> None:
        if leg.match is None or len(self._listed[leg.name]) < SUPERSET:
            return
        known = self._scores[leg.name]
        missing = [row for row in rows if row not in known and row not in self._places]
        if missing:
            scores = reader.keyword_scores(leg.table, leg.match, missing)
            self._scores[leg.name] = {**known, **scores}

    def _rows(self) -> list[int]:
        """All rows that some leg listed, vector hits first."""
        listed = list(self._places)
        for places in self._listed.values():
            listed += places
        return list(dict.fromkeys(listed))

    def candidates(self, reader: IndexReader) -> Listing:
        """Every listed chunk with all its scores."""
        with self._timed("rows"):
            wanted = self._rows()
            rows = reader.listed(wanted)
            places = {**self._listed, VECTOR_LEG: self._places}
            numbers = [number for number in wanted if number in rows]
            return Listing(numbers, lambda number: self._candidate(rows[number]), places)

    def _candidate(self, row: ListedChunk) -> Candidate:
        projects = projects_of(row.projects)
        number = row.rowid
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
            media=modality_of(row.path) is not None,
            withheld=INVALID_PROJECT in projects,
            cosine=self._cosines.get(number),
            vector_position=self._places.get(number),
            legs={
                leg: LegHit(scores[number], self._listed[leg].get(number))
                for leg, scores in self._scores.items()
                if number in scores
            },
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
