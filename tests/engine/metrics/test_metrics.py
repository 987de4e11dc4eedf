"""The measures against numbers worked out by hand, and their bounds."""

from __future__ import annotations

from math import log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.metrics.evidence import evidence
from engine.metrics.ranked_gain import dcg, ndcg, recall, reciprocal_rank
from engine.metrics.significance import compare

GAINS = st.lists(st.sampled_from([0.0, 1.0, 2.0, 3.0]), max_size=12)


def test_dcg_by_hand() -> None:
    assert dcg([3, 0, 2], 3) == pytest.approx(3 / 1 + 2 / 2)
    assert dcg([3, 0, 2], 1) == 3


def test_ndcg_uses_the_ideal_of_all_judged_items() -> None:
    assert ndcg([0, 1], [1, 1], 10) == pytest.approx((1 / log2(3)) / (1 + 1 / log2(3)))
    assert ndcg([1, 1], [1, 1], 10) == 1
    assert ndcg([1], [], 10) == 0


def test_reciprocal_rank_and_recall() -> None:
    assert reciprocal_rank([0, 0, 1], 10) == pytest.approx(1 / 3)
    assert reciprocal_rank([0, 0, 1], 2) == 0
    assert recall([1, 0, 1], 4, 6) == 0.5


def test_a_fact_counts_once_however_often_it_is_found() -> None:
    assert evidence([{"a"}, {"a"}, {"b"}], {"a", "b", "c"}, 2) == pytest.approx(1 / 3)
    assert evidence([{"a"}, {"a"}, {"b"}], {"a", "b", "c"}, 3) == pytest.approx(2 / 3)


def test_the_sign_test_by_hand() -> None:
    result = compare([0] * 9 + [1], [1] * 8 + [0, 0])
    assert (result.better, result.same, result.worse) == (8, 1, 1)
    assert result.p == pytest.approx(2 * (1 + 9) / 2**9)
    assert result.convincing
    assert compare([1, 2], [1, 2]).p == 1


@given(GAINS, st.lists(st.sampled_from([1.0, 2.0, 3.0]), max_size=6), st.integers(1, 15))
def test_measures_stay_between_zero_and_one(
    gains: list[float], missed: list[float], k: int
) -> None:
    judged = [gain for gain in gains if gain] + missed
    for value in (ndcg(gains, judged, k), reciprocal_rank(gains, k)):
        assert 0 <= value <= 1 + 1e-12


@given(GAINS, st.integers(1, 12))
def test_the_best_order_has_the_best_ndcg(gains: list[float], k: int) -> None:
    best = sorted(gains, reverse=True)
    assert ndcg(best, gains, k) >= ndcg(gains, gains, k) - 1e-12
