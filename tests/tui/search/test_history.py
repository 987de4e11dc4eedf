"""The queries of a session."""

from __future__ import annotations

from tui.widgets.search.history import MOST, QueryHistory


def history(*queries: str) -> QueryHistory:
    made = QueryHistory()
    for query in queries:
        made.remember(query)
    return made


def test_up_goes_back_and_down_returns_to_what_was_typed() -> None:
    past = history("router", "vlan")
    assert past.older("typing") == "vlan"
    assert past.older("vlan") == "router"
    assert past.older("router") == "router"
    assert past.newer("router") == "vlan"
    assert past.newer("vlan") == "typing"
    assert past.newer("typing") == "typing"


def test_the_query_just_searched_is_not_offered_again() -> None:
    past = history("router", "vlan")
    assert past.older("vlan") == "router"


def test_blank_queries_are_not_remembered_and_repeated_ones_once() -> None:
    past = history("router", "  ", "vlan", "router ")
    assert past.queries == ["vlan", "router"]


def test_an_empty_history_leaves_the_box_alone() -> None:
    past = history()
    assert past.older("x") == "x"
    assert past.newer("x") == "x"


def test_the_oldest_go_first() -> None:
    past = history(*(str(number) for number in range(MOST + 5)))
    assert len(past.queries) == MOST
    assert past.queries[0] == "5"
