"""One call for many texts: small requests, and the text that ends the process found and refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from engine.embeddings.contract import EmbeddedBatch, ProviderLimits, Refusal
from engine.errors import CancelledError, ProviderError
from engine.local_models.worker_lines import clean
from engine.local_models.worker_process import WorkerLostError

if TYPE_CHECKING:
    from engine.embeddings.contract import Vector
    from engine.local_models.worker_lines import Embedded

LIMITS = ProviderLimits(inputs_per_request=8, bytes_per_request=1 << 20, bytes_per_input=1 << 24)
"""Small requests: progress is told, and a waiting query let in, between two of them."""
EMPTY = "the text is empty"
_MOST_DEATHS = 3


@dataclass(slots=True)
class LocalCall:
    """One call of ``embed_documents`` and what is known of each text so far."""

    texts: Sequence[str]
    vectors: dict[int, Vector] = field(default_factory=dict)
    reasons: dict[int, str] = field(default_factory=dict)
    tokens: int = 0
    requests: int = 0
    deaths: int = 0
    suspects: set[int] = field(default_factory=set)
    """Texts that the process died of, while it lived for others."""

    def groups(self) -> Iterator[list[int]]:
        """The places of texts that go together; empty texts are refused."""
        group: list[int] = []
        size = 0
        for place, text in enumerate(self.texts):
            if not clean(text).strip():
                self.reasons[place] = EMPTY
                continue
            length = len(text)
            full = len(group) == LIMITS.inputs_per_request
            if group and (full or size + length > LIMITS.bytes_per_request):
                yield group
                group, size = [], 0
            group.append(place)
            size += length
        if group:
            yield group

    def embed_group(self, group: list[int], embed: Callable[[Sequence[str]], Embedded]) -> None:
        """One request; after a death of the process one request a text."""
        self.requests += 1
        try:
            answer = embed([self.texts[place] for place in group])
        except WorkerLostError as error:
            self._after_death(group, embed, error)
            return
        self.tokens += answer.tokens
        self._keep(group, answer.vectors, answer.reasons)

    def batch(self, ended_by: ProviderError | CancelledError | None) -> EmbeddedBatch:
        """Everything in the order of the texts."""
        vectors = tuple(self.vectors.get(place) for place in range(len(self.texts)))
        refusals = tuple(Refusal(place, self.reasons[place]) for place in sorted(self.reasons))
        return EmbeddedBatch(vectors, refusals, self.tokens, self.requests, ended_by)

    def _after_death(
        self,
        group: list[int],
        embed: Callable[[Sequence[str]], Embedded],
        error: WorkerLostError,
    ) -> None:
        self.deaths += 1
        if self.deaths > _MOST_DEATHS:  # then it is not the texts
            for place in self.suspects:
                del self.reasons[place]
            raise error
        if len(group) > 1:
            for place in group:
                self.embed_group([place], embed)
        elif self.deaths == 1:
            self.embed_group(group, embed)
        else:
            self.suspects.add(group[0])
            self.reasons[group[0]] = error.message

    def _keep(
        self,
        group: list[int],
        vectors: Sequence[Vector | None],
        reasons: Mapping[int, str],
    ) -> None:
        for at, (place, vector) in enumerate(zip(group, vectors, strict=True)):
            kept = usable(vector)
            if kept is not None:
                self.vectors[place] = kept
            else:
                self.reasons[place] = reasons.get(at, "the local model gives no usable vector")


def usable(vector: Vector | None) -> Vector | None:
    """The vector, unless it is missing, zero or not finite."""
    import numpy as np

    if vector is None or not np.isfinite(vector).all() or not vector.any():
        return None
    return vector
