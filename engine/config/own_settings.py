"""Settings of memlens itself, which the original does not know and would refuse.

They stand beside the ``memorySearch`` keys in our own files and in ``--set``, never
in the agent's configuration. An unset ranking key leaves the choice to the profile.
"""

from dataclasses import field
from typing import Literal

from engine.config.declaring import Section, key

EraName = Literal["2026.2", "2026.3", "2026.7", "2026.9", "memlens"]
ProfileName = Literal["documented", "2026.3", "2026.7", "2026.9", "tuned"]


class OwnDecay(Section):
    """Which files count as dated."""

    paths: Literal["strict", "wide"] | None = field(
        default=None,
        metadata=key("strict: memory/YYYY-MM-DD.md; wide: also with a suffix or in subfolders."),
    )
    evergreen: tuple[str, ...] = field(
        default=(), metadata=key("Files that never grow old, whatever their name.")
    )


class OwnMmr(Section):
    """How MMR measures."""

    relevance: Literal["minmax", "raw"] | None = field(
        default=None, metadata=key("Relevance as the raw score, or stretched to 0..1.")
    )
    tokens: Literal["ascii", "unicode"] | None = field(
        default=None, metadata=key("Words that count when two snippets are compared.")
    )


class OwnCut(Section):
    """What happens below minScore."""

    rule: Literal["fixed", "scaled"] | None = field(
        default=None, metadata=key("scaled moves the minimum score with the vector weight.")
    )
    relaxation: Literal["none", "keyword", "each"] | None = field(
        default=None,
        metadata=key("Lower minimum for keyword hits: never, when nothing passed, or for each."),
    )
    weak: Literal["show", "hide"] | None = field(
        default=None, metadata=key("Hits that remain when nothing seems relevant.")
    )


class OwnSync(Section):
    """What happens when the index no longer fits."""

    on_identity_change: Literal["rebuild", "ask", "pause"] = field(
        default="ask",
        metadata=key("New model or chunking: rebuild always, ask when it costs, or pause."),
    )


class OwnSettings(Section):
    """Our own keys; ``config.key_table`` joins them with those of memorySearch."""

    era: EraName | None = field(default=None, metadata=key("Which release to be faithful to."))
    profile: ProfileName | None = field(default=None, metadata=key("Ranking profile at the start."))
    theme: str | None = field(default=None, metadata=key("Theme at the start."))
    glyphs: Literal["unicode", "ascii"] = field(
        default="unicode", metadata=key("Characters for bars and marks.")
    )
    join: Literal["and", "or"] | None = field(
        default=None, metadata=key("Whether a keyword hit needs all words or any.")
    )
    text_score: Literal["documented", "saturating", "best"] | None = field(
        default=None, metadata=key("How BM25 becomes a score of 0..1.")
    )
    fusion: Literal["weighted", "rrf", "zscore"] | None = field(
        default=None, metadata=key("How the two scores become one.")
    )
    completion: bool | None = field(
        default=None, metadata=key("Fill in the score of the side that missed a candidate.")
    )
    single_leg: Literal["bare", "full"] | None = field(
        default=None,
        metadata=key("A search with one side only: bare skips decay and MMR, full does not."),
    )
    snippet: Literal["head", "window"] | None = field(
        default=None, metadata=key("The chunk's beginning, or the part around the best match.")
    )
    max_file_bytes: int = field(
        default=33_554_432, metadata=key("Larger files are skipped and listed.", low=1)
    )
    decay: OwnDecay = OwnDecay()
    mmr: OwnMmr = OwnMmr()
    cut: OwnCut = OwnCut()
    sync: OwnSync = OwnSync()
