"""When two read values are the same, whoever read them."""

from __future__ import annotations

import math
from typing import Any

from engine.config.legible import without_surrogates


def mended(value: Any) -> Any:
    """A judge's value with lone surrogates replaced, as the reader promises."""
    if isinstance(value, str):
        return without_surrogates(value)
    if isinstance(value, list):
        return [mended(part) for part in value]
    if isinstance(value, dict):
        return {mended(key): mended(part) for key, part in value.items()}
    return value


def same(left: Any, right: Any) -> bool:
    """Equal in value and type; NaN equals NaN."""
    if isinstance(left, float) and isinstance(right, float) and math.isnan(left):
        return math.isnan(right)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, dict) and isinstance(right, dict):
        keys = list(left) == list(right)
        return keys and all(same(left[key], right[key]) for key in left)
    return type(left) is type(right) and left == right
