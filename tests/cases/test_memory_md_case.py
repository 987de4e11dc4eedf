"""Case memory-md-case: which of the two spellings is memory, and what is said about it."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.sources.found import ScanResult, SourceRoots
from engine.sources.scan import scan
from engine.tools.memory_search import memory_search
from tests.cases.inputs import case_copy
from tests.engine.agent_home import AgentHome


def _scan(name: str, where: Path, *, both: bool = False) -> ScanResult:
    folder = case_copy("memory-md-case", where) / name
    return scan(SourceRoots(folder, both_root_spellings=both))


def test_of_two_files_one_is_used_and_the_other_named(tmp_path: Path) -> None:
    found = _scan("two_files", tmp_path)
    assert [file.path for file in found.files] == ["MEMORY.md"]
    assert [(entry.path, entry.reason) for entry in found.skipped] == [
        ("memory.md", "MEMORY.md exists as well and is used instead.")
    ]
    assert found.issues == ("MEMORY.md and memory.md both exist; only MEMORY.md is used.",)


def test_eras_that_use_both_files_say_so(tmp_path: Path) -> None:
    found = _scan("two_files", tmp_path, both=True)
    assert [file.path for file in found.files] == ["MEMORY.md", "memory.md"]
    assert found.skipped == ()
    assert found.issues == ("MEMORY.md and memory.md both exist, and both are indexed.",)


def test_the_lower_spelling_alone_is_used(tmp_path: Path) -> None:
    found = _scan("only_lower", tmp_path)
    assert [file.path for file in found.files] == ["memory.md"]
    assert (found.skipped, found.issues) == ((), ())


def test_a_folder_of_another_spelling_is_not_passed_over_in_silence(tmp_path: Path) -> None:
    found = _scan("odd_folder", tmp_path)
    assert found.files == ()
    assert found.issues == ("Memory/ is not used: the memory folder must be called memory/.",)


@pytest.mark.parametrize(
    ("folder", "era", "word", "found"),
    [
        ("two_files", "memlens", "cat", ["MEMORY.md"]),
        ("two_files", "2026.3", "cat", ["MEMORY.md", "memory.md"]),
        ("only_lower", "memlens", "alarm", ["memory.md"]),
        ("odd_folder", "memlens", "spare key", []),
    ],
)
def test_searching_the_folders_of_an_agent(
    folder: str, era: str, word: str, found: list[str], tmp_path: Path
) -> None:
    home = AgentHome(tmp_path, elsewhere=case_copy("memory-md-case", tmp_path) / folder)
    home.configure({"provider": "none"})
    with home.open(era=era) as engine:
        engine.sync("demand")
        results = memory_search(engine, word, min_score=0).results
        assert sorted(r.ranked.candidate.path for r in results) == found
        warned = [caution.message for caution in engine.status().warnings]
    if folder == "two_files":
        assert any("both exist" in message for message in warned)
    if folder == "odd_folder":
        assert any("Memory/ is not used" in message for message in warned)
