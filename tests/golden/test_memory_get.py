"""Reads, ranges and refusals of memory_get against the original programs.

One deviation, on purpose and in every era: the originals read through a linked folder
inside memory/; here that is a refusal like any other link.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.errors import PathError
from engine.sources.found import SourceRoots
from engine.sources.reading import read_range
from tests.golden.vectors import WORKSPACE, vectors

pytestmark = pytest.mark.golden

RULES = vectors("memory_get_rules.json")
READ_THROUGH_A_LINKED_FOLDER = "memory/linkdir/x.md"


def _answer(roots: SourceRoots, call: dict[str, Any], path: str) -> dict[str, Any]:
    try:
        found = read_range(roots, path, call.get("from"), call.get("lines"), style="original")
    except PathError:
        return {"error": "path required"}
    return {"result": {"text": found.text, "path": found.path}}


def _read_cases() -> Iterator[Any]:
    for case in vectors("memory_get.json")["cases"]:
        args = case["args"]
        yield pytest.param(case, id=f"{args['path']}-{args.get('from')}-{args.get('lines')}")


@pytest.mark.parametrize("case", list(_read_cases()))
def test_reads_and_ranges(case: dict[str, Any]) -> None:
    roots = SourceRoots(WORKSPACE.with_name(case["workspace"]), tuple(case["extraPaths"]))
    assert _answer(roots, case["args"], case["args"]["path"]) == case["expected"]


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """The small workspace of the rules, with its links and a folder that is named like a note."""
    top = tmp_path / "ws"
    for name, text in RULES["small_workspace"].items():
        file = top / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    (top / "memory/link.md").symlink_to(top / "memory/a.md")
    (top / "memory/linkdir").symlink_to(top / "memory/sub")
    (top / "memory/dir.md").mkdir()
    return top


def _rule_calls() -> Iterator[Any]:
    for case in RULES["cases"]:
        extra = case["config"]["agents"]["defaults"]["memorySearch"].get("extraPaths", [])
        pairs = zip(case["calls"], case["expected"]["ops"], strict=True)
        for number, (call, expected) in enumerate(pairs):
            yield pytest.param(extra, call, expected, id=f"{case['id']}-{number}-{call['path']}")


@pytest.mark.parametrize(("extra", "call", "expected"), list(_rule_calls()))
def test_rules(
    workspace: Path, extra: list[str], call: dict[str, Any], expected: dict[str, Any]
) -> None:
    path = call["path"].replace("<root>", str(workspace.parent))
    answer = _answer(SourceRoots(workspace, tuple(extra)), call, path)
    if call["path"] == READ_THROUGH_A_LINKED_FOLDER:
        assert "result" in expected
        assert answer == {"error": "path required"}
        return
    wanted = {key: value for key, value in expected.items() if key != "op"}
    assert answer == wanted
