"""Files that the query names come first, whatever their scores; and who may not come in."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.ranking.file_names import exact_tier, folded_name
from engine.ranking.profiles import SEPTEMBER
from engine.ranking.rank import rank
from engine.ranking.trace import Lost
from tests.engine.ranking.pools import NOW_MS, candidate, pool

RECIPE = replace(SEPTEMBER, cut=replace(SEPTEMBER.cut, min_score=0.0))


@pytest.mark.parametrize(
    ("query", "path", "tier"),
    [
        ("memory/a.md", "memory/a.md", 3),
        (".\\memory\\A.md", "memory/a.md", 3),
        ("a.md", "memory/a.md", 2),
        ("A", "memory/a.md", 1),
        ("cafe\u0301", "memory/Caf\u00e9.md", 1),
        ("archive.tar", "memory/archive.tar.md", 1),
        ("memory/a", "memory/a.md", 0),
        ("emory/a.md", "memory/a.md", 0),
        ("", "memory/a.md", 0),
        (".hidden", "memory/.hidden", 2),
    ],
)
def test_how_exactly_a_query_names_a_file(query: str, path: str, tier: int) -> None:
    assert exact_tier(folded_name(query), folded_name(path)) == tier


def test_a_named_file_comes_first_with_score_1() -> None:
    held = replace(
        pool([candidate("a", cosine=0.1), candidate("b", cosine=0.9)], legs=("and", "path")),
        query="a.md",
    )
    first, second = rank(held, RECIPE, NOW_MS).kept
    assert (first.candidate.chunk_id, first.score) == ("a", 1.0)
    step = first.trace.step("shown")
    assert step is not None
    assert step.before == pytest.approx((1 + 0.7 * 0.1) / 2)
    assert second.score == pytest.approx(0.7 * 0.9)


def test_a_chunk_with_a_broken_project_comment_never_appears() -> None:
    held = pool([candidate("a", cosine=0.9, withheld=True), candidate("b", cosine=0.5)])
    ranking = rank(held, RECIPE, NOW_MS)
    assert [ranked.candidate.chunk_id for ranked in ranking.kept] == ["b"]
    outcome = ranking.lost[0].trace.outcome
    assert isinstance(outcome, Lost)
    assert (outcome.stage, outcome.reason) == ("project", "its project comment names no project")


def test_keyword_legs_share_one_pool_in_september() -> None:
    ranks = {f"c{n}": -1.0 - n for n in range(6)}
    candidates = [
        candidate(name, bm25={"and": bm25} if n % 2 else {"keyword:router": bm25})
        for n, (name, bm25) in enumerate(ranks.items())
    ]
    candidates.append(candidate("both", cosine=0.4, bm25={"and": -0.1}))
    ranking = rank(pool(candidates), replace(RECIPE, pool=3, boost="none"), NOW_MS)
    assert {ranked.candidate.chunk_id for ranked in ranking.kept} == {"c5", "c4", "c3", "both"}
    kept = {ranked.candidate.chunk_id: ranked for ranked in ranking.kept}
    assert kept["both"].text_score is None
    assert kept["both"].score == pytest.approx(0.7 * 0.4)
    told = [r.trace.outcome for r in ranking.lost if r.candidate.chunk_id == "c2"]
    assert isinstance(told[0], Lost)
    assert told[0].reason == "1 place outside the keyword pool of 3"
