"""One row of the file tree, in columns that fit the width."""

from __future__ import annotations

from textual.content import Content

from tui.glyphs import Glyphs
from tui.text import assemble, cut_left, pad, width
from tui.widgets.files.tree_rows import FileRow, FolderRow, TreeRow
from tui.wording import count, counted

WORD_CELLS, CHUNK_CELLS, DATE_CELLS = 8, 5, 10
ROOMY, MIDDLE, SPARE = 60, 40, 28
"""Widths from which word, chunks and date all have a column; chunks and one of the two."""
INDENT = 2


def draw_row(row: TreeRow, cells: int, glyphs: Glyphs, under_cursor: bool) -> Content:
    """The row in at most ``cells`` cells; the cursor has a sign too, not only a colour."""
    draw = _folder if isinstance(row, FolderRow) else _file
    sign = glyphs.cursor if under_cursor else " "
    return assemble((sign, ".files--key"), draw(row, cells - 1, glyphs))


def _folder(row: TreeRow, cells: int, glyphs: Glyphs) -> Content:
    assert isinstance(row, FolderRow)
    fold = glyphs.fold_closed if row.folded else glyphs.fold_open
    lead = f"{' ' * (INDENT * row.depth)}{fold} "
    dirty = f"{glyphs.dirty} {row.dirty} dirty  " if row.dirty else ""
    note = counted(row.files, "file")
    name = row.path.rsplit("/", 1)[-1] + "/"
    room = cells - width(lead) - width(dirty) - width(note) - 2
    if room < 8:
        return assemble(lead, (cut_left(name, max(1, cells - width(lead))), ".files--folder"))
    return assemble(
        (lead, ".files--muted"),
        (pad(name, room, ellipsis=glyphs.ellipsis), ".files--folder"),
        " ",
        (dirty, ".files--dirty"),
        (note, ".files--muted"),
    )


def _file(row: TreeRow, cells: int, glyphs: Glyphs) -> Content:
    assert isinstance(row, FileRow)
    facts = row.facts
    lead = " " * (INDENT * row.depth)
    tail = _columns(row, cells, glyphs)
    tail_cells = sum(width(text) for text, _ in tail)
    room = max(4, cells - width(lead) - tail_cells - 3)
    name = cut_left(row.name, room, glyphs.ellipsis)
    blanks = " " * max(0, room - width(name))
    plain = "" if facts.state.state != "skipped" else ".files--muted"
    return assemble(lead, (facts.sign(glyphs), facts.ink), " ", (name, plain), blanks, *tail)


def _columns(row: FileRow, cells: int, glyphs: Glyphs) -> list[tuple[str, str]]:
    facts = row.facts
    word = (f"  {pad(facts.word, WORD_CELLS)}", facts.ink)
    chunks = count(facts.state.chunks) if facts.state.state not in ("skipped", "new") else ""
    number = (f" {pad(chunks, CHUNK_CELLS, 'right')}", ".files--muted")
    date = (f"  {pad(facts.date, DATE_CELLS)}", ".files--muted")
    if cells >= ROOMY:
        return [word, number, date]
    calm = facts.state.state == "indexed"
    if cells >= MIDDLE:
        return [number, date if calm else (f"  {pad(facts.word, DATE_CELLS)}", facts.ink)]
    if cells >= SPARE:
        return [number if calm else word]
    return []


def draw_header(cells: int, glyphs: Glyphs) -> Content:
    """The names of the columns."""
    tail = f" {pad('chunks', CHUNK_CELLS + 1, 'right')}  {pad('ages from', DATE_CELLS)}"
    if cells >= ROOMY:
        tail = f"  {pad('state', WORD_CELLS)}{tail}"
    if cells < MIDDLE:
        return assemble("")
    room = max(4, cells - width(tail))
    return assemble(
        ("   " + pad("file", room - 3, ellipsis=glyphs.ellipsis) + tail, ".files--muted")
    )
