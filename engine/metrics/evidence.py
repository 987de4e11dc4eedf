"""Evidence: a fact counts once, however many copies of it a memory holds."""

from __future__ import annotations

from collections.abc import Collection, Sequence


def evidence(found: Sequence[Collection[str]], wanted: Collection[str], k: int) -> float:
    """Share of the wanted facts of which some copy is among the first ``k`` items.

    ``found`` names, item by item, the facts that it holds. Overlapping neighbours are
    therefore neither rewarded nor punished. 0.0 when nothing is wanted.
    """
    seen = {fact for facts in found[:k] for fact in facts}
    return len(seen & set(wanted)) / len(set(wanted)) if wanted else 0.0
