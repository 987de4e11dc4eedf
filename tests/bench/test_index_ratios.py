"""Indexing speed as ratios, which hold on any machine."""

from __future__ import annotations

import pytest

from tests.bench.bench_index import Figures, measure


@pytest.fixture(scope="module")
def figures() -> Figures:
    return measure(400)


@pytest.mark.bench
def test_an_unchanged_sync_costs_a_tenth_of_the_first(figures: Figures) -> None:
    assert figures.unchanged <= figures.first / 10


@pytest.mark.bench
def test_one_changed_file_costs_little_more_than_none(figures: Figures) -> None:
    assert figures.one_changed <= figures.first / 5


@pytest.mark.bench
def test_touched_files_are_not_cut_or_embedded_again(figures: Figures) -> None:
    assert figures.touched <= figures.first / 2


@pytest.mark.bench
def test_a_reindex_with_every_vector_known_is_cheaper_than_the_first(figures: Figures) -> None:
    assert figures.forced <= figures.first
