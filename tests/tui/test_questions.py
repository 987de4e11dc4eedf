"""Dialogs: open at once, filled in later, true to what happens while they stand open."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path

import pytest
from textual.pilot import Pilot

from engine import events
from engine.errors import SyncError
from tests.screens.scripted import CLEAN, ScriptedEngine, running
from tests.screens.shot import take
from tests.screens.stage import Drive, Stage, settle, show, stage
from tests.tui.test_shell import REMOTE, WAITING, drive, pressing
from tests.tui.wandering import WanderingEngine
from tui.screens.costing import Costing
from tui.screens.dialog import Dialog

PROGRESS = events.SyncProgress("embedding", 37, 112, 290, 200, 90, 52.0)


@pytest.fixture
def on_stage(tmp_path: Path) -> Stage:
    """Folders of this test alone."""
    return stage(tmp_path)


async def press(pilot: Pilot[None], *keys: str) -> None:
    """Press keys without waiting for what runs."""
    for key in keys:
        await pilot.press(key)
    await pilot.pause()


def counting(on_stage: Stage, engine: ScriptedEngine, steps: Drive) -> None:
    """Take the steps while the engine still counts, then let it finish."""
    gate = engine.counting = threading.Event()
    app = on_stage.app(engine=engine.opener())

    async def play(pilot: Pilot[None]) -> None:
        await press(pilot, "R")
        take(app).must_say("Rebuild the index", "counting files and texts")
        await steps(pilot)
        gate.set()
        await settle(pilot)

    drive(app, play)


def test_the_question_is_there_at_once_and_its_cost_follows(on_stage: Stage) -> None:
    engine = ScriptedEngine()

    async def steps(pilot: Pilot[None]) -> None:
        assert engine.counting is not None
        engine.counting.set()
        await settle(pilot)
        take(pilot.app).must_say("1,180 already in the cache")
        take(pilot.app).must_not_say("counting")
        await press(pilot, "left", "enter")
        await settle(pilot)
        assert "sync demand forced" in engine.asked

    counting(on_stage, engine, steps)


def test_nothing_can_be_agreed_to_before_its_cost_is_known(on_stage: Stage) -> None:
    engine = ScriptedEngine()
    counting(on_stage, engine, lambda pilot: press(pilot, "left", "enter"))
    assert "sync demand forced" not in engine.asked


def test_a_question_that_was_left_comes_up_nowhere_else(on_stage: Stage) -> None:
    engine = WanderingEngine()

    async def steps(pilot: Pilot[None]) -> None:
        await press(pilot, "escape", "2", *"home")
        assert engine.counting is not None
        engine.counting.set()
        await settle(pilot)
        assert not isinstance(pilot.app.screen, Dialog)
        take(pilot.app).must_say("[2 Search]", "home")

    counting(on_stage, engine, steps)


def test_keys_meant_for_below_reach_the_question_alone(on_stage: Stage) -> None:
    engine = ScriptedEngine()

    async def steps(pilot: Pilot[None]) -> None:
        await press(pilot, "R", "r", "3", "T")
        assert engine.asked.count("estimate") == 1 and "sync demand" not in engine.asked
        assert isinstance(pilot.app.screen, Costing)

    counting(on_stage, engine, steps)


def test_a_cost_that_cannot_be_told_is_explained_in_place(on_stage: Stage) -> None:
    engine = ScriptedEngine(failure=SyncError("Cannot count", "The store is locked.", "Wait."))
    app = on_stage.app(engine=engine.opener())
    shot = show(app, (80, 24), pressing("R", "left"))
    shot.must_say("Cannot count", "The store is locked.", "Wait.", "leave it")
    assert "sync demand forced" not in engine.asked


def test_the_paid_question_waits_until_the_overview_is_in_front(on_stage: Stage) -> None:
    engine = WanderingEngine(CLEAN)
    app = on_stage.app(engine=engine.opener())

    async def steps(pilot: Pilot[None]) -> None:
        await press(pilot, "2", *"home")
        engine.state, engine.cost = WAITING, REMOTE
        app.bridge.refresh_status()
        await settle(pilot)
        take(app).must_not_say("Send this memory")
        await press(pilot, "escape", "1")
        await settle(pilot)
        take(app).must_say("Send this memory to a provider?", "sent to openai")
        await press(pilot, "escape", "2", "1")
        await settle(pilot)
        take(app).must_not_say("Send this memory")

    drive(app, steps)


def test_the_quit_question_says_when_the_sync_has_ended(on_stage: Stage) -> None:
    engine = ScriptedEngine(running(PROGRESS))
    app = on_stage.app(engine=engine.opener())

    async def steps(pilot: Pilot[None]) -> None:
        await press(pilot, "q")
        take(app).must_say("A sync is running.")
        engine.state = CLEAN
        app.bridge.refresh_status()
        await settle(pilot)
        take(app).must_say("Quit?", "The sync has ended")
        take(app).must_not_say("A sync is running.")

    drive(app, steps)


def test_the_provider_dialog_follows_too(on_stage: Stage) -> None:
    engine = ScriptedEngine()
    app = on_stage.app(engine=engine.opener())

    async def steps(pilot: Pilot[None]) -> None:
        await press(pilot, "f")
        engine.state = replace(CLEAN, provider=replace(CLEAN.provider, error="HTTP 401: no."))
        app.bridge.refresh_status()
        await settle(pilot)
        take(app).must_say("Embedding provider", "HTTP 401: no.")

    drive(app, steps)


def test_the_key_that_went_back_does_not_leave_by_being_pressed_twice(on_stage: Stage) -> None:
    app = on_stage.app(engine=ScriptedEngine().opener())

    async def steps(pilot: Pilot[None]) -> None:
        await press(pilot, "f", "q", "q")
        assert app.is_running
        take(app).must_say("press it again to leave")
        await press(pilot, "q")
        assert not app.is_running

    drive(app, steps)


def test_after_a_dialog_was_left_by_another_key_leaving_is_one_press(on_stage: Stage) -> None:
    app = on_stage.app(engine=ScriptedEngine().opener())
    drive(app, pressing("f", "escape", "q"))
    assert app.return_code == 0


def test_a_file_opened_from_a_hit_leads_back_to_the_hit(on_stage: Stage) -> None:
    app = on_stage.app(engine=WanderingEngine().opener())

    async def steps(pilot: Pilot[None]) -> None:
        await press(pilot, "2", *"home", "enter")
        await settle(pilot)
        await press(pilot, "enter")
        await settle(pilot)
        assert app.current_mode == "files"
        await press(pilot, "q")
        await settle(pilot)
        assert app.current_mode == "search" and app.focused is not None
        assert app.focused.id == "list"
        await press(pilot, "q")
        assert app.is_running
        await press(pilot, "3", "tab", "q")
        assert app.current_mode == "files"  # it was gone to for its own sake this time

    drive(app, steps)
