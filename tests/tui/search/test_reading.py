"""Reading results: the cursor, what is below the line, explanation, text, opening a file."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from engine.ranking.pool import CandidatePool
from engine.ranking.settings import RankSettings
from tests.shared import shared
from tests.tui.search.driving import Seat, act
from tests.tui.search.pools import chunk, pool_of
from tests.tui.search.searching import SearchingEngine
from tui.messages import OpenFile

QUERY = "home network setup"


def answering(pool: CandidatePool) -> SearchingEngine:
    def answer(query: str, settings: RankSettings) -> CandidatePool:
        return replace(pool, query=query)

    return SearchingEngine(answer=answer)


def test_the_cursor_moves_and_explanation_and_text_follow(tmp_path: Path) -> None:
    async def play(seat: Seat) -> None:
        await seat.search(QUERY)
        seat.shot.must_say("why #1 memory/2026-02-08.md:12-18", "15 ┃ network setup now has")
        await seat.press("j")
        seat.shot.must_say("why #2 memory/network.md:1-9", "Omada ER605")
        await seat.press("G")
        seat.shot.must_say("why not", "no result: below the minimum")
        await seat.press("g")
        seat.shot.must_say("why #1")

    act(tmp_path, play)


def test_the_cursor_stays_with_its_hit_when_ranks_change(tmp_path: Path) -> None:
    async def play(seat: Seat) -> None:
        await seat.search(QUERY)
        await seat.press("j", "j", "j")
        hit = seat.pane.results.current
        assert hit is not None
        await seat.press("H", "H", "H")
        now = seat.pane.results.current
        assert now is not None and now.candidate.chunk_id == hit.candidate.chunk_id

    act(tmp_path, play)


def test_a_hit_that_falls_below_the_line_does_not_take_the_cursor_along(tmp_path: Path) -> None:
    async def play(seat: Seat) -> None:
        await seat.search(QUERY)
        await seat.press("j", "j", "j")
        fallen = seat.pane.results.current
        assert fallen is not None and fallen.candidate.path == "memory/2025-09-15.md"
        await seat.press("t")
        assert fallen.candidate.path not in seat.paths()
        assert seat.pane.results.cursor == 3
        assert int(seat.pane.results.scroll_offset.y) == 0

    act(tmp_path, play)


def test_enter_on_the_line_lists_all_that_fell_below(tmp_path: Path) -> None:
    many = [chunk(f"memory/{n}.md", "home", 0.3 - n / 100, None) for n in range(20)]
    engine = answering(pool_of("home", [chunk("memory/top.md", "home", 0.9, -2.0), *many]))

    async def play(seat: Seat) -> None:
        await seat.search("home")
        folded = len(seat.pane.results.rows)
        await seat.press("j", "enter")
        assert len(seat.pane.results.rows) == 22
        await seat.press("enter")
        assert len(seat.pane.results.rows) == folded

    act(tmp_path, play, engine)


def test_enter_on_a_hit_opens_its_file_at_the_matching_line(tmp_path: Path) -> None:
    async def play(seat: Seat) -> None:
        await seat.search(QUERY)
        seat.heard.clear()
        await seat.pilot.press("enter")
        await seat.until(lambda: any(isinstance(m, OpenFile) for m in seat.heard))
        opened = next(m for m in seat.heard if isinstance(m, OpenFile))
        assert (opened.path, opened.line, opened.end_line) == ("memory/2026-02-08.md", 15, 18)
        assert opened.query == QUERY

    act(tmp_path, play)


def test_explanation_folds_and_shows_all_digits(tmp_path: Path) -> None:
    async def play(seat: Seat) -> None:
        await seat.search(QUERY)
        seat.shot.must_not_say("match")
        await seat.press("e")
        seat.shot.must_say("bow-static")
        await seat.press("equals_sign")
        hit = seat.pane.results.current
        assert hit is not None
        seat.shot.must_say(repr(hit.score))
        await seat.press("equals_sign", "e")
        seat.shot.must_not_say(repr(hit.score), "match")

    act(tmp_path, play)


def test_c_shows_the_four_numbers_at_80_cells(tmp_path: Path) -> None:
    async def play(seat: Seat) -> None:
        await seat.search(QUERY)
        await seat.press("c")
        seat.shot.must_say("vec  txt decay  mmr", ".812 1.00")
        await seat.press("c")
        seat.shot.must_say("█vec ▓txt ░aged")

    act(tmp_path, play)


def test_the_text_pages_from_the_list_and_f6_goes_round_the_parts(tmp_path: Path) -> None:
    text = "\n".join(f"line {n} of the note" for n in range(60)) + "\nhome"
    engine = answering(pool_of("home", [chunk("memory/long.md", text, 0.9, -2.0, lines=(1, 61))]))

    async def play(seat: Seat) -> None:
        await seat.search("home")
        seat.shot.must_say("61 ┃ home")
        await seat.press("b")
        seat.shot.must_not_say("61 ┃ home")
        await seat.press("f6")
        assert seat.pane.explanation.has_focus
        await seat.press("f6", "g")
        seat.shot.must_say("1 ┃ line 0 of the note")
        await seat.press("f6")
        assert seat.pane.results.has_focus

    act(tmp_path, play, engine)


def test_a_small_terminal_shows_one_part_at_a_time(tmp_path: Path) -> None:
    async def play(seat: Seat) -> None:
        await seat.search(QUERY)
        seat.shot.must_say("2026-02-08.md:12-18")
        seat.shot.must_not_say("why #1")
        await seat.press("f6")
        seat.shot.must_say("why #1", "vector")
        await seat.press("f6")
        seat.shot.must_say("network setup now has")
        await seat.press("f6")
        seat.shot.must_say("2026-02-08.md:12-18")

    act(tmp_path, play, size=(40, 12))


def test_a_click_chooses_and_a_double_click_opens(tmp_path: Path) -> None:
    async def play(seat: Seat) -> None:
        await seat.search(QUERY)
        await seat.pilot.click("#list", offset=(30, 2))
        await seat.rest()
        assert seat.pane.results.cursor == 2
        seat.shot.must_say("why #3")
        await seat.pilot.click("#list", offset=(30, 1), times=2)
        await seat.until(lambda: any(isinstance(m, OpenFile) for m in seat.heard))

    act(tmp_path, play)


def _hostile() -> list[str]:
    found: list[str] = json.loads(shared("cases", "markup-text", "texts.json").read_text("utf-8"))
    return found


def test_markup_in_texts_paths_and_query_stands_letter_for_letter(tmp_path: Path) -> None:
    texts = _hostile()
    found = [chunk(f"memory/{text}.md", f"home {text}", 0.9, -2.0) for text in texts]

    async def play(seat: Seat) -> None:
        for text in texts:
            seat.pane.query_box.value = text
            await seat.pilot.pause()
            seat.shot.must_say(text)
        await seat.search("home")
        for number, text in enumerate(texts):
            seat.pane.results.action_jump(0)
            seat.pane.results.action_step(number)
            await seat.rest()
            shown = seat.shot
            assert any(text in line.split("┃")[-1] for line in shown.lines if "┃" in line), text

    engine = answering(pool_of("home", found))

    async def wide(seat: Seat) -> None:
        seat.lab.move("max-results", 2, True)
        await play(seat)

    act(tmp_path, wide, engine, size=(160, 48))


def test_control_bytes_of_a_note_become_symbols(tmp_path: Path) -> None:
    note = shared("cases", "escape-bytes", "workspace", "memory", "esc.md").read_text("utf-8")
    engine = answering(pool_of("cardamom", [chunk("memory/esc.md", note, 0.9, -2.0)]))

    async def play(seat: Seat) -> None:
        await seat.search("cardamom")
        await seat.press("e", "f6", "f6", "g")
        for strips in (seat.app.screen._compositor.render_strips(),):
            drawn = "".join(segment.text for strip in strips for segment in strip)
        assert not any(ord(c) < 32 or 0x7F <= ord(c) < 0xA0 for c in drawn)
        seat.shot.must_say("␛")

    act(tmp_path, play, engine, size=(120, 36))


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 36), (160, 48)])
def test_wide_and_odd_names_keep_the_columns_straight(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    names = [
        "Зоны и проекты",
        "🐘",
        "°",
        "{",
        "----=-",
        "a [b] (c) #1 & 50%",
        "会议记录二〇二六",
        "👩‍👩‍👧‍👦",
    ]
    found = [
        chunk(f"memory/{name}.md", "路由器 home 👨‍👩‍👧 VLAN", 0.9 - n / 50, -3.0 + n / 9)
        for n, name in enumerate(names)
    ]

    async def play(seat: Seat) -> None:
        seat.lab.move("max-results", 1, True)
        await seat.search("home")
        from rich.cells import cell_len

        lines = [line for line in seat.shot.lines if "memory/" in line and ":1-9" in line]
        assert len({cell_len(line[: line.index("memory/")]) for line in lines[:3]}) == 1
        assert all(cell_len(line) <= size[0] for line in seat.shot.lines)

    act(tmp_path, play, answering(pool_of("home", found)), size=size)
