"""What ``memlens status`` and ``memlens index`` say of costs, limits, pauses and past fallbacks."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from engine.cli.output import plain
from engine.embeddings.cost.wording import cost_words, money, price_day
from engine.status import Cost

if TYPE_CHECKING:
    from engine.events import SyncReport
    from engine.status import EngineStatus

_MOST_SPELLS = 3


def provider_document(state: EngineStatus) -> dict[str, Any]:
    """Traffic, pauses, past fallbacks and costs as JSON."""
    return {
        "traffic": plain(state.traffic),
        "pauses": plain(state.pauses),
        "fallbackHistory": plain(state.fallback_history),
        "cost": plain(state.cost),
    }


def cost_document(report: SyncReport) -> dict[str, Any]:
    """What one sync was charged for."""
    return {
        "tokens": report.tokens,
        "tokensEstimated": report.tokens_estimated,
        "usd": report.usd,
    }


def provider_lines(state: EngineStatus) -> list[str]:
    """The same for a person; nothing where there is nothing to tell."""
    return [*_costs(state), *_limits(state), *_pauses(state), *_spells(state)]


def _costs(state: EngineStatus) -> Iterator[str]:
    cost = state.cost
    if cost.price is not None:
        usd = f"${cost.price.usd_per_million_tokens:g}"
        yield f"Price       {usd} per million tokens ({price_day(cost.price)})"
    for spent in cost.total:
        words = cost_words(Cost(spent.tokens, spent.estimated, spent.usd))
        part = f"; {spent.unpriced_tokens:,} of the tokens had no known price"
        more = part if spent.usd is not None and spent.unpriced_tokens else ""
        yield f"Spent       {spent.provider}/{spent.model}: {words}{more}"


def _limits(state: EngineStatus) -> Iterator[str]:
    for traffic in state.traffic:
        limits = traffic.limits
        if limits is not None and limits.learned:
            yield (
                f"Learned     {traffic.host} takes {limits.inputs_per_request:,} texts and "
                f"{limits.bytes_per_request:,} bytes a request, {limits.bytes_per_input:,} a text"
            )


def _pauses(state: EngineStatus) -> Iterator[str]:
    for pause in state.pauses:
        yield f"Paused      {pause.host} until {_clock(pause.until_ms)}: {pause.reason}"


def _spells(state: EngineStatus) -> Iterator[str]:
    for spell in state.fallback_history[:_MOST_SPELLS]:
        until = "now" if spell.until_ms is None else _clock(spell.until_ms)
        yield (
            f"Fallback    {spell.to} for {spell.from_}, {_clock(spell.since_ms)} to {until}: "
            f"{spell.reason}"
        )


def _clock(ms: float) -> str:
    return datetime.fromtimestamp(ms / 1000.0, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def charged_words(report: SyncReport) -> str:
    """``; 1,240 tokens, $0.02``; empty when nothing was sent."""
    if report.tokens is None:
        return ""
    tokens = f"{'~' if report.tokens_estimated else ''}{report.tokens:,} tokens"
    return f"; {tokens}" + ("" if report.usd is None else f", {money(report.usd)}")
