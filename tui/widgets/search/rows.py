"""What a list of results is made of: hits, the cut line, and what fell below it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.ranking.trace import Lost, Ranked, Ranking
from tui.widgets.search.changes import Change, Ranks, change_of
from tui.widgets.search.numbers import short

LOST_AT_FIRST = 5


@dataclass(frozen=True, slots=True)
class RemarkRow:
    """A sentence in place of results, or above results that are not to be trusted."""

    told: str


@dataclass(frozen=True, slots=True)
class HitRow:
    """A result, with its 1-based rank; ``weak`` when nothing seems relevant."""

    hit: Ranked
    rank: int
    change: Change
    weak: bool = False


@dataclass(frozen=True, slots=True)
class CutRow:
    """The line between results and the rest; ``told`` says what cut how many."""

    told: str
    lost: int


@dataclass(frozen=True, slots=True)
class LostRow:
    """A candidate that is no result; ``rank_before`` if it was one in the baseline."""

    hit: Ranked
    outcome: Lost
    rank_before: int | None


@dataclass(frozen=True, slots=True)
class MoreRow:
    """Stands for lost candidates that are not listed."""

    hidden: int


Row = RemarkRow | HitRow | CutRow | LostRow | MoreRow


def rows_of(ranking: Ranking, baseline: Ranks | None, unfolded: bool) -> tuple[Row, ...]:
    """All rows of a list; unfolded, every lost candidate has one."""
    lost = _losses(ranking.lost)
    rows: list[Row] = list(_remarks(ranking))
    rows += [
        HitRow(hit, place, change_of(hit.candidate.chunk_id, place, baseline), ranking.weak)
        for place, hit in enumerate(ranking.kept, 1)
    ]
    if not lost:
        return tuple(rows)
    rows.append(CutRow(_told(lost, ranking), len(lost)))
    shown = lost if unfolded else lost[:LOST_AT_FIRST]
    before = baseline or {}
    rows += [LostRow(hit, out, before.get(hit.candidate.chunk_id)) for hit, out in shown]
    if len(shown) < len(lost):
        rows.append(MoreRow(len(lost) - len(shown)))
    return tuple(rows)


def chunk_of(row: Row) -> str | None:
    """The chunk a row is about, None for a row that is about several."""
    return row.hit.candidate.chunk_id if isinstance(row, HitRow | LostRow) else None


def first_hit(rows: Sequence[Row]) -> int:
    """The first row with a hit, 0 without any."""
    return next((number for number, row in enumerate(rows) if chunk_of(row)), 0)


def _remarks(ranking: Ranking) -> Iterator[RemarkRow]:
    if ranking.kept and ranking.weak:
        yield RemarkRow("weak hits: nothing seems relevant, these are only the least far")
    elif not ranking.kept and ranking.lost:
        yield RemarkRow("no result: every candidate fell below the line")
    elif not ranking.kept:
        yield RemarkRow("nothing found: no leg gave a candidate")


def _losses(lost: Sequence[Ranked]) -> list[tuple[Ranked, Lost]]:
    return [(hit, hit.trace.outcome) for hit in lost if isinstance(hit.trace.outcome, Lost)]


def _told(lost: Sequence[tuple[Ranked, Lost]], ranking: Ranking) -> str:
    numbers: Counter[str] = Counter(outcome.stage for _, outcome in lost)
    told = {
        "cut": f"min {short(ranking.cut)} cut",
        "mmr": "MMR dropped",
        "limit": f"beyond top {ranking.settings.max_results}:",
        "pool": "beyond the pool:",
    }
    known = [f"{words} {numbers.pop(stage)}" for stage, words in told.items() if numbers[stage]]
    rest = [f"{stage} {number}" for stage, number in numbers.items() if number]
    return " · ".join(known + rest)
