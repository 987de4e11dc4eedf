from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.ranking.mmr import TokenSet, overlaps, pick_order, relevances
from engine.ranking.profiles import TUNED
from engine.ranking.rank import rank
from engine.ranking.settings import MmrRelevance
from engine.ranking.tokens import TokenSets, mmr_tokens, numbered
from engine.ranking.trace import Lost
from tests.engine.ranking.pools import NOW_MS, candidate, pool

WORDS = st.sets(st.sampled_from("abcdefgh"), min_size=1, max_size=6)


class Naive(NamedTuple):
    at: int
    value: float


def _naive_order(
    scores: Sequence[float], words: Sequence[set[str]], lambda_: float, rule: MmrRelevance
) -> list[Naive]:
    """The definition, word for word, with sets and every pair computed anew."""
    relevance = relevances(scores, rule)
    picked: list[Naive] = []
    while len(picked) < len(scores):
        chosen = {pick.at for pick in picked}
        best: Naive | None = None
        for index in range(len(scores)):
            if index in chosen:
                continue
            overlap = max(
                (len(words[index] & words[o]) / len(words[index] | words[o]) for o in chosen),
                default=0.0,
            )
            value = lambda_ * relevance[index] - (1 - lambda_) * overlap
            if (
                best is None
                or value > best.value
                or (value == best.value and scores[index] > scores[best.at])
            ):
                best = Naive(index, value)
        assert best is not None
        picked.append(best)
    return picked


@given(
    st.lists(st.tuples(st.floats(0, 1), WORDS), max_size=12),
    st.floats(0, 1),
    st.sampled_from(("raw", "minmax")),
)
@settings(max_examples=150, deadline=None)
def test_the_fast_order_is_that_of_the_definition(
    items: list[tuple[float, set[str]]], lambda_: float, rule: MmrRelevance
) -> None:
    items.sort(key=lambda item: -item[0])
    scores = [score for score, _ in items]
    words = [own for _, own in items]
    sets = numbered({str(at): own for at, own in enumerate(words)})
    rows = overlaps([sets[str(at)] for at in range(len(items))])
    picks = pick_order(scores, rows.__getitem__, lambda_, rule)
    assert [(p.index, p.value) for p in picks] == _naive_order(scores, words, lambda_, rule)


@given(st.lists(WORDS, min_size=1, max_size=8), st.data())
@settings(max_examples=80, deadline=None)
def test_kept_overlaps_serve_any_order_and_any_part(
    words: list[set[str]], data: st.DataObject
) -> None:
    held = TokenSets("unicode")
    all_ = [candidate(str(at), text=" ".join(sorted(own))) for at, own in enumerate(words)]
    kept = held.overlaps(all_)
    order = data.draw(st.permutations(range(len(words))))
    some = order[: data.draw(st.integers(0, len(words)))]
    assert held.overlaps([all_[at] for at in order]) is kept
    near = kept.among([str(at) for at in some])
    for place, one in enumerate(some):
        expected = [_jaccard(words[one], words[other]) if one != other else 0.0 for other in some]
        assert list(near(place)) == expected


def _jaccard(one: set[str], other: set[str]) -> float:
    return len(one & other) / len(one | other)


def test_lambda_one_keeps_the_order_of_scores() -> None:
    same = TokenSet(0b11, 2)
    rows = overlaps([same, same, same])
    picks = pick_order([0.9, 0.9, 0.4], rows.__getitem__, 1.0, "minmax")
    assert [pick.index for pick in picks] == [0, 1, 2]


def test_stretching_makes_equal_scores_equally_relevant() -> None:
    assert relevances([0.3, 0.3], "minmax") == [1.0, 1.0]
    assert relevances([0.9, 0.6, 0.3], "minmax") == pytest.approx([1.0, 0.5, 0.0])
    assert relevances([], "minmax") == []


def test_ascii_tokens_know_no_other_script() -> None:
    assert mmr_tokens("Router VLAN_30, дом 会议", "ascii") == {"router", "vlan_30"}
    assert mmr_tokens("会议", "ascii") == mmr_tokens("дом", "ascii")


def test_unicode_tokens_take_words_and_cjk_pairs() -> None:
    assert mmr_tokens("Дом 会议室VLAN", "unicode") == {
        "дом", "会", "议", "室", "会议", "议室", "vlan",
    }  # fmt: skip
    assert mmr_tokens("🚀", "unicode") != mmr_tokens("🍎", "unicode")


def test_a_near_copy_is_lost_to_the_one_it_repeats() -> None:
    text = "omada router vlan ten for iot"
    held = pool(
        [
            candidate("first", cosine=0.9, bm25=-9, text=text),
            candidate("copy", cosine=0.89, bm25=-8.9, text=text),
            candidate("other", cosine=0.8, bm25=-8, text="adguard on the small server"),
        ]
    )
    recipe = replace(TUNED, max_results=2, mmr=replace(TUNED.mmr, enabled=True))
    ranking = rank(held, recipe, NOW_MS)
    assert [r.candidate.chunk_id for r in ranking.kept] == ["first", "other"]
    copy = ranking.lost[0]
    assert isinstance(copy.trace.outcome, Lost)
    assert copy.trace.outcome.stage == "mmr"
    assert copy.trace.outcome.to == "first"
    assert copy.trace.outcome.reason == "MMR preferred memory/first.md (overlap 1.00)"
    assert (copy.mmr_rank, ranking.kept[1].mmr_rank) == (3, 2)
    assert ranking.kept[1].score < copy.score


def test_without_mmr_there_is_neither_value_nor_pick() -> None:
    ranked = rank(pool([candidate("a", cosine=0.9)]), TUNED, NOW_MS).kept[0]
    assert (ranked.mmr_score, ranked.mmr_rank) == (None, None)
