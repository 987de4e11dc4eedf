from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from engine.ranking.profiles import TUNED
from engine.retrieval.words import spans, spans_in, word_report
from tests.engine.retrieval.memory import Note, build


def _found(text: str, *terms: str) -> list[tuple[str, str]]:
    return [(text[span.start : span.end], span.word) for span in spans(text, terms)]


def test_stems_accents_and_folded_letters_count_as_the_word() -> None:
    assert _found("Meetings were reviewed.", "meeting", "review") == [
        ("Meetings", "meeting"),
        ("reviewed", "review"),
    ]
    assert _found("Café in Łódź, Straße", "cafe", "Lodz", "strasse") == [
        ("Café", "cafe"),
        ("Łódź", "Lodz"),
        ("Straße", "strasse"),
    ]
    assert _found("cafe\u0301 x", "café") == [("cafe\u0301", "café")]


def test_words_are_set_apart_from_cjk_and_pairs_are_found_inside_runs() -> None:
    assert _found("VLAN三十号路由器", "VLAN", "路由", "由器") == [
        ("VLAN", "VLAN"),
        ("路由", "路由"),
        ("由器", "由器"),
    ]


def test_parts_of_words_do_not_count() -> None:
    assert _found("routers rout vlan30", "vlan") == []
    assert _found("max_retry_count", "retry") == [("retry", "retry")]


@given(st.text(max_size=80), st.lists(st.text(min_size=1, max_size=5), max_size=4))
def test_spans_lie_inside_any_text_in_order(text: str, terms: list[str]) -> None:
    found = spans(text, terms)
    assert all(0 <= span.start < span.end <= len(text) for span in found)
    assert [span.start for span in found] == sorted(span.start for span in found)
    assert all(span.word in terms for span in found)


def test_what_the_keyword_table_matches_is_what_is_marked(tmp_path: Path) -> None:
    notes = [
        Note("memory/a.md", "The budgets of Łódź were raised."),
        Note("memory/b.md", "Meetings about routers, 路由器设置."),
    ]
    memory = build(tmp_path / "i.sqlite", notes)
    pool = memory.pool("budget meeting router lodz 路由器", TUNED)
    told = {c.path: word_report(pool, c) for c in pool.candidates}
    assert told["memory/a.md"].matched == ("budget", "lodz")
    assert told["memory/a.md"].missing == ("meeting", "router", "路由", "由器")
    assert told["memory/b.md"].matched == ("meeting", "router", "路由", "由器")
    assert spans_in(pool, pool.candidates[0]) is spans_in(pool, pool.candidates[0])


@given(
    st.text("abcde ed.Ing_ŁÉ会", max_size=60), st.lists(st.text("abcdeing", min_size=1), max_size=3)
)
def test_ascii_texts_are_read_as_all_others(text: str, terms: list[str]) -> None:
    plain = "".join(char for char in text if char.isascii())
    beside = [span for span in spans(plain + " é", terms) if span.end <= len(plain)]
    assert spans(plain, terms) == beside
