"""What syncs did: the last report, the latest changes of files, tokens by space."""

from __future__ import annotations

import json
from dataclasses import asdict

import apsw

from engine.events import RecentChange, SkippedFile, SyncReport
from engine.status import SyncHits
from engine.store.asking import value
from engine.store.generation import space_number
from engine.store.names import read_name, stored_name

_KEEP = 200
_LAST = "last-sync"
_COUNT = "sync-count"
_HITS = "sync-hits"
_KEEP_HITS = 20


def record(connection: apsw.Connection, report: SyncReport) -> None:
    """Store a report and its changes, and count it, inside the caller's transaction."""
    connection.execute(
        "insert or replace into notes(key, value) values (?, ?)",
        (_COUNT, str(count(connection) + 1)),
    )
    connection.execute(
        "insert or replace into notes(key, value) values (?, ?)",
        (_LAST, json.dumps(asdict(report))),
    )
    _record_hits(connection, report)
    connection.executemany(
        "insert into changes(path, change, at_ms, chunks_added, chunks_removed, embedded, cached) "
        "values (?, ?, ?, ?, ?, ?, ?)",
        [
            (stored_name(c.path), c.change, c.at_ms, c.chunks_added, c.chunks_removed,
             c.embedded, c.cached)
            for c in report.changes[-_KEEP:]
        ],
    )  # fmt: skip
    connection.execute(
        "delete from changes where id <= (select max(id) from changes) - ?", (_KEEP,)
    )


def last(connection: apsw.Connection) -> SyncReport | None:
    """The last stored report."""
    text = value(connection, "select value from notes where key = ?", (_LAST,))
    if text is None:
        return None
    fields = json.loads(text)
    fields["skipped"] = tuple(SkippedFile(**each) for each in fields["skipped"])
    fields["changes"] = tuple(RecentChange(**each) for each in fields["changes"])
    return SyncReport(**fields)


def _record_hits(connection: apsw.Connection, report: SyncReport) -> None:
    """Add a sync that needed vectors to the short list of those."""
    if not report.cached + report.embedded:
        return
    latest = SyncHits(report.started_ms, report.reason, report.cached, report.embedded)
    kept = [latest, *hits(connection)][:_KEEP_HITS]
    connection.execute(
        "insert or replace into notes(key, value) values (?, ?)",
        (_HITS, json.dumps([asdict(each) for each in kept])),
    )


def hits(connection: apsw.Connection) -> list[SyncHits]:
    """The latest syncs that needed vectors, newest first."""
    text = value(connection, "select value from notes where key = ?", (_HITS,))
    return [SyncHits(**each) for each in json.loads(text or "[]")]


def count(connection: apsw.Connection) -> int:
    """How many syncs have been recorded in this file."""
    return int(value(connection, "select value from notes where key = ?", (_COUNT,)) or 0)


def recent(connection: apsw.Connection, limit: int) -> list[RecentChange]:
    """The latest changes, newest first."""
    rows = connection.execute(
        "select path, change, at_ms, chunks_added, chunks_removed, embedded, cached "
        "from changes order by id desc limit ?",
        (limit,),
    )
    return [RecentChange(read_name(path), *rest) for path, *rest in rows]


def add_tokens(connection: apsw.Connection, space: str, tokens: int) -> None:
    """Add to the tokens that filling a space has cost."""
    number = space_number(connection, space)
    connection.execute("update spaces set tokens = tokens + ? where id = ?", (tokens, number))
