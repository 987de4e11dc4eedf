"""A picture of a screen: as SVG without anything random, and as plain text read from it."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from typing import Any

from rich.cells import cell_len, set_cell_size
from textual.app import App

_RANDOM_ID = re.compile(r"terminal-\d+-")
_FONTS = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)
_ROW = re.compile(
    r'<text class="[^"]*" x="([\d.]+)" y="[\d.]+" textLength="[\d.]+" '
    r'clip-path="url\(#terminal-line-(\d+)\)">([^<]*)</text>'
)
_CELL_WIDTH = 12.2
"""The width of a cell in the SVG of Rich, in its own units."""


@dataclass(frozen=True, slots=True)
class Shot:
    """What a screen showed: its SVG, and its lines without trailing blanks."""

    svg: str
    lines: tuple[str, ...]

    @property
    def text(self) -> str:
        """All lines, each ended by a newline."""
        return "".join(f"{line}\n" for line in self.lines)

    def must_say(self, *words: str) -> None:
        """Every one of the words stands on the screen (blanks and line ends count alike)."""
        flat = " ".join(self.text.split())
        for word in words:
            assert " ".join(word.split()) in flat, f"{word!r} is not on the screen:\n{self.text}"

    def must_not_say(self, *words: str) -> None:
        """None of the words stands on the screen."""
        flat = " ".join(self.text.split())
        for word in words:
            assert word not in flat, f"{word!r} is on the screen:\n{self.text}"


def take(app: App[Any]) -> Shot:
    """The picture of this moment."""
    svg = _FONTS.sub("", _RANDOM_ID.sub("terminal-", app.export_screenshot(title="memlens")))
    svg = "".join(f"{line.rstrip()}\n" for line in svg.splitlines())
    return Shot(svg, _lines(svg, app.size.height))


def _lines(svg: str, height: int) -> tuple[str, ...]:
    rows = [""] * height
    for x, row, text in _ROW.findall(svg):
        if int(row) < height:
            column = round(float(x) / _CELL_WIDTH)
            shown = html.unescape(text).replace("\xa0", " ")
            rows[int(row)] = set_cell_size(rows[int(row)], column) + shown
    return tuple(row.rstrip() for row in rows)


def widest(shot: Shot) -> int:
    """The cells of the widest line."""
    return max(cell_len(line) for line in shot.lines)
