"""Searching speed as ratios to a fixed loop of plain Python, which hold on any machine."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from statistics import median

import pytest

from engine.memory import MemoryEngine
from tests.bench.bench_search import explained, loop_ms, searching, zipf_queries
from tests.bench.zipf_notes import write_zipf_notes

pytestmark = pytest.mark.bench

QUERIES = zipf_queries()[:12]


@pytest.fixture(scope="module")
def engine() -> Iterator[MemoryEngine]:
    with searching(write_zipf_notes, 1000) as engine:
        settings = engine.rank_settings("tuned")
        for query in QUERIES:
            explained(engine, query, settings)
        yield engine


def _cpu(step: Callable[[str], object]) -> float:
    """Median over the queries of the least thread CPU of some rounds, in milliseconds."""

    def least(query: str) -> float:
        spent = []
        for _ in range(7):
            began = time.thread_time()
            step(query)
            spent.append(time.thread_time() - began)
        return min(spent) * 1000

    return median(least(query) for query in QUERIES)


def test_a_search_costs_at_most_four_fixed_loops(engine: MemoryEngine) -> None:
    settings = engine.rank_settings("tuned")
    spent = _cpu(lambda query: explained(engine, query, settings))
    assert spent <= 4 * min(loop_ms() for _ in range(5))


def test_ranking_again_costs_less_than_a_third_of_the_search(engine: MemoryEngine) -> None:
    settings = engine.rank_settings("tuned")
    pools = {query: engine.retrieve(query, settings) for query in QUERIES}
    again = _cpu(lambda query: engine.rank(pools[query], settings))
    assert again <= _cpu(lambda query: explained(engine, query, settings)) / 3
