"""Vectors that depend on what a text is said to be for, as those of asymmetric models do."""

from __future__ import annotations

import math
from collections.abc import Sequence

SHIFT = 0.25


def as_document(vector: Sequence[float], size: int) -> list[float]:
    """The plain vector, in the size that was asked for (zeros behind it, or cut)."""
    return ([*vector] + [0.0] * size)[:size]


def as_query(vector: Sequence[float], size: int) -> list[float]:
    """The plain vector, moved a little and of unit length again."""
    moved = as_document(vector, size)
    moved[0] += SHIFT
    length = math.sqrt(sum(x * x for x in moved))
    return [x / length for x in moved]


def as_nothing(vector: Sequence[float], size: int) -> list[float]:
    """A vector that is near neither of them: the purpose was not said."""
    return as_document(vector, size)[::-1]


def tokens(text: str) -> int:
    """About as many as a real tokenizer finds: four bytes each, at least one."""
    return max(len(text.encode("utf-8", "replace")) // 4, 1)
