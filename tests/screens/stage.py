"""Running the application for a picture: fixed clock, own folders, real or scripted engine."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from textual.pilot import Pilot
from textual.widgets import Input

from engine.clock import FixedClock
from engine.config.request import EngineOptions, Places
from engine.memory import Surroundings
from tests.screens.shot import Shot, take
from tui.app import MemlensApp
from tui.bridge import OpenEngine

NOW_MS = 1_770_760_800_000.0
"""2026-02-10 22:00 UTC, the moment in which all screen tests happen."""
SIZES = ((80, 24), (120, 36), (160, 48))
FOR_EVER_S = 3600.0
"""How long a notice stays in a test: until it has been looked at, on any machine."""
PATIENCE = 400
"""Pauses before keys count as never taken; each gives the loop a turn."""
ENDLESS_WORKER = "_loader"
"""What a folder tree keeps running as long as it is on the screen."""

Drive = Callable[[Pilot[None]], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Stage:
    """The folders of one test and a clock that stands still."""

    root: Path
    clock: FixedClock

    @property
    def home(self) -> Path:
        """The person's home."""
        return self.root / "home"

    @property
    def workspace(self) -> Path:
        """A folder for notes, inside the home."""
        return self.home / "notes"

    def around(self, **environ: str) -> Surroundings:
        """Surroundings that hold nothing but this stage."""
        places = Places(self.home, self.home / "data", self.home / "settings")
        return Surroundings(environ, places, self.clock, inline_indexing=True)

    def write(self, path: str, text: str, *, days_old: float = 0.0) -> Path:
        """A note below the workspace, last changed so many days before now."""
        import os

        file = self.workspace / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8", errors="surrogateescape")
        moment = NOW_MS / 1000 - days_old * 86_400
        os.utime(file, (moment, moment))
        return file

    def app(
        self, options: EngineOptions | None = None, engine: OpenEngine | None = None, **environ: str
    ) -> MemlensApp:
        """The application on this stage; on the workspace folder unless told otherwise."""
        chosen = options or EngineOptions(workspace=self.workspace)
        app = MemlensApp(chosen, self.around(**environ), engine)
        app.animation_level = "none"
        app.notices.lasting_s = dict.fromkeys(app.notices.lasting_s, FOR_EVER_S)
        return app


def stage(root: Path) -> Stage:
    """A fresh stage with its folders."""
    made = Stage(root, FixedClock(NOW_MS))
    made.workspace.mkdir(parents=True)
    return made


async def settle(pilot: Pilot[Any]) -> None:
    """Wait until nothing is running or waiting any more, and nothing blinks."""
    for _ in range(3):
        await keys_taken(pilot)
        ending = [worker for worker in pilot.app.workers if worker.name != ENDLESS_WORKER]
        if ending:
            await pilot.app.workers.wait_for_complete(ending)
        await pilot.pause()
    for box in pilot.app.screen.query(Input):
        box.cursor_blink = False
    await pilot.pause()


async def keys_taken(pilot: Pilot[Any]) -> None:
    """Wait until every key has taken effect; at the latest when a lost one is given up."""
    app = pilot.app
    assert isinstance(app, MemlensApp)
    for _ in range(PATIENCE):
        if app.keys_rest or app.return_code is not None:
            return
        await pilot.pause(0.01)
    raise AssertionError("keys are still waiting")


async def go(pilot: Pilot[Any], name: str) -> None:
    """Go to a main screen and wait until it is composed and has the keys."""
    app = pilot.app
    assert isinstance(app, MemlensApp)
    await app.action_go(name)
    await pilot.pause()
    assert app.current_mode == name and app.screen_stack[0].is_mounted


def show(app: MemlensApp, size: tuple[int, int], drive: Drive | None = None) -> Shot:
    """Run the application at a size, drive it, wait until it rests, and take the picture."""

    async def run() -> Shot:
        async with app.run_test(size=size, notifications=True) as pilot:
            await settle(pilot)
            if drive is not None:
                await drive(pilot)
                await settle(pilot)
            return take(app)

    return asyncio.run(run())
