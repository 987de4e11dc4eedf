"""Chunk borders, hashes and ids against those of the original programs."""

from __future__ import annotations

from itertools import groupby
from typing import Any

import pytest

from engine.chunking.chunk import ChunkingRules
from engine.chunking.chunker import chunk_id, chunk_text
from engine.sources.reading import decode, file_hash
from tests.golden.vectors import WORKSPACE, vectors

pytestmark = pytest.mark.golden

FILES = (
    "chunks-10-50.json",
    "chunks-100-20.json",
    "chunks-256-200.json",
    "chunks-400-80.json",
    "chunks-4000-80.json",
    "chunks-50-0.json",
    "chunks-extra.json",
)


def _rules(measured: dict[str, Any]) -> ChunkingRules:
    chunking = measured["memorySearch"].get("chunking", {})
    return ChunkingRules(chunking.get("tokens", 400), chunking.get("overlap", 80))


def _rows(path: str, source: str, rules: ChunkingRules) -> list[dict[str, Any]]:
    text = decode((WORKSPACE / path).read_bytes())
    rows: dict[str, dict[str, Any]] = {}
    for chunk in chunk_text(text, rules):
        key = chunk_id(source, path, chunk, "bow-192")
        if key in rows:  # the original stores chunks of one id once and numbers what it stored
            continue
        rows[key] = {
            "path": path,
            "source": source,
            "i": len(rows),
            "startLine": chunk.start_line,
            "endLine": chunk.end_line,
            "utf16": chunk.utf16,
            "bytes": len(chunk.text.encode()),
            "hash": chunk.hash,
            "id": key,
        }
    return list(rows.values())


@pytest.mark.parametrize("name", FILES)
def test_chunks_are_those_of_the_original(name: str) -> None:
    measured = vectors(name)
    rules = _rules(measured)
    checked = 0
    for path, group in groupby(measured["chunks"], key=lambda row: str(row["path"])):
        expected = list(group)
        heads = [row.pop("head") for row in expected]
        rows = _rows(path, expected[0]["source"], rules)
        assert rows == expected, path
        assert len(heads) == len(rows)
        checked += len(rows)
    assert checked == len(measured["chunks"]) > 0


@pytest.mark.parametrize("name", ["files-400-80.json", "files-extra.json"])
def test_file_hashes_are_those_of_the_original(name: str) -> None:
    files = vectors(name)["files"]
    for row in files:
        data = (WORKSPACE / row["path"]).read_bytes()
        assert (file_hash(decode(data)), len(data)) == (row["hash"], row["size"]), row["path"]
    assert len(files) > 30


def test_a_file_with_nothing_but_blanks_has_no_chunk() -> None:
    rules = ChunkingRules(400, 80)
    for path in ("memory/blank-lines.md", "memory/empty.md"):
        assert _rows(path, "memory", rules) == []
