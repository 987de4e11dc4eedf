"""The Providers screen in its states, at three sizes: as pictures, and in words."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable

import pytest
from textual.pilot import Pilot

from engine.events import ModelDownload, SyncProgress
from tests.screens.baseline import Baselines
from tests.screens.shot import Shot, widest
from tests.screens.stage import Stage, settle, show
from tests.tui.providers.providing import ProvidingEngine
from tests.tui.providers.states import engine

Size = tuple[int, int]
Drive = Callable[[Pilot[None]], Awaitable[None]]
SMALL = (80, 24)
FRAME = "c5c8c6"
"""The colour of the picture's own frame, which belongs to no screen."""
DOWNLOAD = ModelDownload(
    "embeddinggemma-300m-qat-Q8_0.gguf", 148_000_000, 329_000_000, 4_100_000.0, 44.0
)
PROGRESS = SyncProgress("embedding", 37, 112, 290, 200, 90, 52.0)

WORDS = {
    "auto": ("builtin/static-256 · 256d", "local ✗ local.modelPath is not set.", "builtin ✓ taken"),
    "remote": (
        "▲ leave this machine, for api.openai.com",
        "OPENAI_API_KEY in the environment",
        "151 requests · 3 repeated · 0 given up",
        "last 201 ms, 41 s ago · mean 213 ms",
        "412,310 tokens, about $0.0082",
        "1,553,000 tokens, about $0.0311",
    ),
    "outage": (
        "It is the fallback, and openai fails.",
        "▲ builtin answers instead of openai, for 2 min",
        "‖ 23 s until searches ask openai again",
        "‖ 41 s until api.openai.com may be asked",
        "r retry",
    ),
    "busy": (
        "◐ in progress ███░░░░░░░░░ 120/400 · 2 failed",
        "◐ validating ░░░░░░░░░░░░ 0/204",
        "◐ downloading █████░░░░░░░ 148.0 MB of 329.0 MB · 4.1 MB/s",
        "x cancel",
    ),
}


def to_providers(*keys: str, engine: ProvidingEngine | None = None) -> Drive:
    """Go to the screen and press keys; with an engine its news come first."""

    async def steps(pilot: Pilot[None]) -> None:
        await pilot.press("4")
        await settle(pilot)
        if engine is not None:
            engine.events.emit(PROGRESS)
            engine.events.emit(DOWNLOAD)
            await settle(pilot)
        for key in keys:
            await pilot.press(key)
            await settle(pilot)

    return steps


def picture(on_stage: Stage, size: Size, name: str, *keys: str) -> Shot:
    """The screen in a state, after keys."""
    providing = engine(name)
    news = providing if name == "busy" else None
    shot = show(on_stage.app(engine=providing.opener()), size, to_providers(*keys, engine=news))
    assert widest(shot) <= size[0]
    return shot


@pytest.mark.parametrize("name", WORDS)
def test_providers(on_stage: Stage, baselines: Baselines, size: Size, name: str) -> None:
    shot = picture(on_stage, size, name)
    shot.must_say("[4 Providers]", "─ in use ─", "q quit")
    if size == SMALL:
        shot.must_say(*WORDS[name])
    baselines.check(shot, f"{name}-{size[0]}x{size[1]}")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("refused", ("trouble ✗ HTTP 401: the key was not accepted.", "r retry")),
        ("none", ("are not embedded; keywords answer",)),
        ("unknown", ("requests not known", "last sync nothing was sent in it", "price not known")),
    ],
)
def test_other_states(
    on_stage: Stage, baselines: Baselines, name: str, words: tuple[str, ...]
) -> None:
    shot = picture(on_stage, SMALL, name)
    shot.must_say(*words)
    baselines.check(shot, f"{name}-80x24")


def test_the_lower_half_of_a_small_screen(on_stage: Stage, baselines: Baselines) -> None:
    shot = picture(on_stage, SMALL, "remote", "G")
    shot.must_say(
        "fallback builtin/static-256 · 1,190 vectors",
        "███████████░ 1,190 of 1,204 chunks · 256d",
        "would embed 14, ~5,600 tokens, free here",
        "2 h ago openai → builtin for 4 min: HTTP 503",
        "remote.apiKey *** openclaw.json:18",
    )
    baselines.check(shot, "remote-end-80x24")


@pytest.mark.parametrize(
    ("name", "state", "keys", "words"),
    [
        ("probe", "remote", ("p",), ("Send a word to openai?", "leave it")),
        ("row", "remote", ("j", "j", "enter"), ("asked for", "open in the editor", "close")),
        ("probed", "auto", ("p",), ("✓ answered in 3 ms · 256d",)),
    ],
)
def test_dialogs_and_answers(
    on_stage: Stage,
    baselines: Baselines,
    size: Size,
    name: str,
    state: str,
    keys: tuple[str, ...],
    words: tuple[str, ...],
) -> None:
    shot = picture(on_stage, size, state, *keys)
    if name != "probed" or size == SMALL:
        shot.must_say(*words)
    baselines.check(shot, f"{name}-{size[0]}x{size[1]}")


def test_without_colour_every_state_is_still_told(
    on_stage: Stage, baselines: Baselines, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    shot = picture(on_stage, (120, 36), "outage")
    monkeypatch.delenv("NO_COLOR")
    shot.must_say(
        "▲ builtin answers instead of openai", "‖ 23 s", "✗ the last one: HTTP 429", "✓ taken"
    )
    colours = set(re.findall("fill: #([0-9a-f]{6})", shot.svg)) - {FRAME}
    assert all(code[0:2] == code[2:4] == code[4:6] for code in colours), colours
    baselines.check(shot, "no-colour-120x36")


def test_ascii_signs(on_stage: Stage, baselines: Baselines) -> None:
    on_stage.app(engine=engine("busy").opener()).remembered.choose(glyphs="ascii")
    shot = picture(on_stage, SMALL, "busy")
    assert set(shot.text) - set(map(chr, range(128))) <= set("▁▂▃▄▅▆▇")  # the scroll bar's ends
    shot.must_say("~ in progress ###......... 120/400", "! leave this machine")
    baselines.check(shot, "ascii-80x24")


@pytest.mark.parametrize("theme", ["paper", "contrast"])
def test_other_themes(on_stage: Stage, baselines: Baselines, theme: str) -> None:
    on_stage.app(engine=engine("outage").opener()).looks.choose_theme(theme)
    shot = picture(on_stage, SMALL, "outage")
    shot.must_say("▲ builtin answers instead of openai")
    baselines.check(shot, f"theme-{theme}-80x24")
