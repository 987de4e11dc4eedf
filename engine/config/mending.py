"""One written value against its key: taken, brought into range, or refused with a reason.

Whether a value fits its type is for pydantic to say (``validating``). Here is what it
does not do: move a number to the nearest end of its range, read units, unset by blank text.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, TypeGuard

from engine.config.expectation import expected_words, found_words
from engine.config.key import Key
from engine.config.legible import legible
from engine.config.validating import MismatchError, validated

WHOLE_LIMIT = 2**31 - 1
"""Upper bound of whole numbers without one of their own."""


@dataclass(frozen=True, slots=True)
class Mended:
    """The value that counts; ``remark`` says what was changed, empty when nothing was."""

    value: Any
    remark: str = ""


@dataclass(frozen=True, slots=True)
class Refused:
    """The value cannot be used; ``reason`` says what was expected and what stood there."""

    reason: str


def mend(key: Key, raw: Any) -> Mended | Refused:
    """Hold a raw JSON value against its key. Never raises.

    Numbers out of range move to the nearest end, fractions of whole numbers are cut
    off; any other mismatch is refused. Blank text unsets a key that may be unset, as null does.
    """
    if key.may_be_unset and isinstance(raw, str) and not raw.strip():
        return Mended(None)
    number: Any = key.unit.read(raw) if key.unit else raw
    moves = key.is_number and _is_finite(number)
    mismatch = f"expected {expected_words(key)}, found {found_words(raw, secret=key.secret)}"
    try:
        value = validated(key.type, _nearest(key, number) if moves else raw)
    except MismatchError as error:
        return Refused(mismatch + _culprit(error.part))
    if not moves or value == number:
        return Mended(value)
    return Mended(value, f"{mismatch}; {value} is used")


def _is_finite(number: Any) -> TypeGuard[float]:
    if isinstance(number, float):
        return math.isfinite(number)
    return isinstance(number, int) and not isinstance(number, bool)


def _nearest(key: Key, number: float) -> float:
    """The number itself, or the nearest one that the key's range and kind allow."""
    whole = float not in key.kinds
    high = key.high if key.high is not None else WHOLE_LIMIT if whole else number
    low = key.low if key.low is not None else -WHOLE_LIMIT if whole else number
    return min(max(math.floor(number) if whole else number, low), high)


def _culprit(part: int | str | None) -> str:
    """Which part of a list or an object does not fit."""
    if part is None:
        return ""
    if isinstance(part, int):
        return f" whose entry {part + 1} does not fit"
    return f' whose "{legible(part)}" does not fit'
