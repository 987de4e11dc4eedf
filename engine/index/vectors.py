"""Giving texts their vectors: only those without one, across files, in packs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from engine.errors import CancelledError, ProviderError

if TYPE_CHECKING:
    from engine.embeddings.contract import EmbeddingProvider, ProviderLimits, Vector
    from engine.store.contract import IndexStore

Text = tuple[str, str]
"""A chunk's hash and its text."""


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


class VectorFiller:
    """Asks one provider for the vectors of one space, and stops asking once it fails.

    ``fresh`` embeds known texts again as well, each once in the life of this object (a
    forced reindex with the cache switched off).
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
        self._store = store
        self._cancelled = cancelled
        self._seen: set[str] | None = set() if fresh else None

    def fill(self, texts: Sequence[Text], advance: Callable[[int], None]) -> Filled:
        """Find or make the vectors of a batch; a failure or a cancel ends up inside.

        ``advance`` is told how many vectors each answer brought. What was already paid
        for is returned in every case, so that it can be stored.
        """
        wanted = dict(texts)
        filled = Filled(known=self.known(wanted))
        missing = [(hash_, text) for hash_, text in wanted.items() if hash_ not in filled.known]
        for pack in packs(missing, self.provider.limits):
            before = len(filled.vectors)
            if not self._ask(pack, filled):
                break
            advance(len(filled.vectors) - before)
        if self.failure is not None:
            reason = self.failure.message
            done = filled.vectors.keys() | filled.refused.keys()
            filled.errors.update({h: reason for h, _ in missing if h not in done})
        if self._seen is not None:
            self._seen |= filled.vectors.keys()
        return filled

    def known(self, wanted: Mapping[str, str]) -> set[str]:
        """Which of the texts, by hash, need not be embedded."""
        if self._seen is not None:
            return self._seen & wanted.keys()
        return self._store.known_vectors(self.space, wanted)

    def _ask(self, pack: Sequence[Text], filled: Filled) -> bool:
        """One call of the provider; False when there is no point in another one."""
        if self.failure is not None:
            return False
        try:
            answer = self.provider.embed_documents([text for _, text in pack], self._cancelled)
        except ProviderError as error:
            self.failure = error
            return False
        except CancelledError as error:
            self.cancelled_error = error
            return False
        if answer.tokens is not None:
            self.tokens = (self.tokens or 0) + answer.tokens
        for (hash_, _), vector in zip(pack, answer.vectors, strict=True):
            if vector is not None:
                filled.vectors[hash_] = vector
        for refusal in answer.refusals:
            filled.refused[pack[refusal.index][0]] = refusal.reason
        if isinstance(answer.ended_by, CancelledError):
            self.cancelled_error = answer.ended_by
        else:
            self.failure = answer.ended_by
        return answer.ended_by is None


def packs(texts: Sequence[Text], limits: ProviderLimits) -> Iterator[Sequence[Text]]:
    """Cut texts into what fits one request each; a text over the limit stands alone."""
    pack: list[Text] = []
    size = 0
    for text in texts:
        length = len(text[1].encode("utf-8", "replace"))
        full = len(pack) >= limits.inputs_per_request or size + length > limits.bytes_per_request
        if pack and full:
            yield pack
            pack, size = [], 0
        pack.append(text)
        size += length
    if pack:
        yield pack
