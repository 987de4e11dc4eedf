"""The later cutting rules step by step, over single characters: slow, plain, independent."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from engine.chunking.chunk import ChunkingRules

_WIDE = (
    (0x2E80, 0x9FFF),
    (0xA000, 0xA4FF),
    (0xAC00, 0xD7AF),
    (0xF900, 0xFAFF),
    (0xFF01, 0xFF60),
    (0xFFE0, 0xFFE6),
)

Piece = tuple[int, str]
"""The 1-based line, and a text of it."""


def units_of(text: str) -> int:
    """UTF-16 units."""
    return len(text.encode("utf-16-le")) // 2


def weight_of(text: str) -> int:
    """The documented weight."""
    return sum(_weight(ord(char)) for char in text)


def _weight(code: int) -> int:
    if 0x20000 <= code <= 0x2FA1F:
        return 4
    wide = any(first <= code <= last for first, last in _WIDE)
    return (1 if code < 0x10000 else 2) + (3 if wide else 0)


def limit_of(rules: ChunkingRules) -> int:
    """The size of a chunk in weight."""
    return max(32, rules.tokens * 4)


def july(text: str, rules: ChunkingRules) -> list[list[Piece]]:
    """Runs of pieces by the rules of July."""
    limit = limit_of(rules)

    def fine(part: str) -> list[str]:
        return _cut(part, rules.tokens, units_of) if weight_of(part) > limit else [part]

    def carried(run: list[Piece], _: int) -> list[Piece]:
        kept: list[Piece] = []
        while len(kept) < len(run) and _cost(kept) < rules.overlap * 4:
            kept.insert(0, run[-1 - len(kept)])
        return kept

    return _runs(_pieces(text, limit, fine), limit, carried)


def september(text: str, rules: ChunkingRules) -> list[list[Piece]]:
    """Runs of pieces by the rules of September, entries and comments apart."""
    limit = limit_of(rules)

    def carried(run: list[Piece], coming: int) -> list[Piece]:
        return _tail(run, min(rules.overlap * 4, limit - coming))

    return _runs(_weighed(text, limit), limit, carried)


def memlens(text: str, rules: ChunkingRules, sections: set[int]) -> list[list[Piece]]:
    """Runs of pieces by our own rules; ``sections`` are the lines with which one begins."""
    limit = limit_of(rules)
    waiting = list(_weighed(text, limit))
    begins = [
        line in sections and (at == 0 or waiting[at - 1][0] != line)
        for at, (line, _) in enumerate(waiting)
    ]
    runs: list[list[Piece]] = []
    carried: list[Piece] = []
    at = 0
    while at < len(waiting):
        end = at + 1
        while end < len(waiting) and _cost(carried + waiting[at : end + 1]) <= limit:
            end += 1
        if end == len(waiting):
            return [*runs, carried + waiting[at:]]
        late = [
            to
            for to in range(at + 1, end + 1)
            if begins[to] and _cost(carried + waiting[at:to]) >= limit - limit // 4
        ]
        run = carried + waiting[at : late[-1] if late else end]
        runs.append(run)
        at = late[-1] if late else end
        window = min(rules.overlap * 4, limit - _cost([waiting[at]]))
        carried = [] if late else _tail(run, window)
    return runs


def _weighed(text: str, limit: int) -> Iterator[Piece]:
    def fine(part: str) -> list[str]:
        return _cut(part, limit, weight_of) if weight_of(part) > limit else [part]

    return _pieces(text, limit, fine)


def _tail(run: list[Piece], window: int) -> list[Piece]:
    kept: list[Piece] = []
    for piece in reversed(run):
        if _cost([piece, *kept]) > window:
            break
        kept.insert(0, piece)
    if kept:
        return kept
    line, tail = run[-1]
    while tail and weight_of(tail) > window - 1:
        tail = tail[1:]
    return [(line, tail)] if tail else []


def told(runs: list[list[Piece]]) -> list[tuple[int, int, str]]:
    """First line, last line and text of every run that says something."""
    joined = [(run[0][0], run[-1][0], "\n".join(text for _, text in run)) for run in runs]
    return [run for run in joined if run[2].strip(_BLANK)]


_BLANK = "\ufeff\t\n\v\f\r \xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(
    map(chr, range(0x2000, 0x200B))
)


def _runs(
    pieces: Iterator[Piece], limit: int, carried: Callable[[list[Piece], int], list[Piece]]
) -> list[list[Piece]]:
    runs: list[list[Piece]] = []
    run: list[Piece] = []
    for piece in pieces:
        if run and _cost([*run, piece]) > limit:
            runs.append(run)
            run = carried(run, _cost([piece]))
        run = [*run, piece]
    return [*runs, run]


def _pieces(text: str, limit: int, fine: Callable[[str], list[str]]) -> Iterator[Piece]:
    for number, line in enumerate(text.split("\n"), start=1):
        for part in _cut(line, limit, units_of):
            for piece in fine(part):
                yield number, piece


def _cut(text: str, limit: int, measure: Callable[[str], int]) -> list[str]:
    parts = [""]
    for char in text:
        if parts[-1] and measure(parts[-1] + char) > limit:
            parts.append("")
        parts[-1] += char
    return parts


def _cost(pieces: list[Piece]) -> int:
    return sum(weight_of(text) + 1 for _, text in pieces)
