"""Ranking a pool: pure, in memory, and told step by step."""

from __future__ import annotations

from collections.abc import Sequence

from engine.ranking.diversity import diversified
from engine.ranking.entry import Entry
from engine.ranking.factors import weigh
from engine.ranking.formulas import number
from engine.ranking.naming import by_name_and_value, show
from engine.ranking.pool import CandidatePool
from engine.ranking.relevance import Doubt, doubt, no_keyword_matched
from engine.ranking.scope import Scope, scope_of
from engine.ranking.scoring import decay, scored
from engine.ranking.selection import Selection, select
from engine.ranking.settings import RankSettings
from engine.ranking.trace import Ranking


def rank(pool: CandidatePool, settings: RankSettings, now_ms: float) -> Ranking:
    """Results, lost candidates and remarks; every candidate ends with its trace.

    Order of the stages: configured pool, text score, merge, decay, MMR, minimum score,
    number of results (spec/openclaw-2026-02-and-03.md, section 8). ``now_ms`` is the
    clock of decay in milliseconds since the epoch.
    """
    scope = scope_of(pool, settings)
    entries, early = scored(scope, settings)
    bare = scope.single_leg and settings.single_leg != "full"
    aged = scope.mode == "keyword" and settings.single_leg == "aged"
    if settings.decay.enabled and (aged or not bare):
        decay(entries, settings, now_ms)
    if settings.annotations:
        weigh(entries, settings.active_projects)
    by_score = sorted(entries, key=by_name_and_value if settings.file_names else _by_score)
    ordered: Sequence[Entry] = by_score
    if settings.mmr.enabled and not bare:
        ordered = diversified(pool, by_score, settings.mmr)
    if settings.file_names:
        show(ordered)
    doubted = doubt(pool, scope, entries)
    selection = select(ordered, by_score, scope, settings, doubted, early)
    return Ranking(
        kept=selection.kept,
        lost=selection.lost,
        settings=settings,
        cut=selection.minimum,
        notices=tuple(_notices(pool, scope, entries, selection, doubted)),
        mode=scope.mode,
        weak=doubted is not None,
    )


def _by_score(entry: Entry) -> float:
    return -entry.score


def _notices(
    pool: CandidatePool,
    scope: Scope,
    entries: Sequence[Entry],
    selection: Selection,
    doubted: Doubt | None,
) -> list[str]:
    notices = []
    if doubted is not None:
        notices.append(doubted.sentence)
    elif entries and no_keyword_matched(pool, scope, entries):
        notices.append("No keyword matched; the results come from vectors alone.")
    if selection.relaxed:
        notices.append(
            f"Keyword hits below the minimum {number(selection.minimum)} were kept by the "
            "relaxed rule of this profile."
        )
    return notices
