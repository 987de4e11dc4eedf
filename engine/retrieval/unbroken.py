"""Said when a keyword table cannot see into unbroken Chinese, Japanese or Korean text."""

from __future__ import annotations

from collections.abc import Sequence

from engine.ranking.pool import LegInfo
from engine.store.cjk import cjk_runs

SENTENCE = (
    "The keyword table of this profile (store.fts.tokenizer: unicode61) takes a run of Chinese, "
    "Japanese or Korean as one word, so words inside it cannot be found; trigram finds them, "
    "and so does the profile tuned."
)


def unbroken_text(query: str, tokenizer: str, legs: Sequence[LegInfo]) -> str | None:
    """The sentence, when such a query found nothing by its words in the documented table."""
    asked = [leg for leg in legs if leg.name == "and" or leg.name.startswith("keyword:")]
    if tokenizer == "trigram" or not asked or any(leg.hits for leg in asked):
        return None
    return SENTENCE if cjk_runs(query) else None
