"""The remarks above the results."""

from __future__ import annotations

from dataclasses import replace

from engine.errors import SearchUnavailableError
from engine.ranking.pool import LegInfo
from engine.status import FallbackState, IdentityState
from tests.screens.scripted import CLEAN, dirty_file
from tests.tui.search.pools import chunk, home_network, pool_of, ranked
from tui.widgets.search.notices import Standing, count_told, notices

NO_PROVIDER = replace(
    CLEAN,
    search_mode="keyword",
    provider=replace(
        CLEAN.provider, provider="none", requested="none", reason="provider is set to none"
    ),
)


def standing(**changes: object) -> Standing:
    pool = home_network()
    made = Standing(pool, ranked(pool), CLEAN)
    return replace(made, **changes)  # type: ignore[arg-type]


def test_nothing_to_say_says_nothing() -> None:
    assert notices(standing()) == ()


def test_keyword_only_says_why() -> None:
    pool = home_network(mode="keyword")
    told = notices(standing(pool=pool, ranking=ranked(pool), status=NO_PROVIDER))
    assert told == ("Keyword only: by choice. provider is set to none",)


def test_what_the_pool_says_of_missing_vectors_is_said_once() -> None:
    pool = replace(home_network(mode="keyword"), notices=("Keywords only, as configured.",))
    told = notices(standing(pool=pool, ranking=ranked(pool), status=NO_PROVIDER))
    assert told == ("Keywords only, as configured.",)


def test_files_that_the_index_lacks_are_counted() -> None:
    behind = replace(CLEAN, dirty=(dirty_file("memory/a.md"), dirty_file("memory/b.md")))
    assert "behind 2 files" in notices(standing(status=behind))[0]


def test_an_index_of_another_configuration_says_what_differs() -> None:
    other = replace(CLEAN, identity=IdentityState("mismatched", ("model a, now b",)))
    assert "(model a, now b)" in notices(standing(status=other))[0]


def test_a_fallback_names_both_and_the_reason() -> None:
    fallback = FallbackState("openai", "builtin", "HTTP 429", 0.0)
    status = replace(CLEAN, provider=replace(CLEAN.provider, fallback=fallback))
    assert notices(standing(status=status)) == ("builtin answers instead of openai: HTTP 429",)


def test_a_changed_index_asks_to_run_again() -> None:
    assert "r runs it again" in notices(standing(outdated=True))[0]


def test_no_keyword_and_weak_similarity_are_said() -> None:
    pool = pool_of("zxqv", [chunk("memory/a.md", "butter", 0.36, None)])
    told = notices(standing(pool=pool, ranking=ranked(pool)))
    assert "no keyword matched" in told[0]
    assert "weak" in told[0]


def test_a_failed_leg_is_named() -> None:
    pool = home_network()
    pool = replace(pool, legs=(*pool.legs[:1], LegInfo("or", '"x"', 0, "no such table")))
    assert "Leg or: no such table" in notices(standing(pool=pool, ranking=ranked(pool)))


def test_an_error_is_told_with_what_to_do_and_alone() -> None:
    error = SearchUnavailableError("Search unavailable", "The provider failed.", "Set a fallback.")
    told = notices(standing(error=error, outdated=True))
    assert told == ("Search unavailable: The provider failed. Set a fallback.",)


def test_the_count_says_results_candidates_and_time() -> None:
    assert count_told(standing()) == "6 of 10 candidates · 2 ms"
    told = count_told(standing(), roomy=True)
    assert told == "6 of 10 candidates · 2 ms: vector 1 · keyword 1"
    assert count_told(standing(pool=None, ranking=None)) == ""
