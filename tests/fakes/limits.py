"""The limits of an endpoint, as the case files state them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tests.fakes.answers import Answer, Received, status


@dataclass(frozen=True, slots=True)
class Limits:
    """What one request may hold; None is no limit. ``error`` is sent beyond it."""

    inputs: int | None = None
    body_bytes: int | None = None
    words: int | None = None
    words_per_input: int | None = None
    error_status: int = 400
    error_body: Any = None

    @classmethod
    def from_case(cls, case: Mapping[str, Any]) -> Limits:
        """The limits of a ``provider_*.json`` of the case batch-limits."""
        return cls(
            case.get("max_inputs"),
            case.get("max_body_bytes"),
            case.get("max_words_per_call"),
            case.get("max_words_per_input"),
            case["error"]["status"],
            case["error"]["body"],
        )

    def refuse(self, received: Received) -> Answer | None:
        """The error for a request beyond a limit, None for one that fits."""
        words = [len(text.split()) for text in received.inputs]
        measured = (
            (self.inputs, len(words)),
            (self.body_bytes, len(received.body)),
            (self.words, sum(words)),
            (self.words_per_input, max(words, default=0)),
        )
        if any(limit is not None and value > limit for limit, value in measured):
            return status(self.error_status, self.error_body)(received)
        return None
