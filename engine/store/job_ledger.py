"""The ledger of batch jobs: what was begun at a provider and is not settled yet."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path

import apsw

from engine.events import BatchPhase, EventSink, StageReached
from engine.store.asking import rows, value
from engine.store.contract import StoredIdentity
from engine.store.job_contract import JobRow, distinct
from engine.store.job_tables import AGREED
from engine.store.lock import try_lock
from engine.store.writing import WritingConnection

Reading = Callable[[str], AbstractContextManager[apsw.Connection]]

_COLUMNS = "id, label, provider, file, job, phase, done, failed, total, tokens, since_ms, looked_ms"
_DOING = "noting a batch job"
_LABEL_DIGITS = 24


class Ledger:
    """Implements JobLedger."""

    def __init__(
        self, path: Path, writing: WritingConnection, reading: Reading, emit: EventSink
    ) -> None:
        self._path = path
        self._writing = writing
        self._reading = reading
        self._emit = emit

    @property
    def writable(self) -> bool:
        """False for an index that may only be read."""
        return self._writing.writable

    @contextmanager
    def submitting(self) -> Iterator[bool]:
        """The right to begin jobs; False when another process has it."""
        lock = try_lock(self._path.with_name(f"{self._path.name}-jobs"))
        try:
            yield lock is not None
        finally:
            if lock is not None:
                lock.release()

    def reserve(
        self, space: str, provider: str, hashes: Sequence[str], tokens: int, now_ms: float
    ) -> JobRow | None:
        """Begin a job for those of the texts that are in no other one; None for none."""
        with self._writing.transaction(_DOING) as connection:
            taken = _out(connection, space)
            free = [each for each in distinct(hashes) if each not in taken]
            if not free:
                return None
            connection.execute(
                "insert into batch_jobs(space, label, provider, total, tokens, since_ms) "
                "values (?, '', ?, ?, ?, ?)",
                (space, provider, len(free), tokens, now_ms),
            )
            number = connection.last_insert_rowid()
            label = _label(space, number, now_ms, free[0])
            connection.execute("update batch_jobs set label = ? where id = ?", (label, number))
            connection.executemany(
                "insert into batch_texts(job, hash) values (?, ?)",
                [(number, each) for each in free],
            )
            job = _job(connection, number)
        self._emit(StageReached("job-reserved"))
        return job

    def uploaded(self, number: int, file: str) -> None:
        """The texts lie at the service."""
        with self._writing.transaction(_DOING) as connection:
            connection.execute(
                "update batch_jobs set file = ?, phase = 'uploaded' where id = ?", (file, number)
            )
        self._emit(StageReached("job-uploaded"))

    def created(self, number: int, job: str) -> JobRow | None:
        """The service has answered with the id of the job; None as in ``looked``."""
        self._emit(StageReached("job-created"))
        with self._writing.transaction(_DOING) as connection:
            connection.execute(
                "update batch_jobs set job = ?, phase = 'queued' where id = ?", (job, number)
            )
            created = _job(connection, number)
        self._emit(StageReached("job-known"))
        return created

    def looked(
        self, number: int, phase: BatchPhase, done: int, failed: int, now_ms: float
    ) -> JobRow | None:
        """How the job stands; None when another process has settled it meanwhile."""
        with self._writing.transaction(_DOING) as connection:
            connection.execute(
                "update batch_jobs set phase = ?, done = ?, failed = ?, looked_ms = ? where id = ?",
                (phase, done, failed, now_ms, number),
            )
            return _job(connection, number)

    def settle(self, number: int) -> None:
        """The job is no more; texts of it without a vector may be sent again."""
        with self._writing.transaction(_DOING) as connection:
            connection.execute("delete from batch_texts where job = ?", (number,))
            connection.execute("delete from batch_jobs where id = ?", (number,))
        self._emit(StageReached("job-settled"))

    def jobs(self, space: str) -> tuple[JobRow, ...]:
        """The jobs of a space, the oldest first."""
        sql = f"select {_COLUMNS} from batch_jobs where space = ? order by id"
        with self._reading("reading batch jobs") as connection:
            if not _has_tables(connection):
                return ()
            return tuple(JobRow(*found) for found in rows(connection, sql, (space,)))

    def texts(self, number: int) -> set[str]:
        """The chunk hashes in a job."""
        with self._reading("reading batch jobs") as connection:
            found = rows(connection, "select hash from batch_texts where job = ?", (number,))
            return {chunk_hash for (chunk_hash,) in found}

    def out(self, space: str) -> set[str]:
        """The chunk hashes that are in any job of a space."""
        with self._reading("reading batch jobs") as connection:
            return _out(connection, space) if _has_tables(connection) else set()

    def agree(self, wanted: StoredIdentity | None) -> None:
        """Remember that a rebuild to this identity goes on once its vectors are there."""
        if wanted == self.agreed():
            return
        with self._writing.transaction(_DOING) as connection:
            connection.execute("delete from notes where key = ?", (AGREED,))
            if wanted is not None:
                note = (AGREED, json.dumps(asdict(wanted)))
                connection.execute("insert into notes(key, value) values (?, ?)", note)

    def agreed(self) -> StoredIdentity | None:
        """The rebuild that waits for its vectors."""
        with self._reading("reading batch jobs") as connection:
            text = value(connection, "select value from notes where key = ?", (AGREED,))
        return None if text is None else StoredIdentity(**json.loads(text))


def _job(connection: apsw.Connection, number: int) -> JobRow | None:
    found = rows(connection, f"select {_COLUMNS} from batch_jobs where id = ?", (number,))
    return JobRow(*found[0]) if found else None


def _out(connection: apsw.Connection, space: str) -> set[str]:
    sql = "select t.hash from batch_jobs j join batch_texts t on t.job = j.id where j.space = ?"
    return {chunk_hash for (chunk_hash,) in rows(connection, sql, (space,))}


def _label(space: str, number: int, now_ms: float, first: str) -> str:
    """A name that no other job has, made of nothing that tells anything."""
    text = f"{space}:{number}:{now_ms}:{first}"
    return f"memlens-{sha256(text.encode()).hexdigest()[:_LABEL_DIGITS]}"


def _has_tables(connection: apsw.Connection) -> bool:
    """False for a file of an earlier version that is only read."""
    return connection.table_exists("main", "batch_jobs")
