"""What an index has cost so far, by vector space, as a text that the index file keeps."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from engine.status import Cost, Spending

if TYPE_CHECKING:
    from engine.embeddings.contract import ProviderIdentity

NOTE = "spending"
"""The name under which the index file keeps it."""


def with_cost(kept: str | None, identity: ProviderIdentity, cost: Cost) -> str:
    """The text with a further cost added; money by the price of the day stays what it was."""
    spaces = _read(kept)
    before = spaces.get(identity.key(), {})
    spaces[identity.key()] = {
        "provider": identity.provider,
        "model": identity.model,
        "tokens": before.get("tokens", 0) + cost.tokens,
        "estimated": bool(before.get("estimated")) or cost.estimated,
        "usd": _sum(before.get("usd"), cost.usd),
        "unpriced": before.get("unpriced", 0) + (cost.tokens if cost.usd is None else 0),
    }
    return json.dumps(spaces)


def spending_of(kept: str | None) -> tuple[Spending, ...]:
    """What the text says, the most expensive first."""
    found = [
        Spending(
            each["provider"],
            each["model"],
            each["tokens"],
            each["estimated"],
            each["usd"],
            each["unpriced"],
        )
        for each in _read(kept).values()
    ]
    return tuple(sorted(found, key=lambda each: (-(each.usd or 0.0), -each.tokens)))


def _read(kept: str | None) -> dict[str, dict[str, Any]]:
    spaces = json.loads(kept) if kept else {}
    return spaces if isinstance(spaces, dict) else {}


def _sum(before: float | None, more: float | None) -> float | None:
    if before is None or more is None:
        return more if before is None else before
    return before + more
