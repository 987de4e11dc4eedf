"""What the source view shows at a moment, and how one of its rows is drawn."""

from __future__ import annotations

from dataclasses import dataclass, field

from textual.content import Content

from engine.retrieval.words import spans
from tui.glyphs import Glyphs
from tui.text import assemble, cut
from tui.widgets.files.chunk_map import ChunkMap, ChunkMark
from tui.widgets.files.document import LONG, Document, Match, needle_pattern
from tui.widgets.files.markdown_marks import inks
from tui.widgets.files.row_map import Row, RowMap
from tui.widgets.files.signs import gutter_signs

AROUND = 400
"""Characters before and after a piece of a long line that are coloured along with it."""
HIT_WORD = "bold underline on $hit-background"
FOUND = "reverse"
FOUND_NOW = "reverse bold underline"
SIGN_CELLS = 1
FEWEST_CELLS = 8
"""Text is never wrapped to fewer cells than this; what is wider is cut."""
SHORT_HASH = 8


@dataclass(slots=True)
class Page:
    """A document with its chunks, rows and everything that is marked in it.

    ``terms`` are words of a query, ``hit`` the chunk that was found with it; ``needle``
    is what is searched in the file and ``now`` the place where the search stands.
    ``selected`` are 1-based lines, ``shift`` cells cut off on the left.
    """

    document: Document
    chunks: ChunkMap
    rows: RowMap
    glyphs: Glyphs
    terms: tuple[str, ...] = ()
    hit: ChunkMark | None = None
    needle: str = ""
    now: Match | None = None
    cursor: int = 0
    selected: tuple[int, int] | None = None
    shift: int = 0
    _whole: dict[int, Content] = field(default_factory=dict)

    @property
    def number_cells(self) -> int:
        """Cells of the line numbers."""
        return max(3, len(str(len(self.document.lines))))

    @property
    def gutter_cells(self) -> int:
        """Cells before the text."""
        return gutter_cells(self.document)

    def forget(self) -> None:
        """Marks have changed: colour lines anew."""
        self._whole.clear()

    def marked(self, line: int) -> bool:
        """True for the line under the cursor and for selected ones (0-based)."""
        chosen = self.selected
        return line == self.cursor or (chosen is not None and chosen[0] <= line + 1 <= chosen[1])

    def draw(self, row: Row, cells: int) -> Content:
        """A row in at most ``cells`` cells, but for blanks at its end."""
        if row.border:
            return self._border(row.border, cells)
        return assemble(*self._gutter(row), *self._text(row, cells - self.gutter_cells))

    def _gutter(self, row: Row) -> list[tuple[str, str]]:
        signs, number = gutter_signs(self.glyphs), row.line + 1
        held = self.chunks.covering(number)
        sign = signs.chunk if held else " "
        if len(held) > 1:
            sign = signs.overlap
        in_hit = self.hit is not None and self.hit.first <= number <= self.hit.last
        if in_hit and len(held) == 1:
            sign = signs.hit
        label = str(number) if row.first else ""
        chosen, here = self.selected, " "
        if row.line == self.cursor and row.first:
            here = self.glyphs.cursor
        elif chosen is not None and chosen[0] <= number <= chosen[1]:
            here = self.glyphs.bar
        return [
            (here, ".files--key"),
            (f"{label:>{self.number_cells}} ", ".files--muted"),
            (f"{sign} ", ".files--hit" if in_hit else ".files--border"),
        ]

    def _text(self, row: Row, cells: int) -> list[Content | tuple[str, str]]:
        cell_line = self.document.cell_line(row.line)
        if self.rows.cells is not None:
            end = row.end if row.end >= 0 else len(cell_line.shown)
            return [self._piece(row.line, row.start, end)]
        signs = gutter_signs(self.glyphs)
        left = SIGN_CELLS if self.shift else 0
        start, end = cell_line.window(self.shift + left, max(1, cells - left - SIGN_CELLS))
        if cell_line.cells <= self.shift + cells:
            end = len(cell_line.shown)
        pieces: list[Content | tuple[str, str]] = [self._piece(row.line, start, end)]
        if self.shift and cell_line.shown:
            blanks = cell_line.cell_of(start) - self.shift - left if start < end else 0
            pieces.insert(0, (signs.cut_left + " " * max(0, blanks), ".files--muted"))
        if end < len(cell_line.shown):
            pieces.append((signs.cut_right, ".files--muted"))
        return pieces

    def _piece(self, line: int, start: int, end: int) -> Content:
        shown = self.document.cell_line(line).shown
        if len(shown) > LONG:
            begin = max(0, start - AROUND)
            return self._coloured(line, shown[begin : end + AROUND])[start - begin : end - begin]
        whole = self._whole.get(line)
        if whole is None:
            whole = self._whole[line] = self._coloured(line, shown)
        return whole[start:end] if start or end < len(shown) else whole

    def _coloured(self, line: int, shown: str) -> Content:
        content = assemble(shown)
        for ink in inks(shown, fenced=bool(self.document.fenced[line])):
            content = content.stylize(ink.style, ink.start, ink.end)
        if self.terms:
            for span in spans(shown, self.terms):
                content = content.stylize(HIT_WORD, span.start, span.end)
        return self._with_found(content, line, shown) if self.needle else content

    def _with_found(self, content: Content, line: int, shown: str) -> Content:
        style = FOUND_NOW if self.now is not None and self.now.line == line else FOUND
        for found in needle_pattern(self.needle).finditer(shown):
            content = content.stylize(style, found.start(), found.end())
        return content

    def _border(self, marks: tuple[ChunkMark, ...], cells: int) -> Content:
        glyphs, first = self.glyphs, marks[0]
        corner = glyphs.corner if first.number == 1 else glyphs.branch
        lead = " " * (1 + self.number_cells + 1) + f"{corner}{glyphs.rule} "
        style = ".files--hit" if self.hit in marks else ".files--border"
        words = cut(self._border_words(marks), max(1, cells - len(lead) - 1), glyphs.ellipsis)
        rule = glyphs.rule * max(0, cells - len(lead) - len(words) - 1)
        return assemble((lead, style), (words, style), " ", (rule, ".files--border"))

    def _border_words(self, marks: tuple[ChunkMark, ...]) -> str:
        dot, first = self.glyphs.dot, marks[0]
        if len(marks) > 1:
            tokens = sum(mark.tokens for mark in marks)
            span = f"chunks {first.number}-{marks[-1].number}/{len(self.chunks)}"
            return f"{span} {dot} from line {first.first} on {dot} ~{tokens} tokens"
        parts = [f"chunk {first.number}/{len(self.chunks)}", f"L{first.first}-{first.last}"]
        if first == self.hit:
            parts.insert(1, "the hit")
        if not first.current:
            parts.append("older text")
        shared = self.chunks.overlap(first)
        if shared is not None:
            parts.append(f"shares L{shared[0]}-{shared[1]}")
        parts += [f"~{first.tokens} tokens", first.hash[:SHORT_HASH]]
        return f" {dot} ".join(parts)


def text_cells(document: Document, width: int, wraps: bool) -> int | None:
    """Cells for the text of a line in a view of this width; None where nothing wraps."""
    return max(FEWEST_CELLS, width - gutter_cells(document)) if wraps else None


def gutter_cells(document: Document) -> int:
    """Cells before the text of each line: cursor, number, chunk sign and the gaps."""
    return 1 + max(3, len(str(len(document.lines)))) + 1 + 2
