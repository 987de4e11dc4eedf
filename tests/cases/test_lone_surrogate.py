"""Case lone-surrogate, as far as notes go: bytes outside UTF-8 are read, named and found.

Transcripts, and what the doctor counts, come with later parts.
"""

from __future__ import annotations

from pathlib import Path

from engine.embeddings.builtin.provider import BuiltinProvider
from engine.events import Notice
from tests.cases.desk import case_desk, lines_with
from tests.cases.inputs import DATA


def test_a_note_in_another_encoding_is_findable_and_named(tmp_path: Path) -> None:
    desk = case_desk("lone-surrogate", tmp_path)
    report = desk.sync(BuiltinProvider())
    assert (report.files_indexed, report.not_embedded, report.skipped) == (2, 0, ())
    assert lines_with(desk, "wrong") == [("memory/latin1.md", 1)]
    assert lines_with(desk, "Fine") == [("memory/good.md", 1)]
    (told,) = [notice.text for notice in desk.told(Notice)]
    assert told.startswith("memory/latin1.md: 1 character is not UTF-8")
    for file in (DATA / "lone-surrogate/workspace/memory").iterdir():
        assert (desk.workspace / "memory" / file.name).read_bytes() == file.read_bytes()
    assert desk.store.check().sound
    desk.close()


def test_half_a_character_in_a_text_is_stored_as_u_fffd(tmp_path: Path) -> None:
    """Written as UTF-8 would have it; decoding already turns it into U+FFFD."""
    desk = case_desk("lone-surrogate", tmp_path)
    half = b"broken \xed\xa0\xbd half, vendor is Acme\n"
    (desk.workspace / "memory/half.md").write_bytes(half)
    desk.sync(BuiltinProvider())
    assert lines_with(desk, "vendor") == [("memory/half.md", 1)]
    desk.close()
