"""Pools made by hand, ranked by the real ranking."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.ranking.candidate import Candidate, LegHit
from engine.ranking.pool import CandidatePool, LegInfo
from engine.ranking.profiles import PROFILES
from engine.ranking.rank import rank
from engine.ranking.settings import RankSettings
from engine.ranking.trace import Ranking

NOW_MS = 1_770_724_800_000.0
"""2026-02-10 12:00 UTC."""
DAY_MS = 86_400_000.0

NETWORK = """## Router

Configured the Omada router; VLAN 10 carries the IoT devices. Home
network setup now has three SSIDs.
- admin page 192.168.10.1
- AdGuard on 192.168.10.2
- guest SSID is off at night"""


def chunk(
    path: str,
    text: str,
    cosine: float | None,
    bm25: float | None,
    *,
    lines: tuple[int, int] = (1, 9),
    days_old: float = 3,
) -> Candidate:
    """A candidate of the legs "vector", "or" and "and"; places are set by ``pool_of``."""
    legs = {} if bm25 is None else {"or": LegHit(bm25, None), "and": LegHit(bm25, None)}
    return Candidate(
        chunk_id=f"{path}:{lines[0]}",
        path=path,
        source="memory",
        start_line=lines[0],
        end_line=lines[1],
        text=text,
        mtime_ms=NOW_MS - days_old * DAY_MS,
        cosine=cosine,
        vector_position=None,
        legs=legs,
    )


def pool_of(
    query: str,
    candidates: Sequence[Candidate],
    *,
    mode: str = "hybrid",
    legs: Sequence[str] = ("or",),
    notices: tuple[str, ...] = (),
    revision: int = 1,
) -> CandidatePool:
    """A pool in which each leg lists its candidates by score."""
    placed = list(candidates)
    with_vector = sorted(
        (at for at, c in enumerate(placed) if c.cosine is not None),
        key=lambda at: -(placed[at].cosine or 0.0),
    )
    for place, at in enumerate(with_vector):
        placed[at] = replace(placed[at], vector_position=place)
    infos = [LegInfo("vector", None, len(with_vector))] if mode != "keyword" else []
    for leg in legs:
        order = sorted(
            (at for at, c in enumerate(placed) if leg in c.legs),
            key=lambda at: placed[at].legs[leg].bm25,
        )
        for place, at in enumerate(order):
            hits = dict(placed[at].legs)
            hits[leg] = LegHit(hits[leg].bm25, place)
            placed[at] = replace(placed[at], legs=hits)
        match = f" {leg.upper()} ".join(f'"{word}"' for word in query.split())
        infos.append(LegInfo(leg, match, len(order)))
    kept = [replace(c, legs={n: h for n, h in c.legs.items() if n in legs}) for c in placed]
    return CandidatePool(
        query=query,
        terms=tuple(query.lower().split()),
        mode=mode,
        legs=tuple(infos),
        candidates=tuple(kept),
        provider="builtin" if mode == "hybrid" else "none",
        model="bow-static",
        identity="test",
        revision=revision,
        notices=notices,
        timings_ms={"vector": 1.2, "keyword": 0.8},
    )


def home_network(legs: Sequence[str] = ("or",), mode: str = "hybrid") -> CandidatePool:
    """Ten notes on a home network; under ``tuned`` six are shown and some fall below."""
    candidates = [
        chunk("memory/2026-02-08.md", NETWORK, 0.812, -6.13, lines=(12, 18), days_old=2),
        chunk("memory/network.md", "# Network\nRouter: Omada ER605, network 10.", 0.70, -5.2),
        chunk("memory/2026-02-05.md", "Set up AdGuard DNS at home.", 0.66, -2.1, lines=(3, 9)),
        chunk("sessions/9f2c.jsonl", "we moved the IoT things to VLAN 10", 0.61, None),
        chunk("memory/projects.md", "Rack inventory: patch panel, switch", 0.52, -1.4),
        chunk("MEMORY.md", "Prefers wired links at home", 0.48, -1.9, lines=(102, 110)),
        chunk("memory/2025-09-15.md", "Old network setup with one SSID", 0.58, -3.0, days_old=148),
        chunk("memory/2025-11-02.md", "Router firmware notes", 0.40, None, days_old=100),
        chunk("memory/cooking.md", "Cardamom buns", 0.21, None),
        chunk("memory/trips.md", "Trip to Gdansk, home by train", 0.18, -0.4),
    ]
    if mode == "keyword":
        candidates = [replace(c, cosine=None) for c in candidates if c.legs]
    return pool_of("home network setup", candidates, mode=mode, legs=legs)


def ranked(pool: CandidatePool, settings: RankSettings | None = None) -> Ranking:
    """The pool ranked at the fixed clock, by ``tuned`` unless told otherwise."""
    return rank(pool, settings or PROFILES["tuned"], NOW_MS)
