"""Searching files by the words of their paths.

The paths of an index are few and short, so their table is made in memory on the first
such search of a revision: nothing of it has to be migrated, kept in step, or repaired.
It is an FTS5 table like the others, so that its bm25 is the very same number that the
original gets from a table of paths.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import apsw

from engine.ranking.file_names import folded_name, names_of
from engine.store.asking import rows
from engine.store.contract import KeywordHit
from engine.store.generation import Generation
from engine.store.keyword import asked
from engine.store.names import read_name

Key = tuple[int, int]
"""Generation and revision."""


class PathRow(NamedTuple):
    """A file; ``first`` is the row number of its first chunk, None when it has none."""

    first: int | None
    path: str
    source: str


class PathWords:
    """The paths of one revision. All files weigh in bm25, only those with chunks are found."""

    def __init__(self, files: Iterable[PathRow]) -> None:
        self._lock = threading.Lock()
        self._files = tuple(files)
        self._folded = [folded_name(file.path) for file in self._files]
        self._named: dict[str, list[int]] = {}
        for number, path in enumerate(self._folded):
            for name in names_of(path):
                self._named.setdefault(name, []).append(number)
        self._table: apsw.Connection | None = None

    def named(self, name: str, source: str | None) -> list[int]:
        """First chunks of the files whose folded path, file name or stem is ``name``."""
        return [row for row, _ in self._found(self._named.get(name, ()), source)]

    def matching(
        self, match: str | None, parts: Sequence[str], limit: int, source: str | None
    ) -> list[KeywordHit]:
        """Files whose path matches and whose folded path contains every part, best first."""
        if match is None:
            numbers: Iterable[int] = range(len(self._files)) if parts else ()
            scores: dict[int, float] = {}
        else:
            scores = self._scores(match)
            numbers = scores
        fitting = [n for n in numbers if all(part in self._folded[n] for part in parts)]
        found = self._found(fitting, source)[:limit]
        return [KeywordHit(row, scores.get(number, 0.0)) for row, number in found]

    def close(self) -> None:
        """Free the memory."""
        with self._lock:
            if self._table is not None:
                self._table.close()
                self._table = None

    def _found(self, numbers: Iterable[int], source: str | None) -> list[tuple[int, int]]:
        """First chunk and number of those files that have one and are of the source."""
        return [
            (first, number)
            for number in numbers
            if (first := self._files[number].first) is not None
            and source in (None, self._files[number].source)
        ]

    def _scores(self, match: str) -> dict[int, float]:
        """bm25 by file number, best first."""
        sql = "select rowid, bm25(paths) as score from paths where paths match :match "
        with self._lock:
            table = self._table = self._table or self._filled()
            return dict(asked(table, "documented", sql + "order by score, rowid", {"match": match}))

    def _filled(self) -> apsw.Connection:
        table = apsw.Connection(":memory:")
        table.execute("create virtual table paths using fts5(path, tokenize='unicode61')")
        table.executemany(
            "insert into paths(rowid, path) values (?, ?)",
            [(n, _writable(file.path)) for n, file in enumerate(self._files)],
        )
        return table


class PathWordsCache:
    """The path words of the newest revision that was asked for; for any number of threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._held: tuple[Key, PathWords] | None = None

    def at(self, key: Key, connection: apsw.Connection, generation: Generation) -> PathWords:
        """The words of the paths at that state, read through the connection when new."""
        with self._lock:
            if self._held is not None and self._held[0] == key:
                return self._held[1]
        made = PathWords(_files(connection, generation))
        with self._lock:
            # The one before is not closed: another thread may be asking it just now.
            self._held = key, made
        return made

    def clear(self) -> None:
        """Free the memory."""
        with self._lock:
            held, self._held = self._held, None
        if held is not None:
            held[1].close()


def _files(connection: apsw.Connection, generation: Generation) -> list[PathRow]:
    g = generation
    found = rows(
        connection,
        f"select (select c.id from {g.chunks} c where c.path = f.path order by c.idx limit 1), "
        f"f.path, f.source from {g.files} f order by f.path",
    )
    return [PathRow(first, read_name(path), source) for first, path, source in found]


def _writable(path: str) -> str:
    """The path as SQLite takes it; a byte of a name that is no UTF-8 becomes a question mark."""
    return path.encode("utf-8", "replace").decode("utf-8")
