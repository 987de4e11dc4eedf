"""Makes the pictures of the README from the demo memory, with the stage of the screen tests.

    python screenshots/make.py

The clock stands still and all folders are temporary, so the same version of memlens and
Textual makes the same pictures.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from textual.pilot import Pilot  # noqa: E402

from engine.clock import FixedClock  # noqa: E402
from engine.config.request import EngineOptions  # noqa: E402
from engine.errors import EngineError  # noqa: E402
from tests.screens.scripted import ScriptedEngine, running  # noqa: E402
from tests.screens.stage import Drive, Stage, settle, show, stage  # noqa: E402
from tests.screens.test_first_run import LOOKED  # noqa: E402
from tests.screens.test_overview import PROGRESS  # noqa: E402
from tests.tui.providers.states import engine as provider_engine  # noqa: E402
from tui.app import MemlensApp  # noqa: E402

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
WIDE, SMALL = (120, 36), (80, 24)


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture's name, its size, its theme, how the application is made and driven."""

    name: str
    size: tuple[int, int]
    theme: str
    make: Callable[[Stage], MemlensApp]
    drive: Drive


def demo(on_stage: Stage) -> MemlensApp:
    """The application on the demo memory, on a day soon after its last note."""
    store = on_stage.home / "data" / "demo" / "index.memlens.sqlite"
    later = Stage(on_stage.root, FixedClock(NOW.timestamp() * 1000))
    return later.app(EngineOptions(demo=True, store=store))


def pressing(*keys: str, typed: str = "", then: tuple[str, ...] = ()) -> Drive:
    """Sync the memory, press keys, type a text, press more keys."""

    async def steps(pilot: Pilot[None]) -> None:
        app = pilot.app
        assert isinstance(app, MemlensApp)
        engine = app.bridge.engine
        if engine is not None and app.bridge.options.demo:
            engine.sync("demand")
        for key in (*keys, *map(_key, typed), *then):
            await pilot.press(key)
        await settle(pilot)
        await pilot.pause(0.5)

    return steps


def _key(char: str) -> str:
    return {" ": "space", "/": "slash"}.get(char, char)


def indexing(on_stage: Stage) -> MemlensApp:
    """A sync under way."""
    return on_stage.app(engine=ScriptedEngine(running(PROGRESS)).opener())


def failing_provider(on_stage: Stage) -> MemlensApp:
    """A provider that asked for a pause, and its fallback that answers."""
    return on_stage.app(engine=provider_engine("outage").opener())


def nothing_found(on_stage: Stage) -> MemlensApp:
    """No memory anywhere."""
    engine = ScriptedEngine(has_memory=False, looked_for=LOOKED)
    return on_stage.app(EngineOptions(), engine.opener())


QUERY = "why did the router lose its settings"
PICTURES = (
    Picture("overview", WIDE, "midnight", demo, pressing()),
    Picture("overview-80x24", SMALL, "paper", demo, pressing()),
    Picture("indexing", WIDE, "lamplight", indexing, pressing()),
    Picture("search", (160, 48), "midnight", demo, pressing("2", typed=QUERY, then=("enter",))),
    Picture("search-80x24", SMALL, "morning", demo, pressing("2", typed=QUERY, then=("enter",))),
    Picture(
        "files",
        WIDE,
        "midnight",
        demo,
        pressing("2", typed=QUERY, then=("enter", "enter")),
    ),
    Picture("providers", WIDE, "midnight", failing_provider, pressing("4")),
    Picture("providers-80x24", SMALL, "lamplight", demo, pressing("4")),
    Picture("first-run", SMALL, "contrast", nothing_found, pressing()),
)


def draw(picture: Picture) -> str:
    """The SVG of one picture."""
    with tempfile.TemporaryDirectory() as folder:
        app = picture.make(stage(Path(folder)))
        app.looks.start_with(picture.theme)
        return show(app, picture.size, picture.drive).svg


def main() -> int:
    """Write all pictures beside this file."""
    for picture in PICTURES:
        try:
            svg = draw(picture)
        except EngineError as error:
            sys.stderr.write(f"{picture.name}: {error}\n")
            return 1
        (ROOT / "screenshots" / f"{picture.name}.svg").write_text(svg, "utf-8")
        sys.stdout.write(f"screenshots/{picture.name}.svg\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
