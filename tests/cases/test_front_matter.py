"""Case front-matter: a head is text like any other; lines and bytes stay as they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.chunking.chunk import ChunkingRules
from engine.chunking.chunker import chunk_text
from engine.sources.found import SourceRoots
from engine.sources.front_matter import head_problem
from engine.sources.reading import read_found, read_range
from engine.sources.scan import scan
from tests.cases.inputs import DATA, case_copy

WORDS = {
    "quince": ("memory/bom.md", 4),
    "medlar": ("memory/crlf.md", 4),
    "damson": ("memory/bad.md", 5),
    "sloe": ("memory/rule.md", 3),
    "ER605": ("memory/head.md", 7),
    "home": ("memory/head.md", 3),
}


@pytest.mark.parametrize("word", WORDS)
def test_words_are_on_the_lines_that_an_editor_shows(word: str, tmp_path: Path) -> None:
    roots = SourceRoots(case_copy("front-matter", tmp_path) / "workspace")
    path, line = WORDS[word]
    found = {file.path: file for file in scan(roots).files}
    text, _ = read_found(found[path])
    holding = [c for c in chunk_text(text, ChunkingRules(400, 80)) if word in c.text]
    assert [c.start_line for c in holding] == [1]
    lines = holding[0].text.split("\n")
    assert [n for n, part in enumerate(lines, start=1) if word in part] == [line]
    assert word in read_range(roots, path, line, 1).text


def test_one_broken_head_gives_one_warning_and_harms_no_other(tmp_path: Path) -> None:
    found = scan(SourceRoots(case_copy("front-matter", tmp_path) / "workspace")).files
    problems = {file.path: head_problem(read_found(file)[0]) for file in found}
    assert len(problems) == 5
    assert [path for path, problem in problems.items() if problem] == ["memory/bad.md"]


def test_no_byte_changes(tmp_path: Path) -> None:
    workspace = case_copy("front-matter", tmp_path) / "workspace"
    for file in scan(SourceRoots(workspace)).files:
        read_found(file)
        original = DATA / "front-matter/workspace" / file.path
        assert file.absolute.read_bytes() == original.read_bytes()
