"""The application around the screens: keys, palette, help, mouse, dialogs, hostile text."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest
from textual.pilot import Pilot

from engine import events
from engine.config.resolved import AgentInfo, ConfigValue, Provenance
from engine.errors import EngineError, SyncError
from engine.status import Caution, IdentityState, PassedOver
from tests.screens.scripted import CLEAN, ESTIMATE, ScriptedEngine, dirty_file, running
from tests.screens.shot import Shot, take
from tests.screens.stage import Stage, settle, show, stage
from tests.shared import shared
from tui.app import MemlensApp

PROGRESS = events.SyncProgress("embedding", 37, 112, 290, 200, 90, 52.0)
OVERVIEW = (80, 24)
Drive = Callable[[Pilot[None]], Awaitable[None]]


@pytest.fixture
def on_stage(tmp_path: Path) -> Stage:
    """Folders of this test alone."""
    return stage(tmp_path)


def drive(app: MemlensApp, steps: Drive, size: tuple[int, int] = OVERVIEW) -> None:
    """Run the application and take these steps."""

    async def run() -> None:
        async with app.run_test(size=size, notifications=True) as pilot:
            await settle(pilot)
            await steps(pilot)

    asyncio.run(run())


def pressing(*keys: str) -> Drive:
    """Press keys one after the other, letting each take effect."""

    async def steps(pilot: Pilot[None]) -> None:
        for key in keys:
            await pilot.press(key)
            await settle(pilot)

    return steps


def test_quitting_asks_only_while_a_sync_runs(on_stage: Stage) -> None:
    idle = on_stage.app(engine=ScriptedEngine().opener())
    drive(idle, pressing("q"))
    assert idle.return_code == 0

    busy = on_stage.app(engine=ScriptedEngine(running(PROGRESS)).opener())
    shot = show(busy, OVERVIEW, pressing("q"))
    shot.must_say("Quit?", "A sync is running.", "stay")
    busy = on_stage.app(engine=ScriptedEngine(running(PROGRESS)).opener())
    drive(busy, pressing("q", "left", "enter"))
    assert busy.return_code == 0


def test_the_engine_is_closed_when_the_application_goes(on_stage: Stage) -> None:
    engine = ScriptedEngine()
    drive(on_stage.app(engine=engine.opener()), pressing("q"))
    assert engine.asked == ["sync start", "close"]


def test_sync_and_rebuild_and_cancel_reach_the_engine(on_stage: Stage) -> None:
    engine = ScriptedEngine(running(PROGRESS))
    drive(on_stage.app(engine=engine.opener()), pressing("r", "x", "R", "left", "enter"))
    wishes = ["sync start", "sync demand", "cancel", "estimate", "sync demand forced", "close"]
    assert engine.asked == wishes


def test_a_rebuild_that_is_not_confirmed_does_not_happen(on_stage: Stage) -> None:
    engine = ScriptedEngine()
    drive(on_stage.app(engine=engine.opener()), pressing("R", "enter"))
    drive(on_stage.app(engine=engine.opener()), pressing("R", "escape"))
    assert "sync demand forced" not in engine.asked


REMOTE = replace(ESTIMATE, remote=True, provider="openai", to_embed=1204, cached=0, tokens=481600)
WAITING = replace(
    CLEAN,
    provider=replace(CLEAN.provider, remote=True),
    sync=replace(CLEAN.sync, awaits_consent=True),
)


def test_the_first_paid_indexing_asks_with_its_estimate(on_stage: Stage) -> None:
    engine = ScriptedEngine(WAITING, cost=REMOTE)
    shot = show(on_stage.app(engine=engine.opener()), OVERVIEW)
    shot.must_say(
        "Send this memory to a provider?",
        "no vectors yet",
        "sent to openai",
        "about 481,600 tokens",
        "‖ waits for your consent",
    )
    assert "sync demand" not in engine.asked
    drive(on_stage.app(engine=engine.opener()), pressing("escape"))
    assert "sync demand" not in engine.asked
    drive(on_stage.app(engine=engine.opener()), pressing("left", "enter"))
    assert "sync demand" in engine.asked


def test_changed_settings_that_cost_are_named_in_the_question(on_stage: Stage) -> None:
    changed = IdentityState("mismatched", ("model: small is now large",))
    engine = ScriptedEngine(replace(WAITING, identity=changed), cost=REMOTE)
    shot = show(on_stage.app(engine=engine.opener()), OVERVIEW)
    shot.must_say("made with other settings: model: small is now large.", "sent to openai")


def test_a_free_rebuild_that_is_held_back_asks_only_when_wanted(on_stage: Stage) -> None:
    held = replace(WAITING, provider=CLEAN.provider)
    engine = ScriptedEngine(held)
    shot = show(on_stage.app(engine=engine.opener()), OVERVIEW)
    shot.must_say("press r to see what it costs")
    shot.must_not_say("Bring the index up to date?")
    shot = show(on_stage.app(engine=engine.opener()), OVERVIEW, pressing("r"))
    shot.must_say("Bring the index up to date?", "on this machine, by builtin")


def test_a_theme_is_changed_live_and_remembered(on_stage: Stage) -> None:
    first = on_stage.app(engine=ScriptedEngine().opener())
    assert first.theme == "midnight"
    drive(first, pressing("T"))
    second = on_stage.app(engine=ScriptedEngine().opener())
    drive(second, pressing())
    assert first.theme == second.theme != "midnight"


def test_looks_of_the_settings_are_obeyed(on_stage: Stage) -> None:
    settings = Provenance("user settings", Path("settings.json5"), 1)
    values = [
        ConfigValue("theme", "paper", None, settings),
        ConfigValue("glyphs", "ascii", "unicode", settings),
    ]
    app = on_stage.app(engine=ScriptedEngine(values=values).opener())
    show(app, OVERVIEW).must_say("= clean")
    assert app.theme == "paper"
    unknown = [replace(values[0], value="[/]")]
    app = on_stage.app(engine=ScriptedEngine(values=unknown).opener())
    show(app, OVERVIEW).must_say("The settings ask for the theme", "'[/]', which is not there")


def test_signs_are_changed_in_the_palette(on_stage: Stage) -> None:
    app = on_stage.app(engine=ScriptedEngine().opener())
    shot = show(app, OVERVIEW, pressing(*[":", "s", "i", "g", "n", "s", ":", "a"], "enter"))
    shot.must_say("= clean", "- recent changes 3 ---")
    shot.must_not_say("✓", "─", "…")


def test_the_palette_runs_an_action_by_name(on_stage: Stage) -> None:
    engine = ScriptedEngine()
    keys = ["ctrl+p", *"build", "enter"]
    shot = show(on_stage.app(engine=engine.opener()), OVERVIEW, pressing(*keys))
    shot.must_say("Rebuild the index", "1,180 already in the cache")


def test_a_broken_theme_and_a_broken_key_file_are_one_notice_each(on_stage: Stage) -> None:
    themes = on_stage.home / "settings" / "themes"
    themes.mkdir(parents=True)
    (themes / "mine.toml").write_text("[colors]\nprimary = '[/]'", "utf-8")
    (themes / "good.toml").write_text("[colors]\nprimary = '#ff00ff'", "utf-8")
    (on_stage.home / "settings" / "keys.toml").write_text("[", "utf-8")
    app = on_stage.app(engine=ScriptedEngine().opener())
    shot = show(app, (120, 36))
    shot.must_say("Theme left out. mine.toml:", "colour: '[/]'", "keys.toml was not read")
    assert "good" in app.available_themes


def test_own_keys_work_and_are_shown(on_stage: Stage) -> None:
    (on_stage.home / "settings").mkdir(parents=True)
    (on_stage.home / "settings" / "keys.toml").write_text('"overview.sync" = "f5"', "utf-8")
    engine = ScriptedEngine()
    shot = show(on_stage.app(engine=engine.opener()), OVERVIEW, pressing("f5", "r"))
    shot.must_say("f5 sync")
    assert engine.asked.count("sync demand") == 1


def test_help_tells_of_the_focused_part_and_names_every_id(on_stage: Stage) -> None:
    app = on_stage.app(engine=ScriptedEngine().opener())
    shot = show(app, (120, 60), pressing("question_mark"))
    shot.must_say(
        "Dirty files differ from the index",
        "Keys of this part",
        "overview.sync",
        "app.quit",
        "keys.toml",
    )


def test_tabs_and_key_hints_answer_the_mouse(on_stage: Stage) -> None:
    engine = ScriptedEngine()
    app = on_stage.app(engine=engine.opener())

    async def steps(pilot: Pilot[None]) -> None:
        shot = take(app)
        await pilot.click("KeyLine", offset=(shot.lines[-1].index("sync"), 0))
        await settle(pilot)
        assert engine.asked[-1] == "sync demand"
        await pilot.click("TabLine", offset=(shot.lines[1].index("Search"), 0))
        await settle(pilot)
        assert app.current_mode == "search"

    drive(app, steps)


@pytest.mark.parametrize("size", [(40, 12), (20, 5), (200, 60), (1, 1)])
def test_any_size_is_drawn(on_stage: Stage, size: tuple[int, int]) -> None:
    app = on_stage.app(engine=ScriptedEngine(replace(CLEAN, dirty=(dirty_file("a.md"),))).opener())

    async def steps(pilot: Pilot[None]) -> None:
        await pilot.resize_terminal(*size)
        await settle(pilot)
        await pilot.press("question_mark")
        await settle(pilot)
        await pilot.press("escape")
        await pilot.resize_terminal(80, 24)
        await settle(pilot)
        take(app).must_say("dirty 1", "a.md")

    drive(app, steps)


def test_a_running_sync_is_followed_and_its_failure_told(on_stage: Stage) -> None:
    engine = ScriptedEngine()
    app = on_stage.app(engine=engine.opener())

    async def steps(pilot: Pilot[None]) -> None:
        engine.events.emit(PROGRESS)
        await settle(pilot)
        take(app).must_say("◐ sync 37/112", "◐ embedding ███", "52 s left")
        engine.state = replace(
            CLEAN, sync=replace(CLEAN.sync, phase="failed", error="The disk is full.")
        )
        engine.events.emit(events.SyncFailed("Sync stopped", "The disk is full.", "Make room."))
        await settle(pilot)
        take(app).must_say("✗ sync failed", "The disk is full.", "Make room.")

    drive(app, steps)


def test_a_failing_wish_is_told_and_everything_goes_on(on_stage: Stage) -> None:
    engine = ScriptedEngine(failure=SyncError("Cannot sync", "The store is locked.", "Wait."))
    shot = show(on_stage.app(engine=engine.opener()), OVERVIEW, pressing("r"))
    shot.must_say("Cannot sync", "The store is locked. Wait.", "✓ clean")


def hostile_shots(on_stage: Stage, texts: list[str]) -> list[Shot]:
    """The application with hostile texts wherever data can reach a widget: overview, provider
    reasons, agents, and a notice of a failed call.
    """
    first, last = texts[0], texts[-1]
    state = replace(
        CLEAN,
        agent_id=first,
        workspace=last,
        dirty=tuple(dirty_file(text) for text in texts),
        skipped=(events.SkippedFile(first, last),),
        warnings=tuple(Caution(text, text, text) for text in texts),
        provider=replace(
            CLEAN.provider,
            error=first,
            reason=last,
            model=first,
            passed_over=tuple(PassedOver(text, text) for text in texts),
        ),
    )
    agents = [AgentInfo(text, Path(f"/{text}"), False) for text in texts]
    engine = ScriptedEngine(state, agents, failure=EngineError(first, last, first))
    steps = [pressing(), pressing("f"), pressing("a"), pressing("colon")]
    return [show(on_stage.app(engine=engine.opener()), (120, 50), step) for step in steps]


def acts(svg: str) -> bool:
    """Whether anything in a picture could move a terminal."""
    return any((ord(char) < 0x20 and char != "\n") or 0x7F <= ord(char) < 0xA0 for char in svg)


def test_the_markup_case_is_shown_letter_for_letter(on_stage: Stage) -> None:
    texts = json.loads(shared("cases", "markup-text", "texts.json").read_text("utf-8"))
    overview, reasons, agents, _ = hostile_shots(on_stage, texts)
    for text in texts:
        overview.must_say(text)
        reasons.must_say(text)
        agents.must_say(text)


def test_the_escape_case_reaches_no_terminal(on_stage: Stage) -> None:
    note = shared("cases", "escape-bytes", "provider_error.txt").read_text("utf-8", "replace")
    hostile = note.strip() + "\x1b]0;title\x07\x9b31m\x08\u202e\x7f\udc9b"
    shots = hostile_shots(on_stage, [hostile, "\x1b[2J"])
    assert not any(acts(shot.svg) for shot in shots)
    shots[0].must_say("␛[2J")


def test_clicking_text_from_a_file_runs_nothing(on_stage: Stage) -> None:
    text = "[@click=app.quit]click[/]"
    engine = ScriptedEngine(replace(CLEAN, warnings=(Caution(text, text),)))
    app = on_stage.app(engine=engine.opener())

    async def steps(pilot: Pilot[None]) -> None:
        row = next(n for n, line in enumerate(take(app).lines) if "@click" in line)
        await pilot.click(offset=(take(app).lines[row].index("click[/]") + 2, row))
        await settle(pilot)
        take(app).must_say("[@click=app.quit]click[/]")

        assert app.is_running

    drive(app, steps)
