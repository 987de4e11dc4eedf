"""A chunk: the unit that is embedded, indexed, found and cited."""

from __future__ import annotations

from dataclasses import dataclass

from engine.chunking.annotations import NO_ANNOTATIONS, Annotations


@dataclass(frozen=True, slots=True)
class ChunkingRules:
    """Sizes in tokens of four UTF-16 units, and whose cutting rules apply.

    ``tokens`` >= 1, ``overlap`` 0..tokens-1; ``dialect`` names the rule set: "2026.3"
    (February and March 2026), "2026.7", "2026.9", or "memlens", which is ours.
    """

    tokens: int
    overlap: int
    dialect: str = "2026.3"

    def fingerprint(self) -> str:
        """A short text that changes whenever chunks would be cut differently."""
        return f"{self.dialect}:{self.tokens}/{self.overlap}"


@dataclass(frozen=True, slots=True)
class Chunk:
    """One chunk of a file; lines are 1-based and inclusive.

    ``hash`` is the SHA-256 hex digest of the text in UTF-8, ``utf16`` its length
    in UTF-16 code units, ``index`` the 0-based order of emission in the file.
    ``annotations`` are what comments of the note say about it.
    """

    index: int
    start_line: int
    end_line: int
    text: str
    hash: str
    utf16: int
    annotations: Annotations = NO_ANNOTATIONS
