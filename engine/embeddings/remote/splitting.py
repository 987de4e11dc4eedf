"""Cutting a text that is longer than a provider takes, and joining the vectors of its parts."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.embeddings.contract import Vector


def utf8_length(text: str) -> int:
    """Bytes of the text in UTF-8; a half character counts as three."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


def split_by_bytes(text: str, most: int) -> list[str]:
    """Parts of about equal size, none above ``most`` UTF-8 bytes, cut between code points.

    ``most`` is at least 4, the length of the longest code point; a text that fits is
    its only part.
    """
    if most < 4:
        raise ValueError("a part must have room for any code point")
    data = text.encode("utf-8", "surrogatepass")
    if len(data) <= most:
        return [text]
    # Cutting moves a border back by at most 3 bytes, which the next part has to hold as well.
    count = -(-len(data) // max(most - 3, 1))
    borders = [_code_point_start(data, len(data) * i // count) for i in range(count + 1)]
    parts = [data[a:b] for a, b in pairwise(borders)]
    return [part.decode("utf-8", "surrogatepass") for part in parts if part]


def joined_vector(parts: Sequence[tuple[Vector, int]]) -> Vector | None:
    """The normalised mean of part vectors, each weighted by its bytes; None when it vanishes."""
    import numpy as np

    if len(parts) == 1:
        return parts[0][0]
    vectors = np.stack([vector for vector, _ in parts]).astype(np.float64)
    total = np.array([size for _, size in parts], np.float64) @ vectors
    length = float(np.linalg.norm(total))
    if length < 1e-10:
        return None
    unit: Vector = (total / length).astype(np.float32)
    return unit


def _code_point_start(data: bytes, at: int) -> int:
    while at < len(data) and data[at] & 0xC0 == 0x80:
        at -= 1
    return at
