"""What a key takes and what stood there instead, in words."""

from __future__ import annotations

import math
from dataclasses import fields
from types import NoneType
from typing import Any, Literal, get_args, get_origin

from engine.config.declaring import is_group, spelling
from engine.config.key import Key, taken_apart

_QUOTED_LENGTH = 40


def expected_words(key: Key) -> str:
    """What may be written for a key: "a whole number from 1 to 20"."""
    if key.unit is not None:
        return key.unit.expected
    return " or ".join(
        _words(kind, key.low, key.high) for kind in key.kinds if kind is not NoneType
    )


def found_words(raw: Any, *, secret: bool = False) -> str:
    """A raw value in words; short harmless text and numbers are quoted, secrets never."""
    if isinstance(raw, bool) or raw is None:
        return {None: "null", True: "true", False: "false"}[raw]
    if isinstance(raw, str):
        quotable = len(raw) <= _QUOTED_LENGTH and raw.isprintable() and not secret
        return f'"{raw}"' if quotable else "text with a NUL byte" if "\0" in raw else "text"
    if isinstance(raw, (int, float)):
        return f"{raw:g}" if _fits_a_sentence(raw) and not secret else "a number"
    return "an object" if isinstance(raw, dict) else "a list"


def _fits_a_sentence(number: float) -> bool:
    return abs(number) < 1e15 or (isinstance(number, float) and not math.isfinite(number))


def _words(kind: Any, low: float | None = None, high: float | None = None) -> str:
    if kind is NoneType:
        return "null"
    if kind is bool:
        return "true or false"
    if kind in (int, float):
        return _number_words("whole number" if kind is int else "number", low, high)
    if get_origin(kind) is Literal:
        return _choice_words(get_args(kind))
    if get_origin(kind) is tuple:
        return f"a list of {_part_words(get_args(kind)[0], 'texts')}"
    if get_origin(kind) is dict:
        return f"an object of {_part_words(get_args(kind)[1], 'text')}"
    if is_group(kind):
        return f"{{{', '.join(spelling(part.name) for part in fields(kind))}}}"
    return "text"


def _part_words(kind: Any, text: str) -> str:
    """What may stand inside a list or an object; ``text`` is the word for any text."""
    kinds, _ = taken_apart(kind)
    return " or ".join(text if bare is str else _words(bare) for bare in kinds)


def _choice_words(choices: tuple[Any, ...]) -> str:
    quoted = [f'"{choice}"' for choice in choices]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} or {quoted[-1]}"


def _number_words(noun: str, low: float | None, high: float | None) -> str:
    if low is not None and high is not None:
        return f"a {noun} from {low:g} to {high:g}"
    return f"a {noun} of at least {low:g}" if low is not None else f"a {noun}"
