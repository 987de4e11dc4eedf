"""A row of the result list as one line of cells."""

from __future__ import annotations

from dataclasses import dataclass

from textual.content import Content

from engine.ranking.candidate import Candidate
from engine.ranking.decay import DAY_MS, age_of
from engine.ranking.settings import DecaySettings
from engine.ranking.trace import Lost, Ranked
from tui.glyphs import Glyphs
from tui.text import ELLIPSIS, assemble, cut, cut_left, line, pad, width
from tui.widgets.search.changes import Change
from tui.widgets.search.columns import NUMBER_COLUMNS, Columns
from tui.widgets.search.excerpts import Excerpts
from tui.widgets.search.fitting import cut_words
from tui.widgets.search.numbers import age, count, score
from tui.widgets.search.rows import CutRow, HitRow, LostRow, MoreRow, RemarkRow, Row
from tui.widgets.search.score_bar import bar, shares_of

Piece = str | Content | tuple[str, str]
_CHANGE_INKS = {
    "up": ".search--rise",
    "down": ".search--fall",
    "new": ".search--fresh",
    "same": ".search--muted",
    "none": ".search--muted",
}


@dataclass(frozen=True, slots=True)
class RowDrawing:
    """Everything but the row that its line depends on.

    ``decay`` says by which date a file is as old as shown; ``scale`` is the score of a
    full bar.
    """

    columns: Columns
    glyphs: Glyphs
    excerpts: Excerpts
    now_ms: float
    decay: DecaySettings | None = None
    scale: float = 1.0

    def draw(self, row: Row, under_cursor: bool) -> Content:
        """The line of a row, in as many cells as the columns have."""
        cursor, room = self.glyphs.cursor if under_cursor else " ", self.columns.total - 1
        if isinstance(row, HitRow):
            return assemble(cursor, *self._hit(row))
        if isinstance(row, LostRow):
            return assemble(cursor, *self._lost(row))
        if isinstance(row, RemarkRow):
            return assemble(cursor, (cut(f" {row.told}", room), ".search--warning"))
        return assemble(cursor, *self._about_many(row, room))

    def _hit(self, row: HitRow) -> list[Piece]:
        pieces: list[Piece] = [
            (f"{row.rank:>2} ", ".search--number"),
            self._change(row.change),
            (f" {score(row.hit.score):>5} ", ".search--number"),
        ]
        pieces += self._measures(row.hit)
        pieces += self._place(row.hit.candidate, ".search--muted" if row.weak else "bold")
        if self.columns.text:
            pieces += [" ", self._excerpt(row.hit.candidate)]
        return pieces

    def _lost(self, row: LostRow) -> list[Piece]:
        before = f"{self.glyphs.down}{row.rank_before}" if row.rank_before else ""
        pieces: list[Piece] = [
            (f" {self.glyphs.dot} ", ".search--muted"),
            (f"{before:<3}", ".search--fall"),
            (f" {_scored(row.hit, self.glyphs.dash):>5} ", ".search--muted"),
        ]
        pieces += self._measures(row.hit)
        pieces += self._place(row.hit.candidate, ".search--muted")
        if self.columns.text:
            pieces.append(
                (
                    " " + _reason(row.outcome, self.columns.text, self.glyphs.ellipsis),
                    ".search--muted",
                )
            )
        return pieces

    def _excerpt(self, candidate: Candidate) -> Content:
        return self.excerpts.of(candidate, self.columns.text, self.glyphs.ellipsis)

    def _change(self, change: Change) -> Piece:
        return f"{change.sign(self.glyphs):<3}", _CHANGE_INKS[change.kind]

    def _measures(self, hit: Ranked) -> list[Piece]:
        columns = self.columns
        pieces: list[Piece] = []
        if columns.bar:
            pieces += [*bar(shares_of(hit), columns.bar, self.glyphs, self.scale), " "]
        if columns.numbers:
            aged = hit.decay if hit.trace.step("decay") else None
            values = (hit.vector_score, hit.text_score, aged, hit.mmr_score)
            for (_, cells), value in zip(NUMBER_COLUMNS, values, strict=True):
                pieces.append(f"{score(value, self.glyphs.dash):>{cells}}")
            pieces.append(" ")
        return pieces

    def _place(self, candidate: Candidate, ink: str) -> list[Piece]:
        columns = self.columns
        where = where_of(candidate, columns.where, self.glyphs.ellipsis)
        pieces: list[Piece] = [(pad(where, columns.where), ink)]
        if columns.age:
            told = self._age(candidate)
            pieces.append((f" {told:>{columns.age - 2}} ", ".search--muted"))
        return pieces

    def _about_many(self, row: CutRow | MoreRow, room: int) -> list[Piece]:
        if isinstance(row, MoreRow):
            told = f" {self.glyphs.dot} {count(row.hidden, 'more candidate')} - enter lists them"
            return [(cut(told, room), ".search--muted")]
        counts = row.told.replace("·", self.glyphs.dot)
        told = f"below the line: {counts}"
        if width(told) > room - 4:
            told = f"below: {counts}"
        told = cut_words(told, room - 4, self.glyphs.ellipsis)
        rule = self.glyphs.rule
        return [
            (rule * 2, ".search--rule"),
            f" {told} ",
            (rule * (room - 4 - width(told)), ".search--rule"),
        ]

    def _age(self, candidate: Candidate) -> str:
        """By the date that decay would go by, or else by the file's time."""
        days = None
        if self.decay is not None:
            own = candidate.path, candidate.source, candidate.mtime_ms
            days = age_of(*own, self.decay, self.now_ms).days
        if days is not None:
            return age(self.now_ms - days * DAY_MS, self.now_ms)
        return (
            self.glyphs.dash if candidate.mtime_ms is None else age(candidate.mtime_ms, self.now_ms)
        )


def _reason(outcome: Lost, cells: int, ellipsis: str) -> str:
    """Why a candidate is no result; where the sentence does not fit, the stage and by how much."""
    if width(outcome.reason) <= cells:
        return line(outcome.reason)
    margin = outcome.margin
    places = f"{count(round(margin), 'place')} short"
    brief = {
        "cut": f"{score(margin)} below min",
        "mmr": f"MMR took {score(margin)}",
        "limit": places,
        "pool": f"pool: {places}",
    }
    return cut_words(brief.get(outcome.stage, outcome.reason), cells, ellipsis)


def _scored(hit: Ranked, missing: str) -> str:
    """The score, or the sign for one that never got that far."""
    scored = any(step.after is not None for step in hit.trace.steps)
    return score(hit.score if scored else None, missing)


def where_of(candidate: Candidate, cells: int, ellipsis: str = ELLIPSIS) -> str:
    """``path:12-31`` in at most that many cells; the lines stay whole, folders go first."""
    lines = f":{candidate.start_line}-{candidate.end_line}"
    room = cells - width(lines)
    path = line(candidate.path)
    folders = path.split("/")
    while width(path) > room and len(folders) > 1:
        folders.pop(0)
        path = "/".join([ellipsis, *folders])
    return cut_left(path, room, ellipsis) + lines
