"""Packs of texts, cut to what a provider takes at once."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from engine.embeddings.contract import ProviderLimits
from engine.index.vectors import packs

texts = st.lists(st.tuples(st.text("abc", min_size=1), st.text(max_size=12)))


@given(texts, st.integers(1, 5), st.integers(1, 20))
def test_packs_keep_order_and_limits(
    given_texts: list[tuple[str, str]], inputs: int, size: int
) -> None:
    cut = list(packs(given_texts, ProviderLimits(inputs, size, size)))
    assert [text for pack in cut for text in pack] == given_texts
    for pack in cut:
        assert 1 <= len(pack) <= inputs
        assert len(pack) == 1 or sum(len(text.encode()) for _, text in pack) <= size
