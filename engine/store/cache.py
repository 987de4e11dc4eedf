"""How long vectors stay: for ever while in use, else up to a number of entries."""

from __future__ import annotations

import apsw

from engine.store.asking import value
from engine.store.generation import all_generations, published
from engine.store.job_tables import rebuild_waits


def evict(connection: apsw.Connection, max_entries: int | None) -> int:
    """Delete vectors out of use beyond ``max_entries``; returns how many.

    First go those whose text is in no chunk any more, then those of other vector
    spaces, each time the longest out of use first. A vector that the published
    generation uses is never deleted, so more than ``max_entries`` may remain; and none
    is while another generation is being built. With 0 (no cache) only texts that are
    gone are forgotten: a fallback would otherwise be paid anew with every sync. Nothing is
    deleted while a rebuild waits for vectors. Inside the caller's transaction.
    """
    generation = published(connection)
    if max_entries is None or generation is None or len(all_generations(connection)) > 1:
        return 0
    if rebuild_waits(connection):
        return 0
    excess = int(value(connection, "select count(*) from vectors")) - max_entries
    if excess <= 0:
        return 0
    has_text = f"exists (select 1 from {generation.chunks} c where c.hash = v.hash)"
    elsewhere = "v.space <> :space" if max_entries else "false"
    connection.execute(
        "delete from vectors where id in (select v.id from vectors v where "
        f"{elsewhere} or not {has_text} order by {has_text}, v.used_at, v.id limit :excess)",
        {"space": generation.space, "excess": excess},
    )
    return connection.changes()
