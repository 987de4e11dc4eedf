"""The indexes that the later releases were measured on, built from the same notes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

from engine.chunking.chunk import ChunkingRules
from engine.clock import FixedClock
from engine.index.cutting import CutFile, cut
from engine.sources.found import FoundFile
from engine.sources.reading import decode
from engine.store.contract import StoredIdentity, Tokenizer
from engine.store.store import Store
from tests.engine.retrieval.memory import NOW_MS, SPACE, Memory
from tests.fakes.bow192 import bow_192
from tests.golden.vectors import WORKSPACE, vectors

LAYOUT = vectors("layout.json")
MEMORY, EXTRA = "files-400-80.json", "files-extra.json"
KEYWORDS_ONLY = ("fts", "fts-trigram", "fts-extra", "annotated-fts")


def notes_of(index: str, measured: Mapping[str, Any]) -> list[tuple[FoundFile, str]]:
    """The files of an index with their texts."""
    if index.startswith("annotated"):
        texts: Mapping[str, str] = measured["annotated_files"]
        return [_found(path, text.encode(), _seconds("")) for path, text in texts.items()]
    listed = vectors(EXTRA if index.endswith("extra") else MEMORY)["files"]
    return [_on_disk(row["path"]) for row in listed]


@contextmanager
def built(
    file: Path, index: str, measured: Mapping[str, Any], dialect: str, *, in_process: bool = False
) -> Iterator[Memory]:
    """The index of that name in a new file, cut by a release's rules."""
    embed = None if index in KEYWORDS_ONLY else bow_192
    rules = ChunkingRules(400, 80, dialect)
    cuts = [cut(found, text, "", rules) for found, text in notes_of(index, measured)]
    store = Store.open(
        file,
        vector_enabled=not in_process,
        events=lambda event: None,
        clock=FixedClock(NOW_MS),
    )
    memory = Memory(store, embed)
    _fill(memory, cuts, _identity(index, rules))
    try:
        yield memory
    finally:
        store.close()


def _fill(memory: Memory, cuts: Sequence[CutFile], identity: StoredIdentity) -> None:
    with memory.store.build(identity) as building:
        with building.batch() as writer:
            for each in cuts:
                # The original stores chunks of one id once.
                chunks = {(c.start_line, c.end_line, c.hash): c for c in each.chunks}
                writer.upsert(each.row, list(chunks.values()))
                if memory.embed is not None:
                    found = {c.hash: memory.vector(c.text) for c in each.chunks}
                    writer.put_vectors(SPACE, {h: v for h, v in found.items() if v is not None})
        building.publish()


def _identity(index: str, rules: ChunkingRules) -> StoredIdentity:
    tokenizer: Tokenizer = "trigram" if index.endswith("trigram") else "unicode61"
    space = "" if index in KEYWORDS_ONLY else SPACE
    return StoredIdentity(rules.fingerprint(), tokenizer, space, "test", "toy", "", None)


def _on_disk(path: str) -> tuple[FoundFile, str]:
    file = (WORKSPACE / path).resolve()
    place = file.relative_to(WORKSPACE.parent.resolve()).as_posix()
    return _found(path, file.read_bytes(), _seconds(place))


def _seconds(place: str) -> float:
    seconds = LAYOUT["mtimes_epoch_s"].get(place, LAYOUT["default_mtime_epoch_s"])
    return float(seconds)


def _found(path: str, data: bytes, seconds: float) -> tuple[FoundFile, str]:
    file = FoundFile(path, path, "memory", len(data), seconds * 1000)
    return file, decode(data)


def digest(text: str) -> str:
    """The name of a snippet in the measurements."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
