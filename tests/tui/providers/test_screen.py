"""The screen itself: keys, mouse, palette, help, live changes, sizes, hostile text."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.events import HostPaused, ModelDownload, SyncCancelled, SyncProgress
from engine.status import (
    BatchState,
    CostState,
    EngineStatus,
    FallbackSpell,
    FallbackState,
    HostPause,
    PassedOver,
    Spending,
)
from tests.screens.shot import take, widest
from tests.screens.stage import NOW_MS, Stage, settle
from tests.tui.providers.driving import Seat, act
from tests.tui.providers.providing import ProvidingEngine
from tests.tui.providers.states import BUSY, JOBS, OPENAI_SPACE, OUTAGE, REMOTE, engine

PROGRESS = SyncProgress("embedding", 37, 112, 290, 200, 90, 52.0)
HALF = ModelDownload("embedding.gguf", 164_000_000, 328_000_000, 4_100_000.0, 40.0)


def test_enter_tells_the_whole_of_a_row_and_what_can_be_done(on_stage: Stage) -> None:
    async def play(seat: Seat) -> None:
        await seat.press("j", "j", "enter")
        seat.shot.must_say("asked for", "openai", "line 14", "open in the editor", "close")
        await seat.press("escape", "G", "enter")
        seat.shot.must_say("remote.batch.enabled", "by --set", "when it opens a memory")
        await seat.press("q")
        seat.shot.must_say("[4 Providers]")

    act(on_stage, engine("remote"), play)


def test_a_click_tells_the_whole_of_a_row(on_stage: Stage) -> None:
    async def play(seat: Seat) -> None:
        row = next(n for n, line in enumerate(seat.shot.lines) if "voyage-4-large · 310" in line)
        await seat.pilot.click(offset=(15, row))
        await settle(seat.pilot)
        seat.shot.must_say("filling it has cost 124,000 tokens so far", "are never compared")

    act(on_stage, engine("remote"), play)


def test_key_hints_and_tab_answer_the_mouse(on_stage: Stage) -> None:
    async def play(seat: Seat) -> None:
        await seat.press("1")
        line = seat.shot.lines[1]
        await seat.pilot.click("TabLine", offset=(line.index("Providers"), 0))
        await settle(seat.pilot)
        seat.shot.must_say("[4 Providers]")
        await seat.pilot.click("KeyLine", offset=(seat.shot.lines[-1].index("probe"), 0))
        await settle(seat.pilot)
        seat.shot.must_say("✓ answered in 3 ms")

    act(on_stage, engine("auto"), play)


def test_palette_and_help_know_every_action(on_stage: Stage) -> None:
    async def play(seat: Seat) -> None:
        await seat.press("question_mark")
        seat.shot.must_say(
            "Who makes the vectors of this memory",
            "What nobody knows says so",
            "providers.probe",
            "providers.retry",
            "providers.open",
            "providers.more",
        )
        await seat.press("escape", "colon", *"embed", "enter")
        seat.shot.must_say("Send a word to openai?")

    act(on_stage, engine("outage"), play)


def test_cancelling_a_sync_reaches_the_engine(on_stage: Stage) -> None:
    async def play(seat: Seat) -> None:
        await seat.press("x")
        assert seat.engine.asked.count("cancel") == 1
        seat.engine.events.emit(PROGRESS)
        await seat.until_said("◐ embedding")
        await seat.press(*["j"] * 7, "enter")
        seat.shot.must_say("cancel the sync", "close")
        await seat.press("left", "enter")
        assert seat.engine.asked.count("cancel") == 2

    act(on_stage, engine("busy"), play)


def test_batch_jobs_are_cancelled_after_a_question(on_stage: Stage) -> None:
    async def play(seat: Seat) -> None:
        await seat.press(*["j"] * 7, "enter")
        seat.shot.must_say("batch job", "its id ends in a1b2c3", "cancel the jobs")
        await seat.press("left", "enter")
        seat.shot.must_say("Cancel the batch jobs?", "2 jobs with 604 texts are at the provider")
        await seat.press("enter")
        assert "cancel jobs" not in seat.engine.asked
        await seat.press("c", "left", "enter")
        assert seat.engine.asked.count("cancel jobs") == 1
        out = tuple(replace(job, phase="cancelling") for job in JOBS)
        seat.engine.state = replace(BUSY, batch=BatchState(enabled=True, jobs=out))
        seat.app.bridge.refresh_status()
        await seat.until_said("◐ cancelling")
        await seat.press("c")
        seat.shot.must_not_say("Cancel the batch jobs?", "c cancel jobs")

    act(on_stage, engine("busy"), play)


def test_without_a_file_the_setting_is_told_instead_of_opened(on_stage: Stage) -> None:
    async def play(seat: Seat) -> None:
        await seat.press("o")
        await seat.until_said("No file sets provider.")

    act(on_stage, engine("auto"), play, EDITOR="vi")


def test_without_an_editor_file_and_line_are_told(on_stage: Stage) -> None:
    async def play(seat: Seat) -> None:
        await seat.press("o")
        await seat.until_said("No editor is set.")

    act(on_stage, engine("remote"), play, size=(160, 48))


def test_a_countdown_goes_down_and_ends(on_stage: Stage) -> None:
    clock = on_stage.clock

    async def play(seat: Seat) -> None:
        seat.shot.must_say("‖ 23 s until searches ask openai again", "‖ 41 s until api.openai.com")
        clock.epoch_ms += 5_000
        await seat.until_said("‖ 18 s until searches ask openai again", "‖ 36 s until")
        clock.epoch_ms += 36_000
        await seat.until(lambda: "pause" not in seat.shot.text)
        seat.shot.must_say("the next search or sync asks openai again")

    act(on_stage, engine("outage"), play)


def test_a_pause_shows_as_soon_as_it_is_told(on_stage: Stage) -> None:
    async def play(seat: Seat) -> None:
        seat.shot.must_not_say("until api.openai.com")
        until = NOW_MS + 60_000
        seat.engine.state = replace(
            REMOTE, pauses=(HostPause("api.openai.com", until, "HTTP 429 (Retry-After)"),)
        )
        seat.engine.events.emit(HostPaused("api.openai.com", 60.0, until, "HTTP 429"))
        await seat.until_said("‖ 60 s until api.openai.com may be asked again: HTTP 429")

    act(on_stage, engine("remote"), play)


def test_a_download_comes_and_goes_without_asking_for_a_status(on_stage: Stage) -> None:
    async def play(seat: Seat) -> None:
        seat.engine.state = replace(seat.engine.state, agent_id="not asked for")
        for _ in range(5):
            seat.engine.events.emit(HALF)
        await seat.until_said("◐ downloading ██████░░░░░░ 164.0 MB of 328.0 MB", "embedding.gguf")
        seat.shot.must_not_say("not asked for")
        seat.engine.events.emit(replace(HALF, stage="done"))
        await seat.until(lambda: "downloading" not in seat.shot.text)
        seat.engine.events.emit(HALF)
        await seat.until_said("◐ downloading")
        seat.engine.events.emit(SyncCancelled())
        await seat.until(lambda: "downloading" not in seat.shot.text)

    act(on_stage, engine("auto"), play)


def test_a_download_that_ended_unheard_is_not_shown(on_stage: Stage) -> None:
    async def play(seat: Seat) -> None:
        seat.engine.events.emit(HALF)
        await seat.until_said("◐ downloading")
        await seat.press("1", "4")
        seat.shot.must_not_say("downloading")

    act(on_stage, engine("auto"), play)


def test_the_cursor_stays_on_its_row_when_rows_come_and_go(on_stage: Stage) -> None:
    async def play(seat: Seat) -> None:
        await seat.press("G")
        seat.engine.state = replace(OUTAGE, revision=8)
        seat.app.bridge.refresh_status()
        await seat.until_said("openai → builtin, still now")
        await seat.press("enter")
        seat.shot.must_say("remote.batch.enabled", "close")

    act(on_stage, engine("remote"), play, size=(80, 24))


def test_spaces_are_counted_again_only_when_the_index_has_changed(on_stage: Stage) -> None:
    async def play(seat: Seat) -> None:
        seat.shot.must_say("all 1,204 chunks")
        seat.engine.state = replace(REMOTE, dirty=())
        seat.app.bridge.refresh_status()
        await settle(seat.pilot)
        assert seat.engine.asked.count("spaces") == 1
        seat.engine.spaces = (replace(OPENAI_SPACE, covered=1200, missing=4),)
        seat.engine.state = replace(REMOTE, revision=REMOTE.revision + 1)
        seat.app.bridge.refresh_status()
        await seat.until_said("1,200 of 1,204 chunks")
        assert seat.engine.asked.count("spaces") == 2

    act(on_stage, engine("remote"), play)


@pytest.mark.parametrize("size", [(40, 12), (1, 1), (200, 60)])
def test_any_size_is_drawn_and_the_keys_go_on_working(
    on_stage: Stage, size: tuple[int, int]
) -> None:
    async def play(seat: Seat) -> None:
        await seat.press("tab", "G")
        await seat.pilot.resize_terminal(*size)
        await settle(seat.pilot)
        assert widest(take(seat.app)) <= size[0]
        await seat.press("tab", "g", "j", "enter", "escape")
        await seat.pilot.resize_terminal(120, 36)
        await settle(seat.pilot)
        await seat.press("tab", "k")
        seat.shot.must_say("[4 Providers]", "vector spaces 4")

    act(on_stage, engine("outage"), play, size=(120, 36))


def hostile(text: str) -> EngineStatus:
    """A state with that text wherever a provider, a file or a host can put one."""
    return replace(
        OUTAGE,
        provider=replace(
            OUTAGE.provider,
            requested=text,
            provider=text,
            model=text,
            reason=text,
            agent_would=text,
            key_source=text,
            error=text,
            error_hint=text,
            passed_over=(PassedOver(text, text),),
            fallback=FallbackState(text, text, text, 0.0, NOW_MS + 5_000),
        ),
        traffic=(replace(OUTAGE.traffic[0], provider=text, host=text, last_error=text),),
        pauses=(HostPause(text, NOW_MS + 9_000, text),),
        fallback_history=(FallbackSpell(text, text, text, 0.0),),
        cost=CostState(total=(Spending(text, text, 5),)),
        batch=BatchState(
            True, failures=2, last_error=text, jobs=(replace(JOBS[0], job=text, provider=text),)
        ),
    )


@pytest.mark.parametrize(
    "text",
    [
        "[@click=app.quit]click[/]",
        "[/]",
        "arr[red] [",
        "\x1b]0;title\x07\x9b31m\x1b[2J",
        "研究👩‍👩‍👧‍👦\u202e" * 9,
        "x" * 400,
        "\n\n\t",
    ],
)
def test_hostile_text_is_shown_letter_for_letter(on_stage: Stage, text: str) -> None:
    spaces = (replace(OPENAI_SPACE, provider=text, model=text),)
    providing = ProvidingEngine(hostile(text), spaces=spaces)

    async def play(seat: Seat) -> None:
        seat.engine.events.emit(replace(HALF, name=text))
        await settle(seat.pilot)
        shot = seat.shot
        assert not any(ord(char) < 0x20 and char != "\n" for char in shot.svg)
        assert not any(0x7F <= ord(char) < 0xA0 for char in shot.svg)
        if len(text) < 30 and text.isprintable():
            shot.must_say(text)
        await seat.pilot.click(offset=(20, 4))
        await settle(seat.pilot)
        await seat.press("escape", "p")
        assert seat.app.is_running

    act(on_stage, providing, play, size=(100, 36))


def test_the_key_stands_nowhere(on_stage: Stage) -> None:
    """Status and settings hold no key; this pins that the screen asks for nothing else."""

    async def play(seat: Seat) -> None:
        seat.shot.must_say("OPENAI_API_KEY in the environment", "remote.apiKey ***")

    act(on_stage, engine("remote"), play, OPENAI_API_KEY="sk-a1b2c3d4e5")


@pytest.mark.parametrize("name", ["auto", "outage", "none"])
def test_every_state_can_be_walked_through_on_a_small_terminal(on_stage: Stage, name: str) -> None:
    async def play(seat: Seat) -> None:
        seen = seat.shot.text
        for _ in range(4):
            await seat.pilot.press("ctrl+d")
            await seat.pilot.pause()
            seen += seat.shot.text
        for title in ("in use", "traffic", "cost", "looked at", "vector spaces", "settings"):
            assert f"─ {title} " in seen
        await seat.press("g")
        assert "─ in use ─" in seat.shot.lines[2]

    act(on_stage, engine(name), play, size=(80, 24))
