"""How long vectors stay: for ever while in use, else up to a number of entries."""

from __future__ import annotations

import apsw

from engine.store.asking import value
from engine.store.generation import all_generations


def evict(connection: apsw.Connection, max_entries: int | None) -> int:
    """Delete the vectors longest out of use beyond ``max_entries``; returns how many.

    A vector that the published generation uses is never deleted, so more than
    ``max_entries`` may remain; and none is while another generation is being built,
    which may be about to use it. Inside the caller's transaction.
    """
    if max_entries is None or len(all_generations(connection)) > 1:
        return 0
    excess = int(value(connection, "select count(*) from vectors")) - max_entries
    if excess <= 0:
        return 0
    in_use = "".join(
        f" and not (v.space = {g.space} and exists "
        f"(select 1 from {g.chunks} c where c.hash = v.hash))"
        for g in all_generations(connection)
    )
    connection.execute(
        "delete from vectors where id in (select v.id from vectors v "
        f"where true{in_use} order by v.used_at, v.id limit ?)",
        (excess,),
    )
    return connection.changes()
