from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.ranking.settings import TextScore
from engine.ranking.text_score import text_score


@pytest.mark.parametrize(
    ("bm25", "documented", "saturating"),
    [(-4.2, 1.0, 0.8077), (-0.5, 1.0, 0.3333), (0, 1.0, 1.0), (1.0, 0.5, 0.5)],
)
def test_the_two_formulas_of_the_originals(
    bm25: float, documented: float, saturating: float
) -> None:
    assert text_score(bm25, "documented", -9.0) == pytest.approx(documented, abs=5e-5)
    assert text_score(bm25, "saturating", -9.0) == pytest.approx(saturating, abs=5e-5)


def test_the_share_of_the_best() -> None:
    assert text_score(-3.0, "best", -6.0) == 0.5
    assert text_score(-6.0, "best", -6.0) == 1.0
    assert text_score(-1e-6, "best", -1e-6) == 1.0


def test_covered_counts_little_when_the_best_hit_covers_little_of_the_query() -> None:
    assert text_score(-3.0, "covered", -6.0, 6.0) == 0.5
    assert text_score(-6.0, "covered", -6.0, 24.0) == pytest.approx(1 / 16)
    assert text_score(-3.0, "covered", -6.0, 12.0) == pytest.approx(0.5 / 4)
    assert text_score(-3.0, "covered", -6.0, None) == 0.5


@given(
    st.floats(allow_nan=True, allow_infinity=True),
    st.sampled_from(("documented", "saturating", "best", "covered")),
    st.floats(max_value=0, allow_nan=False, allow_infinity=False),
)
def test_any_rank_gives_a_finite_score(bm25: float, rule: TextScore, best: float) -> None:
    score = text_score(max(bm25, best) if bm25 == bm25 else bm25, rule, best)
    assert 0 <= score <= 1
