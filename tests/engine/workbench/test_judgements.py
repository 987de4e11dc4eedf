"""Judgement files: what is read, what is refused with a place."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.errors import ConfigError
from engine.workbench.judgements import read_judgements


def test_lines_with_and_without_the_optional_parts(tmp_path: Path) -> None:
    file = tmp_path / "q.jsonl"
    file.write_text(
        '{"query": "a", "relevant": [{"path": "x.md", "start_line": 3}]}\n\n'
        '{"query": "b", "category": "ids", "relevant": ['
        '{"path": "x.md", "start_line": 1, "end_line": 2, "grade": 3, "ref": "f"},'
        '{"path": "y.md", "start_line": 9, "end_line": 9, "grade": 1, "ref": "f"}]}\n',
        "utf-8",
    )
    first, second = read_judgements(file)
    assert (first.category, first.relevant[0].end_line, first.relevant[0].grade) == ("all", 3, 1)
    assert second.facts == {"f"}
    assert [lines.grade for lines in second.relevant] == [3, 1]


@pytest.mark.parametrize("line", ["{", "[]", '{"relevant": []}', '{"query": "a", "relevant": [1]}'])
def test_a_broken_line_is_named(tmp_path: Path, line: str) -> None:
    file = tmp_path / "q.jsonl"
    file.write_text('{"query": "fine", "relevant": []}\n' + line + "\n", "utf-8")
    with pytest.raises(ConfigError, match=r"q\.jsonl, line 2"):
        read_judgements(file)


def test_a_missing_file_is_an_error_of_ours(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        read_judgements(tmp_path / "none.jsonl")
