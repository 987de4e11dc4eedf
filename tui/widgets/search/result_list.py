"""The list of results with the cut line and what fell below it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message

from engine.ranking.trace import Ranked, Ranking
from tui.glyphs import UNICODE, glyphs_of
from tui.widgets.line_view import LineView
from tui.widgets.search.changes import Ranks
from tui.widgets.search.columns import Columns, columns_for
from tui.widgets.search.excerpts import Excerpts
from tui.widgets.search.row_content import RowDrawing
from tui.widgets.search.rows import (
    CutRow,
    HitRow,
    LostRow,
    MoreRow,
    Row,
    chunk_of,
    first_hit,
    rows_of,
)


@dataclass(frozen=True, slots=True)
class Place:
    """Where the cursor is: its row, the chunk there, and whether that is below the line."""

    row: int
    chunk_id: str | None
    lost: bool


def _key(keys: str, action: str, name: str, does: str) -> Binding:
    words = name.replace("_", " ")
    return Binding(keys, action, words, show=False, id=f"search.{name}", tooltip=does)


class ResultList(LineView):
    """Rows of a ranking under one cursor, which stays with its hit when ranks change."""

    BINDINGS: ClassVar[list[BindingType]] = [
        _key("down,j", "step(1)", "next", "Go to the next hit."),
        _key("up,k", "step(-1)", "previous", "Go to the previous hit."),
        _key("home,g", "jump(0)", "first", "Go to the first hit."),
        _key("end,G", "jump(-1)", "last", "Go to the last row."),
        _key("ctrl+d,pagedown", "page(1)", "page_down", "Go down by the height of the list."),
        _key("ctrl+u,pageup", "page(-1)", "page_up", "Go up by the height of the list."),
        Binding(
            "enter",
            "take",
            "open",
            id="search.open",
            tooltip="Open the file of the hit at its line; on the cut line list what fell below.",
        ),
    ]

    class Chosen(Message):
        """The cursor is on another hit, or (None) on a row that is no hit."""

        def __init__(self, hit: Ranked | None) -> None:
            super().__init__()
            self.hit = hit

    class Opened(Message):
        """A hit was asked for with enter or a double click."""

        def __init__(self, hit: Ranked) -> None:
            super().__init__()
            self.hit = hit

    class Rebuilt(Message):
        """Columns have changed; the line above the list must follow."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.rows: tuple[Row, ...] = ()
        self.cursor = 0
        self.unfolded = False
        self.numbers = False
        self._ranking: Ranking | None = None
        self._baseline: Ranks | None = None
        self._drawing = RowDrawing(columns_for(80, False), UNICODE, Excerpts(), 0.0)
        self._told: str | None = None

    @property
    def columns(self) -> Columns:
        """The columns in use."""
        return self._drawing.columns

    @property
    def current(self) -> Ranked | None:
        """The hit under the cursor, a result or a lost one."""
        row = self.rows[self.cursor] if self.cursor < len(self.rows) else None
        return row.hit if isinstance(row, HitRow | LostRow) else None

    @property
    def line_count(self) -> int:
        """One line a row."""
        return len(self.rows)

    def line(self, number: int, under_cursor: bool) -> Content:
        """The line of a row."""
        return self._drawing.draw(self.rows[number], under_cursor)

    def has_cursor(self, number: int) -> bool:
        """True for the row under the cursor."""
        return number == self.cursor

    def show(
        self,
        ranking: Ranking | None,
        baseline: Ranks | None,
        terms: tuple[str, ...],
        now_ms: float,
        *,
        afresh: bool,
    ) -> None:
        """Show a ranking; ``afresh`` puts the cursor on the first hit and folds the lost ones.

        Posts no Chosen: whoever shows a ranking also looks at ``current``.
        """
        self._ranking, self._baseline = ranking, baseline
        same = terms == self._drawing.excerpts.terms and not afresh
        self._drawing = replace(
            self._drawing,
            excerpts=self._drawing.excerpts if same else Excerpts(terms),
            now_ms=now_ms,
            decay=ranking.settings.decay if ranking else None,
            scale=_scale(ranking),
            glyphs=glyphs_of(self),
        )
        if afresh:
            self.unfolded = False
        self._fill(None if afresh else self._place_of_cursor())

    def show_numbers(self, numbers: bool) -> None:
        """Show the four numbers in place of the bar where there is no room for both."""
        self.numbers = numbers
        self.lines_changed()

    def lines_changed(self) -> None:
        """Fit the columns to the width and draw anew."""
        columns = columns_for(self.text_width, self.numbers)
        if columns != self._drawing.columns:
            self._drawing = replace(self._drawing, columns=columns)
            self.post_message(self.Rebuilt())
        super().lines_changed()

    def action_step(self, rows: int) -> None:
        """Move the cursor by rows."""
        self._move(self.cursor + rows)

    def action_jump(self, row: int) -> None:
        """Move the cursor to the first (0) or last (-1) row."""
        self._move(0 if row == 0 else len(self.rows) - 1)

    def action_page(self, pages: int) -> None:
        """Move the cursor by the height of the list."""
        self._move(self.cursor + pages * max(1, self.size.height - 1))

    def action_take(self) -> None:
        """Open the hit under the cursor, or unfold and fold what is below the line."""
        row = self.rows[self.cursor] if self.cursor < len(self.rows) else None
        if isinstance(row, HitRow | LostRow):
            self.post_message(self.Opened(row.hit))
        elif isinstance(row, CutRow | MoreRow):
            self.unfolded = not self.unfolded
            self._fill(self._place_of_cursor())
            self.post_message(self.Chosen(self.current))

    def on_click(self, event: events.Click) -> None:
        """A click puts the cursor there; on the line it unfolds, twice on a hit it opens it."""
        number = event.y + int(self.scroll_offset.y)
        if number >= len(self.rows):
            return
        self._move(number)
        if event.chain == 2 or isinstance(self.rows[number], CutRow | MoreRow):
            self.action_take()

    def _place_of_cursor(self) -> Place:
        row = self.rows[self.cursor] if self.cursor < len(self.rows) else None
        return Place(self.cursor, chunk_of(row) if row else None, isinstance(row, LostRow))

    def _fill(self, place: Place | None) -> None:
        rows = (
            () if self._ranking is None else rows_of(self._ranking, self._baseline, self.unfolded)
        )
        self.rows = rows
        self.cursor = first_hit(rows) if place is None else _found(rows, place)
        self.lines_changed()
        self._in_view()

    def _move(self, row: int) -> None:
        row = max(0, min(row, len(self.rows) - 1))
        if row == self.cursor:
            return
        self.cursor = row
        self.refresh()
        self._in_view()
        self.post_message(self.Chosen(self.current))

    def _in_view(self) -> None:
        top, height = int(self.scroll_offset.y), self.size.height
        if self.cursor < top:
            self.scroll_to(y=self.cursor, animate=False, force=True)
        elif height and self.cursor >= top + height:
            self.scroll_to(y=self.cursor - height + 1, animate=False, force=True)


def _found(rows: tuple[Row, ...], place: Place) -> int:
    """The row of the same chunk; the same row if that is gone or fell below the line.

    So the eye stays at the top of the list, where the person was looking.
    """
    for number, row in enumerate(rows):
        same = place.chunk_id is not None and chunk_of(row) == place.chunk_id
        if same and (isinstance(row, HitRow) or place.lost):
            return number
    return max(0, min(place.row, len(rows) - 1))


def _scale(ranking: Ranking | None) -> float:
    """The score of a full bar: 1, but the best score where scores are not shares of 1."""
    if ranking is None or ranking.settings.fusion == "weighted":
        return 1.0
    return max((hit.score / max(hit.decay, 1e-9) for hit in ranking.kept), default=1.0)
