"""Searching: typing, sending, what supersedes what, what is remarked."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path

from engine.errors import SearchUnavailableError
from engine.ranking.pool import CandidatePool
from engine.ranking.settings import RankSettings
from tests.screens.scripted import CLEAN
from tests.tui.search.driving import Seat, act
from tests.tui.search.pools import home_network, pool_of
from tests.tui.search.searching import SearchingEngine, home_network_for
from tui.messages import StatusChanged


def test_typing_shows_results_and_keeps_the_query_to_itself(tmp_path: Path) -> None:
    async def play(seat: Seat) -> None:
        await seat.press(*"home")
        await seat.until(lambda: bool(seat.paths()))
        seat.shot.must_say("memory/2026-02-08.md:12-18", "6 of 10 candidates")
        assert seat.pane.query_box.has_focus

    assert act(tmp_path, play).searches == ["keep home by or"]


def test_enter_sends_the_query_and_gives_the_keys_to_the_results(tmp_path: Path) -> None:
    async def play(seat: Seat) -> None:
        await seat.search("home network setup")
        assert seat.pane.results.has_focus

    assert act(tmp_path, play).searches == ["send home network setup by or"]


def test_a_superseded_search_never_overwrites_a_newer_one(tmp_path: Path) -> None:
    release = threading.Event()
    engine = SearchingEngine(held={"slow": release})

    async def play(seat: Seat) -> None:
        seat.pane.query_box.value = "slow"
        await seat.pilot.press("enter")
        await seat.until(lambda: "send slow by or" in seat.engine.asked)
        seat.pane.query_box.value = "fast"
        await seat.until(lambda: bool(seat.lab.pool and seat.lab.pool.query == "fast"))
        release.set()
        await seat.rest()
        assert seat.lab.pool is not None and seat.lab.pool.query == "fast"

    act(tmp_path, play, engine)


def test_emptying_the_box_brings_the_empty_state_even_while_a_search_runs(tmp_path: Path) -> None:
    release = threading.Event()
    engine = SearchingEngine(held={"slow": release})

    async def play(seat: Seat) -> None:
        seat.shot.must_say("Type a question or a few words")
        seat.pane.query_box.value = "slow"
        await seat.until(lambda: bool(seat.engine.searches))
        seat.pane.query_box.value = ""
        await seat.until(lambda: not seat.screen.asked)
        release.set()
        await seat.rest()
        seat.shot.must_say("Type a question or a few words")
        assert seat.lab.pool is None

    act(tmp_path, play, engine)


def test_slash_and_escape_go_to_the_box_and_back(tmp_path: Path) -> None:
    async def play(seat: Seat) -> None:
        await seat.press("escape")
        assert seat.pane.results.has_focus
        await seat.press("slash")
        assert seat.pane.query_box.has_focus
        assert seat.pane.query_box.value == ""

    act(tmp_path, play)


def test_up_in_the_box_brings_back_earlier_queries(tmp_path: Path) -> None:
    async def play(seat: Seat) -> None:
        await seat.search("router")
        await seat.search("vlan")
        await seat.press("slash", "up")
        assert seat.pane.query_box.value == "router"
        await seat.press("down")
        assert seat.pane.query_box.value == "vlan"

    act(tmp_path, play)


def test_while_typing_a_paid_provider_is_announced_not_asked(tmp_path: Path) -> None:
    waits = "Keywords only until Enter sends the query to openai."

    def answer(query: str, settings: RankSettings) -> CandidatePool:
        return replace(home_network(mode="keyword"), query=query, notices=(waits,))

    async def play(seat: Seat) -> None:
        await seat.press(*"home")
        await seat.until(lambda: bool(seat.paths()))
        await seat.rest()
        seat.shot.must_say(waits)

    asked = act(tmp_path, play, SearchingEngine(answer=answer)).searches
    assert all(search.startswith("keep") for search in asked)


def test_a_failed_search_is_told_on_the_screen_and_the_old_results_stay(tmp_path: Path) -> None:
    async def play(seat: Seat) -> None:
        await seat.search("home")
        seat.engine.error = SearchUnavailableError(
            "Search unavailable", "The provider failed with \x1b[31mHTTP 500.", "Set a fallback."
        )
        await seat.press("r")
        await seat.until(lambda: "unavailable" in seat.shot.text)
        seat.shot.must_say("Search unavailable", "␛[31mHTTP 500", "Set a fallback.")
        assert seat.paths()
        seat.engine.error = None
        await seat.press("r")
        await seat.until(lambda: "unavailable" not in seat.shot.text)

    act(tmp_path, play)


def test_a_changed_index_keeps_list_and_cursor_and_says_how_to_run_again(tmp_path: Path) -> None:
    async def play(seat: Seat) -> None:
        await seat.search("home")
        await seat.press("j", "j")
        shown, cursor = seat.paths(), seat.pane.results.cursor
        changed = replace(CLEAN, revision=CLEAN.revision + 1)
        seat.app.post_message(StatusChanged(changed))
        await seat.rest()
        seat.shot.must_say("The index has changed since this search: r runs it again.")
        assert (seat.paths(), seat.pane.results.cursor) == (shown, cursor)
        await seat.press("r")
        await seat.until(lambda: len(seat.engine.searches) == 2)
        await seat.rest()
        seat.shot.must_not_say("The index has changed")
        assert seat.pane.results.cursor == cursor

    act(tmp_path, play)


def test_an_empty_list_is_asked_anew_when_the_index_grows(tmp_path: Path) -> None:
    engine = SearchingEngine(answer=lambda query, settings: pool_of(query, []))

    async def play(seat: Seat) -> None:
        await seat.search("home")
        seat.shot.must_say("nothing found")
        seat.engine.answer = home_network_for
        seat.app.post_message(StatusChanged(replace(CLEAN, revision=CLEAN.revision + 1)))
        await seat.until(lambda: bool(seat.paths()))
        await seat.rest()
        seat.shot.must_not_say("The index has changed")

    act(tmp_path, play, engine)


def test_another_agent_is_another_memory(tmp_path: Path) -> None:
    async def play(seat: Seat) -> None:
        await seat.search("home")
        await seat.press("H")
        seat.engine.profile = "documented"
        seat.engine.state = replace(CLEAN, agent_id="ops", workspace="/home/ada/ops")
        seat.app.post_message(StatusChanged(seat.engine.state))
        await seat.until(lambda: seat.lab.settings.profile == "documented")
        await seat.until(lambda: seat.engine.searches[-1] == "keep home by and")

    act(tmp_path, play)


def test_a_query_of_lone_surrogates_is_answered_too(tmp_path: Path) -> None:
    engine = SearchingEngine(
        answer=lambda query, settings: replace(home_network_for("x", settings), query="\ufffd")
    )

    async def play(seat: Seat) -> None:
        seat.pane.query_box.value = "\udc80"
        await seat.until(lambda: bool(seat.paths()))

    act(tmp_path, play, engine)


def test_every_action_of_the_screen_has_an_id_and_a_tooltip(tmp_path: Path) -> None:
    async def play(seat: Seat) -> None:
        await seat.press("escape")
        found = [active.binding for active in seat.screen.active_bindings.values()]
        own = [binding for binding in found if (binding.id or "").startswith("search.")]
        assert {"search.more", "search.pin", "search.digits"} <= {binding.id for binding in own}
        assert all(binding.description and binding.tooltip for binding in own)

    act(tmp_path, play)


def test_with_plain_signs_nothing_of_ours_is_beyond_ascii(tmp_path: Path) -> None:
    async def play(seat: Seat) -> None:
        await seat.search("home network setup")
        await seat.press("t", "m", "e")
        seat.app.looks.choose_glyphs("ascii")
        await seat.until(lambda: seat.shot.text.isascii())
        seat.shot.must_say("#", "=", ".", "below the line")

    act(tmp_path, play, size=(120, 36))
