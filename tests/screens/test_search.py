"""The Search screen in its states, at three sizes: as pictures, and in words."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace

import pytest

from engine.config.request import EngineOptions
from engine.errors import ProviderError
from engine.memory import MemoryEngine
from engine.status import FallbackState
from tests.screens.baseline import Baselines
from tests.screens.scripted import CLEAN
from tests.screens.shot import Shot, take, widest
from tests.screens.stage import Stage, go, settle
from tests.tui.search.driving import Seat
from tests.tui.search.searching import SearchingEngine
from tui.app import MemlensApp

Size = tuple[int, int]
Play = Callable[[Seat], Awaitable[None]]

NOTES = {
    "MEMORY.md": "# Memory\n\n- The router is a Tessera R5 at 10.20.0.1.\n- Prefers wired links.\n",
    "memory/2026-02-08.md": "# 2026-02-08\n\nRouter update to 4.2.2. Saved the settings first, "
    "then exported them, then updated.\nAll settings of the router survived.\n",
    "memory/2026-01-12.md": "# 2026-01-12\n\nThe router lost its settings after the update. "
    "They had never been saved permanently.\n",
    "memory/2025-09-19.md": "# 2025-09-19\n\nRouter settings lost for the first time.\n",
    "memory/network.md": "# Network\n\nVLAN 10 carries the gadgets, VLAN 20 the guests.\n"
    "The router exports its settings as one file.\n",
    "memory/garden.md": "# Garden\n\nThe valve in the study drips.\n",
    "memory/recipes.md": "# Recipes\n\nCardamom buns, 220 degrees.\n",
}
WIDE = {
    "memory/会议记录二〇二六.md": "# 会议记录\n\n路由器的设置丢失了。更新以后要保存设置。\n",
    "memory/Зоны и проекты.md": "# Зоны\n\nНастройки роутера и зоны сети.\n",
    "memory/🐘.md": "# 🐘\n\nThe elephant 👩‍👩‍👧‍👦 never forgets 路由器 settings.\n",
    "memory/a-very-long-name-of-a-note-about-one-thing-and-another-and-a-third-one.md": "# Long\n\n"
    + "settings "
    + "word " * 200
    + "\n"
    + "x" * 3000
    + "\n",
}
HOSTILE = {
    "memory/[bold].md": "use [bold] here, settings\nsee [link=http://x]a\n",
    "memory/quit.md": "[@click=app.quit]quit[/] changes settings\na [/] b\n[/\n",
    "memory/esc.md": "settings \x1b]0;owned\x07 and \x1b[31mred\x1b[0m \x9b2J cardamom\n",
}


@dataclass(frozen=True, slots=True)
class Opened:
    """The application with its workspace indexed, and how to look at its Search screen."""

    app: MemlensApp
    size: Size

    def look(self, play: Play) -> Shot:
        """Open the Search screen, let ``play`` use it, and take the picture."""

        async def run() -> Shot:
            async with self.app.run_test(size=self.size) as pilot:
                await settle(pilot)
                seat = Seat(self.app, pilot, SearchingEngine(), [])
                await seat.until(lambda: _at_rest(self.app))
                await go(pilot, "search")
                await seat.until(lambda: seat.screen.lab is not None)
                await play(seat)
                await settle(pilot)
                return take(self.app)

        return asyncio.run(run())


def _at_rest(app: MemlensApp) -> bool:
    status = app.status
    return status is not None and status.sync.phase == "idle" and status.sync.last is not None


def indexed(
    on_stage: Stage, size: Size, notes: dict[str, str], settings: Sequence[str] = ()
) -> Opened:
    """A workspace of these notes with an index of it, opened by the real engine."""
    for path, text in notes.items():
        on_stage.write(path, text, days_old=3)
    options = EngineOptions(workspace=on_stage.workspace, settings=tuple(settings))
    engine = MemoryEngine.open(options, on_stage.around())
    engine.sync("demand")
    engine.close()
    return Opened(on_stage.app(options), size)


def scripted(on_stage: Stage, size: Size, engine: SearchingEngine) -> Opened:
    """The application with a scripted engine."""
    return Opened(on_stage.app(engine=engine.opener()), size)


def searching(query: str, *keys: str) -> Play:
    """Search and then press keys."""

    async def play(seat: Seat) -> None:
        await seat.search(query)
        if keys:
            await seat.press(*keys)

    return play


async def nothing(seat: Seat) -> None:
    """Only look."""


def named(what: str, size: Size) -> str:
    return f"{what}-{size[0]}x{size[1]}"


def test_before_a_query(on_stage: Stage, size: Size, baselines: Baselines) -> None:
    shot = indexed(on_stage, size, NOTES).look(nothing)
    shot.must_say("Type a question or a few words", "vec" if size[0] < 120 else "vector")
    baselines.check(shot, named("empty", size))


def test_hybrid_results_with_decay_and_a_turned_weight(
    on_stage: Stage, size: Size, baselines: Baselines
) -> None:
    shot = indexed(on_stage, size, NOTES).look(searching("router settings", "t", *"hh"))
    shot.must_say("memory/2026-01-12.md:1-3", "decay 30", "*", "why #1", "router", "below")
    if size[0] >= 120:
        shot.must_say("vec txt decay mmr", "2.9 days at a half-life")
    assert widest(shot) <= size[0]
    baselines.check(shot, named("hybrid", size))


def test_keyword_only(on_stage: Stage, size: Size, baselines: Baselines) -> None:
    opened = indexed(on_stage, size, NOTES, ["provider=none"])
    shot = opened.look(searching("router settings"))
    shot.must_say(
        "keyword only: by choice",
        "Keywords only, as configured.",
        "keyword only",
        "memory/2026-01-12.md",
    )
    baselines.check(shot, named("keyword-only", size))


def test_nothing_relevant(on_stage: Stage, size: Size, baselines: Baselines) -> None:
    shot = indexed(on_stage, size, NOTES).look(searching("zxqv unrelated"))
    shot.must_say("no keyword matched")
    baselines.check(shot, named("nothing", size))


def test_long_and_wide_texts(on_stage: Stage, size: Size, baselines: Baselines) -> None:
    shot = indexed(on_stage, size, WIDE).look(searching("路由器 设置 settings", "j"))
    shot.must_say("会议记录", "🐘")
    assert widest(shot) <= size[0]
    baselines.check(shot, named("wide", size))


def test_texts_that_look_like_markup(on_stage: Stage, size: Size, baselines: Baselines) -> None:
    shot = indexed(on_stage, size, HOSTILE).look(searching("settings [red] quit[/]"))
    shot.must_say("memory/[bold].md:1-", "[@click=app.quit]quit[/]", "settings [red] quit[/]")
    assert "\x1b" not in shot.svg and "\x9b" not in shot.svg
    baselines.check(shot, named("markup", size))


def test_a_failed_provider_with_its_fallback(
    on_stage: Stage, size: Size, baselines: Baselines
) -> None:
    fallback = FallbackState("openai", "builtin", "HTTP 429, quota exceeded", 0.0)
    status = replace(CLEAN, provider=replace(CLEAN.provider, fallback=fallback))
    opened = scripted(on_stage, size, SearchingEngine(state=status))
    shot = opened.look(searching("home network setup"))
    shot.must_say("builtin answers instead of openai: HTTP 429, quota exceeded")
    baselines.check(shot, named("fallback", size))


def test_a_search_that_fails(on_stage: Stage, size: Size, baselines: Baselines) -> None:
    engine = SearchingEngine()

    async def play(seat: Seat) -> None:
        await seat.search("home network setup")
        engine.error = ProviderError(
            "Embedding failed", "openai answered HTTP 401.", "Check the key in OPENAI_API_KEY."
        )
        await seat.press("r")
        await seat.until(lambda: "HTTP 401" in seat.shot.text)

    shot = scripted(on_stage, size, engine).look(play)
    shot.must_say("Embedding failed: openai answered HTTP 401.", "Check the key", "#")
    baselines.check(shot, named("error", size))


def test_without_colour_all_is_said_in_signs(
    on_stage: Stage, size: Size, baselines: Baselines, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    opened = scripted(on_stage, size, SearchingEngine())
    shot = opened.look(searching("home network setup", "t", *"hhh"))
    shot.must_say("▸", "█", "▓", "░", "▼", "*")
    baselines.check(shot, named("no-color", size))
