"""``memlens eval`` on a workspace whose answers are known."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Command


@pytest.fixture
def judged(notes: Path) -> Path:
    queries = [
        {
            "query": "router firmware",
            "category": "facts",
            "relevant": [{"path": "memory/2026-11-20.md", "start_line": 3, "end_line": 3}],
        },
        {
            "query": "gateway kestrel",
            "category": "hosts",
            "relevant": [{"path": "MEMORY.md", "start_line": 3, "end_line": 3, "ref": "g"}],
        },
        {
            "query": "zebra crossing",
            "category": "facts",
            "relevant": [{"path": "memory/none.md", "start_line": 1, "end_line": 1}],
        },
    ]
    file = notes.parent / "queries.jsonl"
    file.write_text("".join(json.dumps(query) + "\n" for query in queries), "utf-8")
    return file


def test_metrics_are_means_over_queries(memlens: Command, notes: Path, judged: Path) -> None:
    said = memlens("--workspace", notes, "eval", judged, "--json").json
    assert said["queries"] == 3
    assert said["metrics"]["evidence@6"] == pytest.approx(2 / 3)
    assert said["metrics"]["MRR@10"] == pytest.approx(2 / 3)
    assert said["metricsByCategory"]["hosts"]["nDCG@10"] == 1
    assert said["perQuery"][0]["query"] == "router firmware"
    assert said["unjudged"] > 0


def test_two_profiles_side_by_side(memlens: Command, notes: Path, judged: Path) -> None:
    said = memlens("--workspace", notes, "eval", judged, "--compare", "2026.3", "--json").json
    assert said["compared"]["profile"] == "2026.3"
    verdict = said["significance"]["nDCG@10"]
    assert verdict["better"] + verdict["same"] + verdict["worse"] == 3


def test_a_broken_file_is_wrong_usage(memlens: Command, notes: Path, tmp_path: Path) -> None:
    assert memlens("--workspace", notes, "eval", tmp_path / "none.jsonl").code == 2
