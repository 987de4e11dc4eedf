"""The entries of a curated file, which are cut each for itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

CURATED = ("MEMORY.md", "USER.md")
"""The files at the root that a person keeps by hand: one entry is one thought."""

_ENTRY = re.compile(r"^(?:- |#{1,6}(?:[ \t]|\r?$))", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Block:
    """Whole lines of a note; ``first_line`` is the 1-based number of the first."""

    text: str
    first_line: int

    @property
    def last_line(self) -> int:
        """The 1-based number of its last line."""
        return self.first_line + self.text.count("\n")


def entries(text: str) -> Iterator[Block]:
    """One block for each top-level list item and each heading, with all that follows it.

    Only ``- `` begins an item; fences are not respected. What stands before the first
    entry is a block too.
    """
    begin, line = 0, 1
    for match in _ENTRY.finditer(text):
        start = match.start()
        if start > begin:
            yield Block(text[begin : start - 1], line)
            line += text.count("\n", begin, start)
            begin = start
    yield Block(text[begin:], line)
