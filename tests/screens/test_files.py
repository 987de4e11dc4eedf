"""The Files screen in its states, at three sizes: as pictures, and in words."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from engine.config.request import EngineOptions
from engine.memory import MemoryEngine
from tests.screens.baseline import Baselines
from tests.screens.shot import Shot, take, widest
from tests.screens.stage import Stage, go, settle
from tests.tui.files.driving import Seat, at_rest
from tests.tui.files.notes import NETWORK

Size = tuple[int, int]
Play = Callable[[Seat], Awaitable[None]]

NOTES = {
    "MEMORY.md": "# Memory\n\n- The router is a Tessera R5 at 10.20.0.1.\n- Prefers wired links.\n",
    "memory/network.md": NETWORK,
    "memory/2026-02-08.md": "# 2026-02-08\n\nRouter update to 4.2.2, settings kept.\n",
    "memory/2026-01-12-router.md": "# 2026-01-12\n\nThe router lost its settings.\n",
    "memory/work/standup.md": "# Stand-up\n\nAt 09:15 from Tuesday to Friday.\n",
}
WIDE = {
    "memory/会议记录二〇二六.md": "# 会议记录\n\n"
    + "路由器的设置丢失了，更新以后要保存设置。" * 12
    + "\n",
    "memory/long.md": "# Long\n\n" + "a word and " * 400 + "end\n\n" + "x" * 3_000 + "\n",
    "memory/🐘.md": "# 🐘 👩‍👩‍👧‍👦\n\nThe elephant never forgets.\n",
}
HOSTILE = {
    "memory/[bold].md": "use [bold] here\nsee [link=file:///x]a[/link]\narr[red] [/] [/\n"
    "[@click=app.quit]quit[/]\n\x1b]52;c;aGk=\x07 \x1b[31mred\x1b[0m \x9b2J\n"
    "bidi \u202e reversed \u202c, zero\u200bwidth, back\x08space, cr\rover, del\x7f\n",
}
PAGE = {
    "memory/page.md": "# A page\n\nSome **bold** words, `code`, and a [link](http://x.invalid).\n\n"
    "> A quotation that says something.\n\n1. first\n2. second\n\n- a point\n  - below it\n\n"
    "| host | address |\n|---|---|\n| router | 10.20.0.1 |\n| nas | 10.20.0.7 |\n\n"
    "```sh\nssh admin@10.20.0.1\n```\n\n## The next section\n\nMore of it.\n",
}


def looked(on_stage: Stage, size: Size, notes: dict[str, str], play: Play) -> Shot:
    """The picture after ``play`` on the Files screen over an index of these notes.

    The era is one whose chunks are fixed by golden vectors, so that pictures stay true.
    """
    for path, text in notes.items():
        on_stage.write(path, text, days_old=3)
    options = EngineOptions(
        workspace=on_stage.workspace, era="2026.3", settings=("sync.watch=false",)
    )
    engine = MemoryEngine.open(options, on_stage.around())
    engine.sync("demand")
    engine.close()
    app = on_stage.app(options)

    async def run() -> Shot:
        async with app.run_test(size=size) as pilot:
            await settle(pilot)
            await go(pilot, "files")
            seat = Seat(app, pilot, on_stage, [])
            await seat.until(lambda: at_rest(app) and seat.listed)
            await play(seat)
            await settle(pilot)
            return take(app)

    return asyncio.run(run())


def named(what: str, size: Size) -> str:
    return f"{what}-{size[0]}x{size[1]}"


def test_tree_and_preview(on_stage: Stage, size: Size, baselines: Baselines) -> None:
    async def play(seat: Seat) -> None:
        await seat.press("j", "j", "j")
        await seat.until(lambda: seat.viewer.path == "memory/network.md")

    shot = looked(on_stage, size, NOTES, play)
    shot.must_say(
        "files 5", "✓ MEMORY.md", "▾ memory/", "2026-02-08", "evergreen", "# Home network"
    )
    baselines.check(shot, named("tree", size))


def test_a_range_selected(on_stage: Stage, size: Size, baselines: Baselines) -> None:
    async def play(seat: Seat) -> None:
        await seat.open("memory/network.md", 5)
        await seat.press("v", "j", "j", "j")
        await seat.until(lambda: seat.viewer.range_panel.text is not None)

    shot = looked(on_stage, size, NOTES, play)
    shot.must_say("memory_get", "from 5 lines 4", "4 lines", "Source: memory/network.md#L5-L8")
    baselines.check(shot, named("range", size))


def test_opened_from_a_hit(on_stage: Stage, size: Size, baselines: Baselines) -> None:
    async def play(seat: Seat) -> None:
        engine = seat.app.bridge.engine
        assert engine is not None
        last = engine.chunks("memory/network.md")[1].end_line
        await seat.open("memory/network.md", 38, last, "router settings of the switch")
        await seat.until(lambda: seat.viewer.range_panel.text is not None)

    shot = looked(on_stage, size, NOTES, play)
    shot.must_say("▸ 38", "chunk 2/", "range L38-")
    baselines.check(shot, named("hit", size))


def test_long_and_wide_text(on_stage: Stage, size: Size, baselines: Baselines) -> None:
    async def play(seat: Seat) -> None:
        await seat.open("memory/会议记录二〇二六.md")

    shot = looked(on_stage, size, WIDE, play)
    shot.must_say("memory/会议记录二〇二六.md", "# 会议记录", "路由器的设置丢失了")
    assert widest(shot) <= size[0]
    baselines.check(shot, named("wide", size))


def test_long_lines_unwrapped(on_stage: Stage, size: Size, baselines: Baselines) -> None:
    async def play(seat: Seat) -> None:
        await seat.open("memory/long.md")
        await seat.press("w", "l", "l")

    shot = looked(on_stage, size, WIDE, play)
    shot.must_say("‹", "›", "L1/5")
    assert widest(shot) <= size[0]
    baselines.check(shot, named("unwrapped", size))


def test_markup_and_control_bytes(on_stage: Stage, size: Size, baselines: Baselines) -> None:
    async def play(seat: Seat) -> None:
        await seat.open("memory/[bold].md")

    shot = looked(on_stage, size, HOSTILE, play)
    shot.must_say("memory/[bold].md", "use [bold] here", "arr[red] [/] [/")
    shot.must_say("[@click=app.quit]quit[/]", "␛]52;c;aGk=␇ ␛[31mred␛[0m ▯2J", "bidi ⇄ reversed ⇄")
    assert "\x1b" not in shot.svg and "\x9b" not in shot.svg
    baselines.check(shot, named("hostile", size))


def test_a_skipped_file_with_its_reason(on_stage: Stage, size: Size, baselines: Baselines) -> None:
    async def play(seat: Seat) -> None:
        (seat.stage.workspace / "memory" / "linked.md").symlink_to("network.md")
        await seat.press("r")
        await seat.open("memory/linked.md")
        await seat.press("q")

    shot = looked(on_stage, size, NOTES, play)
    shot.must_say("— linked.md", "skipped", "1 not indexed", "memory/linked.md is a link")
    baselines.check(shot, named("skipped", size))


def test_a_file_that_changed_since(on_stage: Stage, size: Size, baselines: Baselines) -> None:
    async def play(seat: Seat) -> None:
        await seat.open("memory/network.md", 40)
        seat.stage.write("memory/network.md", NETWORK.replace("slot", "drawer"))
        await seat.press("r")
        await seat.until_said("older text", "drawer 36")

    shot = looked(on_stage, size, NOTES, play)
    shot.must_say("● changed", "Changed on disk; the index has the older text")
    baselines.check(shot, named("changed", size))


def test_a_rendered_section(on_stage: Stage, size: Size, baselines: Baselines) -> None:
    async def play(seat: Seat) -> None:
        await seat.open("memory/page.md", 3)
        await seat.press("m")
        await seat.until_said("Some bold words")

    shot = looked(on_stage, size, PAGE, play)
    shot.must_say("A page", "Some bold words, code, and a link", "section 1/2")
    shot.must_not_say("**bold**")
    baselines.check(shot, named("rendered", size))


def test_an_empty_workspace(on_stage: Stage, size: Size, baselines: Baselines) -> None:
    async def play(seat: Seat) -> None:
        (seat.stage.workspace / "MEMORY.md").unlink()
        engine = seat.app.bridge.engine
        assert engine is not None
        engine.sync("demand")
        await seat.press("r")
        await seat.until_said("There is no memory file here yet.")

    shot = looked(on_stage, size, {"MEMORY.md": "# x\n"}, play)
    shot.must_say("There is no memory file here yet.", "Memory is MEMORY.md")
    baselines.check(shot, named("empty", size))


def test_nothing_is_told_by_colour_alone(
    on_stage: Stage, baselines: Baselines, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play(seat: Seat) -> None:
        await seat.open("memory/network.md", 30, 36, "router")
        await seat.until(lambda: seat.viewer.range_panel.text is not None)

    monkeypatch.setenv("NO_COLOR", "1")
    shot = looked(on_stage, (120, 36), NOTES, play)
    shot.must_say("▸ 30", "█ 31", "✓ indexed", "║")
    baselines.check(shot, "no-colour-120x36")
