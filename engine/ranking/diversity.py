"""The MMR stage: the order of picking, told step by step."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from engine.ranking.entry import Entry
from engine.ranking.formulas import Input
from engine.ranking.mmr import pick_order
from engine.ranking.pool import CandidatePool
from engine.ranking.settings import MmrSettings
from engine.ranking.tokens import Overlaps, TokenSets
from engine.ranking.trace import Step


def diversified(
    pool: CandidatePool, entries: Sequence[Entry], settings: MmrSettings
) -> list[Entry]:
    """The candidates in the order MMR picks them, each tier of file names by itself."""
    overlaps = _token_sets(pool, settings).overlaps([entry.candidate for entry in entries])
    ordered: list[Entry] = []
    for _, tier in groupby(entries, key=lambda entry: entry.tier):
        ordered += _picked(overlaps, list(tier), settings, len(ordered))
    return ordered


def _picked(
    overlaps: Overlaps, entries: Sequence[Entry], settings: MmrSettings, before: int
) -> list[Entry]:
    """One tier in the order of picking; ``rival`` is whom each overlaps most.

    The score stays the merged one; value and pick stand in the step's inputs.
    """
    scores = [entry.score for entry in entries]
    near = overlaps.among([entry.candidate.chunk_id for entry in entries])
    ordered: list[Entry] = []
    low, high = min(scores, default=0.0), max(scores, default=0.0)
    for pick in pick_order(scores, near, settings.lambda_, settings.relevance):
        entry = entries[pick.index]
        rival = entries[pick.nearest] if pick.nearest is not None else None
        entry.rival = rival
        ordered.append(entry)
        inputs: dict[str, Input] = {
            "pick": before + len(ordered),
            "value": pick.value,
            "lambda": settings.lambda_,
            "penalty_weight": 1 - settings.lambda_,
            "relevance": pick.relevance,
            "overlap": pick.overlap,
            "nearest": rival.candidate.path if rival else None,
            "nearest_id": rival.candidate.chunk_id if rival else None,
            "rule": settings.relevance,
            "tokens": settings.tokens,
            "low": low,
            "high": high,
        }
        entry.take(Step("mmr", entry.score, entry.score, inputs))
    return ordered


def _token_sets(pool: CandidatePool, settings: MmrSettings) -> TokenSets:
    sets = pool.cache.setdefault(f"mmr {settings.tokens}", TokenSets(settings.tokens))
    assert isinstance(sets, TokenSets)
    return sets
