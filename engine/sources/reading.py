"""Reading memory files: the path rules of memory_get, and a range of lines."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256


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


def decode(data: bytes) -> str:
    """The text of a file: UTF-8, each undecodable sequence as one U+FFFD.

    Nothing else is touched: a byte order mark stays as U+FEFF at the start of line 1,
    carriage returns stay at the ends of their lines, a head between ``---`` lines is
    text like any other. So lines, hashes and searches agree with what an editor shows.
    """
    return data.decode("utf-8", "replace")


def file_hash(text: str) -> str:
    """SHA-256 hex digest of a decoded text in UTF-8; surrogate halves count as U+FFFD."""
    try:
        data = text.encode()
    except UnicodeEncodeError:
        data = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").encode()
    return sha256(data).hexdigest()
