"""While the first provider fails: vectors of the standby, in a space of their own."""

from __future__ import annotations

from engine.index.catch_up import catch_up
from engine.index.context import Standby, SyncContext
from engine.index.settling import cost_of_sync, settle


def stand_in(context: SyncContext) -> int:
    """Fill the standby's space for the published chunks; returns how many texts it embedded.

    The index stays stamped with the first provider, whose vectors are neither replaced
    nor compared with these. Nothing that may cost money is sent without a person's word.
    Raises CancelledError.
    """
    standby = context.parts.standby
    if standby is None or not _is_called(context, standby):
        return 0
    beside = context.with_provider(standby.provider)
    if beside.filler is None:
        return 0
    context.store.remember_space(beside.parts.wanted())
    try:
        context.tally.fallback_covers = catch_up(beside, beside.filler) == 0
    finally:
        settle(beside)
        context.tally.beside = cost_of_sync(beside)
    return beside.tally.embedded


def _is_called(context: SyncContext, standby: Standby) -> bool:
    failed = context.filler is not None and context.filler.failure is not None
    allowed = context.request.by_person or not standby.provider.remote
    return allowed and (failed or standby.called())
