"""The result list as lines of cells: what each says, and that it fits."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from engine.ranking.candidate import Candidate
from engine.ranking.profiles import PROFILES
from engine.ranking.trace import Ranking
from tests.shared import shared
from tests.tui.search.pools import NOW_MS, chunk, home_network, pool_of, ranked
from tui.glyphs import ASCII, UNICODE, Glyphs
from tui.widgets.search.columns import columns_for
from tui.widgets.search.excerpts import Excerpts
from tui.widgets.search.list_header import header
from tui.widgets.search.row_content import RowDrawing, where_of
from tui.widgets.search.rows import (
    LOST_AT_FIRST,
    CutRow,
    HitRow,
    LostRow,
    MoreRow,
    RemarkRow,
    rows_of,
)

TUNED = PROFILES["tuned"]
SMALL = replace(TUNED, max_results=2, candidate_multiplier=2)


def drawing(width: int, *, numbers: bool = False, glyphs: Glyphs = UNICODE) -> RowDrawing:
    return RowDrawing(columns_for(width, numbers), glyphs, Excerpts(("home", "network")), NOW_MS)


def lines(
    ranking: Ranking, width: int, *, numbers: bool = False, unfolded: bool = True
) -> list[str]:
    drawn = drawing(width, numbers=numbers)
    return [drawn.draw(row, False).plain for row in rows_of(ranking, None, unfolded)]


def test_a_row_says_rank_score_bar_place_age_and_matching_text() -> None:
    first = lines(ranked(home_network()), 80)[0]
    assert first.split()[:2] == ["1", ".868"]
    assert "█" in first and "▓" in first
    assert "memory/2026-02-08.md:12-18" in first
    assert " 2d " in first
    assert first.endswith("Configured the Omad…")


def test_from_120_cells_on_the_four_numbers_stand_beside_the_bar() -> None:
    aged = replace(TUNED, mmr=replace(TUNED.mmr, enabled=True))
    ranking = ranked(home_network(), aged)
    first = lines(ranking, 120)[0]
    hit = ranking.kept[0]
    assert hit.mmr_score is not None
    assert ".812 1.00     — " + f"{hit.mmr_score:.3f}".lstrip("0") in first
    assert "█" in first
    assert "vec  txt decay  mmr" in header(columns_for(120, False), UNICODE).plain


def test_at_80_cells_the_numbers_take_the_place_of_the_bar() -> None:
    first = lines(ranked(home_network()), 80, numbers=True)[0]
    assert ".812 1.00     —    —" in first
    assert "█" not in first
    assert "vec  txt decay  mmr" in header(columns_for(80, True), UNICODE).plain


def test_the_header_says_what_the_signs_of_the_bar_mean() -> None:
    for width in (80, 120, 160):
        assert "█vec ▓txt ░aged" in header(columns_for(width, False), UNICODE).plain
    assert "#vec =txt .aged" in header(columns_for(80, False), ASCII).plain


def test_the_cut_line_counts_what_fell_at_each_stage() -> None:
    rows = rows_of(ranked(home_network(), SMALL), None, False)
    cuts = [row for row in rows if isinstance(row, CutRow)]
    assert [row.told for row in cuts] == ["beyond top 2: 3 · beyond the pool: 5"]
    cut = rows_of(ranked(home_network()), None, False)[6]
    assert isinstance(cut, CutRow)
    assert cut.told == "min .31 cut 3 · beyond top 6: 1"


def test_folded_the_nearest_losers_show_and_the_rest_is_counted() -> None:
    ranking = ranked(home_network(), SMALL)
    folded = rows_of(ranking, None, False)
    assert sum(isinstance(row, LostRow) for row in folded) == LOST_AT_FIRST
    more = folded[-1]
    assert isinstance(more, MoreRow)
    assert more.hidden == len(ranking.lost) - LOST_AT_FIRST
    unfolded = rows_of(ranking, None, True)
    assert sum(isinstance(row, LostRow) for row in unfolded) == len(ranking.lost)


def test_a_lost_row_says_why_and_by_how_much() -> None:
    told = " ".join(lines(ranked(home_network()), 160))
    assert "below the minimum .310 by .030" in told
    assert "1 place short of the 6 results" in told


def test_at_80_cells_a_lost_row_still_says_by_how_much() -> None:
    told = [line[60:].strip() for line in lines(ranked(home_network()), 80)[7:]]
    assert told[:2] == ["1 place short", ".030 below min"]


def test_who_never_got_a_score_shows_none() -> None:
    outside = lines(ranked(home_network(), SMALL), 120)[-1]
    assert " — " in outside[:15]
    assert "outside the pool" in outside


def test_a_former_result_below_the_line_tells_its_rank() -> None:
    ranking = ranked(home_network())
    gone = ranking.lost[0].candidate.chunk_id
    row = next(row for row in rows_of(ranking, {gone: 4}, False) if isinstance(row, LostRow))
    assert "▼4" in drawing(80).draw(row, False).plain


def test_a_relaxed_exact_hit_is_a_result_and_the_bread_note_is_counted() -> None:
    pool = pool_of(
        "ZX-8841-QP router",
        [
            chunk("memory/ids.md", "ZX-8841-QP router", 0.0, -3.0),
            chunk("memory/bread.md", "x", 0.34, None),
        ],
    )
    rows = rows_of(ranked(pool), None, False)
    assert isinstance(rows[0], HitRow)
    assert rows[0].hit.candidate.path == "memory/ids.md"
    assert any("min .31 cut 1" in row.told for row in rows if isinstance(row, CutRow))


def test_weak_hits_stand_under_a_remark() -> None:
    pool = pool_of("zxqv unrelated", [chunk("memory/a.md", "butter", 0.36, None)])
    low = replace(TUNED, cut=replace(TUNED.cut, min_score=0.1))
    rows = rows_of(ranked(pool, low), None, False)
    assert isinstance(rows[0], RemarkRow)
    assert "nothing seems relevant" in rows[0].told
    assert isinstance(rows[1], HitRow) and rows[1].weak


def test_without_results_the_first_row_says_so() -> None:
    strict = replace(TUNED, cut=replace(TUNED.cut, min_score=1.0, relaxation="none"))
    first = rows_of(
        ranked(pool_of("x", [chunk("memory/a.md", "x", 0.4, -1.0)]), strict), None, False
    )[0]
    assert isinstance(first, RemarkRow) and "below the line" in first.told
    nothing = rows_of(ranked(pool_of("x", [])), None, False)
    assert isinstance(nothing[0], RemarkRow) and "nothing found" in nothing[0].told
    assert len(nothing) == 1


def test_the_lines_of_a_place_stay_whole_and_folders_go_first() -> None:
    deep = replace(
        chunk("memory/projects/2025/garden/2026-02-10.md", "x", 0.5, None),
        start_line=1002,
        end_line=1031,
    )
    assert where_of(deep, 60) == "memory/projects/2025/garden/2026-02-10.md:1002-1031"
    assert where_of(deep, 34) == "…/garden/2026-02-10.md:1002-1031"
    assert where_of(deep, 24) == "…26-02-10.md:1002-1031"[-24:] or where_of(deep, 24).endswith(
        ":1002-1031"
    )


ANY_TEXT = st.text(max_size=200)
HARD = st.sampled_from(
    ["会议记录", "👩‍👩‍👧‍👦 family", "\x1b]0;title\x07", "[bold]x[/]", "é" * 40, "🐘", ""]
)


@settings(max_examples=150, deadline=None)
@given(
    path=st.one_of(ANY_TEXT, HARD).map(lambda text: f"memory/{text}.md"),
    text=st.one_of(ANY_TEXT, HARD),
    width=st.integers(40, 200),
    numbers=st.booleans(),
)
def test_every_row_of_any_text_takes_exactly_its_cells(
    path: str, text: str, width: int, numbers: bool
) -> None:
    hostile = [chunk(path, text, 0.8, -2.0), chunk(path + "2", text, 0.1, None)]
    ranking = ranked(pool_of("home network", hostile))
    for line in lines(ranking, width, numbers=numbers):
        assert cell_len(line) <= width
        assert "\n" not in line and "\x1b" not in line and "\x9b" not in line
    assert cell_len(header(columns_for(width, numbers), UNICODE).plain) == width


@settings(max_examples=60, deadline=None)
@given(width=st.integers(40, 200), numbers=st.booleans(), lines_to=st.integers(10, 99_999))
def test_no_number_of_a_row_is_cut(width: int, numbers: bool, lines_to: int) -> None:
    long = chunk("memory/a-rather-long-name-of-a-note.md", "x", 0.812, -2.0, lines=(7, lines_to))
    row = lines(ranked(pool_of("home", [long])), width, numbers=numbers)[0]
    assert f":7-{lines_to}" in row
    assert ".868" in row


def _texts() -> list[str]:
    import json

    found: list[str] = json.loads(shared("cases", "markup-text", "texts.json").read_text("utf-8"))
    return found


def test_texts_that_look_like_markup_stand_letter_for_letter() -> None:
    for text in _texts():
        found: Candidate = chunk(f"memory/{text}.md", text, 0.8, None)
        row = drawing(200).draw(rows_of(ranked(pool_of("home", [found])), None, False)[0], False)
        assert text in row.plain.replace("memory/", "", 1)
        inks = {str(span.style) for span in row.spans}
        assert all(ink.startswith(".search--") or ink in ("", "bold") for ink in inks)


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII], ids=lambda g: g.name)
def test_the_cursor_has_a_sign(glyphs: Glyphs) -> None:
    row = rows_of(ranked(home_network()), None, False)[0]
    assert drawing(80, glyphs=glyphs).draw(row, True).plain.startswith(glyphs.cursor)
    assert drawing(80, glyphs=glyphs).draw(row, False).plain.startswith(" ")
