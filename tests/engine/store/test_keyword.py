"""The two keyword tables."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.errors import StoreError
from engine.store.cjk import cjk_runs
from engine.store.folding import fold
from tests.engine.store.desk import Desk, cut, file_row, identity, look_inside, publish, texts_found
from tests.shared import shared

TEXTS = [
    "the router lost its settings",
    "settings settings settings of the router",
    "a walk in the park",
    "routers are walking",
]


def test_best_first_by_bm25_with_the_raw_numbers_of_fts5(desk: Desk) -> None:
    store = desk.open()
    publish(store, {f"{at}.md": [text] for at, text in enumerate(TEXTS)})

    hits = store.reader.keyword("documented", '"settings" OR "park"', 10)

    connection = look_inside(desk.path)
    expected = connection.execute(
        "select rowid, rank from documented_g1 where documented_g1 match ? order by rank",
        ('"settings" OR "park"',),
    ).fetchall()
    assert [(hit.rowid, hit.bm25) for hit in hits] == expected
    assert all(hit.bm25 < 0 for hit in hits)
    assert hits[:1] == store.reader.keyword("documented", '"settings" OR "park"', 1)
    connection.close()


def test_stems_belong_to_the_tuned_table_only(desk: Desk) -> None:
    store = desk.open()
    publish(store, {"a.md": TEXTS})

    assert sorted(texts_found(store, '"router"')) == sorted([TEXTS[0], TEXTS[1], TEXTS[3]])
    assert sorted(texts_found(store, '"router"', "documented")) == sorted(TEXTS[:2])


def test_the_trigram_tokenizer_finds_parts_of_words(desk: Desk) -> None:
    store = desk.open()
    publish(store, {"a.md": TEXTS}, wanted=identity(tokenizer="trigram"))

    assert sorted(texts_found(store, '"outer"', "documented")) == sorted(
        [TEXTS[0], TEXTS[1], TEXTS[3]]
    )
    assert store.fts_state().tokenizer == "trigram"


def test_a_source_limits_the_search_before_the_limit_counts(desk: Desk) -> None:
    store = desk.open()
    with store.build(identity()) as build:
        with build.batch() as writer:
            for at in range(5):
                writer.upsert(file_row(f"m{at}.md", "memory"), cut("apples apples"))
            writer.upsert(file_row("s.md", "sessions"), cut("one of many apples lying here"))
        build.publish()

    [hit] = store.reader.keyword("tuned", '"apples"', 1, "sessions")
    assert store.reader.rows([hit.rowid])[hit.rowid].source == "sessions"
    assert len(store.reader.keyword("tuned", '"apples"', 9, "memory")) == 5
    assert store.reader.keyword("tuned", '"apples"', 9, "nowhere") == []


def test_completion_gives_the_same_numbers(desk: Desk) -> None:
    store = desk.open()
    publish(store, {"a.md": TEXTS})
    match = '"router" OR "walk"'
    hits = {hit.rowid: hit.bm25 for hit in store.reader.keyword("tuned", match, 10)}

    assert store.reader.keyword_scores("tuned", match, [1, 2, 3, 4, 99]) == hits
    some = store.reader.keyword_scores("tuned", match, [3])
    assert some == {3: hits[3]}
    assert store.reader.keyword_scores("tuned", match, []) == {}


@pytest.mark.parametrize("match", ['"', "a AND", "NEAR(", "nobody : x", "*", "", '"a" "', "(", "-"])
def test_what_fts5_cannot_parse_is_said_in_our_words(desk: Desk, match: str) -> None:
    store = desk.open()
    publish(store, {"a.md": TEXTS})
    for table in ("documented", "tuned"):
        with pytest.raises(StoreError) as caught:
            store.reader.keyword("tuned" if table == "tuned" else "documented", match, 5)
        assert table in caught.value.message
        assert "fts5" not in str(caught.value).lower()
        assert "syntax" not in str(caught.value).lower()


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(match=st.text(alphabet='"abc* ()^:+-{}\x00é漢ANDORTNE', max_size=15))
def test_any_match_string_answers_or_is_refused(desk: Desk, match: str) -> None:
    store = desk.opened[0] if desk.opened else desk.open()
    if store.identity() is None:
        publish(store, {"a.md": TEXTS})
    try:
        hits = store.reader.keyword("tuned", match, 5)
    except StoreError as error:
        assert error.hint
    else:
        assert len(hits) <= 5


def test_an_index_without_generation_finds_nothing(desk: Desk) -> None:
    store = desk.open()
    assert store.reader.keyword("tuned", '"a"', 5) == []
    assert store.reader.keyword_scores("tuned", '"a"', [1]) == {}


NOTES = {
    "pl.md": "Spotkanie w Łodzi: zażółć gęślą jaźń. Łódź w maju.",
    "de.md": "Die Straße ist naß, Größe 12",
    "tr.md": "ılık çay, İstanbul",
    "sv.md": "Möte i Göteborg om färg",
    "da.md": "Smørrebrød på Ærø",
    "hr.md": "Đorđe čeka",
    "is.md": "Þórður",
    "nfd.md": "nai\u0308ve cafe\u0301",
}


@pytest.mark.parametrize(
    ("query", "path"),
    [
        ("łódź", "pl.md"), ("ŁÓDŹ", "pl.md"), ("lodz", "pl.md"), ("LODZ", "pl.md"),
        ("zazolc", "pl.md"), ("straße", "de.md"), ("strasse", "de.md"), ("STRASSE", "de.md"),
        ("STRAẞE", "de.md"), ("nass", "de.md"), ("grosse", "de.md"), ("ilik", "tr.md"),
        ("ılık", "tr.md"), ("istanbul", "tr.md"), ("İSTANBUL", "tr.md"), ("goteborg", "sv.md"),
        ("smorrebrod", "da.md"), ("aero", "da.md"), ("ærø", "da.md"), ("dorde", "hr.md"),
        ("Đorđe", "hr.md"), ("thordur", "is.md"), ("café", "nfd.md"), ("cafe\u0301", "nfd.md"),
        ("naive", "nfd.md"),
    ],
)  # fmt: skip
def test_letters_are_folded_as_a_reader_expects(desk: Desk, query: str, path: str) -> None:
    store = desk.open()
    publish(store, {name: [text] for name, text in NOTES.items()})

    assert texts_found(store, f'"{fold(query)}"') == [NOTES[path]]
    assert [chunk.text for chunk in store.reader.chunks(path)] == [NOTES[path]], "text stays"


def test_the_documented_table_folds_marks_but_not_strokes(desk: Desk) -> None:
    """Case "diacritics": what the original does."""
    workspace = shared("cases", "diacritics", "workspace", "memory")
    queries = json.loads(shared("cases", "diacritics", "queries.json").read_text("utf-8"))
    store = desk.open()
    publish(store, {f"memory/{p.name}": [p.read_text("utf-8")] for p in workspace.iterdir()})

    assert _found_by(store, queries, "documented") == [sorted(case["paths"]) for case in queries]
    tuned = {case["q"]: case["paths"] for case in queries}
    tuned["lodz"], tuned["strasse"] = ["memory/pl.md"], ["memory/de.md"]
    assert _found_by(store, queries, "tuned") == [sorted(tuned[case["q"]]) for case in queries]


def test_words_inside_cjk_runs_are_found_by_pairs(desk: Desk) -> None:
    """Case "cjk-substring", in the tuned table whatever the configured tokenizer is."""
    workspace = shared("cases", "cjk-substring", "workspace", "memory")
    queries = json.loads(shared("cases", "cjk-substring", "queries.json").read_text("utf-8"))
    store = desk.open()
    publish(store, {f"memory/{p.name}": [p.read_text("utf-8")] for p in workspace.iterdir()})

    for case in queries:
        pairs = [run[at : at + 2] for run in cjk_runs(case["q"]) for at in range(len(run) - 1)]
        match = " OR ".join(f'cjk : "{pair}"' for pair in pairs) or f'body : "{fold(case["q"])}"'
        hits = store.reader.keyword("tuned", match, 5)
        rows = store.reader.rows([hit.rowid for hit in hits])
        assert case["path"] in [rows[hit.rowid].path for hit in hits], case
    assert store.reader.keyword("tuned", 'cjk : "机场"', 5) == []


def test_a_run_as_a_whole_is_found_only_where_it_stands(desk: Desk) -> None:
    store = desk.open()
    publish(store, {"a.md": ["浏览器控制面板", "控制浏览器", "浏览 器控制"]})

    assert texts_found(store, 'cjk : "浏览 览器 器控 控制"') == ["浏览器控制面板"]


def test_one_character_is_found_anywhere_in_a_run(desk: Desk) -> None:
    store = desk.open()
    publish(store, {"a.md": ["手机配置", "路由器", "机场"]})

    assert sorted(texts_found(store, 'cjk : "机" *')) == sorted(["手机配置", "机场"])
    assert texts_found(store, 'cjk : "器" *') == ["路由器"]


def test_latin_words_glued_to_cjk_are_found(desk: Desk) -> None:
    store = desk.open()
    publish(store, {"a.md": ["在VLAN三十号上"]})
    assert texts_found(store, '"vlan"') == ["在VLAN三十号上"]


def _found_by(store: Any, queries: list[dict[str, Any]], table: str) -> list[list[str]]:
    found = []
    for case in queries:
        query = fold(case["q"]) if table == "tuned" else case["q"]
        hits = store.reader.keyword(table, f'"{query}"', 9)
        rows = store.reader.rows([hit.rowid for hit in hits])
        found.append(sorted(row.path for row in rows.values()))
    return found
