"""Which files are memory, against what the original programs indexed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from engine.sources.found import SourceRoots
from engine.sources.scan import scan
from tests.golden.vectors import WORKSPACE, vectors

pytestmark = pytest.mark.golden

CASES = {case["id"]: case for case in vectors("discovery.json")["cases"]}


def _build(workspace: Path, case: dict[str, Any]) -> None:
    for name, text in case["files"].items():
        file = workspace / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    for name, target in case["symlinks"].items():
        link = workspace / name
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(target)


@pytest.mark.parametrize("name", CASES)
def test_the_same_files_are_memory(name: str, tmp_path: Path) -> None:
    case = CASES[name]
    _build(tmp_path, case)
    roots = SourceRoots(tmp_path, tuple(case["extraPaths"]), both_root_spellings=True)
    assert sorted(file.path for file in scan(roots).files) == case["expected"]["indexed"]


@pytest.mark.parametrize("name", ["files-400-80.json", "files-extra.json"])
def test_the_same_files_of_the_workspace_are_memory(name: str) -> None:
    extra = vectors("layout.json")["extraPaths"] if name == "files-extra.json" else ()
    found = scan(SourceRoots(WORKSPACE, tuple(extra), both_root_spellings=True))
    rows = {(row["path"], row["source"], row["size"]) for row in vectors(name)["files"]}
    assert {(file.path, file.source, file.size) for file in found.files} == rows


def test_the_documented_order(tmp_path: Path) -> None:
    _build(tmp_path, CASES["extra-overlap"])
    (tmp_path / "memory.md").write_text("lower\n", "utf-8")
    found = scan(SourceRoots(tmp_path, ("docs",), both_root_spellings=True))
    order = ["MEMORY.md", "memory.md", "memory/a.md", "memory/sub/b.md", "docs/c.md"]
    assert [file.path for file in found.files] == order
