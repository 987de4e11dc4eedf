"""Packs of texts, cut to what a provider takes at once, and several of them under way."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from engine.embeddings.contract import ProviderLimits
from engine.index.packs import FEWEST_TO_SHARE, packs

texts = st.lists(st.tuples(st.text("abc", min_size=1), st.text(max_size=12)))


@given(texts, st.integers(1, 5), st.integers(1, 20))
def test_packs_keep_order_and_limits(
    given_texts: list[tuple[str, str]], inputs: int, size: int
) -> None:
    limits = ProviderLimits(inputs, size, size)
    cut = list(packs(given_texts, lambda: limits, len(given_texts)))
    assert [text for pack in cut for text in pack] == given_texts
    for pack in cut:
        assert 1 <= len(pack) <= inputs
        assert len(pack) == 1 or sum(len(text.encode()) for _, text in pack) <= size


def test_few_texts_are_spread_evenly_over_the_requests_that_may_run() -> None:
    limits = ProviderLimits(1000, 1 << 20, 1 << 20, concurrency=4)

    def sizes(count: int) -> list[int]:
        given = [(str(n), "heron") for n in range(count)]
        return [len(pack) for pack in packs(given, lambda: limits, count)]

    assert sizes(FEWEST_TO_SHARE) == [FEWEST_TO_SHARE]
    assert sizes(400) == [100, 100, 100, 100]
    assert sizes(9000) == [1000] * 9


def test_limits_learned_meanwhile_cut_the_next_pack() -> None:
    limits = [ProviderLimits(2, 100, 100), ProviderLimits(3, 100, 100), ProviderLimits(1, 100, 100)]
    given = [(str(n), "heron") for n in range(6)]
    cut = packs(given, lambda: limits.pop(0), 6)
    assert [len(pack) for pack in cut] == [2, 3, 1]
