"""Pools made by hand or drawn at random, for tests of ranking."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from engine.ranking.candidate import Candidate, LegHit
from engine.ranking.pool import CandidatePool, LegInfo
from engine.ranking.profiles import PROFILES
from engine.ranking.settings import RankSettings

NOW_MS = 1_770_681_600_000.0
"""2026-02-10T00:00:00Z."""

LEGS = ("and", "or", "keyword:router", "keyword:vlan", "path", "path:router")


def candidate(
    name: str,
    *,
    cosine: float | None = None,
    bm25: float | Mapping[str, float] | None = None,
    path: str | None = None,
    text: str = "",
    source: str = "memory",
    mtime_ms: float | None = None,
    **more: Any,
) -> Candidate:
    """A candidate; one bm25 stands for the legs "and" and "or". ``pool`` gives the places."""
    ranks = {"and": bm25, "or": bm25} if isinstance(bm25, (int, float)) else bm25 or {}
    return Candidate(
        chunk_id=name,
        path=path or f"memory/{name}.md",
        source=source,
        start_line=1,
        end_line=3,
        text=text or f"text of {name}",
        mtime_ms=mtime_ms,
        cosine=cosine,
        vector_position=None,
        legs={leg: LegHit(rank, None) for leg, rank in ranks.items()},
        **more,
    )


def pool(
    candidates: Sequence[Candidate],
    *,
    mode: str = "hybrid",
    query_vector: bool = True,
    legs: Sequence[str] = LEGS,
    vector_length: int = 200,
    keyword_length: int = 200,
    full: float | None = None,
) -> CandidatePool:
    """A pool in which each leg lists its candidates best first, as far as its length."""
    vectors = sorted(
        (c for c in candidates if c.cosine is not None), key=lambda c: -(c.cosine or 0.0)
    )
    places = {c.chunk_id: at for at, c in enumerate(vectors[:vector_length])}
    placed = [replace(c, vector_position=places.get(c.chunk_id)) for c in candidates]
    for leg in legs:
        ranked = sorted((c for c in placed if leg in c.legs), key=lambda c: c.legs[leg].bm25)
        order = {c.chunk_id: at for at, c in enumerate(ranked[:keyword_length])}
        placed = [_listed(c, leg, order.get(c.chunk_id)) for c in placed]
    infos = tuple(
        LegInfo(leg, '"x"', sum(leg in c.legs for c in candidates), full=full) for leg in legs
    )
    return CandidatePool(
        query="router vlan",
        terms=("router", "vlan"),
        mode=mode,
        legs=infos,
        candidates=tuple(placed),
        provider="test",
        model="toy",
        identity="space",
        revision=1,
        query_vector=query_vector,
    )


def _listed(candidate: Candidate, leg: str, place: int | None) -> Candidate:
    if leg not in candidate.legs:
        return candidate
    hit = LegHit(candidate.legs[leg].bm25, place)
    return replace(candidate, legs={**candidate.legs, leg: hit})


SCORES = st.floats(-1, 1, allow_nan=False)
RANKS = st.floats(-30, -1e-7, allow_nan=False) | st.just(0.0)
PATHS = st.sampled_from(
    (
        "MEMORY.md",
        "memory/2026-01-11.md",
        "memory/x.md",
        "memory/2026-02-30.md",
        "../extra/a.md",
        "memory/Router VLAN.md",
    )
)
TEXTS = st.sampled_from(
    ("", "router vlan", "router vlan omada", "omada 会议 дом", "会议", "🚀", "...", "printer")
)


@st.composite
def drawn_candidates(draw: st.DrawFn) -> list[Candidate]:
    """Up to 12 candidates with any mixture of scores."""
    return [
        candidate(
            f"c{number}",
            cosine=draw(st.none() | SCORES),
            bm25=draw(st.dictionaries(st.sampled_from(LEGS), RANKS)),
            path=draw(PATHS),
            text=draw(TEXTS),
            source=draw(st.sampled_from(("memory", "sessions"))),
            mtime_ms=draw(st.none() | st.floats(0, 2 * NOW_MS)),
            importance=draw(st.none() | st.integers(1, 10)),
            projects=draw(st.sampled_from(((), ("kestrel",), ("kestrel", "crane")))),
            withheld=draw(st.integers(0, 5)) == 0,
        )
        for number in range(draw(st.integers(0, 12)))
    ]


@st.composite
def drawn_pools(draw: st.DrawFn) -> CandidatePool:
    """Pools of every mode, with legs that do not reach all their candidates."""
    return pool(
        draw(drawn_candidates()),
        mode=draw(st.sampled_from(("hybrid", "vector", "keyword"))),
        query_vector=draw(st.booleans()),
        vector_length=draw(st.integers(0, 12)),
        keyword_length=draw(st.integers(0, 12)),
        full=draw(st.none() | st.floats(0, 40)),
    )


@st.composite
def drawn_settings(draw: st.DrawFn) -> RankSettings:
    """Every profile with every knob somewhere."""
    base = draw(st.sampled_from(sorted(PROFILES.values(), key=lambda s: s.profile)))
    weight = draw(st.floats(0, 1))
    some: dict[str, Any] = {
        "hybrid": draw(st.booleans()),
        "fusion": draw(st.sampled_from(("weighted", "rrf", "zscore"))),
        "text_score": draw(
            st.sampled_from(("documented", "saturating", "ranked", "best", "covered"))
        ),
        "completion": draw(st.booleans()),
        "single_leg": draw(st.sampled_from(("bare", "aged", "full"))),
        "vector_weight": weight,
        "text_weight": 1 - weight,
        "boost": draw(st.sampled_from(("none", "alone", "always"))),
        "file_names": draw(st.booleans()),
        "annotations": draw(st.booleans()),
        "active_projects": draw(st.sampled_from(((), ("kestrel",), ("kestrel", "crane")))),
        "pool": draw(st.none() | st.integers(1, 12)),
        "max_results": draw(st.integers(1, 8)),
        "candidate_multiplier": draw(st.integers(1, 4)),
        "source": draw(st.sampled_from((None, "memory"))),
        "mmr": replace(
            base.mmr,
            enabled=draw(st.booleans()),
            lambda_=draw(st.floats(0, 1)),
            relevance=draw(st.sampled_from(("raw", "minmax"))),
            tokens=draw(st.sampled_from(("ascii", "cjk", "cjk-strict", "unicode"))),
        ),
        "decay": replace(
            base.decay,
            enabled=draw(st.booleans()),
            half_life_days=draw(st.integers(1, 400)),
            paths=draw(st.sampled_from(("strict", "wide"))),
        ),
        "cut": replace(
            base.cut,
            min_score=draw(st.floats(0, 1)),
            rule=draw(st.sampled_from(("fixed", "scaled"))),
            relaxation=draw(st.sampled_from(("none", "keyword", "each", "zero", "fill"))),
            weak=draw(st.sampled_from(("show", "hide"))),
        ),
    }
    return replace(base, **some)
