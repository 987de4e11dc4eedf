"""Chunks that never exceed their size: what is carried over leaves room for what is new."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from engine.chunking.segments import Cut, Segments
from engine.chunking.slicing import end_of
from engine.chunking.weight import weight


@dataclass(frozen=True, slots=True)
class _Piece:
    """A segment, or the end of one."""

    text: str
    line: int
    cost: int


def cut_bounded(segments: Segments, limit: int, overlap: int) -> Iterator[Cut]:
    """All chunks as runs of segments, joined by line feeds, each of at most ``limit``.

    Segments of more than ``limit`` are chunks of their own. Sizes are weights.
    """
    chunk: list[_Piece] = []
    size = 0
    for piece in _pieces(segments):
        if chunk and size + piece.cost > limit:
            yield _joined(chunk)
            chunk = _carried(chunk, min(overlap, limit - piece.cost))
            size = sum(kept.cost for kept in chunk)
        chunk.append(piece)
        size += piece.cost
    if chunk:
        yield _joined(chunk)


def _carried(chunk: Sequence[_Piece], window: int) -> list[_Piece]:
    """The last pieces that fit into the window, else the end of the last one that does."""
    kept = 0
    for piece in reversed(chunk):
        if piece.cost > window:
            break
        window -= piece.cost
        kept += 1
    if kept:
        return list(chunk[-kept:])
    end = end_of(chunk[-1].text, window - 1) if window > 1 else ""
    return [_Piece(end, chunk[-1].line, weight(end) + 1)] if end else []


def _pieces(segments: Segments) -> Iterator[_Piece]:
    for text, line, (before, after) in zip(
        segments.texts, segments.lines, pairwise(segments.costs), strict=True
    ):
        yield _Piece(text, line, after - before)


def _joined(chunk: Sequence[_Piece]) -> Cut:
    return Cut("\n".join(piece.text for piece in chunk), chunk[0].line, chunk[-1].line)
