"""Bringing the published generation up to date, in place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.index.plan import make_plan
from engine.index.texts import TextPass
from engine.index.workload import chunks_of

if TYPE_CHECKING:
    from engine.index.context import SyncContext
    from engine.index.decision import Decision
    from engine.sources.found import ScanResult


def update(context: SyncContext, found: ScanResult, decision: Decision, generation: int) -> None:
    """Bring the generation that the decision was made for up to date.

    So many texts that they go by batch jobs are stored without vectors first.
    """
    published = {row.path: row for row in context.store.reader.files()}
    plan = make_plan(found.files, published.values())
    context.begin(plan)
    texts = max(chunks_of(decision.rules, plan.bytes_to_read), len(plan.to_read))
    by_jobs = context.jobs is not None and context.jobs.takes(texts)
    TextPass(
        context,
        context.store.write,
        published,
        decision.rules,
        embed=decision.embed and not by_jobs,
        generation=generation,
        stored=context.tell_revision,
    ).run(plan)
