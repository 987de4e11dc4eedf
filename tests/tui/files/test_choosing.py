"""The tree: states, folding, filter, preview, and files that cannot be shown."""

from __future__ import annotations

from pathlib import Path

from tests.screens.stage import stage
from tests.tui.files.driving import Seat, act
from tests.tui.files.notes import write_notes
from tui.screens.files import FilesScreen
from tui.widgets.files.file_facts import FileFacts
from tui.widgets.files.tree_rows import FileRow, FolderRow


def names(seat: Seat) -> list[str]:
    return [
        row.name if isinstance(row, FileRow) else f"{row.path}/"
        for row in seat.screen.file_tree.rows
    ]


def facts(seat: Seat, path: str) -> FileFacts:
    rows = seat.screen.file_tree.rows
    return next(r.facts for r in rows if isinstance(r, FileRow) and r.facts.path == path)


def test_every_file_is_listed_with_state_chunks_and_date(tmp_path: Path) -> None:
    async def play(seat: Seat) -> None:
        assert names(seat) == ["MEMORY.md", "memory/", "linked.md", "network.md", "2026-02-08.md"]
        assert facts(seat, "memory/2026-02-08.md").date == "2026-02-08"
        assert facts(seat, "MEMORY.md").date == "evergreen"
        assert facts(seat, "memory/network.md").state.chunks == 4
        seat.shot.must_say("files 3", "1 not indexed", "✓ MEMORY.md", "— linked.md")

    act(write_notes(stage(tmp_path)), play)


def test_the_file_under_the_cursor_is_shown_at_once(tmp_path: Path) -> None:
    async def play(seat: Seat) -> None:
        await seat.until_said("The router is in the hall.")
        await seat.press("G")
        await seat.until_said("The spare switch is in the cellar.")
        assert seat.screen.file_tree.has_focus
        await seat.press("enter")
        assert seat.source.has_focus
        await seat.press("q")
        assert seat.screen.file_tree.has_focus

    act(write_notes(stage(tmp_path)), play)


def test_a_folder_folds_and_its_files_come_back(tmp_path: Path) -> None:
    async def play(seat: Seat) -> None:
        await seat.press("j", "enter")
        assert names(seat) == ["MEMORY.md", "memory/"]
        row = seat.screen.file_tree.current
        assert isinstance(row, FolderRow) and (row.files, row.folded) == (3, True)
        await seat.press("l", "j", "h")
        assert seat.screen.file_tree.current == FolderRow("memory", 0, 3, 0, False)

    act(write_notes(stage(tmp_path)), play)


def test_the_filter_takes_letters_in_order_and_escape_ends_it(tmp_path: Path) -> None:
    async def play(seat: Seat) -> None:
        await seat.press("slash", *"netw")
        assert names(seat) == ["memory/network.md"]
        seat.shot.must_say("1 of 4")
        await seat.press("enter", "enter")
        await seat.until(lambda: seat.viewer.path == "memory/network.md")
        await seat.press("q", "escape")
        assert len(names(seat)) == 5
        row = seat.screen.file_tree.current
        assert isinstance(row, FileRow) and row.facts.path == "memory/network.md"

    act(write_notes(stage(tmp_path)), play)


def test_a_link_is_listed_with_its_reason_and_not_read(tmp_path: Path) -> None:
    async def play(seat: Seat) -> None:
        await seat.press("j", "j")
        await seat.until_said("— linked.md", "Path not allowed", "memory/linked.md is a link")
        seat.shot.must_not_say("the router keeps its settings")
        await seat.press("enter")
        await seat.press("q")
        assert isinstance(seat.app.screen, FilesScreen)
        assert seat.screen.file_tree.has_focus

    act(write_notes(stage(tmp_path)), play)


def test_an_empty_workspace_says_where_notes_belong(tmp_path: Path) -> None:
    async def play(seat: Seat) -> None:
        (seat.stage.workspace / "MEMORY.md").unlink()
        await seat.press("r")
        await seat.until_said("● deleted: gone from disk")
        engine = seat.app.bridge.engine
        assert engine is not None
        engine.sync("demand")
        await seat.press("r")
        await seat.until_said("There is no memory file here yet.", "no file")
        seat.shot.must_not_say("File not found")

    made = stage(tmp_path)
    made.write("MEMORY.md", "# x\n")
    act(made, play)


def test_a_file_that_vanished_is_named_with_what_the_index_holds(tmp_path: Path) -> None:
    async def play(seat: Seat) -> None:
        await seat.open("memory/network.md")
        (seat.stage.workspace / "memory" / "network.md").unlink()
        await seat.press("r")
        await seat.until_said("File not found. memory/network.md is not there")

    act(write_notes(stage(tmp_path)), play)


def test_a_changed_file_keeps_its_place_and_says_that_the_index_is_older(tmp_path: Path) -> None:
    made = write_notes(stage(tmp_path))

    async def play(seat: Seat) -> None:
        await seat.open("memory/network.md", 30)
        top = seat.source.scroll_offset.y
        file = made.workspace / "memory" / "network.md"
        file.write_text(file.read_text() + "one more line\n")
        await seat.press("r")
        await seat.until(lambda: len(seat.source.page.document.lines) == 88)
        assert (seat.source.cursor, seat.source.scroll_offset.y) == (30, top)
        seat.shot.must_say("● changed", "Changed on disk; the index has the older text")
        seat.screen.file_tree.focus()
        await seat.press("g")
        seat.shot.must_say("● 1 dirty")

    act(made, play)


def test_hostile_names_are_shown_letter_for_letter(tmp_path: Path) -> None:
    made = stage(tmp_path)
    odd = ["[bold].md", "a [b] (c) #1 & 50%.md", "{.md", "[@click=app.quit]x[", "\x1b[31mred.md"]
    for name in odd:
        made.write(f"memory/{name.removesuffix('.md')}.md", f"# {name}\n\nlast words\n")

    async def play(seat: Seat) -> None:
        seat.shot.must_say("[bold].md", "a [b] (c) #1 & 50%.md", "[@click=app.quit]x[.md")
        seat.shot.must_say("␛[31mred.md")
        await seat.open("memory/\x1b[31mred.md")
        await seat.until_said("memory/␛[31mred.md", "# ␛[31mred.md")

    act(made, play)


def test_a_click_chooses_and_a_second_one_opens(tmp_path: Path) -> None:
    async def play(seat: Seat) -> None:
        await seat.pilot.click("#tree", offset=(6, 3))
        await seat.until(lambda: seat.viewer.path == "memory/network.md")
        assert seat.screen.file_tree.has_focus
        await seat.pilot.click("#tree", offset=(6, 3), times=2)
        await seat.rest()
        assert seat.source.has_focus
        await seat.pilot.click("#tree", offset=(6, 1))
        await seat.rest()
        assert names(seat) == ["MEMORY.md", "memory/"]

    act(write_notes(stage(tmp_path)), play)


def test_the_screen_holds_at_forty_by_twelve_and_through_resizes(tmp_path: Path) -> None:
    async def play(seat: Seat) -> None:
        await seat.press("j", "j", "j", "enter")
        assert not seat.screen.tree_pane.display or seat.screen.tree_pane.size.width == 0
        seat.shot.must_say("Home network")
        for size in ((160, 48), (61, 19), (40, 12), (120, 36)):
            await seat.pilot.resize_terminal(*size)
            await seat.rest()
            assert max(map(len, seat.shot.lines)) <= size[0]
            seat.shot.must_say("network.md")

    act(write_notes(stage(tmp_path)), play, size=(40, 12))
