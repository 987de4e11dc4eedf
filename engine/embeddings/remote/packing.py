"""Sending many texts in requests that fit, and finding the ones that cannot be embedded."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from engine.embeddings.contract import EmbeddedBatch, Refusal
from engine.embeddings.remote.learned_limits import SHORTEST_CUT, LearnedLimits, Piece
from engine.embeddings.remote.splitting import joined_vector, split_by_bytes, utf8_length
from engine.errors import CancelledError, ProviderError

if TYPE_CHECKING:
    from engine.embeddings.contract import Cancelled, Vector
    from engine.embeddings.remote.failures import Complaint
    from engine.embeddings.remote.wire import Decoded

EMPTY = "the text is empty"


@dataclass(frozen=True, slots=True)
class Complained:
    """The provider refused a request because of its texts.

    ``rows`` is the number of texts it would take, if it said so. ``error`` is what to
    raise when nothing can be embedded at all.
    """

    about: Complaint
    error: ProviderError
    rows: int | None = None


Send = Callable[[Sequence[str]], "Decoded | Complained"]
"""One request with all retries. Raises ProviderError and CancelledError when it is hopeless."""


@dataclass(slots=True)
class _Results:
    """What is known so far of each text."""

    parts: dict[int, list[tuple[Vector, int]]] = field(default_factory=dict)
    open: dict[int, int] = field(default_factory=dict)
    """Bytes of each text that have no vector yet."""
    reasons: dict[int, str] = field(default_factory=dict)
    tokens: int | None = None
    requests: int = 0

    def complete(self) -> bool:
        """True once at least one text has its whole vector."""
        return any(not self.open[index] for index in self.parts)

    def batch(self, count: int, ended_by: ProviderError | CancelledError | None) -> EmbeddedBatch:
        """Everything in the order of the texts; half a vector is none."""
        vectors: list[Vector | None] = [None] * count
        for index, parts in self.parts.items():
            if index not in self.reasons and not self.open[index]:
                vectors[index] = joined_vector(parts)
                if vectors[index] is None:
                    self.reasons[index] = "its parts have no common vector"
        refusals = tuple(Refusal(i, self.reasons[i]) for i in sorted(self.reasons))
        return EmbeddedBatch(tuple(vectors), refusals, self.tokens, self.requests, ended_by)


class PackedCall:
    """One call of ``embed_documents``: packs, sends, halves what is refused, keeps the rest."""

    def __init__(self, send: Send, limits: LearnedLimits, cancelled: Cancelled) -> None:
        self._send = send
        self._limits = limits
        self._cancelled = cancelled
        self._results = _Results()
        self._doubts: list[ProviderError] = []

    def embed(self, texts: Sequence[str]) -> EmbeddedBatch:
        """Vectors and refusals for all texts.

        A failure in the middle ends the work: what came before it is returned with it.
        With nothing to return the failure is raised: ProviderError, CancelledError.
        """
        pieces = deque(self._pieces(texts))
        ended_by: ProviderError | CancelledError | None = None
        try:
            while pieces:
                self._embed_group(self._take(pieces))
            if self._doubts and not self._limits.succeeded:
                raise self._doubts[0]
        except (ProviderError, CancelledError) as error:
            if not self._results.complete():
                raise
            ended_by = error
        return self._results.batch(len(texts), ended_by)

    def _pieces(self, texts: Sequence[str]) -> list[Piece]:
        pieces = []
        for index, text in enumerate(texts):
            if text.strip():
                pieces.append(Piece(index, text, utf8_length(text)))
                self._results.open[index] = pieces[-1].size
            else:
                self._results.reasons[index] = EMPTY
        return pieces

    def _take(self, pieces: deque[Piece]) -> list[Piece]:
        """The next request's worth, at least one piece, long ones cut by today's limits."""
        limits = self._limits.now
        group: list[Piece] = []
        room = limits.bytes_per_request
        while pieces and len(group) < limits.inputs_per_request:
            if pieces[0].size > limits.bytes_per_input:
                pieces.extendleft(reversed(_cut(pieces.popleft(), limits.bytes_per_input)))
            if group and pieces[0].size > room:
                break
            room -= pieces[0].size
            group.append(pieces.popleft())
        return group

    def _embed_group(self, group: Sequence[Piece]) -> None:
        if self._cancelled():
            raise CancelledError("Embedding")
        self._results.requests += 1
        outcome = self._send([piece.text for piece in group])
        if not isinstance(outcome, Complained):
            self._keep(group, outcome)
        elif len(group) == 1:
            self._refused_alone(group[0], outcome)
        elif outcome.about == "request":
            self._limits.take_fewer(group, outcome.rows)
            self._again(group)
        else:
            by_size = sorted(group, key=lambda piece: piece.size)
            for half in (by_size[: len(group) // 2], by_size[len(group) // 2 :]):
                self._again(half)

    def _again(self, group: Sequence[Piece]) -> None:
        pieces = deque(group)
        while pieces:
            self._embed_group(self._take(pieces))

    def _keep(self, group: Sequence[Piece], decoded: Decoded) -> None:
        results = self._results
        for place, (piece, vector) in enumerate(zip(group, decoded.vectors, strict=True)):
            if vector is None:
                results.reasons.setdefault(piece.index, decoded.problems[place])
            else:
                self._limits.succeeded = True
                results.parts.setdefault(piece.index, []).append((vector, piece.size))
                results.open[piece.index] -= piece.size
        if decoded.tokens is not None:
            results.tokens = (results.tokens or 0) + decoded.tokens

    def _refused_alone(self, piece: Piece, outcome: Complained) -> None:
        if outcome.about != "content" and piece.size > SHORTEST_CUT:
            self._limits.take_shorter(piece)
            self._again([piece])
            return
        self._results.reasons.setdefault(piece.index, outcome.error.message)
        if not self._limits.succeeded:
            self._doubts.append(outcome.error)
            if len(self._doubts) > 1:
                raise outcome.error


def _cut(piece: Piece, most: int) -> list[Piece]:
    parts = split_by_bytes(piece.text, most)
    return [Piece(piece.index, part, utf8_length(part)) for part in parts]
