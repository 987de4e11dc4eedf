"""Numbers as they stand in columns of few cells."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui.widgets.search.numbers import SCORE_CELLS, age, count, days, exact, score, short

MINUTE = 60_000.0
DAY = 24 * 60 * MINUTE


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (0.7421, ".742"),
        (0.0, ".000"),
        (1.0, "1.00"),
        (-0.0001, ".000"),
        (-0.123, "-.12"),
        (12.34, "12.3"),
        (-6.13, "-6.1"),
        (0.9996, "1.00"),
    ],
)
def test_a_score_says_three_places_where_they_fit(value: float, told: str) -> None:
    assert score(value) == told


def test_a_missing_score_is_not_a_zero() -> None:
    assert score(None) == "—"


@given(st.floats(-1, 1))
def test_a_score_of_the_usual_range_never_leaves_its_column(value: float) -> None:
    text = score(value)
    assert len(text) <= SCORE_CELLS
    assert abs(float(text) - value) <= 0.005


@given(st.floats(allow_nan=False))
def test_exact_numbers_read_back_as_themselves(value: float) -> None:
    assert float(exact(value)) == value


def test_settings_show_a_third_place_only_where_it_counts() -> None:
    assert [short(value) for value in (0.7, 0.35, 0.125, 1.0, 0.0)] == [
        ".70",
        ".35",
        ".125",
        "1.00",
        ".00",
    ]


@pytest.mark.parametrize(
    ("ago", "told"),
    [
        (-5 * DAY, "now"),
        (0.4 * MINUTE, "now"),
        (12 * MINUTE, "12m"),
        (5 * 60 * MINUTE, "5h"),
        (3.9 * DAY, "3d"),
        (148 * DAY, "148d"),
        (1200 * DAY, "3y"),
    ],
)
def test_an_age_takes_four_cells(ago: float, told: str) -> None:
    assert age(10_000 * DAY, 10_000 * DAY + ago) == told


def test_half_lives_have_no_needless_fraction() -> None:
    assert [days(value) for value in (30.0, 4.7, 148.2)] == ["30", "4.7", "148"]


def test_one_is_not_many() -> None:
    assert [count(1, "candidate"), count(2, "candidate")] == ["1 candidate", "2 candidates"]
