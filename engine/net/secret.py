"""A value that may be sent but never shown."""

from __future__ import annotations


class Secret:
    """Holds a key or token; only ``reveal`` gives it out, printing shows dots."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def reveal(self) -> str:
        """The value itself, for a header or for redaction."""
        return self._value

    @property
    def sendable(self) -> bool:
        """True when a header can hold it: visible ASCII only."""
        return bool(self._value) and all("!" <= char <= "~" for char in self._value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and other._value == self._value

    def __hash__(self) -> int:
        return hash(self._value)

    def __repr__(self) -> str:
        return "Secret(...)"

    __str__ = __repr__
