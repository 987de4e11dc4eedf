"""Keyword extraction in eight languages against what the original took, word by word.

A Chinese word of several characters is split, so "kept" says only that something is left.
"""

from __future__ import annotations

from typing import Any

import pytest

from engine.retrieval.keywords import keywords
from tests.golden.vectors import vectors

pytestmark = pytest.mark.golden

MEASURED = vectors("keywords.json")
QUERIES = [pytest.param(case, id=str(at)) for at, case in enumerate(MEASURED["queries"])]
PROBES = [
    pytest.param(language, fate, id=f"{language}-{fate}")
    for language in MEASURED["single_words"]
    for fate in ("dropped", "kept")
]


@pytest.mark.parametrize("case", QUERIES)
def test_the_keywords_of_a_query(case: dict[str, Any]) -> None:
    assert keywords(case["query"]) == case["keywords"]


@pytest.mark.parametrize(("language", "fate"), PROBES)
def test_single_words_that_are_dropped_or_kept(language: str, fate: str) -> None:
    words = MEASURED["single_words"][language][fate]
    assert [word for word in words if bool(keywords(word)) != (fate == "kept")] == []


def test_nothing_of_the_measurement_was_left_out() -> None:
    assert len(QUERIES) == 67
    words = [len(w) for probes in MEASURED["single_words"].values() for w in probes.values()]
    assert sum(words) == 468
