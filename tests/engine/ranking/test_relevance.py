from __future__ import annotations

from dataclasses import replace

from engine.ranking.profiles import TUNED
from engine.ranking.rank import rank
from engine.ranking.trace import Lost
from tests.engine.ranking.pools import NOW_MS, candidate, pool

LOW = replace(TUNED, cut=replace(TUNED.cut, min_score=0.1))


def test_weak_and_alike_cosines_without_a_keyword_are_doubted() -> None:
    ranking = rank(pool([candidate("a", cosine=0.45), candidate("b", cosine=0.4)]), LOW, NOW_MS)
    assert ranking.weak
    assert len(ranking.kept) == 2
    assert ranking.notices[0] == (
        "Nothing seems relevant: no keyword matched and the best similarity .450 is weak."
    )


def test_a_cosine_that_stands_out_is_not_doubted() -> None:
    few = [candidate(f"c{n}", cosine=0.03) for n in range(9)]
    assert not rank(pool([candidate("a", cosine=0.38), *few]), LOW, NOW_MS).weak


def test_a_good_cosine_or_a_keyword_is_not_doubted() -> None:
    assert not rank(pool([candidate("a", cosine=0.6)]), LOW, NOW_MS).weak
    held = pool([candidate("a", cosine=0.3), candidate("b", cosine=0.1, bm25=-1.0)])
    assert not rank(held, LOW, NOW_MS).weak


def test_weak_hits_can_be_hidden() -> None:
    recipe = replace(LOW, cut=replace(LOW.cut, weak="hide"))
    ranking = rank(pool([candidate("a", cosine=0.45)]), recipe, NOW_MS)
    assert ranking.kept == ()
    outcome = ranking.lost[0].trace.outcome
    assert isinstance(outcome, Lost)
    assert outcome.reason == ranking.notices[0]
