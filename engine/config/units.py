"""Values that may be written with a unit: durations such as ``5m``, sizes such as ``2mb``."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

_NUMBER = r"\d{1,15}(?:\.\d{1,15})?"
_BARE = re.compile(_NUMBER)
_PART = re.compile(rf"({_NUMBER})\s*(ms|s|m|h|d)\s*")
_DURATION = re.compile(rf"(?:{_PART.pattern})+")
_UNIT_MS = {"ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000}
_SIZE = re.compile(rf"({_NUMBER})\s*([kmg]?)(?:i?b)?")
_SIZE_FACTOR = {"": 1, "k": 1024, "m": 1024**2, "g": 1024**3}


@dataclass(frozen=True, slots=True)
class Unit:
    """How a number with a unit is read; ``read`` gives None for what it cannot read."""

    read: Callable[[Any], float | None]
    expected: str


def duration_ms(raw: Any) -> float | None:
    """Milliseconds of ``5m``, ``1h30m``, ``90s``; a number without a unit is minutes."""
    if isinstance(raw, (int, float)) and not isinstance(raw, bool):
        return raw * _UNIT_MS["m"]
    text = raw.strip().lower() if isinstance(raw, str) else ""
    if _BARE.fullmatch(text):
        return float(text) * _UNIT_MS["m"]
    if not _DURATION.fullmatch(text):
        return None
    return sum(float(count) * _UNIT_MS[unit] for count, unit in _PART.findall(text))


def byte_size(raw: Any) -> float | None:
    """Bytes of ``2mb``, ``500k``, ``1024``; units are powers of 1,024."""
    if isinstance(raw, (int, float)) and not isinstance(raw, bool):
        return raw
    match = _SIZE.fullmatch(raw.strip().lower()) if isinstance(raw, str) else None
    return float(match[1]) * _SIZE_FACTOR[match[2]] if match else None


DURATION = Unit(duration_ms, 'a duration such as "5m", or minutes')
BYTES = Unit(byte_size, 'a number of bytes, or a size such as "2mb"')
