"""Settings of memlens itself, which the original does not know and would refuse.

They stand beside the ``memorySearch`` keys in our own files and in ``--set``, never
in the agent's configuration. An unset ranking key leaves the choice to the profile.
"""

from dataclasses import dataclass, field
from typing import Annotated, Literal

from annotated_types import doc

from engine.config.declaring import Dollars, Positive, Text

EraName = Literal["2026.2", "2026.3", "2026.7", "2026.9", "memlens"]
ProfileName = Literal["documented", "2026.3", "2026.7", "2026.9", "tuned"]


@dataclass(frozen=True)
class OwnDecay:
    """Which files count as dated."""

    paths: Annotated[
        Literal["strict", "wide"] | None,
        doc("strict: memory/YYYY-MM-DD.md; wide: also with a suffix or in subfolders."),
    ] = None
    evergreen: Annotated[
        tuple[Text, ...], doc("Files that never grow old, whatever their name.")
    ] = ()


@dataclass(frozen=True)
class OwnMmr:
    """How MMR measures."""

    relevance: Annotated[
        Literal["minmax", "raw"] | None, doc("Relevance as the raw score, or stretched to 0..1.")
    ] = None
    tokens: Annotated[
        Literal["ascii", "cjk", "cjk-strict", "unicode"] | None,
        doc("Words that count when two snippets are compared."),
    ] = None


@dataclass(frozen=True)
class OwnCut:
    """What happens below minScore."""

    rule: Annotated[
        Literal["fixed", "scaled"] | None,
        doc("scaled moves the minimum score with the vector weight."),
    ] = None
    relaxation: Annotated[
        Literal["none", "keyword", "each", "zero", "fill"] | None,
        doc("Lower minimum for keyword hits: never, when nothing passed, or for each."),
    ] = None
    weak: Annotated[
        Literal["show", "hide"] | None, doc("Hits that remain when nothing seems relevant.")
    ] = None


@dataclass(frozen=True)
class OwnSync:
    """What happens when the index no longer fits."""

    on_identity_change: Annotated[
        Literal["rebuild", "ask", "pause"],
        doc("New model or chunking: rebuild always, ask when it costs, or pause."),
    ] = "ask"


@dataclass(frozen=True)
class OwnSettings:
    """Our own keys; ``config.key_table`` joins them with those of memorySearch."""

    era: Annotated[EraName | None, doc("Which release to be faithful to.")] = None
    profile: Annotated[ProfileName | None, doc("Ranking profile at the start.")] = None
    theme: Annotated[Text | None, doc("Theme at the start.")] = None
    glyphs: Annotated[Literal["unicode", "ascii"], doc("Characters for bars and marks.")] = (
        "unicode"
    )
    join: Annotated[
        Literal["and", "or", "and-else-each", "and-with-each"] | None,
        doc("Whether a keyword hit needs all words, any, or single keywords besides."),
    ] = None
    text_score: Annotated[
        Literal["documented", "saturating", "ranked", "best", "covered"] | None,
        doc("How BM25 becomes a score of 0..1."),
    ] = None
    fusion: Annotated[
        Literal["weighted", "rrf", "zscore"] | None, doc("How the two scores become one.")
    ] = None
    completion: Annotated[
        bool | None, doc("Fill in the score of the side that missed a candidate.")
    ] = None
    single_leg: Annotated[
        Literal["bare", "aged", "full"] | None,
        doc("One side only: bare skips decay and MMR, aged only MMR, full neither."),
    ] = None
    snippet: Annotated[
        Literal["head", "window"] | None,
        doc("The chunk's beginning, or the part around the best match."),
    ] = None
    boost: Annotated[
        Literal["none", "alone", "always"] | None,
        doc("Lexical boost of keyword hits: never, without vectors only, or always."),
    ] = None
    short_words: Annotated[
        Literal["match", "cjk", "all"] | None,
        doc("Short words that a trigram index looks for as parts of the text."),
    ] = None
    file_names: Annotated[
        bool | None, doc("Search file names; a file that the query names comes first.")
    ] = None
    annotations: Annotated[bool | None, doc("Importance and project comments of a note weigh.")] = (
        None
    )
    active_projects: Annotated[
        tuple[Text, ...], doc("Keys of the projects being worked on, for project comments.")
    ] = ()
    pool: Annotated[
        Positive | None, doc("Candidates of each side, instead of a multiple of the results.")
    ] = None
    max_file_bytes: Annotated[Positive, doc("Larger files are skipped and listed.")] = 33_554_432
    prices: Annotated[
        dict[Text, Dollars | None],
        doc("US dollars per million tokens by provider/model; null for a price that is unknown."),
    ] = field(default_factory=dict)
    decay: OwnDecay = OwnDecay()
    mmr: OwnMmr = OwnMmr()
    cut: OwnCut = OwnCut()
    sync: OwnSync = OwnSync()
