"""Sizes and states of the index, counted when asked."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import apsw

from engine.status import SourceCount, VectorState
from engine.store.asking import rows
from engine.store.contract import StoreCounts
from engine.store.extension import Extension
from engine.store.generation import Generation, pointer, published
from engine.store.matrices import Matrices
from engine.store.snapshot import Snapshot


def counts(connection: apsw.Connection, path: Path) -> StoreCounts:
    """Counts of the published generation and of the vector cache."""
    number, revision = pointer(connection)
    generation = published(connection)
    sources = _sources(connection, generation) if generation else ()
    spaces = rows(
        connection,
        "select s.name, count(v.id), s.tokens from spaces s left join vectors v on v.space = s.id "
        "group by s.id",
    )
    return StoreCounts(
        files=sum(source.files for source in sources),
        chunks=sum(source.chunks for source in sources),
        sources=sources,
        vectors={name: count for name, count, _ in spaces},
        tokens={name: tokens for name, _, tokens in spaces},
        cache_entries=sum(count for _, count, _ in spaces),
        file_bytes=_bytes(path),
        generation=number or 0,
        revision=revision,
    )


def vector_state(
    now: Snapshot,
    space: str | None,
    extension: Extension,
    matrices: Matrices,
    enabled: bool,
) -> VectorState:
    """The state of a space; without a space that of the published identity."""
    g = now.published
    name = space or (g.identity.vector_space if g else None)
    vectors, dimensions = now.vector_count(name) if name else (0, None)
    via: Literal["sqlite-vec", "in-process", "none"] = "none"
    if g is not None and name is not None and vectors:
        native = extension.loaded and g.vec_sound and name == g.identity.vector_space
        warm = matrices.holds(g.number, now.revision(), name)
        via = "sqlite-vec" if native and not warm else "in-process"
    return VectorState(
        enabled=enabled,
        available=extension.loaded,
        via=via,
        version=extension.version,
        extension_path=extension.path,
        load_error=extension.error,
        dimensions=dimensions,
        vectors=vectors,
        missing=now.missing_vectors(name, vectors) if name else (),
    )


def _sources(connection: apsw.Connection, generation: Generation) -> tuple[SourceCount, ...]:
    found = rows(
        connection,
        f"select f.source, count(*), sum((select count(*) from {generation.chunks} c "
        f"where c.path = f.path)) from {generation.files} f group by f.source order by f.source",
    )
    return tuple(SourceCount(*each) for each in found)


def _bytes(path: Path) -> int:
    parts = (path, path.with_name(path.name + "-wal"))
    return sum(part.stat().st_size for part in parts if part.exists())
