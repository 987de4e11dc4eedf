"""Running the application on its Search screen, with a scripted engine."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

from textual.message import Message
from textual.pilot import Pilot

from tests.screens.shot import Shot, take
from tests.screens.stage import go, stage
from tests.tui.search.searching import SearchingEngine
from tui.app import MemlensApp
from tui.screens.search import SearchScreen
from tui.widgets.search.lab import Lab
from tui.widgets.search.pane import SearchPane

PATIENCE = 400
"""Pauses before a condition counts as never met; each gives the loop a turn."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A person in front of the Search screen."""

    app: MemlensApp
    pilot: Pilot[None]
    engine: SearchingEngine
    heard: list[Message]

    @property
    def screen(self) -> SearchScreen:
        """The Search screen."""
        screen = self.app.screen
        assert isinstance(screen, SearchScreen)
        return screen

    @property
    def pane(self) -> SearchPane:
        """What it shows."""
        return self.screen.pane

    @property
    def lab(self) -> Lab:
        """What is being tried."""
        lab = self.screen.lab
        assert lab is not None
        return lab

    @property
    def shot(self) -> Shot:
        """The picture of this moment."""
        return take(self.app)

    def paths(self) -> list[str]:
        """The paths of the results, best first."""
        ranking = self.lab.ranking
        return [hit.candidate.path for hit in ranking.kept] if ranking is not None else []

    async def press(self, *keys: str) -> None:
        """Press keys, then wait until the screen rests."""
        await self.pilot.press(*keys)
        await self.rest()

    async def rest(self) -> None:
        """Wait until nothing is running or waiting."""
        await self.app.workers.wait_for_complete()
        await self.pilot.pause()
        await self.pilot.pause()

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait until something is true."""
        for _ in range(PATIENCE):
            if condition():
                await self.pilot.pause()
                return
            await self.pilot.pause(0.01)
        raise AssertionError("the condition was never met")

    async def search(self, query: str) -> None:
        """Put a query into the box, press enter, wait for the results."""
        self.pane.query_box.focus()
        self.pane.query_box.value = query
        await self.press("enter")
        await self.until(lambda: self.lab.pool is not None and self.lab.pool.query == query)
        await self.rest()


Play = Callable[[Seat], Awaitable[None]]


def act(
    folder: Path,
    play: Play,
    engine: SearchingEngine | None = None,
    size: tuple[int, int] = (80, 24),
) -> SearchingEngine:
    """Open the application on the Search screen and let ``play`` use it."""
    scripted = engine or SearchingEngine()
    app = stage(folder).app(engine=scripted.opener())
    heard: list[Message] = []

    async def run() -> None:
        async with app.run_test(size=size, message_hook=heard.append) as pilot:
            await app.workers.wait_for_complete()
            await go(pilot, "search")
            seat = Seat(app, pilot, scripted, heard)
            await seat.until(lambda: seat.screen.lab is not None)
            await play(seat)

    asyncio.run(run())
    return scripted
