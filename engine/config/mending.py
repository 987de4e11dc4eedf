"""One written value against its key: taken, brought into range, or refused with a reason."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from types import NoneType
from typing import Any

from engine.config.key_table import WHOLE_LIMIT, Key
from engine.config.legible import legible
from engine.config.structure import MismatchError, read_as

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
    spelled = key.declared.spelled
    number: Any = spelled.read(raw) if spelled else raw
    if _is_number(number) and (int in key.kinds or float in key.kinds):
        return _in_range(key, raw, number) if _is_finite(number) else refused
    if isinstance(raw, str) and not raw.strip() and NoneType in key.kinds:
        return Mended(None)
    try:
        return refused if spelled else Mended(read_as(key.type, raw))
    except MismatchError as mismatch:
        return Refused(refused.reason + _culprit(mismatch))


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_finite(number: float) -> bool:
    return isinstance(number, int) or math.isfinite(number)


def _in_range(key: Key, raw: Any, number: float) -> Mended:
    declared, whole = key.declared, float not in key.kinds
    widest = WHOLE_LIMIT if whole else sys.float_info.max
    low = -widest if declared.low is None else declared.low
    high = widest if declared.high is None else declared.high
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


def _culprit(mismatch: MismatchError) -> str:
    """Which part of a list or an object does not fit."""
    if mismatch.part is None:
        return ""
    if isinstance(mismatch.part, int):
        return f" whose entry {mismatch.part + 1} does not fit"
    return f' whose "{legible(mismatch.part)}" does not fit'


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
