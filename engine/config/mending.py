"""One written value against its key: taken, brought into range, or refused with a reason."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from functools import cache
from typing import Any, get_origin

from pydantic import TypeAdapter, ValidationError

from engine.config.key_table import WHOLE_LIMIT, Key
from engine.config.legible import legible

_QUOTED_LENGTH = 40


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
    off; any other mismatch is refused. Blank text unsets a key that may be unset.
    """
    refused = Refused(f"expected {key.expected}, found {found_words(key, raw)}")
    if raw is None or _holds_nul(raw):
        return refused
    number: Any = key.spelled.read(raw) if key.spelled else raw
    if _is_number(number) and (int in key.kinds or float in key.kinds):
        return _in_range(key, raw, number) if _is_finite(number) else refused
    if key.spelled:
        return refused
    if isinstance(raw, str) and not raw.strip() and type(None) in key.kinds:
        return Mended(None)
    if isinstance(raw, list) and get_origin(key.annotation) is tuple:
        raw = tuple(raw)
    try:
        return Mended(_adapter(key.annotation).validate_python(raw, strict=True))
    except ValidationError as error:
        return Refused(refused.reason + _culprit(raw, error))


@cache
def _adapter(annotation: Any) -> TypeAdapter[Any]:
    return TypeAdapter(annotation)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_finite(number: float) -> bool:
    return isinstance(number, int) or math.isfinite(number)


def _in_range(key: Key, raw: Any, number: float) -> Mended:
    whole = float not in key.kinds
    widest = WHOLE_LIMIT if whole else sys.float_info.max
    low = -widest if key.low is None else key.low
    high = widest if key.high is None else key.high
    nearest = min(max(math.floor(number) if whole else number, low), high)
    value = int(nearest) if whole else float(nearest)
    if value == number:
        return Mended(value)
    return Mended(value, f"expected {key.expected}, found {found_words(key, raw)}; {value} is used")


def _holds_nul(raw: Any) -> bool:
    if isinstance(raw, str):
        return "\0" in raw
    if isinstance(raw, dict):
        return any(_holds_nul(part) for pair in raw.items() for part in pair)
    return isinstance(raw, (list, tuple)) and any(map(_holds_nul, raw))


def _culprit(raw: Any, error: ValidationError) -> str:
    """Which part of a list or an object does not fit."""
    place = error.errors(include_url=False, include_context=False, include_input=False)[0]["loc"]
    if isinstance(raw, tuple) and place:
        return f" whose entry {int(place[0]) + 1} does not fit"
    if isinstance(raw, dict) and place and place[0] in raw:
        return f' whose "{legible(str(place[0]))}" does not fit'
    return ""


def found_words(key: Key, raw: Any) -> str:
    """A raw value in words; short harmless text and numbers are quoted, secrets never."""
    if isinstance(raw, bool) or raw is None:
        return {None: "null", True: "true", False: "false"}[raw]
    if isinstance(raw, str):
        quotable = len(raw) <= _QUOTED_LENGTH and raw.isprintable() and not key.secret
        return f'"{raw}"' if quotable else "text with a NUL byte" if "\0" in raw else "text"
    if isinstance(raw, (int, float)):
        return f"{raw:g}" if _fits_a_sentence(raw) and not key.secret else "a number"
    return "an object" if isinstance(raw, dict) else "a list"


def _fits_a_sentence(number: float) -> bool:
    return abs(number) < 1e15 or not _is_finite(number)
