from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.ranking.profiles import MARCH, PROFILES, TUNED
from engine.retrieval.query import MOST_TERMS, and_match, or_match, query_terms
from tests.engine.retrieval.memory import Memory, Note, build
from tests.fakes.bow192 import bow_192


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    folder = tmp_path_factory.mktemp("index")
    notes = [Note("memory/a.md", "Router VLAN 30 in Łódź, 路由器 setup"), Note("memory/b.md", "x")]
    built = build(folder / "index.sqlite", notes, bow_192)
    yield built
    built.store.close()


def test_the_originals_join_every_word_with_and() -> None:
    assert and_match("router VLAN_30, Łódź?") == '"router" AND "VLAN_30" AND "Łódź"'
    assert and_match('"--" ()') is None


def test_stop_words_are_left_out_and_named() -> None:
    terms = query_terms("Why did the router lose its settings?")
    assert terms.words == ("router", "lose", "settings")
    assert terms.dropped == ("Why", "did", "the", "its")
    assert or_match(terms) == 'body : ("router" OR "lose" OR "settings")'


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("wo ist der Router", ("Router",)),
        ("gdzie jest klucz do piwnicy", ("klucz", "piwnicy")),
        ("var är nyckeln till källaren", ("nyckeln", "källaren")),
        ("dónde está la llave del sótano", ("llave", "sótano")),
        ("onde está a chave da garagem", ("chave", "garagem")),
        ("où est la clé de la cave", ("clé", "cave")),
        ("die cast car", ("die", "cast", "car")),
        ("the war room", ("war", "room")),
    ],
)
def test_stop_words_of_another_language_apply_only_to_its_queries(
    query: str, words: tuple[str, ...]
) -> None:
    assert query_terms(query).words == words


def test_a_query_of_stop_words_only_uses_them_all() -> None:
    assert query_terms("to be or not to be").words == ("to", "be", "or", "not")
    assert query_terms("AND").words == ("AND",)


def test_a_glued_token_is_asked_as_a_phrase_too() -> None:
    assert or_match(query_terms("gpt-4.1")) == 'body : ("gpt" OR "gpt 4 1")'
    assert query_terms("MAX_RETRY_COUNT").phrases == (("MAX", "RETRY", "COUNT"),)
    assert query_terms("don't restart").words == ("restart",)
    assert query_terms("C++").words == ("C",)


def test_cjk_is_asked_in_pairs_apart_from_other_words() -> None:
    terms = query_terms("我们的路由器VLAN")
    assert terms.words == ("VLAN",)
    assert terms.pairs == ("们的", "的路", "路由", "由器")
    assert or_match(query_terms("机")) == 'cjk : ("机" *)'


def test_letters_are_folded_as_the_table_folds_them() -> None:
    assert query_terms("Łódź straße").words == ("Lódź", "strasse")
    assert query_terms("cafe\u0301").words == ("café",)


def test_a_pasted_page_is_cut_to_a_sane_number_of_terms() -> None:
    page = " ".join(f"word{n} a.b{n} " for n in range(5000))
    terms = query_terms(page)
    assert len(terms.words) == len(terms.phrases) == MOST_TERMS


HOSTILE = st.text(
    st.sampled_from("\"'*^:(){}[]-+!?&|\\/.,;\0 \n\tANDORNEAR机会🚀é\ud800\udc00_1")
    | st.characters(),
    max_size=60,
)


@given(HOSTILE)
@settings(
    max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_any_text_is_a_query(memory: Memory, query: str) -> None:
    without = Memory(memory.store, None)
    for recipe in PROFILES.values():
        for asked in (memory, without):
            pool = asked.pool(query, recipe)
            assert [leg.error for leg in pool.legs if leg.error] == []
            assert asked.search(query, recipe).settings == recipe


@pytest.mark.parametrize("repeat", [200, 3000])
def test_very_long_queries_answer(memory: Memory, repeat: int, tmp_path: Path) -> None:
    for query in ("router " * repeat, " ".join(f"w{n}" for n in range(repeat)), "机器" * repeat):
        for recipe in (TUNED, MARCH):
            assert not [leg.error for leg in memory.pool(query, recipe).legs if leg.error]
