"""What is told in passing: once, counted, in the place of the key line, and gone after a while."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from textual.pilot import Pilot

from engine import events
from tests.screens.scripted import CLEAN, ScriptedEngine
from tests.screens.shot import take
from tests.screens.stage import Stage, settle, stage
from tests.tui.test_shell import drive
from tui.app import MemlensApp
from tui.notices import Notice

LONG = (
    "The provider asks to wait for 20 seconds, because too many requests were sent in the last "
    "minute; the texts that are left follow by themselves, nothing is lost and nothing is sent "
    "twice, and search answers from what is there."
)


@pytest.fixture
def on_stage(tmp_path: Path) -> Stage:
    """Folders of this test alone."""
    return stage(tmp_path)


def told(engine: ScriptedEngine, text: str) -> None:
    """The engine tells something."""
    engine.events.emit(events.Notice("warning", text))


def test_the_same_sentence_stands_once_and_is_counted(on_stage: Stage) -> None:
    engine = ScriptedEngine()
    app = on_stage.app(engine=engine.opener())

    async def steps(pilot: Pilot[None]) -> None:
        for text in ("Wait [/].", "Something else.", "Wait [/]."):
            told(engine, text)
        await settle(pilot)
        shot = take(app)
        assert shot.text.count("Wait [/].") == 1
        shot.must_say("▲ Wait [/]. ×2", "▲ Something else.")

    drive(app, steps)


@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
def test_a_notice_covers_no_fact_and_no_dialog(on_stage: Stage, size: tuple[int, int]) -> None:
    engine = ScriptedEngine()
    app = on_stage.app(engine=engine.opener())

    async def steps(pilot: Pilot[None]) -> None:
        before = take(app).lines[:-1]
        told(engine, "Wait.")
        await settle(pilot)
        assert take(app).lines[:-1] == before
        assert take(app).lines[-1] == " ▲ Wait."
        app.notices.dismiss()
        told(engine, LONG)
        await pilot.press("R")
        await settle(pilot)
        shot = take(app)
        shot.must_say("Rebuild the index", "1,180 already in the cache", "leave it", "The provider")

    drive(app, steps, size)


def test_a_click_takes_it_away_and_the_keys_come_back(on_stage: Stage) -> None:
    engine = ScriptedEngine()
    app = on_stage.app(engine=engine.opener())

    async def steps(pilot: Pilot[None]) -> None:
        told(engine, LONG)
        await settle(pilot)
        take(app).must_say("twice, and search answers")
        take(app).must_not_say("q quit")
        await pilot.click("OverviewScreen > PassingLine")
        await settle(pilot)
        take(app).must_say("q quit")

    drive(app, steps)


def test_it_goes_by_itself_and_one_told_again_stays_longer(on_stage: Stage) -> None:
    app = on_stage.app(engine=ScriptedEngine(CLEAN).opener())
    app.notices.lasting_s = {"information": 0.05, "warning": 3600.0, "error": 3600.0}

    async def until_gone(pilot: Pilot[None]) -> None:
        while any(notice.severity == "information" for notice in app.notices.shown):
            await pilot.pause(0.01)

    async def steps(pilot: Pilot[None]) -> None:
        app.tell("", "It stays.", "warning")
        app.tell("", "It goes.")
        app.tell("", "It goes.")
        assert app.notices.shown[0] == Notice("", "It goes.", "information", 2)
        await asyncio.wait_for(until_gone(pilot), 30)
        assert [notice.text for notice in app.notices.shown] == ["It stays."]

    drive(app, steps)


def test_what_somebody_asked_for_is_told_on_any_screen(on_stage: Stage) -> None:
    app: MemlensApp = on_stage.app(engine=ScriptedEngine().opener())

    async def steps(pilot: Pilot[None]) -> None:
        await pilot.press("ctrl+c")
        await settle(pilot)
        take(app).must_say("q leaves memlens.")

    drive(app, steps)
