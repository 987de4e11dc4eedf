"""The common case, without splitting: every character one UTF-16 unit, no line too long."""

from __future__ import annotations

from engine.chunking.segments import Cut


def cut_lines(text: str, limit: int, overlap: int) -> list[Cut] | None:
    """The same cuts as those of segments, found by searching for line feeds.

    The caller vouches that every character costs one, so that offsets are costs.
    None when a line is longer than ``limit`` and has to be sliced.
    """
    ended = text + "\n"
    cuts: list[Cut] = []
    first = end = 0
    line = 1
    while end < len(ended):
        fitting = ended.rfind("\n", end, first + limit) + 1
        if not fitting:
            fitting = ended.find("\n", end) + 1
            if fitting - end > limit + 1:
                return None
        end = fitting
        last = line + ended.count("\n", first, end) - 1
        cuts.append(Cut(ended[first : end - 1], line, last))
        kept = max(first, ended.rfind("\n", first, max(first, end - overlap)) + 1)
        line += ended.count("\n", first, kept)
        first = kept
    return cuts
