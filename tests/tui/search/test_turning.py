"""Turning knobs on the screen: by keys and mouse, without asking the engine."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from rich.cells import cell_len

from engine.ranking.pool import CandidatePool
from engine.ranking.profiles import PROFILES
from engine.ranking.settings import RankSettings
from tests.tui.search.driving import Seat, act
from tests.tui.search.pools import chunk, pool_of
from tests.tui.search.searching import SearchingEngine
from tui.widgets.search.knobs import NAMES

QUERY = "home network setup"


def test_weights_reorder_at_once_without_a_retrieval(tmp_path: Path) -> None:
    async def play(seat: Seat) -> None:
        await seat.search(QUERY)
        before = seat.paths()
        await seat.press("H", "H", "H")
        assert seat.paths() != before
        seat.shot.must_say("vec .10 txt .90*", "▲1", "▼")

    assert len(act(tmp_path, play).searches) == 1


def test_undo_and_redo_bring_rankings_back(tmp_path: Path) -> None:
    async def play(seat: Seat) -> None:
        await seat.search(QUERY)
        before = seat.paths()
        await seat.press("H", "H")
        after = seat.paths()
        await seat.press("u", "u")
        assert seat.paths() == before
        seat.shot.must_not_say("*")
        await seat.press("ctrl+r", "ctrl+r")
        assert seat.paths() == after

    act(tmp_path, play)


def test_tab_takes_each_knob_in_hand_and_h_l_turn_it(tmp_path: Path) -> None:
    async def play(seat: Seat) -> None:
        await seat.search(QUERY)
        await seat.press("tab", "l")
        seat.shot.must_say("-min .32*+")
        await seat.press("tab", "h")
        seat.shot.must_say("-top 5*+")
        assert len(seat.paths()) == 5
        await seat.press("0")
        seat.shot.must_say("-top 6 +")
        await seat.press("shift+tab", "shift+tab", "shift+tab", "l")
        assert seat.lab.settings.profile == "documented"

    act(tmp_path, play)


def test_decay_and_mmr_have_switches(tmp_path: Path) -> None:
    async def play(seat: Seat) -> None:
        await seat.search(QUERY)
        await seat.press("t", "m")
        seat.shot.must_say("decay 30d*", "mmr .70*", "░")
        await seat.press("t", "m")
        seat.shot.must_say("decay off", "mmr off")

    assert len(act(tmp_path, play).searches) == 1


def test_a_lower_minimum_lets_a_keyword_hit_in_at_once(tmp_path: Path) -> None:
    def answer(query: str, settings: RankSettings) -> CandidatePool:
        far = chunk("memory/far.md", "nothing", 0.34, None)
        exact = chunk("memory/ids.md", "ZX-8841-QP router", 0.0, -3.0)
        return replace(pool_of("ZX-8841-QP router", [exact, far], legs=("and",)), query=query)

    async def play(seat: Seat) -> None:
        await seat.search("ZX-8841-QP router")
        assert seat.paths() == []
        seat.shot.must_say("below the line", ".300", "memory/ids.md", "min .35 cut 2")
        await seat.press("tab", "H")
        await seat.press(*"hhhhh")
        seat.shot.must_say("min .20*")
        assert seat.paths() == ["memory/ids.md", "memory/far.md"]

    engine = SearchingEngine(answer=answer, profile="documented")
    assert len(act(tmp_path, play, engine).searches) == 1


def test_another_profile_asks_for_its_keyword_leg_once_and_quietly(tmp_path: Path) -> None:
    async def play(seat: Seat) -> None:
        await seat.search(QUERY)
        await seat.press("P")
        await seat.until(lambda: len(seat.engine.searches) == 2)
        await seat.rest()
        ranking = seat.lab.ranking
        assert ranking is not None and ranking.settings.profile == "documented"
        assert seat.pane.results.has_focus
        await seat.press("P")
        seat.shot.must_say("2026.3")

    assert act(tmp_path, play).searches == [
        f"send {QUERY} by or",
        f"send {QUERY} by and",
    ]


def test_knobs_rest_while_the_memory_is_opened_anew(tmp_path: Path) -> None:
    async def play(seat: Seat) -> None:
        await seat.search(QUERY)
        before = seat.paths()
        seat.app.bridge.engine = None
        await seat.press("H", "t", "u", "P")
        assert seat.paths() == before

    act(tmp_path, play)


def test_a_pin_shows_changes_against_itself_over_many_turns(tmp_path: Path) -> None:
    async def play(seat: Seat) -> None:
        await seat.search(QUERY)
        await seat.press("p")
        seat.shot.must_say("Δ against pin")
        await seat.press("H", "H", "H", "h", "l")
        seat.shot.must_say("▲", "▼")
        await seat.press("u", "u", "u", "u", "u", "p")
        seat.shot.must_not_say("Δ against pin")

    act(tmp_path, play)


def test_a_pin_of_another_profile_is_ranked_for_new_queries_too(tmp_path: Path) -> None:
    async def play(seat: Seat) -> None:
        await seat.search(QUERY)
        await seat.press("p", "P")
        await seat.until(lambda: len(seat.engine.searches) == 3)
        await seat.search("router")
        assert seat.lab.pinned == PROFILES["tuned"]
        assert seat.lab.baseline
        assert seat.engine.searches[-2:] == ["send router by and", "send router by or"]

    act(tmp_path, play)


def test_the_mouse_takes_and_turns_knobs(tmp_path: Path) -> None:
    async def play(seat: Seat) -> None:
        await seat.search(QUERY)
        row = next(line for line in seat.shot.lines if "min .31" in line)
        at = row.index("min .31")
        await seat.pilot.click("#knobs", offset=(at + 2, 0))
        await seat.rest()
        assert seat.pane.knobs.in_hand == "min-score"
        await seat.pilot.click("#knobs", offset=(at - 1, 0))
        await seat.rest()
        seat.shot.must_say("min .30*")
        await seat.pilot.click("#knobs", offset=(at + len("min .30*"), 0))
        await seat.rest()
        seat.shot.must_say("min .31 +")

    act(tmp_path, play)


@pytest.mark.parametrize("width", [40, 60, 80, 120, 160])
def test_the_knob_in_hand_stands_whole_at_every_size(tmp_path: Path, width: int) -> None:
    async def play(seat: Seat) -> None:
        for name in NAMES:
            seat.pane.knobs.take(name)
            await seat.pilot.pause()
            row = seat.shot.lines[3]
            face = next(face for face in seat.pane.knobs.faces() if face.in_hand)
            assert f"-{face.label} +" in row
            assert cell_len(row) <= width

    act(tmp_path, play, size=(width, 24))
