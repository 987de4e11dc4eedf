"""What is remembered between runs, and that losing it costs nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from tui.state import FILE_NAME, ScreenState, StateFile


def test_choices_and_notes_survive_a_restart(tmp_path: Path) -> None:
    first = StateFile(tmp_path / "data")
    first.choose(theme="paper")
    first.choose(glyphs="ascii")
    first.note("search.query", "network setup")
    state = StateFile(tmp_path / "data").state
    assert state == ScreenState("paper", "ascii", {"search.query": "network setup"})
    assert [file.name for file in (tmp_path / "data").iterdir()] == [FILE_NAME]


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b'{"version": 99, "theme": "x"}', b"\xff", b'{"version": 1}']
)
def test_a_damaged_file_is_a_first_day(tmp_path: Path, body: bytes) -> None:
    (tmp_path / FILE_NAME).write_bytes(body)
    assert StateFile(tmp_path).state == ScreenState()


def test_values_of_a_wrong_kind_are_dropped(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_text('{"version": 1, "theme": 3, "notes": {"a": 1, "b": "c"}}')
    assert StateFile(tmp_path).state == ScreenState(notes={"b": "c"})


def test_a_folder_that_cannot_be_made_does_not_matter(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    kept = StateFile(tmp_path / "file" / "below")
    kept.choose(theme="paper")
    assert kept.state.theme == "paper"
