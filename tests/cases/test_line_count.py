"""Case line-count: lines end at line feeds only, in chunks and in reads alike."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.chunking.chunk import ChunkingRules
from engine.chunking.chunker import chunk_text
from engine.sources.found import SourceRoots
from engine.sources.reading import read_memory, read_range
from tests.cases.inputs import case_copy


@pytest.mark.parametrize(
    ("path", "word", "line"), [("memory/odd.md", "tamarind", 6), ("memory/cr.md", "sumac", 3)]
)
def test_lines_are_those_of_an_editor(path: str, word: str, line: int, tmp_path: Path) -> None:
    roots = SourceRoots(case_copy("line-count", tmp_path) / "workspace")
    chunks = chunk_text(read_memory(roots, path), ChunkingRules(8, 0))
    assert [(c.start_line, c.end_line) for c in chunks if word in c.text] == [(line, line + 1)]
    assert word in read_range(roots, path, line, 1).text
    assert word not in read_range(roots, path, 1, line - 1).text
    assert read_range(roots, path, line + 1, 1).text == ""
