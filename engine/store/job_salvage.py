"""Carrying batch jobs over from a damaged index: they are paid for, and still out."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

import apsw

from engine.store.asking import Row, rows
from engine.store.transaction import immediate

_JOB = "id, space, label, provider, file, job, phase, done, failed, total, tokens, since_ms"


def carry_jobs_over(damaged: Path, fresh: apsw.Connection) -> int:
    """Copy the jobs whose rows can still be read, with their texts; returns how many.

    Never raises for what the damaged file holds. A text whose row is lost may be sent again.
    """
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    try:
        source = apsw.Connection(f"file:{quote(str(damaged))}?immutable=1", flags=flags)
    except apsw.Error:
        return 0
    try:
        jobs = rows(source, f"select {_JOB} from batch_jobs")
        texts = rows(source, "select job, hash from batch_texts")
        return _insert(fresh, jobs, texts)
    except apsw.Error:
        return 0
    finally:
        source.close()


def _insert(fresh: apsw.Connection, jobs: list[Row], texts: list[Row]) -> int:
    with immediate(fresh):
        places = ", ".join("?" * len(_JOB.split(",")))
        fresh.executemany(f"insert into batch_jobs({_JOB}) values ({places})", jobs)
        fresh.executemany("insert into batch_texts(job, hash) values (?, ?)", texts)
    return len(jobs)
