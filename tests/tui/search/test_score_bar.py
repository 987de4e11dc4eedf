"""Bars of whole cells."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from engine.ranking.profiles import PROFILES
from tests.tui.search.pools import home_network, ranked
from tui.glyphs import ASCII, UNICODE
from tui.widgets.search.score_bar import Shares, bar, cells, shares_of

part = st.floats(0, 1)


@given(part, part, part, st.integers(0, 40))
def test_a_bar_never_leaves_its_cells_and_is_as_long_as_its_score(
    vector: float, text: float, lost: float, width: int
) -> None:
    shares = Shares(vector, text, lost)
    found = cells(shares, width)
    assert min(found) >= 0
    assert sum(found) == min(width, round(shares.whole * width))


def test_each_share_has_a_sign_of_its_own() -> None:
    drawn = "".join(text for text, _ in bar(Shares(0.5, 0.2, 0.2), 10, UNICODE))
    assert drawn == "█████▓▓░░ "
    drawn = "".join(text for text, _ in bar(Shares(0.5, 0.2, 0.2), 10, ASCII))
    assert drawn == "#####==.. "


def test_shares_add_up_to_the_score_and_what_decay_took() -> None:
    from dataclasses import replace

    tuned = PROFILES["tuned"]
    aging = replace(tuned, decay=replace(tuned.decay, enabled=True))
    for hit in ranked(home_network(), aging).kept:
        shares = shares_of(hit)
        assert abs(shares.vector + shares.text - hit.score) < 1e-12
        blend = hit.trace.step("fusion")
        assert blend is not None and blend.after is not None
        assert abs(shares.whole - blend.after) < 1e-12


def test_without_decay_nothing_is_lost() -> None:
    assert all(shares_of(hit).lost == 0 for hit in ranked(home_network()).kept)
