"""From what a provider sent for one text to a vector of length 1, or to what is wrong with it."""

from __future__ import annotations

import base64
import binascii
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engine.embeddings.contract import Vector

_ZERO = 1e-10


def unit_vector(value: Any) -> tuple[Vector | None, str | None]:
    """float32 of unit length from a list of numbers or base64 of little-endian float32.

    Else None and why there is no vector, in words for a person.
    """
    import numpy as np

    try:
        raw = _from_base64(value) if isinstance(value, str) else np.asarray(value, np.float64)
    except (TypeError, ValueError, OverflowError):
        return None, "the provider sent something that is no vector for this text"
    if raw.ndim != 1 or raw.size == 0:
        return None, "the provider sent an empty vector for this text"
    if not np.isfinite(raw).all():
        return None, "the provider sent a vector with gaps or without finite numbers"
    largest = float(np.abs(raw).max())
    if largest < _ZERO:
        return None, "the provider sent a vector of zeros for this text"
    scaled = raw / largest
    unit: Vector = (scaled / np.linalg.norm(scaled)).astype(np.float32)
    return unit, None


def _from_base64(text: str) -> Any:
    import numpy as np

    try:
        data = base64.b64decode(text, validate=True)
    except binascii.Error as error:
        raise ValueError("not base64") from error
    return np.frombuffer(data, "<f4").astype(np.float64)
