"""Giving texts their vectors: only those without one, across files, several requests at once."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from engine.embeddings.cost.tokens import estimated_tokens
from engine.errors import CancelledError, PathError, ProviderError
from engine.index.in_flight import InFlight
from engine.index.media import MediaShelf, may_be_media
from engine.index.packs import Text, packs

if TYPE_CHECKING:
    from engine.embeddings.contract import EmbeddedBatch, EmbeddingProvider, Vector
    from engine.store.contract import IndexStore

_Ended = ProviderError | CancelledError | None
_Numbered = tuple[int, Sequence[Text]]


@dataclass(slots=True)
class Filled:
    """What became of a batch of texts, by hash.

    ``known`` had a vector before, ``vectors`` are new. ``refused`` texts get none from
    this provider, however often it is asked; ``errors`` are worth another attempt.
    """

    known: set[str] = field(default_factory=set)
    vectors: dict[str, Vector] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    errors: dict[str, str] = field(default_factory=dict)

    @property
    def without(self) -> set[str]:
        """The hashes that have no vector after this."""
        return self.refused.keys() | self.errors.keys()

    @property
    def settled(self) -> set[str]:
        """The hashes that were answered for, one way or the other."""
        return self.vectors.keys() | self.refused.keys()

    def add(self, other: Filled) -> None:
        """Take in what became of further texts."""
        self.known |= other.known
        self.vectors |= other.vectors
        self.refused |= other.refused
        self.errors |= other.errors


@dataclass(frozen=True, slots=True)
class _Answer:
    """What one call of the provider brought; ``batch`` is None when it failed as a whole.

    ``number`` counts the packs in the order in which they were cut.
    """

    number: int
    pack: Sequence[Text]
    batch: EmbeddedBatch | None
    ended_by: _Ended
    unsent: str | None = None
    """Why a media file could not be sent, or was not taken before any text was."""


class VectorFiller:
    """Asks one provider for the vectors of one space, and stops asking once it fails.

    ``fresh`` embeds known texts again as well, each once in the life of this object (a
    forced reindex with the cache switched off). ``away`` are texts whose vectors come in
    another way, so that they are not asked for here. ``media`` has the media files.
    """

    def __init__(
        self,
        provider: EmbeddingProvider,
        store: IndexStore,
        cancelled: Callable[[], bool],
        *,
        fresh: bool = False,
    ) -> None:
        self.provider = provider
        self.space = provider.identity.key()
        self.failure: ProviderError | None = None
        self.cancelled_error: CancelledError | None = None
        self.tokens: int | None = None
        self.tokens_estimated = False
        self.made_any = False
        self.away: set[str] = set()
        self.media = MediaShelf()
        self._store = store
        self._cancelled = cancelled
        self._seen: set[str] | None = set() if fresh else None
        self._proven = False
        self._failed_at = sys.maxsize

    def fill(self, texts: Sequence[Text], advance: Callable[[int], None]) -> Filled:
        """Find or make the vectors of a batch; a failure or a cancel ends up inside.

        ``advance`` is told how many vectors each answer brought. What was already paid
        for is returned in every case, so that it can be stored.
        """
        wanted = dict(texts)
        filled = Filled(known=self.known(wanted))
        kept = filled.known | self.away
        missing = [(hash_, text) for hash_, text in wanted.items() if hash_ not in kept]
        for part in self.answers(missing, len(missing)):
            filled.add(part)
            advance(len(part.vectors))
        if self.failure is not None:
            reason, done = self.failure.message, filled.settled
            filled.errors.update({h: reason for h, _ in missing if h not in done})
        self.made(filled.vectors)
        return filled

    def made(self, hashes: Iterable[str]) -> None:
        """These texts have their vectors now, and are known from here on."""
        if self._seen is not None:
            self._seen.update(hashes)

    def answers(self, texts: Iterable[Text], expected: int) -> Generator[Filled]:
        """New vectors and refusals of about ``expected`` different texts, as they are made.

        Ends early with a failure or a cancel, which ``failure`` and ``cancelled_error``
        tell. Closing the iterator abandons what is under way.
        """
        if self.failure is not None:
            return
        flight: InFlight[_Numbered, _Answer] = InFlight(
            lambda pack: self._ask(pack, flight), self._width, self.provider.limits.concurrency
        )
        cut = enumerate(packs(texts, lambda: self.provider.limits, expected))
        with closing(flight.answers(cut)) as answers:
            for answer in answers:
                self._proven |= answer.ended_by is None
                yield self._taken(answer)

    def known(self, wanted: Mapping[str, str]) -> set[str]:
        """Which of the texts, by hash, need not be embedded."""
        if self._seen is not None:
            return self._seen & wanted.keys()
        return self._store.known_vectors(self.space, wanted)

    def _width(self) -> int:
        """The first request goes alone: a wrong key or an empty account is met only once."""
        return self.provider.limits.concurrency if self._proven else 1

    def _ask(self, numbered: _Numbered, flight: InFlight[_Numbered, _Answer]) -> _Answer:
        """One call of the provider, on any thread."""
        number, pack = numbered

        def cancelled() -> bool:
            return flight.abandoned or self._cancelled()

        try:
            texts = [self.media.sent(hash_, text) for hash_, text in pack]
            batch = self.provider.embed_documents(texts, cancelled)
        except PathError as error:
            answer = _Answer(number, pack, None, None, error.message)
        except (ProviderError, CancelledError) as error:
            answer = _Answer(number, pack, None, error)
            if may_be_media(pack[0][1]) and _about_this_text(error):
                answer = _Answer(number, pack, None, None, str(error))
        else:
            answer = _Answer(number, pack, batch, batch.ended_by)
        if answer.ended_by is not None:
            flight.stop()
        return answer

    def _taken(self, answer: _Answer) -> Filled:
        """An answer by hash; on the calling thread."""
        if isinstance(answer.ended_by, CancelledError):
            self.cancelled_error = self.cancelled_error or answer.ended_by
        elif answer.ended_by is not None and answer.number < self._failed_at:
            self.failure, self._failed_at = answer.ended_by, answer.number
        filled = Filled()
        if answer.unsent is not None:
            filled.errors = {hash_: answer.unsent for hash_, _ in answer.pack}
        if answer.batch is None:
            return filled
        for (hash_, _), vector in zip(answer.pack, answer.batch.vectors, strict=True):
            if vector is not None:
                filled.vectors[hash_] = vector
        self.made_any |= bool(filled.vectors)
        for refusal in answer.batch.refusals:
            filled.refused[answer.pack[refusal.index][0]] = refusal.reason
        self._count(answer.batch, [text for h, text in answer.pack if h in filled.vectors])
        return filled

    def _count(self, batch: EmbeddedBatch, embedded: Sequence[str]) -> None:
        """Add up what was charged: the provider's own count, else a quarter of the bytes."""
        tokens = batch.tokens
        if tokens is None and self.provider.remote and embedded:
            tokens, self.tokens_estimated = estimated_tokens(embedded), True
        if tokens is not None:
            self.tokens = (self.tokens or 0) + tokens


def _about_this_text(error: ProviderError | CancelledError) -> bool:
    """Whether a refusal may be about a media file alone, and need not end everything."""
    return isinstance(error, ProviderError) and error.status in (400, 413, 415, 422)
