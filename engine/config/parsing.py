"""One JSON or JSON5 text as a value, with the place of every key.

The value comes from the ``json`` module and, where that refuses, from the ``json5``
package. Our own reader (``positions``) goes first, for what both lack: line and column
of each key, and a sentence on what is wrong with a broken text.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import Any

from engine.config.key_path import KeyPath
from engine.config.legible import without_surrogates
from engine.config.positions import Outline, outline

JSON5_LIMIT = 65_536
"""Longest text, in characters, for the ``json5`` package: about a second of its time."""

_PRINTABLE_BITS = 14_280
"""Python refuses to print integers of more than 4,300 digits."""


@dataclass(frozen=True, slots=True)
class Parsed:
    """A value, and where its parts stand in the text that it was read from."""

    value: Any
    outline: Outline

    def position(self, path: KeyPath) -> tuple[int, int] | None:
        """1-based line and column of a key or list element; None when it is not there."""
        return self.outline.position(path)


def parse(text: str) -> Parsed:
    """Read one JSON or JSON5 document. Raises Json5Error and nothing else.

    Lone surrogates become U+FFFD, so that every text can be stored; a whole number
    that is too long for Python to print becomes an infinity.
    """
    found = outline(text)
    return Parsed(_storable(_value(text, found)), found)


def _value(text: str, found: Outline) -> Any:
    """The value by ``json`` or ``json5``; our reader's where those two cannot give it."""
    try:
        return json.loads(text)
    except ValueError:
        pass
    if len(text) > JSON5_LIMIT:
        return found.value  # at 10 to 20 ms a kilobyte, no start could wait for it
    import json5

    try:
        return json5.loads(text)
    except RecursionError:
        return found.value  # its parser takes about 16 calls a level, ours two
    except ValueError:
        return found.value  # a number with more digits than Python makes an integer of


def _storable(value: Any) -> Any:
    if isinstance(value, str):
        return without_surrogates(value)
    if isinstance(value, int) and value.bit_length() > _PRINTABLE_BITS:
        return math.inf if value > 0 else -math.inf
    if isinstance(value, list):
        return [_storable(part) for part in value]
    if isinstance(value, dict):
        return {without_surrogates(key): _storable(part) for key, part in value.items()}
    return value
