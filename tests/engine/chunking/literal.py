"""The documented chunking rules, step by step as they are written: slow, plain, independent."""

from __future__ import annotations

import re
from hashlib import sha256

from engine.chunking.chunk import Chunk, ChunkingRules

Segment = tuple[int, bytes]
"""The 1-based line, and the UTF-16-LE code units."""


def literal_chunks(text: str, rules: ChunkingRules) -> list[Chunk]:
    """Steps 1 to 8 of the description, over code units in bytes."""
    limit = max(32, rules.tokens * 4)
    out: list[Chunk] = []
    current: list[Segment] = []
    size = 0
    for piece in _segments(text, limit):
        cost = _units(piece) + 1
        if size + cost > limit and current:
            _flush(current, out)
            current = _carried(current, rules.overlap * 4)
            size = sum(_units(kept) + 1 for kept in current)
        current.append(piece)
        size += cost
    _flush(current, out)
    return out


def _segments(text: str, limit: int) -> list[Segment]:
    found: list[Segment] = []
    for number, line in enumerate(text.split("\n"), start=1):
        units = line.encode("utf-16-le", "surrogatepass")
        found += [(number, units[at : at + 2 * limit]) for at in range(0, len(units), 2 * limit)]
        if not units:
            found.append((number, b""))
    return found


def _units(piece: Segment) -> int:
    return len(piece[1]) // 2


def _carried(current: list[Segment], target: int) -> list[Segment]:
    kept: list[Segment] = []
    total = 0
    for piece in reversed(current):
        if total >= target:
            break
        kept.insert(0, piece)
        total += _units(piece) + 1
    return kept


def _flush(current: list[Segment], out: list[Chunk]) -> None:
    joined = "\n".join(_stored(units) for _, units in current)
    if not re.fullmatch(
        r"[\t\n\v\f\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]*", joined
    ):
        for piece in _within(joined, 8000):
            digest = sha256(piece.encode()).hexdigest()
            units = len(piece.encode("utf-16-le")) // 2
            out.append(Chunk(len(out), current[0][0], current[-1][0], piece, digest, units))


def _stored(units: bytes) -> str:
    text = units.decode("utf-16-le", "surrogatepass")
    return "".join("\ufffd" if "\ud800" <= char <= "\udfff" else char for char in text)


def _within(text: str, limit: int) -> list[str]:
    pieces = [""]
    used = 0
    for char in text:
        cost = len(char.encode())
        if used + cost > limit:
            pieces.append("")
            used = 0
        pieces[-1] += char
        used += cost
    return pieces
