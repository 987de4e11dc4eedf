"""Costs in words: tokens always, money where a price is known, and of which day the price is."""

from __future__ import annotations

from engine.status import Cost, Price


def cost_words(cost: Cost) -> str:
    """``~1,240 tokens, about $0.02 (price of 2026-05-31)``."""
    tokens = f"{'~' if cost.estimated else ''}{cost.tokens:,} tokens"
    if cost.usd is None:
        return f"{tokens}, price unknown"
    about = "about " if cost.estimated and cost.usd >= 0.01 else ""
    day = "" if cost.price is None else f" ({price_day(cost.price)})"
    return f"{tokens}, {about}{money(cost.usd)}{day}"


def money(usd: float) -> str:
    """Dollars and cents; what is less than a cent as that."""
    if 0.0 < usd < 0.01:
        return "less than $0.01"
    return f"${usd:,.2f}"


def price_day(price: Price) -> str:
    """Where a price comes from."""
    return "your own price" if price.own else f"price of {price.dated}"
