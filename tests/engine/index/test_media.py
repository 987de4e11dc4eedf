"""Media files on the way to the provider: alone in a pack, read late, kept out of batch jobs."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.chunking.chunk import ChunkingRules
from engine.embeddings.contract import ProviderLimits
from engine.embeddings.media_text import MediaText
from engine.errors import PathError
from engine.index.batch_jobs.source import FilesOnDisk
from engine.index.decision import SyncRequest
from engine.index.media import MediaShelf
from engine.index.packs import packs
from engine.index.settings import IndexSettings
from engine.index.wire import ChildSetup, Job, decode_job, encode_job
from engine.sources.found import FoundFile, SourceRoots
from engine.sources.media import MediaRules
from engine.sources.reading import file_hash, read_found
from engine.sources.scan import scan
from tests.fakes.media_bytes import JPEG, PNG, medium

RULES = ChunkingRules(400, 80)
MEDIA = MediaRules(("image",), 100_000)


@pytest.fixture
def roots(tmp_path: Path) -> SourceRoots:
    (tmp_path / "ws" / "memory").mkdir(parents=True)
    (tmp_path / "ws" / "memory" / "a.md").write_text("# A\nwords\n", "utf-8")
    (tmp_path / "pics").mkdir()
    (tmp_path / "pics" / "mast.png").write_bytes(medium(PNG, "kestrel"))
    return SourceRoots(tmp_path / "ws", ("../pics",), media=MEDIA)


def picture(roots: SourceRoots) -> FoundFile:
    (found,) = [file for file in scan(roots).files if file.path.endswith(".png")]
    return found


def test_the_shelf_adds_the_bytes_to_the_right_text_only(roots: SourceRoots) -> None:
    found = picture(roots)
    text, hash_ = read_found(found)
    shelf = MediaShelf([found])
    sent = shelf.sent(hash_, text)
    assert isinstance(sent, MediaText)
    assert (sent, sent.mime_type, sent.data) == (text, "image/png", medium(PNG, "kestrel"))
    note = shelf.sent(file_hash(text), text)
    assert type(note) is str
    assert shelf.sent("any", "plain words") == "plain words"


def test_a_file_that_is_not_what_was_indexed_is_not_sent(roots: SourceRoots) -> None:
    found = picture(roots)
    text, hash_ = read_found(found)
    with pytest.raises(PathError) as caught:
        MediaShelf().sent(hash_, text)
    assert "not there" in caught.value.message
    found.absolute.write_bytes(medium(JPEG, "heron"))
    with pytest.raises(PathError) as caught:
        MediaShelf([found]).sent(hash_, text)
    assert "changed meanwhile" in caught.value.message
    found.absolute.unlink()
    with pytest.raises(PathError):
        MediaShelf([found]).sent(hash_, text)


def test_a_medium_is_alone_in_its_pack() -> None:
    texts = [("1", "a"), ("2", "Image file: x.png"), ("3", "Audio file: y.mp3"), ("4", "b")]
    limits = ProviderLimits(100, 100_000, 8192)
    cut = [[hash_ for hash_, _ in pack] for pack in packs(texts, lambda: limits, 4)]
    assert cut == [["1"], ["2"], ["3"], ["4"]]


def test_batch_jobs_leave_media_alone(roots: SourceRoots) -> None:
    source = FilesOnDisk(scan(roots).files, RULES)
    hashes = source.hashes()
    assert [text for _, text in source.texts(hashes)] == ["# A\nwords\n"]
    assert read_found(picture(roots))[1] not in hashes


@pytest.mark.parametrize("media", [None, MEDIA])
def test_the_child_is_told_which_media_count(roots: SourceRoots, media: MediaRules | None) -> None:
    asked = SourceRoots(roots.workspace, roots.extra_paths, media=media)
    job = Job(ChildSetup(Path("i")), IndexSettings(asked, RULES), SyncRequest("demand"), False)
    assert decode_job(encode_job(job)) == job
