"""Which columns a list of results has, and how wide each is."""

from __future__ import annotations

from dataclasses import dataclass

NUMBER_COLUMNS = (("vec", 5), ("txt", 5), ("decay", 6), ("mmr", 5))
WIDE = 110
_HEAD = 14
"""Cursor, rank, change and score with their gaps: 1 + 2 + 1 + 3 + 1 + 5 + 1."""
_AGE = 6
_LEAST_TEXT = 12
_LEAST_FOR_NUMBERS = 60
_LEAST_FOR_AGE = 56


@dataclass(frozen=True, slots=True)
class Columns:
    """Cells of the columns that vary; ``numbers`` adds the four scores.

    A width of 0 leaves a column out. ``where`` is the path with its lines.
    """

    total: int
    bar: int
    numbers: bool
    where: int
    text: int

    @property
    def age(self) -> int:
        """Cells of the age, with its gap; 0 where there is no room for it."""
        return _AGE if self.where and self.total >= _LEAST_FOR_AGE else 0


def columns_for(width: int, numbers: bool) -> Columns:
    """The columns for a list of that width; with room enough both bar and numbers stand.

    Where numbers would leave no room for the place, they are left out though asked for.
    """
    wide = width >= WIDE
    numbers = wide or (numbers and width >= _LEAST_FOR_NUMBERS)
    bar = 0 if numbers and not wide else max(6, min(16, (width - 36) // 5 + 2))
    if width < 50 and not numbers:
        bar = 0
    cells = sum(size for _, size in NUMBER_COLUMNS) if numbers else 0
    rest = width - _HEAD - (bar + 1 if bar else 0) - cells - (1 if cells else 0)
    age = _AGE if width >= _LEAST_FOR_AGE else 0
    rest = max(0, rest - age)
    where = max(28, min(44, rest * 3 // 7))
    text = rest - where - 1
    return Columns(width, bar, numbers, *((where, text) if text >= _LEAST_TEXT else (rest, 0)))
