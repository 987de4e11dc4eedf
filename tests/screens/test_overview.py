"""Overview in every live state, at three sizes; each picture is also checked in words."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from engine.events import RecentChange, SkippedFile, SyncProgress
from engine.status import Caution, EngineStatus, FallbackState, PassedOver, ProviderState
from tests.screens.baseline import Baselines
from tests.screens.scripted import CLEAN, REPORT, ScriptedEngine, dirty_file, running
from tests.screens.shot import Shot, widest
from tests.screens.stage import NOW_MS, Stage, show

Size = tuple[int, int]
FRAME = "c5c8c6"
"""The colour of the picture's own frame, which belongs to no screen."""

DIRTY = replace(
    CLEAN,
    dirty=(
        dirty_file("memory/2026-02-10.md", "changed"),
        dirty_file("memory/2026-02-09.md", "new"),
        dirty_file("memory/2026-02-08.md", "deleted"),
        replace(dirty_file("memory/2026-02-07.md", "failed"), reason="permission denied"),
    ),
    skipped=(SkippedFile("memory/link.md", "a symbolic link; links are not followed"),),
    warnings=(
        Caution(
            "memory.md is left out",
            "both MEMORY.md and memory.md exist",
            "Merge them, or choose an era that reads both.",
        ),
    ),
)
REMOTE = ProviderState(
    requested="openai",
    provider="openai",
    model="text-embedding-3-small",
    dimensions=1536,
    mode="degraded",
    reason="it is set as memorySearch.provider",
    passed_over=(PassedOver("local", "its model file is not there"),),
    agent_would="The agent would answer that memory search is unavailable.",
    key_source="OPENAI_API_KEY in the environment",
    remote=True,
    error="HTTP 401: the key was not accepted",
)
PROVIDER_ERROR = replace(
    CLEAN,
    search_mode="keyword",
    provider=REMOTE,
    vector=replace(CLEAN.vector, vectors=0, dimensions=None, via="none"),
    sync=replace(
        CLEAN.sync,
        last=replace(
            REPORT,
            not_embedded=9,
            embedding_error="HTTP 401: the key was not accepted.",
            embedding_hint="Check OPENAI_API_KEY.",
        ),
    ),
)
FALLBACK = replace(
    CLEAN,
    provider=replace(
        CLEAN.provider,
        requested="openai",
        mode="fallback-active",
        reason="the fallback of the configuration",
        fallback=FallbackState("openai", "builtin", "HTTP 429 five times", NOW_MS - 90_000),
    ),
)
KEYWORD_ONLY = replace(
    CLEAN,
    search_mode="keyword",
    provider=replace(
        CLEAN.provider,
        requested="none",
        provider="none",
        model="",
        dimensions=None,
        mode="keyword-only",
        reason="memorySearch.provider is none",
    ),
    vector=replace(CLEAN.vector, vectors=0, dimensions=None, via="none"),
    cache=replace(CLEAN.cache, last_hits=0, last_misses=0),
)
NO_EXTENSION = replace(
    CLEAN,
    vector=replace(
        CLEAN.vector,
        available=False,
        via="in-process",
        version=None,
        load_error="vec0.so cannot be loaded",
    ),
)
WARM = replace(CLEAN, vector=replace(CLEAN.vector, via="in-process"))
NO_FTS = replace(
    CLEAN, search_mode="vector", fts=replace(CLEAN.fts, available=False, error="no such module")
)
FAILED = replace(
    CLEAN,
    sync=replace(
        CLEAN.sync, phase="failed", error="The disk is full.", error_hint="Make room, then sync."
    ),
)
CJK = replace(
    CLEAN,
    agent_id="研究助手",
    workspace="/home/ada/笔记/长长的文件夹名字/工作记忆",
    dirty=(dirty_file("memory/中文笔记-配置路由器-🐘.md", "new"),),
    recent=(
        RecentChange("memory/" + "very-long-name-" * 8 + ".md", "added", NOW_MS, 3, 0, 3, 0),
        RecentChange("memory/Зоны и проекты.md", "changed", NOW_MS - 86_400_000 * 3, 1, 1, 0, 1),
    ),
    warnings=(Caution("長い注意書き", "設定ファイルの読み込みに失敗しました。" * 4, "続けます。"),),
)
PROGRESS = SyncProgress("embedding", 37, 112, 290, 200, 90, 52.0)
INDEXING = replace(running(PROGRESS), vector=replace(CLEAN.vector, vectors=290))

STATES: dict[str, tuple[EngineStatus, tuple[str, ...]]] = {
    "clean": (
        CLEAN,
        ("builtin/static-256", "hybrid", "✓ clean", "112 files", "1,204 chunks", "1,204 vectors"),
    ),
    "indexing": (
        INDEXING,
        ("◐ sync 37/112", "◐ embedding ███", "37/112 files", "290 chunks", "52 s left", "x cancel"),
    ),
    "dirty": (
        DIRTY,
        (
            "● dirty 4",
            "● changed memory/2026-02-10.md",
            "● new memory/2026-02-09.md",
            "● deleted",
            "✗ failed",
            "▲ 1 warning",
            "memory.md is left out",
        ),
    ),
    "provider-error": (
        PROVIDER_ERROR,
        (
            "keyword only: provider failed",
            "✗ HTTP 401: the key was not accepted",
            "✗ 9 without vector",
            "Check OPENAI_API_KEY.",
            "texts leave this machine",
        ),
    ),
    "fallback": (
        FALLBACK,
        ("▲ openai failed 2 min ago, builtin answers:", "HTTP 429 five times", "asked for: openai"),
    ),
    "keyword-only": (KEYWORD_ONLY, ("keyword only: by choice", "‖ no vectors: no provider")),
    "no-extension": (
        NO_EXTENSION,
        ("▲ no sqlite-vec, cosine in this process", "vec0.so cannot be loaded", "hybrid"),
    ),
    "no-fts": (NO_FTS, ("vector only: no FTS", "✗ no FTS: no such module")),
    "failed": (FAILED, ("✗ sync failed: The disk is full. Make room, then sync.",)),
    "cjk": (CJK, ("研究助手", "中文笔记-配置路由器-🐘.md", "Зоны и проекты.md", "▲ 1 warning")),
}


def test_vectors_that_are_held_in_memory_are_no_missing_extension(on_stage: Stage) -> None:
    shot = picture(on_stage, (80, 24), WARM)
    shot.must_say("✓ sqlite-vec 0.1.9, held in memory")
    shot.must_not_say("no sqlite-vec")


def picture(on_stage: Stage, size: Size, state: EngineStatus) -> Shot:
    """The overview of a scripted state."""
    shot = show(on_stage.app(engine=ScriptedEngine(state).opener()), size)
    assert widest(shot) <= size[0]
    return shot


@pytest.mark.parametrize("name", STATES)
def test_overview(on_stage: Stage, baselines: Baselines, size: Size, name: str) -> None:
    state, words = STATES[name]
    shot = picture(on_stage, size, state)
    shot.must_say("[1 Overview]", "q quit", *words)
    baselines.check(shot, f"{name}-{size[0]}x{size[1]}")


def test_without_colour_every_state_is_still_told(
    on_stage: Stage, baselines: Baselines, size: Size, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app = on_stage.app(engine=ScriptedEngine(DIRTY).opener())
    assert app.no_color
    shot = show(app, size)
    monkeypatch.delenv("NO_COLOR")
    shot.must_say("● dirty 4", "✗ failed", "▲ 1 warning", "✓ FTS5")
    colours = set(re.findall("fill: #([0-9a-f]{6})", shot.svg)) - {FRAME}
    assert all(code[0:2] == code[2:4] == code[4:6] for code in colours), colours
    baselines.check(shot, f"no-color-{size[0]}x{size[1]}")


@pytest.mark.parametrize("theme", ["paper", "contrast"])
def test_other_themes(on_stage: Stage, baselines: Baselines, theme: str) -> None:
    first = on_stage.app(engine=ScriptedEngine(DIRTY).opener())
    first.looks.choose_theme(theme)
    shot = show(on_stage.app(engine=ScriptedEngine(DIRTY).opener()), (80, 24))
    shot.must_say("● dirty 4")
    baselines.check(shot, f"theme-{theme}-80x24")


def test_ascii_signs(on_stage: Stage, baselines: Baselines) -> None:
    first = on_stage.app(engine=ScriptedEngine(DIRTY).opener())
    first.remembered.choose(glyphs="ascii")
    shot = show(on_stage.app(engine=ScriptedEngine(DIRTY).opener()), (80, 24))
    assert set(shot.text) - set(map(chr, range(128))) <= set("▁▂▃▄▅▆▇")  # the scroll bar's ends
    shot.must_say("* dirty 4", "x failed", "! 1 warning", "enter open")
    baselines.check(shot, "ascii-80x24")


def test_a_small_terminal_keeps_the_state_in_sight(on_stage: Stage, baselines: Baselines) -> None:
    shot = picture(on_stage, (40, 12), DIRTY)
    shot.must_say("main", "●4", "memory/2026-02-10.md")
    baselines.check(shot, "dirty-40x12")


def test_what_is_not_known_yet_is_said_calmly(on_stage: Stage, baselines: Baselines) -> None:
    """The first frame, before the engine has opened."""
    import threading

    from engine.config.request import EngineOptions
    from engine.memory import MemoryEngine
    from tests.screens import stage
    from tests.screens.shot import take

    gate = threading.Event()
    scripted = ScriptedEngine().opener()

    def late(options: EngineOptions, around: object) -> MemoryEngine:
        assert gate.wait(30)
        return scripted(options, on_stage.around())

    app = on_stage.app(engine=late)

    async def run() -> Shot:
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            shot = take(app)
            gate.set()
            await stage.settle(pilot)
            return shot

    import asyncio

    shot = asyncio.run(run())
    shot.must_say("opening the memory…", "Opening the memory.")
    shot.must_not_say("0 files", "clean")
    baselines.check(shot, "opening-80x24")
