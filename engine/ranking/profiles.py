"""The named profiles: each a complete set of ranking settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from engine.errors import ConfigError
from engine.ranking.settings import CutSettings, DecaySettings, MmrSettings, RankSettings

DOCUMENTED = RankSettings(
    profile="documented",
    hybrid=True,
    join="and",
    text_score="documented",
    fusion="weighted",
    vector_weight=0.7,
    text_weight=0.3,
    completion=False,
    max_results=6,
    candidate_multiplier=4,
    cut=CutSettings(min_score=0.35, rule="fixed", relaxation="none"),
    decay=DecaySettings(enabled=False, half_life_days=30, paths="strict"),
    mmr=MmrSettings(enabled=False, lambda_=0.7, relevance="minmax", tokens="ascii"),
    snippet="head",
    single_leg="bare",
)
"""February 2026: the documents' formula, which gives every keyword hit a text score of 1."""

MARCH = replace(
    DOCUMENTED,
    profile="2026.3",
    text_score="saturating",
    cut=replace(DOCUMENTED.cut, relaxation="keyword"),
)
"""March 2026: the strength of a keyword hit counts, and a relaxed minimum keeps it."""

JULY = replace(
    MARCH,
    profile="2026.7",
    join="and-else-each",
    boost="alone",
    short_words="cjk",
    cut=replace(MARCH.cut, relaxation="zero"),
    mmr=replace(MARCH.mmr, tokens="cjk"),
    single_leg="aged",
)
"""July 2026: single keywords when no chunk has all words (spec 07-to-09, section 12c)."""

SEPTEMBER = replace(
    JULY,
    profile="2026.9",
    join="and-with-each",
    text_score="ranked",
    boost="always",
    short_words="all",
    file_names=True,
    annotations=True,
    media_whole=True,
    pool=200,
    cut=replace(JULY.cut, relaxation="fill"),
    decay=DecaySettings(enabled=True, half_life_days=30, paths="wide"),
    mmr=MmrSettings(enabled=True, lambda_=0.7, relevance="minmax", tokens="cjk-strict"),
)
"""September 2026: boosted keywords, file names first, decay and MMR on (section 12d)."""

TUNED = replace(
    DOCUMENTED,
    profile="tuned",
    join="or",
    text_score="covered",
    completion=True,
    cut=CutSettings(min_score=0.31, rule="scaled", relaxation="each"),
    decay=DecaySettings(enabled=False, half_life_days=30, paths="wide"),
    mmr=MmrSettings(enabled=False, lambda_=0.7, relevance="raw", tokens="unicode"),
    snippet="window",
    single_leg="full",
    media_whole=True,
)
"""What works by measurement (spec/retrieval-quality.md, section 5).

The minimum keeps every right first hit of the judged paraphrases; at these weights a
vector alone reaches it with a cosine of 0.44, which few unrelated notes have.
"""

PROFILES: Mapping[str, RankSettings] = {
    settings.profile: settings for settings in (DOCUMENTED, MARCH, JULY, SEPTEMBER, TUNED)
}


def profile(name: str) -> RankSettings:
    """The settings of a profile. Raises ConfigError for a name that there is not."""
    if name not in PROFILES:
        known = ", ".join(PROFILES)
        raise ConfigError(
            "Unknown profile",
            f"There is no ranking profile {name!r}.",
            f"Profiles are: {known}.",
        )
    return PROFILES[name]
