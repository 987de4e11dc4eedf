"""Files found by the words of their paths."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.engine.retrieval.memory import Memory, Note, build, rows_of

PATHS = ("MEMORY.md", "memory/network.md", "memory/中文笔记.md", "memory/deep/crane-visit.md")


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    notes = [Note(path, "# Head\nbody\n") for path in PATHS]
    notes += [Note("memory/empty.md", ""), Note("memory/odd\udcff.md", "text")]
    notes.append(Note("sessions/crane.jsonl", "talk", source="sessions"))
    made = build(tmp_path / "index.sqlite", notes)
    yield made
    made.store.close()


def _found(memory: Memory, match: str | None, *parts: str, source: str | None = None) -> list[str]:
    with memory.store.reader.snapshot() as now:
        hits = now.paths_with(match, parts, 10, source)
        rows = now.rows([hit.rowid for hit in hits])
        return [rows[hit.rowid].path for hit in hits]


def test_words_and_parts_of_paths(memory: Memory) -> None:
    assert _found(memory, '"network"') == ["memory/network.md"]
    assert _found(memory, '"net"') == []
    assert _found(memory, None, "笔记") == ["memory/中文笔记.md"]
    assert _found(memory, '"md"', "笔记") == ["memory/中文笔记.md"]
    assert _found(memory, None) == []


def test_a_file_without_chunks_is_not_found_and_a_source_narrows(memory: Memory) -> None:
    assert _found(memory, '"empty"') == []
    assert set(_found(memory, '"crane"')) == {"memory/deep/crane-visit.md", "sessions/crane.jsonl"}
    assert _found(memory, '"crane"', source="memory") == ["memory/deep/crane-visit.md"]


@pytest.mark.parametrize("name", ["memory/network.md", "network.md", "network"])
def test_a_name_in_each_of_its_forms(name: str, memory: Memory) -> None:
    rows = memory.store.reader.files_named(name)
    assert [memory.store.reader.rows(rows)[row].path for row in rows] == ["memory/network.md"]
    assert memory.store.reader.files_named(name, "sessions") == []


def test_a_new_revision_has_new_paths(memory: Memory) -> None:
    assert _found(memory, '"fresh"') == []
    with memory.store.write() as writer:
        row, chunks = rows_of(Note("memory/fresh.md", "new"))
        writer.upsert(row, chunks)
        writer.delete(["memory/network.md"])
    assert _found(memory, '"fresh"') == ["memory/fresh.md"]
    assert _found(memory, '"network"') == []
