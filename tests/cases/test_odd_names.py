"""Case odd-names: discovery and reading; names are data, never markup, glob or date."""

from __future__ import annotations

import os
from pathlib import Path

from engine.sources.found import SourceRoots
from engine.sources.reading import read_found, read_range
from engine.sources.scan import scan
from tests.cases.inputs import case_copy


def test_every_name_is_stored_as_it_is_on_disk(tmp_path: Path) -> None:
    workspace = case_copy("odd-names", tmp_path) / "workspace"
    found = scan(SourceRoots(workspace))
    on_disk = {b"memory/" + os.fsencode(note.name) for note in (workspace / "memory").iterdir()}
    assert {file.path.encode() for file in found.files} == on_disk
    assert len(found.files) == 8
    assert found.skipped == ()


def test_every_name_can_be_read_back(tmp_path: Path) -> None:
    roots = SourceRoots(case_copy("odd-names", tmp_path) / "workspace")
    for file in scan(roots).files:
        text, _ = read_found(file)
        got = read_range(roots, file.path)
        assert got.path == file.path
        assert got.text == text.removesuffix("\n") != ""
