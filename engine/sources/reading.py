"""Reading memory files: the path rules of memory_get, and a range of lines."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class MemoryText:
    """The text of a range. ``from_`` is the 1-based first line, ``lines`` how many came.

    ``truncated`` and ``next_from`` are set when the era's limits cut the text.
    """

    path: str
    text: str
    from_: int
    lines: int
    truncated: bool = False
    next_from: int | None = None

    @property
    def citation(self) -> str:
        """``path#L3`` or ``path#L3-L9``."""
        last = self.from_ + max(self.lines, 1) - 1
        return f"{self.path}#L{self.from_}" + (f"-L{last}" if last > self.from_ else "")
