"""The explanation: every number can be read back and computed again."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from math import exp, log

from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from engine.ranking.profiles import PROFILES
from engine.ranking.settings import RankSettings
from engine.ranking.trace import Ranked, Ranking
from tests.tui.search.pools import home_network, ranked
from tui.glyphs import ASCII, UNICODE
from tui.widgets.search.explain import Node, explain
from tui.widgets.search.tree_lines import tree_lines

TUNED = PROFILES["tuned"]
EVERYTHING = replace(
    TUNED, decay=replace(TUNED.decay, enabled=True), mmr=replace(TUNED.mmr, enabled=True)
)


def tree(hit: Ranked, ranking: Ranking, *, brief: bool = False, digits: bool = False) -> Node:
    return explain(hit, ranking, home_network(), brief=brief, all_digits=digits)


def branch(node: Node, name: str) -> Node:
    return next(child for child in node.children if child.name == name)


def number(node: Node, name: str) -> float:
    return float(branch(node, name).told)


def every(node: Node) -> Iterator[Node]:
    yield node
    for child in node.children:
        yield from every(child)


def test_the_numbers_shown_compute_to_the_score_shown_to_the_last_digit() -> None:
    ranking = ranked(home_network(), EVERYTHING)
    for hit in (*ranking.kept, *ranking.lost):
        shown = tree(hit, ranking, digits=True)
        blend, aged = branch(shown, "blend"), branch(shown, "age")
        total = number(blend, "vector part") + number(blend, "text part")
        assert total == float(blend.value)
        days = branch(aged, "age days").told
        factor = (
            1.0 if days == "none" else exp(-log(2) / number(aged, "half life days") * float(days))
        )
        assert factor == number(aged, "factor")
        assert float(blend.value) * factor == float(aged.value)
        assert float(shown.value) == float(aged.value) == hit.score


def test_the_parts_of_the_blend_are_weight_times_score() -> None:
    ranking = ranked(home_network())
    shown = tree(ranking.kept[0], ranking, digits=True)
    blend = branch(shown, "blend")
    assert number(blend, "vector weight") * float(branch(shown, "vector").value) == number(
        blend, "vector part"
    )
    assert number(blend, "text weight") * float(branch(shown, "text").value) == number(
        blend, "text part"
    )


def test_each_stage_has_a_branch_with_its_sentence() -> None:
    ranking = ranked(home_network(), EVERYTHING)
    shown = tree(ranking.kept[0], ranking)
    assert [child.name for child in shown.children] == [
        "vector",
        "text",
        "blend",
        "age",
        "mmr",
        "min",
        "top",
    ]
    assert shown.told.startswith("result 1 of ")
    assert "half-life of 30" in branch(shown, "age").told
    assert "pick 1" in branch(shown, "mmr").told


def test_the_keyword_leg_shows_raw_bm25_place_words_and_match_string() -> None:
    ranking = ranked(home_network())
    text = branch(tree(ranking.kept[1], ranking), "text")
    assert branch(text, "has").told == "network"
    assert branch(text, "lacks").told == "home, setup"
    leg = branch(text, "or")
    assert leg.told == "bm25 -5.200, place 2 of 7"
    assert branch(leg, "match").told == '"home" OR "network" OR "setup"'


def test_brief_is_the_stages_alone_without_those_a_result_passed_unharmed() -> None:
    ranking = ranked(home_network(), EVERYTHING)
    brief = tree(ranking.kept[0], ranking, brief=True)
    assert [child.name for child in brief.children] == ["vector", "text", "blend", "age", "mmr"]
    assert all(not child.children for child in brief.children)
    lost = tree(ranking.lost[0], ranking, brief=True)
    assert "min" in [child.name for child in lost.children]


def test_a_lost_candidate_says_what_it_lost_to() -> None:
    copies = replace(EVERYTHING, max_results=1, decay=TUNED.decay)
    copies = replace(copies, mmr=replace(copies.mmr, lambda_=0.1))
    ranking = ranked(home_network(), copies)
    assert tree(ranking.lost[0], ranking).told.startswith("no result: ")


def test_the_saturated_text_score_of_february_is_called_what_it_is() -> None:
    pool = home_network(legs=("and",))
    ranking = ranked(pool, PROFILES["documented"])
    shown = explain(ranking.kept[0], ranking, pool, brief=False, all_digits=False)
    assert "every keyword hit 1" in branch(shown, "text").told


@settings(max_examples=60, deadline=None)
@given(
    width=st.integers(24, 160),
    place=st.integers(0, 9),
    brief=st.booleans(),
    digits=st.booleans(),
    recipe=st.sampled_from([TUNED, EVERYTHING, PROFILES["2026.3"]]),
)
def test_the_tree_fits_its_width_and_loses_no_word_when_it_wraps(
    width: int, place: int, brief: bool, digits: bool, recipe: RankSettings
) -> None:
    ranking = ranked(home_network(legs=(recipe.join,)), recipe)
    hit = (*ranking.kept, *ranking.lost)[place]
    node = tree(hit, ranking, brief=brief, digits=digits)
    for glyphs in (UNICODE, ASCII):
        drawn = [line.plain for line in tree_lines(node, width, glyphs, brief)]
        if width >= 48:
            assert max(cell_len(line) for line in drawn) <= width
        if not brief and glyphs is UNICODE:
            text = "".join("".join(re.sub(r"^[│├└ ]*", "", line) for line in drawn).split())
            assert all("".join(part.told.split()) in text for part in every(node))
