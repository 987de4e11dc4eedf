"""Whatever comes in whatever order, no screen is told anything while it is not all there."""

from __future__ import annotations

import asyncio
import random
import re
from pathlib import Path

import pytest

from tests.screens.stage import SIZES, settle, stage
from tests.tui.wandering import Wanderer, WanderingEngine

STEPS = 300
LOOKING_UP = re.compile(
    r"\bquery_(one|exactly_one)\(|\bget_(child|widget)_by_|\.(first|last|only_one)\("
)
TUI = Path(__file__).resolve().parents[2] / "tui"


def wander(folder: Path, size: tuple[int, int], seed: int, steps: int, *, leave: bool) -> int:
    """Take steps; with ``leave`` quit at once after the last one, everything still under way."""
    engine = WanderingEngine()
    app = stage(folder).app(engine=engine.opener())

    async def run() -> int:
        taken = 0
        async with app.run_test(size=size, notifications=True) as pilot:
            wanderer = Wanderer(app, pilot, engine, random.Random(seed))
            while taken < steps and app.is_running:
                await wanderer.step()
                taken += 1
            if leave:
                app.exit()
            else:
                await settle(pilot)
                assert app.screen_stack[0].is_mounted
        return taken

    return asyncio.run(run())


@pytest.mark.parametrize(("size", "seed"), list(zip(SIZES, (1, 2, 3), strict=True)))
def test_a_walk_over_keys_news_and_sizes(tmp_path: Path, size: tuple[int, int], seed: int) -> None:
    assert wander(tmp_path, size, seed, STEPS, leave=False) == STEPS


@pytest.mark.parametrize("seed", range(8))
def test_leaving_in_the_middle_of_everything(tmp_path: Path, seed: int) -> None:
    steps = random.Random(seed).randrange(1, 60)
    assert wander(tmp_path, SIZES[seed % 3], seed, steps, leave=True) == steps


def test_no_part_is_looked_up_where_it_may_not_be() -> None:
    """Parts are made in constructors and held; a look-up fails on a screen half composed."""
    files = sorted(TUI.rglob("*.py"))
    found = [file.name for file in files if LOOKING_UP.search(file.read_text("utf-8"))]
    assert len(files) > 90 and not found
