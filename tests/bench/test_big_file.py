"""A big file on the Files screen, as generous bounds of CPU time that hold on slow machines."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from tui.glyphs import UNICODE
from tui.widgets.files.chunk_map import ChunkMap
from tui.widgets.files.document import Document
from tui.widgets.files.page import Page
from tui.widgets.files.row_map import RowMap

WIDTH = 80
TEXTS = {
    "notes": "".join(
        f"## Part {n}\n\n" + f"- `item` **{n}**: some words on one thing and another\n" * 9
        for n in range(2_000)
    ),
    "one line": "word and more " * 75_000,
    "chinese": ("这是一个很长的中文段落，" * 9 + "\n") * 3_000,
}


def cpu_s(act: Callable[[], object]) -> float:
    """The least CPU time of three runs, in seconds."""
    times = []
    for _ in range(3):
        began = time.process_time()
        act()
        times.append(time.process_time() - began)
    return min(times)


def first_screen(text: str) -> None:
    """Everything between the text and a full view of rows."""
    document = Document.of("memory/big.md", text)
    rows = RowMap.of(document, ChunkMap(), WIDTH)
    page = Page(document, ChunkMap(), rows, UNICODE)
    for number in range(min(50, len(rows))):
        page.draw(rows.row(number), WIDTH + page.gutter_cells)


@pytest.mark.bench
@pytest.mark.parametrize("name", list(TEXTS))
def test_a_megabyte_is_ready_within_the_time_that_a_person_waits(name: str) -> None:
    text = TEXTS[name]
    assert len(text.encode()) > 900_000
    assert cpu_s(lambda: first_screen(text)) < 0.3


@pytest.mark.bench
def test_a_row_far_down_costs_no_more_than_one_on_top() -> None:
    document = Document.of("memory/big.md", TEXTS["notes"])
    rows = RowMap.of(document, ChunkMap(), WIDTH)
    page = Page(document, ChunkMap(), rows, UNICODE)

    def draw(first: int) -> float:
        def act() -> None:
            page.forget()
            for number in range(first, first + 200):
                page.draw(rows.row(number), WIDTH)

        return cpu_s(act)

    assert draw(len(rows) - 300) < 3 * draw(0)
