"""bow-192: the deterministic bag-of-words embedding that the golden vectors were made with."""

from __future__ import annotations

import math
import re

DIMENSIONS = 192
_UPPER = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}
_TOKEN = re.compile(r"[a-z0-9_]+|[^\x00-\x7f]")


def bow_192(text: str) -> list[float]:
    """192 numbers rounded to six decimals, of unit length; zeros for a text without tokens."""
    counts = [0] * DIMENSIONS
    for token in _TOKEN.findall(text.translate(_UPPER)):
        counts[_fnv1a(token.encode("utf-8", "replace")) % DIMENSIONS] += 1
    length = math.sqrt(sum(n * n for n in counts))
    return [round(n / length, 6) for n in counts] if length else [0.0] * DIMENSIONS


def _fnv1a(data: bytes) -> int:
    value = 2166136261
    for byte in data:
        value = (value ^ byte) * 16777619 % 2**32
    return value
