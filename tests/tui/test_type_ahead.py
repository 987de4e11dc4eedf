"""Keys that arrive all at once do what they would do one after the other."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from textual.events import Key, Paste
from textual.pilot import Pilot

from tests.screens.shot import take
from tests.screens.stage import settle, stage
from tests.tui.wandering import WanderingEngine
from tui.app import MemlensApp
from tui.screens.search import SearchScreen
from tui.type_ahead import WayFree

QUERY = "home network setup"


def typed(app: MemlensApp, *keys: str) -> None:
    """All keys at once, as a terminal hands on what was pasted or typed while it was busy."""
    for key in keys:
        name = {" ": "space", "/": "slash"}.get(key, key)
        app.post_message(Key(name, key if len(key) == 1 else None))


def run(
    folder: Path, steps: Callable[[MemlensApp], None], done: Callable[[MemlensApp], bool]
) -> None:
    """Type into the application and wait until what was typed has come to pass."""
    app = stage(folder).app(engine=WanderingEngine().opener())

    async def play() -> None:
        async with app.run_test(size=(80, 24)) as pilot:
            await settle(pilot)
            steps(app)
            await until(pilot, app, done)

    asyncio.run(play())


async def until(
    pilot: Pilot[None], app: MemlensApp, done: Callable[[MemlensApp], bool], turns: int = 400
) -> None:
    for _ in range(turns):
        if done(app):
            return
        await pilot.pause(0.01)
    raise AssertionError(f"it never came to pass:\n{take(app).text}")


def searched(app: MemlensApp, query: str, cursor: int = 0) -> bool:
    """The query stands in the box and its results are there, the cursor on that row."""
    screen = app.screen
    if not isinstance(screen, SearchScreen) or screen.lab is None or screen.lab.pool is None:
        return False
    found = screen.lab.pool.query == screen.pane.query_box.value == query
    return found and screen.pane.results.cursor == cursor


def test_a_screen_a_query_and_a_step_in_one_go(tmp_path: Path) -> None:
    run(
        tmp_path,
        lambda app: typed(app, "2", *QUERY, "enter"),
        lambda app: searched(app, QUERY),
    )


def test_going_back_to_the_query_and_writing_another(tmp_path: Path) -> None:
    first = ("2", *"lamp", "enter", "1", "2", "/", "ctrl+u", *QUERY, "enter")
    run(tmp_path, lambda app: typed(app, *first), lambda app: searched(app, QUERY))


def test_letters_are_not_taken_for_the_keys_of_the_list(tmp_path: Path) -> None:
    """``hlutmpc0`` turn knobs in the list; typed behind a slash they are a query."""
    keys = ("2", *"lamp", "enter", "/", "ctrl+u", *"hlutmpc0", "enter")
    run(tmp_path, lambda app: typed(app, *keys), lambda app: searched(app, "hlutmpc0"))


def test_a_filter_of_the_files_in_one_go(tmp_path: Path) -> None:
    def filtered(app: MemlensApp) -> bool:
        return "1 of 4" in take(app).text and "net" in take(app).text

    run(tmp_path, lambda app: typed(app, "3", "/", *"netw"), filtered)


def test_a_dialog_is_answered_before_the_next_screen(tmp_path: Path) -> None:
    keys = ("f", "escape", "2", *QUERY, "enter")
    run(tmp_path, lambda app: typed(app, *keys), lambda app: searched(app, QUERY))


def test_a_pasted_query_waits_its_turn_too(tmp_path: Path) -> None:
    def steps(app: MemlensApp) -> None:
        typed(app, "2", *"lamp", "enter", "/", "ctrl+u")
        app.post_message(Paste(QUERY))
        typed(app, "enter")

    run(tmp_path, steps, lambda app: searched(app, QUERY))


def test_a_follower_that_is_lost_holds_up_nothing(tmp_path: Path) -> None:
    """Nothing tells the application that the key has come up; the next one is let in anyway."""

    def steps(app: MemlensApp) -> None:
        app.disable_messages(WayFree)
        typed(app, "2", "a", "b")

    def written(app: MemlensApp) -> bool:
        screen = app.screen
        return isinstance(screen, SearchScreen) and screen.pane.query_box.value == "ab"

    run(tmp_path, steps, written)


def test_many_queries_one_behind_the_other(tmp_path: Path) -> None:
    words = ("router", "lamp", "vlan", QUERY)
    keys = [key for word in words for key in ("/", "ctrl+u", *word, "enter")]
    run(tmp_path, lambda app: typed(app, "2", *keys), lambda app: searched(app, QUERY))
