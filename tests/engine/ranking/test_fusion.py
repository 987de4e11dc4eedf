from __future__ import annotations

import pytest

from engine.ranking.fusion import side
from engine.ranking.profiles import TUNED
from engine.ranking.rank import rank
from tests.engine.ranking.pools import NOW_MS, candidate, pool


def test_reciprocal_ranks_give_the_weight_to_the_first_and_equal_values_one_rank() -> None:
    part = side("rrf", "vector", 0.7, [0.9, 0.5, 0.9, None, 0.1])
    assert part(0.9) == (0.7, {"k": 60, "vector_rank": 1})
    assert part(0.5)[0] == 0.7 * 61 / 63
    assert part(None)[0] == 0.0


def test_z_scores_put_the_mean_at_half_the_weight() -> None:
    part = side("zscore", "text", 0.4, [0.2, 0.4, 0.6])
    assert part(0.4)[0] == pytest.approx(0.2)
    assert part(0.2)[0] < part(0.4)[0] < part(0.6)[0] < 0.4
    assert part(None)[0] == 0.0


def test_z_scores_of_equal_values_are_half_the_weight() -> None:
    assert side("zscore", "text", 0.4, [0.3, 0.3])(0.3)[0] == 0.2


def test_every_fusion_puts_the_best_of_both_legs_first() -> None:
    held = pool(
        [
            candidate("both", cosine=0.9, bm25=-9),
            candidate("v", cosine=0.8),
            candidate("t", bm25=-8),
        ]
    )
    for rule in ("weighted", "rrf", "zscore"):
        from dataclasses import replace

        ranking = rank(held, replace(TUNED, fusion=rule), NOW_MS)
        assert ranking.kept[0].candidate.chunk_id == "both", rule
