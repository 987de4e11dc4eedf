"""The Search screen on a real memory: files, index, both legs."""

from __future__ import annotations

import asyncio
from pathlib import Path

from tests.screens.stage import go, settle, stage
from tests.tui.search.driving import Seat
from tests.tui.search.searching import SearchingEngine

PETS = "# Pets\n\n" + "Nothing to see here.\n" * 40 + "Bella, the dog, came in May.\n"


def test_from_a_file_to_a_hit_and_from_an_edit_to_a_new_one(tmp_path: Path) -> None:
    at = stage(tmp_path)
    at.write("MEMORY.md", "# Memory\n\nThe router stands in the hall.\n")
    at.write("memory/pets.md", PETS)
    app = at.app()

    async def run() -> None:
        async with app.run_test(size=(80, 24)) as pilot:
            await settle(pilot)
            seat = Seat(app, pilot, SearchingEngine(), [])
            await seat.until(lambda: app.status is not None and app.status.files == 2)
            await go(pilot, "search")
            await seat.until(lambda: seat.screen.lab is not None)
            await seat.search("Bella")
            assert seat.paths()[0] == "memory/pets.md"
            seat.shot.must_say("43 ┃ Bella, the dog, came in May.")
            await seat.press(*"hh")
            seat.shot.must_say("vec .60 txt .40*")
            at.write("memory/zebra.md", "Bella met a zebra.\n")
            app.action_sync()
            await seat.until(lambda: "The index has changed" in seat.shot.text)
            assert "memory/zebra.md" not in seat.paths()
            await seat.press("r")
            await seat.until(lambda: "memory/zebra.md" in seat.paths())

    asyncio.run(run())
