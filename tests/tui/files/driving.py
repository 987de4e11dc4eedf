"""Driving the Files screen of the real application over a real engine."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from textual.message import Message
from textual.pilot import Pilot

from engine.config.request import EngineOptions
from tests.screens.shot import Shot, take
from tests.screens.stage import Stage, settle
from tui.app import MemlensApp
from tui.messages import OpenFile
from tui.screens.files import FilesScreen
from tui.widgets.files.source_view import SourceView
from tui.widgets.files.viewer import Viewer

PATIENCE = 300
"""Pauses before a condition counts as never met; each gives the loop a turn."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A person in front of the Files screen."""

    app: MemlensApp
    pilot: Pilot[None]
    stage: Stage
    heard: list[Message]

    @property
    def screen(self) -> FilesScreen:
        """The Files screen."""
        screen = self.app.screen
        assert isinstance(screen, FilesScreen)
        return screen

    @property
    def listed(self) -> bool:
        """True when the screen is composed and its tree shows what the index holds."""
        if not isinstance(self.app.screen, FilesScreen) or not self.screen.is_mounted:
            return False
        status, shown = self.app.status, self.screen.file_tree.listed
        return status is not None and sum(facts.state.chunks for facts in shown) == status.chunks

    @property
    def viewer(self) -> Viewer:
        """Where a file is read."""
        return self.screen.viewer

    @property
    def source(self) -> SourceView:
        """Its source view."""
        return self.viewer.source

    @property
    def shot(self) -> Shot:
        """The picture of this moment."""
        return take(self.app)

    async def press(self, *keys: str) -> None:
        """Press keys, then wait until the screen rests."""
        await self.pilot.press(*keys)
        await self.rest()

    async def rest(self) -> None:
        """Wait until nothing is running or waiting."""
        await settle(self.pilot)

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait until something is true."""
        for _ in range(PATIENCE):
            if condition():
                await self.rest()
                return
            await self.pilot.pause(0.01)
        raise AssertionError(f"the condition was never met:\n{self.shot.text}")

    async def until_said(self, *words: str) -> None:
        """Wait until all of the words stand on the screen."""

        def said() -> bool:
            flat = " ".join(self.shot.text.split())
            return all(" ".join(word.split()) in flat for word in words)

        await self.until(said)

    async def open(
        self, path: str, line: int | None = None, end: int | None = None, query: str = ""
    ) -> None:
        """Open a file as the Search screen does."""
        self.app.post_message(OpenFile(path, line, end, query))
        await self.until(lambda: self.viewer.path == path)


Play = Callable[[Seat], Awaitable[None]]


def act(
    made: Stage, play: Play, size: tuple[int, int] = (120, 36), settings: tuple[str, ...] = ()
) -> None:
    """Open the application on the notes of a stage, wait for the index, let ``play`` use it.

    Nothing watches the folder, so that a test decides when a change is seen.
    """
    chosen = ("sync.watch=false", *settings)
    quiet = EngineOptions(workspace=made.workspace, era="2026.3", settings=chosen)
    app = made.app(quiet)
    heard: list[Message] = []

    async def run() -> None:
        async with app.run_test(size=size, message_hook=heard.append, notifications=True) as pilot:
            await settle(pilot)
            await pilot.press("3")
            seat = Seat(app, pilot, made, heard)
            await seat.until(lambda: at_rest(app) and seat.listed)
            await play(seat)

    asyncio.run(run())


def at_rest(app: MemlensApp) -> bool:
    """True when the first sync is done and nothing is left to index.

    Before the first sync an engine is idle too, and knows of nothing that is dirty.
    """
    status = app.status
    if status is None or status.sync.last is None:
        return False
    return status.sync.phase == "idle" and not status.dirty
