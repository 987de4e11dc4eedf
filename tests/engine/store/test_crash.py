"""kill -9 at every named point of a write: the index answers and heals."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.store.schema import STEPS, migrate
from engine.store.store import Store
from tests.engine.store.child import FILES, rebuild
from tests.engine.store.desk import Desk, assert_sound, digest, look_inside, random_vectors
from tests.engine.store.processes import run_to_death

BATCHES = FILES // 2
REBUILD_STAGES = [
    *(("batch-begun", turn) for turn in (1, BATCHES)),
    *(("batch-committed", turn) for turn in (1, BATCHES)),
    ("publish-before", 1),
    ("publish-after", 1),
    ("old-generation-dropped", 1),
]


def _labels(store: Store) -> dict[str, set[str]]:
    """Which labels the chunks, the keyword rows and the vector rows of the index show."""
    everything = random_vectors(["query"])[digest("query")]
    with store.reader.snapshot() as now:
        chunks = {chunk.rowid: chunk.text.split()[0] for chunk in now.chunks()}
        words = now.keyword("tuned", '"chunk"', 999)
        near = now.nearest("space-a", everything, 999)
    assert len(words) == len(near) == len(chunks)
    return {
        "chunks": set(chunks.values()),
        "keywords": {chunks[hit.rowid] for hit in words},
        "vectors": {chunks[hit.rowid] for hit in near},
    }


@pytest.mark.parametrize(("stage", "turn"), REBUILD_STAGES)
def test_killed_in_a_rebuild(desk: Desk, stage: str, turn: int) -> None:
    store = desk.open()
    rebuild(store, "old")
    store.close()

    run_to_death("rebuild", desk.path, stage, turn)

    store = desk.open()
    published = stage in ("publish-after", "old-generation-dropped")
    expected = {"new"} if published else {"old"}
    assert _labels(store) == dict.fromkeys(("chunks", "keywords", "vectors"), expected)
    assert len(store.reader.files()) == FILES
    assert_sound(desk.path)
    rebuild(store, "newest")
    assert _labels(store)["chunks"] == {"newest"}
    assert_sound(desk.path)
    assert desk.notices == []


@pytest.mark.parametrize("stage", ["migration-step", "batch-begun", "publish-before"])
def test_killed_in_the_first_build(desk: Desk, stage: str) -> None:
    run_to_death("rebuild", desk.path, stage, 1)

    store = desk.open()
    assert store.identity() is None
    assert_sound(desk.path)
    rebuild(store, "first")
    assert _labels(store)["chunks"] == {"first"}
    assert desk.notices == []


@pytest.mark.parametrize(
    ("stage", "turn", "replaced"),
    [("batch-begun", 1, 0), ("batch-committed", 1, 1), ("batch-begun", 4, 3)],
)
def test_killed_in_a_sync(desk: Desk, stage: str, turn: int, replaced: int) -> None:
    store = desk.open()
    rebuild(store, "old")
    store.close()

    run_to_death("sync", desk.path, stage, turn)

    store = desk.open()
    labels = [store.reader.chunks(f"{at}.md")[0].text.split()[0] for at in range(FILES)]
    assert labels == ["new"] * replaced + ["old"] * (FILES - replaced)
    assert_sound(desk.path)


@pytest.mark.parametrize("turn", range(1, len(STEPS)))
def test_killed_in_a_migration(desk: Desk, turn: int) -> None:
    _old_version(desk.path)

    run_to_death("rebuild", desk.path, "migration-step", turn)

    connection = look_inside(desk.path)
    assert connection.pragma("user_version") == turn, "the step that was killed is undone"
    connection.close()
    store = desk.open()
    rebuild(store, "first")
    assert_sound(desk.path)


def _old_version(path: Path) -> None:
    path.parent.mkdir()
    path.touch()
    connection = look_inside(path)
    migrate(connection, path, lambda _: None, STEPS[:1])
    connection.close()
