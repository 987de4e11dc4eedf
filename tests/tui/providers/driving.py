"""Running the application on its Providers screen, with a scripted engine."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from textual.pilot import Pilot

from tests.screens.shot import Shot, take
from tests.screens.stage import Stage, settle
from tests.tui.providers.providing import ProvidingEngine
from tui.app import MemlensApp
from tui.screens.providers import ProvidersScreen

PATIENCE = 300
"""Pauses before a condition counts as never met; each gives the loop a turn."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A person in front of the Providers screen."""

    app: MemlensApp
    pilot: Pilot[None]
    engine: ProvidingEngine

    @property
    def screen(self) -> ProvidersScreen:
        """The Providers screen."""
        screen = self.app.screen
        assert isinstance(screen, ProvidersScreen)
        return screen

    @property
    def shot(self) -> Shot:
        """The picture of this moment."""
        return take(self.app)

    async def press(self, *keys: str) -> None:
        """Press keys, each after the one before has taken effect."""
        for key in keys:
            await self.pilot.press(key)
            await settle(self.pilot)

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait until something is true."""
        for _ in range(PATIENCE):
            if condition():
                await self.pilot.pause()
                return
            await self.pilot.pause(0.01)
        raise AssertionError(f"the condition was never met:\n{self.shot.text}")

    async def until_said(self, *words: str) -> None:
        """Wait until all of the words stand on the screen."""

        def said() -> bool:
            flat = " ".join(self.shot.text.split())
            return all(" ".join(word.split()) in flat for word in words)

        await self.until(said)


Play = Callable[[Seat], Awaitable[None]]


def act(
    stage: Stage,
    engine: ProvidingEngine,
    play: Play,
    size: tuple[int, int] = (110, 60),
    **environ: str,
) -> None:
    """Open the application on the Providers screen and let ``play`` use it."""
    app = stage.app(None, engine.opener(), **environ)

    async def run() -> None:
        async with app.run_test(size=size, notifications=True) as pilot:
            await settle(pilot)
            await pilot.press("4")
            await settle(pilot)
            await play(Seat(app, pilot, engine))

    asyncio.run(run())
