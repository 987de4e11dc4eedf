"""The piece of a chunk that a result shows: its head, or a window around the best match."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.ranking.graphemes import boundary_at_or_before

SNIPPET_UNITS = 700
"""Longest snippet in UTF-16 code units, as documented."""
MOST_WINDOWS = 64
"""Windows that are compared; a chunk with more matches is all about the query anyway."""


@dataclass(frozen=True, slots=True)
class Span:
    """Where a word of the query stands in a text; offsets in characters."""

    start: int
    end: int
    word: str


@dataclass(frozen=True, slots=True)
class Snippet:
    """A piece of a chunk and the lines of the file that it covers (1-based, inclusive).

    ``hit_line`` is the line of the match that it shows, the first line without any.
    """

    text: str
    start_line: int
    end_line: int
    hit_line: int


def head(text: str, units: int = SNIPPET_UNITS) -> str:
    """The first ``units`` UTF-16 code units, never half of a surrogate pair."""
    return text[: _end_within(text, 0, units)]


def head_snippet(text: str, start_line: int) -> Snippet:
    """The head of a chunk that begins at ``start_line``."""
    return _snippet(text, 0, len(head(text)), start_line, start_line)


def window_snippet(text: str, start_line: int, spans: Sequence[Span]) -> Snippet:
    """The window that holds the most different words of the query, then the most hits.

    It begins at a line if the match allows, and never cuts a grapheme.
    """
    start, first = 0, None
    if spans and _end_within(text, 0, SNIPPET_UNITS) < len(text):
        start, first = _best_window(text, spans)
    end = _end_within(text, start, SNIPPET_UNITS)
    whole = boundary_at_or_before(text, end)
    end = whole if whole > start else end
    first = first or next((span for span in spans if span.end <= end), None)
    hit_line = start_line + text.count("\n", 0, first.start) if first else start_line
    return _snippet(text, start, end, start_line, hit_line)


def _best_window(text: str, spans: Sequence[Span]) -> tuple[int, Span]:
    """Start and match of the best window; the earliest of equals."""
    last_full = _last_full(text)
    firsts: dict[int, int] = {}
    for at, span in enumerate(spans):
        firsts.setdefault(_window_start(text, span.start, last_full), at)
    best, best_worth = (0, spans[0]), (0, 0)
    for start, at in list(firsts.items())[:MOST_WINDOWS]:
        end = _end_within(text, start, SNIPPET_UNITS)
        inside = [span.word for span in spans[at:] if span.end <= end]
        worth = (len(set(inside)), len(inside))
        if worth > best_worth:
            best, best_worth = (start, spans[at]), worth
    return best


def _window_start(text: str, hit: int, last_full: int) -> int:
    """The start of the hit's line, or a quarter window before a hit deep in a long line.

    Near the end of the text it moves back, so that the window is full.
    """
    line = text.rfind("\n", 0, hit) + 1
    start = line if hit - line <= SNIPPET_UNITS // 2 else hit - SNIPPET_UNITS // 4
    if start > last_full:
        start = text.find("\n", last_full - 1, start) + 1 or last_full
    return boundary_at_or_before(text, start)


def _last_full(text: str) -> int:
    """The start of the last full window: what follows has at most its units."""
    start = max(0, len(text) - SNIPPET_UNITS)
    spare = SNIPPET_UNITS - _units(text[start:])
    while spare < 0:
        spare += 2 if text[start] > "\uffff" else 1
        start += 1
    return start


def _units(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def _snippet(text: str, start: int, end: int, start_line: int, hit_line: int) -> Snippet:
    piece = text[start:end]
    first = start_line + text.count("\n", 0, start)
    return Snippet(piece, first, first + piece.rstrip("\n").count("\n"), hit_line)


def _end_within(text: str, start: int, units: int) -> int:
    """The end of the longest piece from ``start`` of at most ``units`` UTF-16 units."""
    piece = text[start : start + units]
    if _units(piece) <= units:
        return start + len(piece)
    used = 0
    for at, char in enumerate(piece):
        used += 2 if char > "\uffff" else 1
        if used > units:
            return start + at
    return start + len(piece)
