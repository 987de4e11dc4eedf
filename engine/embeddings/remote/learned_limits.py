"""The limits of an endpoint, narrowed by what it has refused."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.embeddings.contract import ProviderLimits

SHORTEST_CUT = 64
"""A text of fewer bytes is not cut further, however much the provider complains."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A text or a part of one; ``size`` in UTF-8 bytes, ``index`` the text's place."""

    index: int
    text: str
    size: int


class LearnedLimits:
    """What one request may hold by now; shared by all calls, from any thread.

    ``succeeded`` is True once any text was embedded: a refusal is then about the text,
    not the settings.
    """

    def __init__(self, stated: ProviderLimits) -> None:
        self._stated = stated
        self._lock = threading.Lock()
        self.now = stated
        self.succeeded = False

    @property
    def learned(self) -> bool:
        """True when the endpoint takes less than it is said to."""
        return self.now != self._stated

    def take_fewer(self, pieces: Sequence[Piece], rows: int | None) -> None:
        """A request with these pieces was too much; ``rows`` is what it takes, if it said so."""
        if rows is not None and 0 < rows < len(pieces):
            self._narrow(inputs=rows)
        else:
            self._narrow(total=max(sum(piece.size for piece in pieces) // 2, 1))

    def take_shorter(self, piece: Piece) -> None:
        """A request with this piece alone was too long: from now on, halves of it."""
        self._narrow(each=max(-(-piece.size // 2) + 3, SHORTEST_CUT))

    def recall(self, before: ProviderLimits) -> None:
        """What was learned in an earlier run."""
        self._narrow(
            before.inputs_per_request, before.bytes_per_request, max(before.bytes_per_input, 4)
        )

    def _narrow(
        self, inputs: int | None = None, total: int | None = None, each: int | None = None
    ) -> None:
        """Never wider than before: several refusals of one moment narrow no more than one."""
        with self._lock:
            now = self.now
            self.now = replace(
                now,
                inputs_per_request=min(inputs or now.inputs_per_request, now.inputs_per_request),
                bytes_per_request=min(total or now.bytes_per_request, now.bytes_per_request),
                bytes_per_input=min(each or now.bytes_per_input, now.bytes_per_input),
            )
