"""The first-run screen: what was looked for and where, and every way on from there."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot

from engine.config.request import EngineOptions
from engine.config.resolved import LookedFor
from engine.errors import StoreError
from engine.memory import MemoryEngine, Surroundings
from tests.screens.baseline import Baselines
from tests.screens.scripted import ScriptedEngine
from tests.screens.stage import Drive, Stage, settle, show

LOOKED = (
    LookedFor("configuration", Path("/home/ada/.openclaw/openclaw.json"), False),
    LookedFor("older configuration", Path("/home/ada/.clawdbot/clawdbot.json"), False),
    LookedFor("workspace", Path("/home/ada/.openclaw/workspace"), True),
    LookedFor("MEMORY.md", Path("/home/ada/.openclaw/workspace/MEMORY.md"), False),
    LookedFor("memory folder", Path("/home/ada/.openclaw/workspace/memory"), False),
)


class Opened:
    """An opener that notes with which options it was asked; only the first finds no memory."""

    def __init__(self) -> None:
        self.options: list[EngineOptions] = []

    def __call__(self, options: EngineOptions, around: Surroundings) -> MemoryEngine:
        self.options.append(options)
        first = len(self.options) == 1
        engine = ScriptedEngine(has_memory=not first, looked_for=LOOKED)
        return engine.opener()(options, around)


def pressing(*keys: str) -> Drive:
    """Press keys, letting each take effect."""

    async def steps(pilot: Pilot[None]) -> None:
        for key in keys:
            await pilot.press(key)
            await settle(pilot)

    return steps


def typing(text: str) -> Drive:
    """Type a path into the box and take it."""
    return pressing("slash", *("slash" if char == "/" else char for char in text), "enter")


def test_first_run(on_stage: Stage, baselines: Baselines, size: tuple[int, int]) -> None:
    shot = show(on_stage.app(EngineOptions(), Opened()), size)
    shot.must_say(
        "No memory found",
        "✗ not there configuration",
        "/home/ada/.openclaw/openclaw.json",
        "✓ there workspace",
        "Press d to look around in the demo",
        "▸ notes",
        "d demo",
        "o take folder",
    )
    baselines.check(shot, f"first-run-{size[0]}x{size[1]}")


def test_a_named_folder_without_notes_is_told_first(on_stage: Stage) -> None:
    folder = on_stage.home / "bare"
    folder.mkdir()
    shot = show(on_stage.app(EngineOptions(workspace=folder)), (120, 36))
    shot.must_say("✗ no notes  named folder", "bare")


def test_the_demo_is_one_key_away(on_stage: Stage) -> None:
    opened = Opened()
    shot = show(on_stage.app(EngineOptions(), opened), (80, 24), pressing("d"))
    assert opened.options[1] == EngineOptions(demo=True)
    shot.must_say("✓ clean")


def test_a_folder_is_taken_from_the_tree(on_stage: Stage) -> None:
    opened = Opened()
    show(on_stage.app(EngineOptions(), opened), (80, 24), pressing("down", "o"))
    assert opened.options[1] == EngineOptions(workspace=on_stage.workspace)


def test_a_folder_is_typed(on_stage: Stage) -> None:
    opened = Opened()
    show(on_stage.app(EngineOptions(), opened), (80, 24), typing("~/notes"))
    assert opened.options[1] == EngineOptions(workspace=on_stage.workspace)


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("~/nowhere", "No such folder."),
        ("~/file", "That is a file; choose its folder."),
        ("", "Type the path of a folder."),
    ],
)
def test_a_wrong_path_is_said_and_nothing_opens(on_stage: Stage, typed: str, said: str) -> None:
    (on_stage.home / "file").write_text("x")
    opened = Opened()
    shot = show(on_stage.app(EngineOptions(), opened), (80, 24), typing(typed))
    shot.must_say(said, "No memory found")
    assert len(opened.options) == 1


def test_folder_names_are_shown_safely(on_stage: Stage) -> None:
    (on_stage.home / "a [bold]\x1b]0;x\x07").mkdir()
    shot = show(on_stage.app(EngineOptions(), Opened()), (80, 24))
    shot.must_say("a [bold]␛]0;x␇")


def test_a_memory_that_does_not_open_offers_ways_on(
    on_stage: Stage, baselines: Baselines, size: tuple[int, int]
) -> None:
    def refuse(_options: EngineOptions, _around: Surroundings) -> MemoryEngine:
        raise StoreError(
            "The index file is not ours",
            "~/notes.sqlite was made by another program and is left alone.",
            "Choose another file with --store.",
        )

    shot = show(on_stage.app(EngineOptions(), refuse), size)
    shot.must_say(
        "✗ not open: The index file is not ours",
        "made by another program",
        "Choose another file with --store.",
        "try again",
        "choose a folder",
        "open the demo",
    )
    baselines.check(shot, f"not-opened-{size[0]}x{size[1]}")


def test_an_index_that_cannot_be_used_is_told_instead_of_waited_for(on_stage: Stage) -> None:
    error = StoreError("Not an index file", "index.sqlite is no SQLite file.", "Move it away.")
    engine = ScriptedEngine(unusable=error)
    shot = show(on_stage.app(engine=engine.opener()), (80, 24))
    shot.must_say("✗ not open: Not an index file", "Move it away.", "try again")
