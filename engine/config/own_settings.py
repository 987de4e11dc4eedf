"""Settings of memlens itself, which the original does not know and would refuse.

They stand beside the ``memorySearch`` keys in our own files and in ``--set``, never
in the agent's configuration. An unset ranking key leaves the choice to the profile.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from engine.config.schema import Section, Texts

EraName = Literal["2026.2", "2026.3", "2026.7", "2026.9", "memlens"]
ProfileName = Literal["documented", "2026.3", "2026.7", "2026.9", "tuned"]


class OwnDecay(Section):
    """Which files count as dated."""

    paths: Literal["strict", "wide"] | None = Field(
        default=None,
        description="strict: memory/YYYY-MM-DD.md; wide: also with a suffix or in subfolders.",
    )
    evergreen: Texts = Field(
        default=(), description="Files that never grow old, whatever their name."
    )


class OwnMmr(Section):
    """How MMR measures."""

    relevance: Literal["minmax", "raw"] | None = Field(
        default=None, description="Relevance as the raw score, or stretched to 0..1."
    )
    tokens: Literal["ascii", "unicode"] | None = Field(
        default=None, description="Words that count when two snippets are compared."
    )


class OwnCut(Section):
    """What happens below minScore."""

    rule: Literal["fixed", "scaled"] | None = Field(
        default=None, description="scaled moves the minimum score with the vector weight."
    )
    relaxation: Literal["none", "keyword", "each"] | None = Field(
        default=None,
        description="Lower minimum for keyword hits: never, when nothing passed, or for each.",
    )
    weak: Literal["show", "hide"] | None = Field(
        default=None, description="Hits that remain when nothing seems relevant."
    )


class OwnSync(Section):
    """What happens when the index no longer fits."""

    on_identity_change: Literal["rebuild", "ask", "pause"] = Field(
        default="ask",
        description="New model or chunking: rebuild always, ask when it costs, or pause.",
    )


class OwnSettings(Section):
    """Our own keys; ``config.key_table`` joins them with those of memorySearch."""

    era: EraName | None = Field(default=None, description="Which release to be faithful to.")
    profile: ProfileName | None = Field(default=None, description="Ranking profile at the start.")
    theme: str | None = Field(default=None, description="Theme at the start.")
    glyphs: Literal["unicode", "ascii"] = Field(
        default="unicode", description="Characters for bars and marks."
    )
    join: Literal["and", "or"] | None = Field(
        default=None, description="Whether a keyword hit needs all words or any."
    )
    text_score: Literal["documented", "saturating", "best"] | None = Field(
        default=None, description="How BM25 becomes a score of 0..1."
    )
    fusion: Literal["weighted", "rrf", "zscore"] | None = Field(
        default=None, description="How the two scores become one."
    )
    completion: bool | None = Field(
        default=None, description="Fill in the score of the side that missed a candidate."
    )
    single_leg: Literal["bare", "full"] | None = Field(
        default=None,
        description="A search with one side only: bare skips decay and MMR, full does not.",
    )
    snippet: Literal["head", "window"] | None = Field(
        default=None, description="The chunk's beginning, or the part around the best match."
    )
    max_file_bytes: int = Field(
        default=33_554_432, ge=1, description="Larger files are skipped and listed."
    )
    decay: OwnDecay = OwnDecay()
    mmr: OwnMmr = OwnMmr()
    cut: OwnCut = OwnCut()
    sync: OwnSync = OwnSync()
