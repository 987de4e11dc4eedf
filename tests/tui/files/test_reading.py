"""Reading a file: ranges, search, chunks, hits, copying, the rendered page, hostile text."""

from __future__ import annotations

from pathlib import Path

from tests.screens.stage import go, stage
from tests.tui.files.driving import Seat, act
from tests.tui.files.notes import NETWORK, write_notes
from tui.screens.search import SearchScreen
from tui.widgets.files.outside import CopyWanted


def copied(seat: Seat) -> list[str]:
    """The texts that were to be copied; a message is heard once on each step of its way up."""
    wanted = {id(m): m.text for m in seat.heard if isinstance(m, CopyWanted)}
    return list(wanted.values())


def test_a_range_is_what_memory_get_returns(tmp_path: Path) -> None:
    async def play(seat: Seat) -> None:
        await seat.open("memory/network.md", 5)
        await seat.press("v", "j", "j")
        engine = seat.app.bridge.engine
        assert engine is not None
        wanted = engine.get("memory/network.md", 5, 3)
        await seat.until(lambda: seat.viewer.range_panel.text == wanted)
        size = f"3 lines · {len(wanted.text)} characters"
        seat.shot.must_say("from 5 lines 3", size, f"Source: {wanted.citation}", "range L5-7")
        await seat.press("y")
        assert copied(seat) == [wanted.citation] == ["memory/network.md#L5-L7"]
        await seat.press("Y")
        assert copied(seat)[-1] == wanted.text
        await seat.press("escape")
        assert not seat.source.selecting and seat.source.has_focus

    act(write_notes(stage(tmp_path)), play)


def test_a_hit_from_search_is_selected_marked_and_stepped_through(tmp_path: Path) -> None:
    async def play(seat: Seat) -> None:
        engine = seat.app.bridge.engine
        assert engine is not None
        second = engine.chunks("memory/network.md")[1]
        first, last = second.start_line + 1, second.end_line
        await seat.open("memory/network.md", first, last, "patched settings")
        assert seat.source.range == (first, last) and seat.source.cursor == first
        hit = seat.source.page.hit
        assert hit is not None and (hit.number, hit.hash) == (2, second.hash)
        seat.shot.must_say("the hit", f"range L{first}-{last}")
        await seat.press("right_curly_bracket")
        assert seat.source.cursor == first + 1
        assert not seat.source.selecting, "a range of a hit ends when the cursor moves on"
        assert seat.source.hit_lines[0] == 4 and "settings" in NETWORK.split("\n")[4]

    act(write_notes(stage(tmp_path)), play)


def test_brackets_go_from_chunk_to_chunk(tmp_path: Path) -> None:
    async def play(seat: Seat) -> None:
        await seat.open("memory/network.md")
        engine = seat.app.bridge.engine
        assert engine is not None
        starts = [chunk.start_line for chunk in engine.chunks("memory/network.md")]
        for start in starts[1:]:
            await seat.press("right_square_bracket")
            assert seat.source.cursor == start
        await seat.press("left_square_bracket")
        assert seat.source.cursor == starts[-2]
        seat.shot.must_say(f"chunk {len(starts) - 1}/{len(starts)}", "shares L", "║")

    act(write_notes(stage(tmp_path)), play)


def test_search_in_the_file_goes_round_and_escape_ends_it(tmp_path: Path) -> None:
    async def play(seat: Seat) -> None:
        await seat.open("memory/network.md")
        await seat.press("slash", *"room 3")
        assert seat.viewer.find_bar.box.value == "room 3"
        places = [n for n, line in enumerate(NETWORK.split("\n"), 1) if "room 3" in line]
        assert seat.source.cursor == places[0]
        await seat.press("enter", "n")
        assert seat.source.has_focus and seat.source.cursor == places[1]
        await seat.press("N", "N")
        assert seat.source.cursor == places[-1]
        seat.shot.must_say(f"{len(places)}/{len(places)} found")
        await seat.press("escape")
        seat.shot.must_not_say("found")
        await seat.press("slash", *"zebra")
        seat.shot.must_say("not in this file")

    act(write_notes(stage(tmp_path)), play)


def test_dragging_selects_lines(tmp_path: Path) -> None:
    async def play(seat: Seat) -> None:
        await seat.open("memory/network.md")
        await seat.pilot.mouse_down("#source", offset=(12, 3))
        await seat.pilot.hover("#source", offset=(12, 6))
        await seat.pilot.mouse_up("#source", offset=(12, 6))
        await seat.rest()
        assert seat.source.range == (3, 6)
        await seat.pilot.click("#source", offset=(12, 2))
        assert not seat.source.selecting and seat.source.cursor == 2

    act(write_notes(stage(tmp_path)), play)


def test_one_line_higher_than_the_view_is_read_row_by_row(tmp_path: Path) -> None:
    made = stage(tmp_path)
    made.write("memory/long.md", "start " + "字" * 3_000 + " needle\nlast line\n")

    async def play(seat: Seat) -> None:
        await seat.open("memory/long.md")
        await seat.press("j", "j")
        assert (seat.source.cursor, seat.source.scroll_offset.y) == (1, 2)
        await seat.press("slash", *"needle", "enter")
        seat.shot.must_say("needle")
        await seat.press("escape", "w")
        seat.shot.must_say("start 字", "›", "last line", "unwrapped")
        await seat.press("l")
        seat.shot.must_say("‹", "from column 9")
        await seat.press("G")
        assert seat.source.cursor == 2

    act(made, play, size=(80, 24))


def test_a_section_is_rendered_and_links_lead_nowhere(tmp_path: Path) -> None:
    made = stage(tmp_path)
    made.write(
        "memory/page.md",
        "# One\n\nSee [the site](http://example.invalid) and **bold**.\n\n"
        "## Two\n\n| a | b |\n|---|---|\n| 1 | [/x] |\n\n```\n# code\x1b[2J\n```\n",
    )

    async def play(seat: Seat) -> None:
        await seat.open("memory/page.md", 3)
        await seat.press("m")
        await seat.until_said("See the site", "and bold", "section 1/2")
        assert "\x1b]8" not in seat.shot.svg and "**" not in seat.shot.text
        await seat.press("right_square_bracket")
        await seat.until_said("[/x]", "# code␛[2J", "section 2/2")
        await seat.press("y")
        assert copied(seat) == ["memory/page.md#L5-L13"]
        await seat.press("m")
        assert seat.source.cursor == 5 and seat.source.has_focus

    act(made, play)


def test_hostile_text_is_shown_letter_for_letter_and_copied_as_it_is(tmp_path: Path) -> None:
    made = stage(tmp_path)
    lines = ["[/]", "arr[red] [link=file:///x]", "[@click=app.quit]click[/]", "\x1b]52;c;eA==\x07"]
    made.write("memory/hostile.md", "\n".join(lines) + "\n")

    async def play(seat: Seat) -> None:
        await seat.open("memory/hostile.md")
        seat.shot.must_say(*lines[:3], "␛]52;c;eA==␇")
        await seat.pilot.click("#source", offset=(12, 3))
        assert seat.app.is_running
        await seat.press("G", "Y")
        assert copied(seat) == [lines[3]]

    act(made, play)


def test_copying_reaches_the_driver_and_is_told(tmp_path: Path) -> None:
    async def play(seat: Seat) -> None:
        await seat.open("memory/2026-02-08.md", 3)
        await seat.press("Y")
        await seat.until_said("Line 3: 34 characters sent by OSC 52.")

    act(write_notes(stage(tmp_path)), play)


def test_without_an_editor_it_says_what_to_set(tmp_path: Path) -> None:
    async def play(seat: Seat) -> None:
        await seat.open("memory/network.md", 5)
        await seat.press("o")
        await seat.until_said("No editor is set", "VISUAL or EDITOR")

    act(write_notes(stage(tmp_path)), play)


def test_the_viewer_moves_like_less(tmp_path: Path) -> None:
    async def play(seat: Seat) -> None:
        await seat.open("memory/network.md")
        await seat.press("space")
        assert seat.source.scroll_offset.y > 20 and seat.source.cursor > 20
        await seat.press("b")
        assert seat.source.scroll_offset.y == 0
        await seat.press("G")
        seat.shot.must_say("100% · L87/87")
        await seat.press("g", "ctrl+d", "z")
        assert seat.source.cursor > 10

    act(write_notes(stage(tmp_path)), play)


def test_every_action_has_an_id_and_a_sentence(tmp_path: Path) -> None:
    async def play(seat: Seat) -> None:
        await seat.open("memory/network.md", 5, 9, "router")
        bindings = [active.binding for active in seat.screen.active_bindings.values()]
        own = [b for b in bindings if (b.id or "").startswith("files.")]
        assert {"files.range", "files.cite", "files.copy", "files.edit"} <= {b.id for b in own}
        assert all(b.tooltip and b.description for b in own)

    act(write_notes(stage(tmp_path)), play)


def test_a_byte_order_mark_is_not_text(tmp_path: Path) -> None:
    made = stage(tmp_path)
    made.write("memory/bom.md", "\ufeff# Head\n\nalpha beta\n\nrouter settings\n")

    async def play(seat: Seat) -> None:
        await seat.open("memory/bom.md", 5, 6, "router")
        await seat.until_said("# Head", "5 lines", "chunk 1/1", "byte order mark")
        seat.shot.must_not_say("◊", "the older text")
        await seat.press("slash", *"head", "enter")
        seat.shot.must_say("▸ 1 ┃ # Head")
        await go(seat.pilot, "search")
        screen = seat.app.screen
        assert isinstance(screen, SearchScreen)
        await seat.until(lambda: screen.lab is not None)
        screen.pane.query_box.value = "router settings"
        await seat.until_said("bom.md:1-6", "5 ┃ router settings")
        seat.shot.must_not_say("◊")

    act(made, play, size=(220, 48))
