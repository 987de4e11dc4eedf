"""What is kept of a sync, however it ends: its cost, learned limits, how the provider did."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.embeddings.cost.price_table import cost_of
from engine.embeddings.cost.spending import NOTE as SPENDING
from engine.embeddings.cost.spending import with_cost
from engine.embeddings.remote.limits_memory import remember_limits
from engine.status import Cost

if TYPE_CHECKING:
    from engine.index.context import SyncContext
    from engine.index.vectors import VectorFiller


def settle(context: SyncContext) -> None:
    """Keep it. To be called once, when nothing further is sent."""
    filler = context.filler
    if filler is None:
        return
    if filler.tokens:
        context.store.add_tokens(filler.space, filler.tokens)
    cost = cost_of_sync(context)
    if cost is not None:
        identity = filler.provider.identity
        context.store.keep_note(SPENDING, lambda kept: with_cost(kept, identity, cost))
    remember_limits(filler.provider, context.store, context.parts.clock.now_ms())
    _tell_watch(context, filler)


def cost_of_sync(context: SyncContext) -> Cost | None:
    """What the provider has charged for so far; None for nothing."""
    filler = context.filler
    if filler is None or not filler.tokens or not filler.provider.remote:
        return None
    return cost_of(
        filler.tokens,
        context.parts.price_of(filler.provider.identity),
        estimated=filler.tokens_estimated,
        by_batch=context.tally.batch_tokens,
    )


def _tell_watch(context: SyncContext, filler: VectorFiller) -> None:
    """Say how the provider did, unless it was not asked at all."""
    watch = context.parts.watch
    if watch is None:
        return
    if filler.failure is not None and filler.failure is not context.rest:
        watch.failed(filler.failure)
    elif filler.made_any:
        watch.answered()
