"""Files whose bytes are odd: they are indexed, found, and named where that helps."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine.chunking.chunk import ChunkingRules
from engine.embeddings.builtin.provider import BuiltinProvider
from engine.events import Notice, SyncStarted
from engine.sources.found import SourceRoots
from tests.engine.index.desk import Desk, by_path
from tests.engine.index.test_sync import finds, paths


@pytest.fixture(autouse=True)
def _sound_afterwards(desk: Desk) -> Iterator[None]:
    """Whatever a text held, the keyword tables agree with it."""
    yield
    assert desk.store.check().sound


def write_bytes(desk: Desk, path: str, data: bytes) -> None:
    """A file of exactly these bytes."""
    desk.write(path, "").write_bytes(data)


def warnings(desk: Desk) -> list[str]:
    """What the person was told."""
    return [notice.text for notice in desk.told(Notice)]


def test_bytes_that_are_no_utf8_are_replaced_and_the_file_is_named(desk: Desk) -> None:
    write_bytes(desk, "memory/latin.md", b"The caf\xe9 by the heron, cr\xe8me and curlew.\n")
    assert desk.sync(BuiltinProvider()).skipped == ()
    assert finds(desk, "curlew") == ["memory/latin.md"]
    assert warnings(desk) == [
        "memory/latin.md: 2 characters are not UTF-8 and read as U+FFFD; "
        "the words around are found."
    ]
    assert desk.sync(BuiltinProvider()).files_indexed == 0
    assert len(warnings(desk)) == 1, "told when it is indexed, not with every sync"


def test_nul_bytes_hide_nothing_behind_them(desk: Desk) -> None:
    write_bytes(desk, "memory/nul.md", b"heron \x00 plover\n\x00\x00\nturnstone\x00\n")
    desk.sync(BuiltinProvider())
    for word in ("heron", "plover", "turnstone"):
        assert finds(desk, word) == ["memory/nul.md"]
    assert desk.store.reader.chunks()[0].text.count("\0") == 4
    write_bytes(desk, "memory/nul.md", b"heron \x00 dunlin\n")
    assert desk.sync(BuiltinProvider(), "watch").files_indexed == 1
    assert finds(desk, "turnstone") == []
    assert finds(desk, "dunlin") == ["memory/nul.md"]


def test_a_file_in_utf16_is_indexed_as_what_it_is(desk: Desk) -> None:
    write_bytes(desk, "memory/wide.md", "\ufeffThe heron.\n".encode("utf-16-le"))
    assert desk.sync(BuiltinProvider()).files_indexed == 1
    assert warnings(desk)[0].startswith("memory/wide.md: 2 characters are not UTF-8")


@pytest.mark.parametrize(
    "data", [b"", b"\n", b"\xef\xbb\xbf", b"\x00", b"\r", b"\xff\xfe", "\U0010ffff \ufffe".encode()]
)
def test_next_to_nothing(desk: Desk, data: bytes) -> None:
    write_bytes(desk, "memory/odd.md", data)
    desk.sync(BuiltinProvider())
    assert paths(desk) == ["memory/odd.md"]
    assert desk.sync(BuiltinProvider(), force=True).files_indexed == 1


def test_a_file_over_the_stated_size_is_listed_and_leaves_the_index(desk: Desk) -> None:
    desk.configure(roots=SourceRoots(desk.workspace, max_file_bytes=100))
    desk.write("memory/a.md", "heron")
    desk.write("memory/b.md", "plover")
    desk.sync()
    desk.write("memory/a.md", "heron " * 40)
    indexer = desk.indexer()
    assert by_path(indexer.scan_now())["memory/a.md"].state == "deleted"
    report = indexer.run("watch")
    assert [skip.path for skip in report.skipped] == ["memory/a.md"]
    assert "files of more than" in report.skipped[0].reason
    assert by_path(indexer.coverage())["memory/a.md"].state == "skipped"
    assert finds(desk, "heron") == []
    desk.write("memory/a.md", "heron again")
    indexer.run("watch")
    assert finds(desk, "heron") == ["memory/a.md"]


def test_a_file_that_outgrows_the_size_between_scan_and_reading(desk: Desk) -> None:
    desk.configure(roots=SourceRoots(desk.workspace, max_file_bytes=100))
    file = desk.write("memory/a.md", "heron")
    desk.write("memory/b.md", "plover")

    def when_started(event: object) -> None:
        if isinstance(event, SyncStarted):
            file.write_text("heron " * 400, "utf-8")

    desk.bus.subscribe(when_started)
    report = desk.sync()
    assert [(skip.path, "more than 100 bytes" in skip.reason) for skip in report.skipped] == [
        ("memory/a.md", True)
    ]
    assert paths(desk) == ["memory/b.md"]


def test_pieces_of_one_line_with_the_same_text_are_one_chunk(desk: Desk) -> None:
    desk.configure(rules=ChunkingRules(10, 0))
    desk.write("memory/line.md", "heron " * 100)
    assert desk.sync(BuiltinProvider()).chunks_added < 10
    texts = [(row.start_line, row.text) for row in desk.store.reader.chunks()]
    assert len(set(texts)) == len(texts)
    estimate = desk.indexer(BuiltinProvider()).estimate()
    assert estimate.chunks == len(texts)
