"""Turning knobs, going back, comparing: without a widget."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.ranking.pool import CandidatePool
from engine.ranking.profiles import PROFILES
from engine.ranking.settings import RankSettings
from engine.ranking.trace import Ranking
from tests.tui.search.pools import home_network, ranked
from tui.glyphs import UNICODE
from tui.widgets.search.changes import change_of
from tui.widgets.search.knob import Knob
from tui.widgets.search.knobs import BY_NAME, KNOBS, PROFILE
from tui.widgets.search.lab import Lab, serves


class Counting:
    """The real ranking, counted."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self, pool: CandidatePool, settings: RankSettings) -> Ranking:
        self.times += 1
        return ranked(pool, settings)


def lab(profile: str = "tuned") -> Lab:
    made = Lab(Counting(), PROFILES, PROFILES[profile])
    made.take(home_network(legs=(PROFILES[profile].join,)), PROFILES[profile].join)
    return made


def paths(lab: Lab) -> list[str]:
    assert lab.ranking is not None
    return [hit.candidate.path for hit in lab.ranking.kept]


@pytest.mark.parametrize("knob", KNOBS, ids=lambda knob: knob.name)
def test_every_knob_moves_both_ways_stops_at_its_ends_and_comes_back(knob: Knob) -> None:
    base = PROFILES["documented"]
    moved = knob.moved(base, 1)
    assert knob.changed(moved, base)
    assert knob.read(knob.moved(base, 10_000)) == knob.high
    assert knob.read(knob.moved(base, -10_000, True)) == knob.low
    assert knob.restored(moved, base) == base
    assert len(knob.label(base, True)) >= len(knob.label(base, False)) > 0


def test_weights_stay_a_pair_that_adds_up_to_one() -> None:
    settings = PROFILES["tuned"]
    for _ in range(30):
        settings = BY_NAME["weights"].moved(settings, -1)
        assert settings.vector_weight + settings.text_weight == pytest.approx(1.0)
    assert (settings.vector_weight, settings.text_weight) == (0.0, 1.0)


def test_moving_a_knob_that_is_off_switches_it_on() -> None:
    trying = lab()
    off = trying.settings.decay
    trying.move("decay", 1)
    on = trying.settings.decay
    assert (off.enabled, on.enabled, on.half_life_days) == (False, True, 31)


def test_weights_reorder_the_pool_at_hand() -> None:
    trying = lab()
    before, pool = paths(trying), trying.pool
    trying.move("weights", -3, True)
    assert paths(trying) != before
    assert trying.pool is pool


def test_undo_and_redo_walk_through_all_changes() -> None:
    trying = lab()
    states = [trying.settings]
    for name in ("weights", "min-score", "mmr"):
        assert trying.move(name, -1)
        states.append(trying.settings)
    for state in reversed(states[:-1]):
        assert trying.undo()
        assert trying.settings == state
    assert not trying.undo()
    for state in states[1:]:
        assert trying.redo()
        assert trying.settings == state
    assert not trying.redo()


def test_a_new_change_forgets_what_was_undone() -> None:
    trying = lab()
    trying.move("weights", 1)
    trying.undo()
    trying.move("min-score", 1)
    assert not trying.can_redo


def test_a_knob_at_its_end_is_no_change() -> None:
    trying = lab()
    trying.change(BY_NAME["weights"].moved(trying.settings, 100))
    assert not trying.move("weights", 1)
    trying.undo()
    assert trying.settings == PROFILES["tuned"]


def test_changes_are_told_against_the_ranking_before() -> None:
    trying = lab()
    before = paths(trying)
    trying.move("weights", -3, True)
    baseline = trying.baseline
    assert baseline is not None
    assert sorted(baseline.values()) == list(range(1, len(before) + 1))
    assert trying.ranking is not None
    signs = [
        change_of(hit.candidate.chunk_id, place, baseline).sign(UNICODE)
        for place, hit in enumerate(trying.ranking.kept, 1)
    ]
    assert signs[0] == "="
    assert any(sign.startswith("▲") for sign in signs)
    assert any(sign.startswith("▼") or sign == "★" for sign in signs)


def test_a_knob_that_goes_on_turning_is_compared_with_where_it_began() -> None:
    trying = lab()
    start = {path: place for place, path in enumerate(paths(trying), 1)}
    for _ in range(5):
        trying.move("weights", -1)
    assert trying.baseline is not None
    assert list(trying.baseline.values()) == list(start.values())
    middle = trying.baseline
    trying.move("min-score", -1)
    assert trying.baseline is not middle


def test_a_pin_holds_while_knobs_turn_and_lets_go_when_pinned_again() -> None:
    trying = lab()
    trying.pin()
    pinned = trying.pinned_ranks
    trying.move("weights", -3, True)
    trying.move("weights", -1)
    assert trying.baseline == pinned
    trying.undo()
    trying.undo()
    trying.pin()
    assert trying.pinned is None


def test_another_query_forgets_the_ranking_before_and_keeps_the_knobs() -> None:
    trying = lab()
    trying.move("weights", -1)
    trying.take(replace(home_network(), query="something else"), "or")
    assert trying.baseline is None
    assert trying.settings != trying.base


def test_a_profile_that_needs_another_leg_waits_for_it() -> None:
    trying = lab("tuned")
    shown = trying.ranking
    trying.move(PROFILE, 1)
    assert trying.settings.profile == "documented"
    was_waiting = trying.waiting
    assert was_waiting
    assert trying.ranking is shown
    trying.take(home_network(legs=("and",)), "and")
    assert not trying.waiting
    assert trying.ranking is not shown
    assert trying.baseline is not None


def test_two_profiles_with_one_leg_share_a_pool() -> None:
    trying = lab("documented")
    trying.move(PROFILE, 1)
    assert trying.settings.profile == "2026.3"
    assert not trying.waiting
    assert trying.ranking is not None
    assert trying.ranking.settings.text_score == "saturating"


def test_restoring_the_profile_restores_every_knob() -> None:
    trying = lab()
    for name in BY_NAME:
        trying.move(name, 1)
    assert trying.restore(PROFILE)
    assert trying.settings == PROFILES["tuned"]


def test_a_pool_without_keyword_index_serves_every_profile() -> None:
    pool = replace(home_network(), mode="vector", legs=())
    assert all(serves(pool, settings) for settings in PROFILES.values())


def test_with_one_leg_there_is_nothing_to_weigh() -> None:
    trying = lab()
    trying.take(home_network(mode="keyword"), "or")
    assert trying.mode == "keyword"
    assert not trying.move("weights", -1)
    assert trying.move("min-score", -1)
