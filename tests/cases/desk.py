"""A case's workspace under an indexer, with a real store."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from engine.chunking.chunk import ChunkingRules
from engine.events import EventBus
from engine.index.settings import IndexSettings
from engine.sources.found import SourceRoots
from tests.cases.inputs import case_copy
from tests.engine.index.desk import Desk, open_store


def case_desk(name: str, folder: Path, **roots: Any) -> Desk:
    """The case copied below a folder, and an empty index beside it."""
    workspace = case_copy(name, folder) / "workspace"
    bus = EventBus()
    settings = IndexSettings(replace(SourceRoots(workspace), **roots), ChunkingRules(400, 80))
    desk = Desk(folder, settings, open_store(folder / "index.sqlite", bus), bus)
    bus.subscribe(desk.events.append)
    return desk


def lines_with(desk: Desk, word: str) -> list[tuple[str, int]]:
    """Path and line of each occurrence of a word in the chunks that keyword search finds."""
    hits = desk.store.reader.keyword("tuned", f'"{word}"', 50)
    rows = desk.store.reader.rows([hit.rowid for hit in hits]).values()
    return sorted(
        {
            (row.path, row.start_line + offset)
            for row in rows
            for offset, line in enumerate(row.text.split("\n"))
            if word in line
        }
    )
