"""What the engine says of tokens and money."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars for a million tokens, and the day (YYYY-MM-DD) of which that price is.

    ``own`` prices come from a person's settings and have no day, the others from the table
    in the package. ``batch_share`` is the part of it that batch jobs cost.
    """

    usd_per_million_tokens: float
    dated: str
    own: bool = False
    batch_share: float = 1.0


@dataclass(frozen=True, slots=True)
class Cost:
    """Tokens, and money where a price is known.

    ``estimated`` tokens are a guess from the length of the texts (shown with "~").
    """

    tokens: int
    estimated: bool = False
    usd: float | None = None
    price: Price | None = None


@dataclass(frozen=True, slots=True)
class Spending:
    """What an index has cost at one provider and model since it was made."""

    provider: str
    model: str
    tokens: int
    estimated: bool = False
    usd: float | None = None
    """By the price of each day; None when no price was known for any of the tokens."""
    unpriced_tokens: int = 0


@dataclass(frozen=True, slots=True)
class CostState:
    """The price of the model in use, what the last sync cost, and all of it by model."""

    price: Price | None = None
    last: Cost | None = None
    total: tuple[Spending, ...] = ()


NO_COST = CostState()
"""Nothing was charged, and no price is known."""
