"""What the providers add to the status: traffic, pauses, past fallbacks, cost."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from engine.embeddings.cost.spending import NOTE, spending_of
from engine.errors import EngineError
from engine.status import Cost, CostState, EngineStatus

if TYPE_CHECKING:
    from engine.embeddings.outage_log import Notes
    from engine.events import SyncReport
    from engine.provider_in_use.in_use import ProviderInUse


def told_of_providers(
    status: EngineStatus, provider: ProviderInUse, notes: Notes | None
) -> EngineStatus:
    """The status with all that; ``notes`` is the index file, if there is one."""
    return replace(
        status,
        traffic=provider.wires.traffic(),
        pauses=provider.wires.pauses(),
        fallback_history=provider.history(),
        cost=_cost(provider, status.sync.last, notes),
    )


def _cost(provider: ProviderInUse, last: SyncReport | None, notes: Notes | None) -> CostState:
    primary = provider.primary
    price = None
    if primary is not None and primary.remote:
        price = provider.prices.price_of(primary.identity)
    kept = None
    with suppress(EngineError):  # what cannot be read has told so already
        kept = None if notes is None else notes.note(NOTE)
    return CostState(price, _last(last), spending_of(kept))


def _last(report: SyncReport | None) -> Cost | None:
    if report is None or report.tokens is None:
        return None
    return Cost(report.tokens, report.tokens_estimated, report.usd)
