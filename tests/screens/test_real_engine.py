"""The same screens over a real engine: real notes, real index, real changes on disk."""

from __future__ import annotations

import shutil

from rich.cells import cell_len
from textual.pilot import Pilot

from engine.config.request import EngineOptions
from tests.screens.shot import take
from tests.screens.stage import Stage, settle, show
from tests.shared import shared
from tui.messages import OpenFile


def test_notes_are_indexed_before_the_persons_eyes(on_stage: Stage) -> None:
    on_stage.write("MEMORY.md", "# Ada\n\nPrefers wired links at home.\n")
    on_stage.write("memory/2026-02-09.md", "# Network\n\nThe router is an Omada.\n", days_old=1)
    app = on_stage.app(EngineOptions(workspace=on_stage.workspace))

    async def steps(pilot: Pilot[None]) -> None:
        engine = app.bridge.engine
        assert engine is not None
        engine.sync("demand")
        await settle(pilot)
        take(app).must_say("~/notes", "2 files", "✓ clean", "hybrid", "+ added MEMORY.md")
        on_stage.write("memory/2026-02-10.md", "# Today\n\nA new note.\n")
        engine.scan()
        app.bridge.refresh_status()
        await settle(pilot)
        take(app).must_say("● dirty 1", "● new memory/2026-02-10.md")
        engine.sync("demand")
        await settle(pilot)
        take(app).must_say("3 files", "✓ clean", "+ added memory/2026-02-10.md")

    show(app, (120, 36), steps)


def test_an_empty_home_ends_in_the_first_run_screen(on_stage: Stage) -> None:
    shot = show(on_stage.app(EngineOptions()), (120, 36))
    shot.must_say("No memory found", "not there", "Press d to look around in the demo")


def test_the_first_run_screen_says_that_the_configuration_is_broken(on_stage: Stage) -> None:
    state = on_stage.workspace.parent / "state"
    state.mkdir()
    (state / "openclaw.json").write_text('{\n  "agents": {,}\n}\n', "utf-8")
    shot = show(on_stage.app(EngineOptions(state_dir=state)), (120, 36))
    shot.must_say("No memory found", "▲ openclaw.json, line 2", "Press d to look around")


def test_odd_names_are_listed_in_straight_columns(on_stage: Stage) -> None:
    folder = shared("cases", "odd-names", "workspace")
    shutil.copytree(folder, on_stage.workspace, dirs_exist_ok=True)
    names = sorted(path.name for path in (folder / "memory").iterdir())
    app = on_stage.app(EngineOptions(workspace=on_stage.workspace))

    async def steps(pilot: Pilot[None]) -> None:
        assert app.bridge.engine is not None
        app.bridge.engine.sync("demand")
        await settle(pilot)

    shot = show(app, (120, 36), steps)
    shot.must_say(f"{len(names)} files", "✓ clean", *names)
    rows = [line for line in shot.lines if "+ added" in line]
    assert len(rows) == len(names) == 8
    details = {cell_len(row[: row.rindex("just now")]) for row in rows}
    assert len(details) == 1


def test_enter_on_a_file_shows_it_on_the_files_screen(on_stage: Stage) -> None:
    on_stage.write("MEMORY.md", "# Ada\n\nPrefers wired links at home.\n")
    on_stage.write("memory/network.md", "# Network\n\nThe router is an Omada.\n")
    app = on_stage.app(EngineOptions(workspace=on_stage.workspace))

    async def steps(pilot: Pilot[None]) -> None:
        app.post_message(OpenFile("memory/network.md", 3, 3, "router"))
        await settle(pilot)
        await settle(pilot)
        assert app.current_mode == "files"

    shot = show(app, (120, 36), steps)
    shot.must_say("[3 Files]", "The router is an Omada.")
    shot.must_not_say("Prefers wired links")
