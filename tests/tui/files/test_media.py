"""A picture below an extra path opens as a card; what is in it is never shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fakes.media_bytes import PNG, medium
from tests.screens.stage import stage
from tests.tui.files.driving import Seat, act

MULTIMODAL = (
    "provider=gemini",
    "model=gemini-embedding-2",
    'extraPaths=["pics"]',
    "multimodal.enabled=true",
)


@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
def test_a_picture_is_a_card(tmp_path: Path, size: tuple[int, int]) -> None:
    async def play(seat: Seat) -> None:
        await seat.open("pics/mast.png")
        await seat.until_said("Picture", "pics/mast.png", "image/png", "1.0 kB (1,040 bytes)")
        seat.shot.must_not_say("kestrel")
        assert not seat.viewer.shows_text
        await seat.press("c", "e", "f")
        seat.shot.must_say("It has no text to read here.")
        await seat.press("q")
        assert seat.screen.file_tree.has_focus

    made = stage(tmp_path)
    made.write("MEMORY.md", "# Birds\n")
    picture = made.write("pics/mast.png", "")
    picture.write_bytes(medium(PNG, "kestrel ").ljust(1040, b"\0"))
    act(made, play, size, MULTIMODAL)


def test_a_picture_that_is_gone_says_so(tmp_path: Path) -> None:
    async def play(seat: Seat) -> None:
        (seat.stage.workspace / "pics" / "mast.png").unlink()
        await seat.open("pics/mast.png")
        await seat.until_said("The index still holds 1 chunk of it")

    made = stage(tmp_path)
    made.write("MEMORY.md", "# Birds\n")
    made.write("pics/mast.png", "").write_bytes(medium(PNG, "kestrel"))
    act(made, play, settings=MULTIMODAL)
