"""The situations in which a process is killed: what was there before, and what it does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Literal

import apsw

from engine.events import EventSink, Stage, SyncReason
from engine.store.schema import STEPS
from tests.crash.bench import Bench, Setup, silent

Before = Callable[[Bench], None]
BUILTIN, NONE, TOY, OTHER_TOY = Setup(), Setup("none"), Setup("toy"), Setup("other toy")
WIDER = Setup("builtin", tokens=32)
TRIGRAM = Setup("builtin", tokenizer="trigram")


@dataclass(frozen=True, slots=True)
class Scene:
    """``before`` lays it out, then a process runs the indexer with ``setup``.

    ``answers`` says what a reader may find after a kill: the whole of the old or of the
    new index (a rebuild), or each file as it was or as it is (an update in place).
    ``after_kill`` names an earlier scene whose kill left the situation behind.
    """

    name: str
    setup: Setup
    answers: Literal["whole", "by file"] = "whole"
    reason: SyncReason = "demand"
    force: bool = False
    before: tuple[Before, ...] = (Bench.write_notes,)
    after_kill: tuple[str, Stage, int] | None = None
    facade: bool = False
    """Whether the process is a whole MemoryEngine, configuration and all."""

    def with_provider(self, provider: str) -> Scene:
        """The same with another provider."""
        return replace(self, setup=replace(self.setup, provider=provider))

    def lay_out(self, folder: Path) -> Bench:
        """Make what is there before, except for the work of an earlier kill."""
        bench = Bench(folder)
        for step in self.before:
            step(bench)
        return bench

    def act(self, bench: Bench, sink: EventSink) -> None:
        """What the process does."""
        self._run(bench, self.reason, force=self.force, sink=sink)

    def heal(self, bench: Bench) -> None:
        """What the next process does: a sync like any other."""
        self._run(bench, "demand", force=False, sink=silent)

    def _run(self, bench: Bench, reason: SyncReason, *, force: bool, sink: EventSink) -> None:
        if self.facade:
            bench.run_facade(self.setup, reason, force=force, sink=sink)
        else:
            bench.run(self.setup, reason, force=force, sink=sink)


def indexed(setup: Setup) -> Before:
    """An index of the notes as they are."""
    return partial(Bench.run, setup=setup)


def through_the_facade(bench: Bench) -> None:
    """The same, made by a whole engine."""
    bench.run_facade(BUILTIN)


def of_version(version: int, bench: Bench) -> None:
    """Turn the index into one that an earlier memlens has written."""
    assert len(STEPS) == len(UNDO) + 1, "say in UNDO how the newest step is undone"
    connection = apsw.Connection(str(bench.index))
    for undo in reversed(UNDO[version - 1 :]):
        undo(connection)
    connection.pragma("user_version", version)
    connection.close()


def _drop_failures(connection: apsw.Connection) -> None:
    connection.execute("drop table failures")


def _drop_annotations(connection: apsw.Connection) -> None:
    for (table,) in connection.execute(
        "select name from sqlite_schema where type = 'table' and name glob 'chunks_g[0-9]*'"
    ).fetchall():
        for column in ("importance", "triggers", "projects"):
            connection.execute(f"alter table {table} drop column {column}")


def _drop_jobs(connection: apsw.Connection) -> None:
    for table in ("batch_texts", "batch_jobs"):
        connection.execute(f"drop table {table}")


UNDO: tuple[Callable[[apsw.Connection], None], ...] = (
    _drop_failures,
    _drop_annotations,
    _drop_jobs,
)
"""How step 2, 3, ... of the schema is undone."""


def cut_off(bench: Bench) -> None:
    """Half of the file is gone."""
    whole = bench.index.read_bytes()
    bench.index.write_bytes(whole[: len(whole) // 2])


def overwritten(bench: Bench) -> None:
    """The first pages are rubbish, and so is the log."""
    with bench.index.open("r+b") as file:
        file.seek(100)
        file.write(b"\xff" * 8000)
    bench.index.with_name(bench.index.name + "-wal").write_bytes(b"\x55" * 5000)


NOTES, EDIT = Bench.write_notes, Bench.edit_notes


def _left_by(stage: Stage, turn: int) -> Scene:
    name = f"left by a kill at {stage} {turn}"
    before = (NOTES, indexed(BUILTIN), EDIT)
    killed: tuple[str, Stage, int] = ("rebuild", stage, turn)
    return Scene(name, BUILTIN, "by file", before=before, after_kill=killed)


SCENES = {
    scene.name: scene
    for scene in (
        Scene("first index", BUILTIN),
        Scene("first index for keywords", NONE),
        Scene("first index with a provider", TOY),
        Scene("update", BUILTIN, "by file", "watch", before=(NOTES, indexed(BUILTIN), EDIT)),
        Scene("update for keywords", NONE, "by file", before=(NOTES, indexed(NONE), EDIT)),
        Scene("update with a provider", TOY, "by file", before=(NOTES, indexed(TOY), EDIT)),
        Scene("rebuild", BUILTIN, force=True, before=(NOTES, indexed(BUILTIN), EDIT)),
        Scene("rebuild with a provider", TOY, force=True, before=(NOTES, indexed(TOY), EDIT)),
        Scene("other chunk sizes", WIDER, before=(NOTES, indexed(BUILTIN), EDIT)),
        Scene("other tokenizer", TRIGRAM, "by file", before=(NOTES, indexed(BUILTIN), EDIT)),
        Scene("vectors for keywords", BUILTIN, "by file", before=(NOTES, indexed(NONE))),
        Scene("another provider", TOY, "by file", before=(NOTES, indexed(BUILTIN))),
        Scene("another model", OTHER_TOY, "by file", before=(NOTES, indexed(TOY))),
        Scene("file of version 1", BUILTIN, "by file",
              before=(NOTES, indexed(BUILTIN), EDIT, partial(of_version, 1))),
        Scene("file of version 2", BUILTIN, "by file",
              before=(NOTES, indexed(BUILTIN), EDIT, partial(of_version, 2))),
        Scene("file of version 3", BUILTIN, "by file",
              before=(NOTES, indexed(BUILTIN), EDIT, partial(of_version, 3))),
        Scene("cut off", BUILTIN, before=(NOTES, indexed(BUILTIN), cut_off)),
        Scene("overwritten", NONE, before=(NOTES, indexed(NONE), overwritten)),
        Scene("engine: first index", BUILTIN, facade=True),
        Scene("engine: update", BUILTIN, "by file", "watch", facade=True,
              before=(NOTES, through_the_facade, EDIT)),
        Scene("engine: rebuild", BUILTIN, force=True, facade=True,
              before=(NOTES, through_the_facade, EDIT)),
        _left_by("build-begun", 1),
        _left_by("batch-written", 2),
        _left_by("batch-committed", 2),
        _left_by("publish-before", 1),
        _left_by("publish-after", 1),
        _left_by("drop-before", 1),
    )
}  # fmt: skip
