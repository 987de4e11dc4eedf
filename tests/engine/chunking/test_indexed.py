"""The dialects in an index: curated files by entry, annotations stored, a change rebuilt."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.chunking.annotations import Annotations
from engine.chunking.chunk import ChunkingRules
from tests.engine.index.desk import Desk, make_desk

CURATED = "# Facts\n- crane <!-- importance: 9 -->\n- heron <!-- project: Acme/Bird -->\n"
EARLY, LATE = ChunkingRules(400, 80, "2026.3"), ChunkingRules(400, 80, "2026.9")


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    desk = make_desk(tmp_path)
    yield desk
    desk.close()


def _stored(desk: Desk) -> list[tuple[int, str, Annotations]]:
    rows = desk.store.reader.chunks("MEMORY.md")
    return [(row.start_line, row.text, row.annotations) for row in rows]


def test_another_dialect_cuts_the_index_anew(desk: Desk) -> None:
    desk.write("MEMORY.md", CURATED)
    desk.configure(rules=EARLY)
    desk.sync()
    assert _stored(desk) == [(1, CURATED, Annotations())]

    desk.configure(rules=LATE)
    report = desk.sync()

    assert report.chunks_added == 3
    assert _stored(desk) == [
        (1, "# Facts", Annotations()),
        (2, "- crane", Annotations(importance=9)),
        (3, "- heron\n", Annotations(projects=("acme/bird",))),
    ]


def test_a_comment_that_changes_is_taken_over_without_a_new_vector(desk: Desk) -> None:
    desk.configure(rules=LATE)
    desk.write("MEMORY.md", CURATED)
    desk.sync()
    hashes = {row.hash for row in desk.store.reader.chunks("MEMORY.md")}

    desk.write("MEMORY.md", CURATED.replace("importance: 9", "importance: 2"))
    desk.sync()

    assert [said.importance for _, _, said in _stored(desk)] == [None, 2, None]
    assert {row.hash for row in desk.store.reader.chunks("MEMORY.md")} == hashes
