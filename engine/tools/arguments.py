"""Arguments of a tool call, as a language model writes them: loosely typed, untrusted."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite

from engine.errors import EngineError

Arguments = Mapping[str, object]


class ArgumentError(EngineError):
    """A tool call that lacks an argument it cannot do without; ``message`` is the contract's."""

    kind = "argument"


def required_text(arguments: Arguments, name: str) -> str:
    """A text that must be there, trimmed. Raises ArgumentError ("query required")."""
    value = arguments.get(name)
    text = value.strip() if isinstance(value, str) else ""
    if not text:
        raise ArgumentError("Argument missing", f"{name} required", f"Give {name} as a text.")
    return text


def number(arguments: Arguments, name: str) -> float | None:
    """A number, also one written as a text; None when it is absent or no number."""
    value = arguments.get(name)
    if isinstance(value, bool):
        return None
    if isinstance(value, (int, float, str)):
        try:
            read = float(value)
        except (ValueError, OverflowError):
            return None
        return read if isfinite(read) else None
    return None


def whole_number(arguments: Arguments, name: str) -> int | None:
    """A number without its fraction (1.7 is 1); None when it is absent or no number."""
    read = number(arguments, name)
    return int(read) if read is not None else None
