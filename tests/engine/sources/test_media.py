"""Which pictures and sound count: below extra paths only, by name, size and first bytes."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import PathError
from engine.sources.found import ScanResult, SourceRoots
from engine.sources.media import (
    SUFFIXES,
    MediaRules,
    media_content,
    modality_of,
    sniffed,
    wrong_content,
)
from engine.sources.media_card import media_card
from engine.sources.reading import read_found, read_range
from engine.sources.scan import scan
from engine.sources.watch_plan import plan_watch
from tests.fakes import media_bytes as heads
from tests.fakes.media_bytes import medium

BOTH = MediaRules(("image", "audio"), 1000)


def roots(tmp_path: Path, *extra: str, media: MediaRules | None = BOTH) -> SourceRoots:
    workspace = tmp_path / "ws"
    (workspace / "memory").mkdir(parents=True, exist_ok=True)
    return SourceRoots(workspace, extra or ("../pics",), media=media)


def put(file: Path, data: bytes) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)
    return file


def reasons(found: ScanResult) -> dict[str, str]:
    return {skipped.path: skipped.reason for skipped in found.skipped}


@pytest.mark.parametrize(
    ("head", "mime_type"),
    [
        (heads.PNG, "image/png"),
        (heads.JPEG, "image/jpeg"),
        (heads.GIF, "image/gif"),
        (heads.WEBP, "image/webp"),
        (heads.HEIC, "image/heic"),
        (heads.MP3, "audio/mpeg"),
        (heads.BARE_MP3, "audio/mpeg"),
        (heads.WAV, "audio/wav"),
        (heads.OGG, "audio/ogg"),
        (heads.OPUS, "audio/opus"),
        (heads.M4A, "audio/mp4"),
        (heads.AAC, "audio/aac"),
        (heads.FLAC, "audio/flac"),
        (b"# A note\n", None),
        (b"<svg xmlns=", None),
        (b"", None),
        (b"\xff", None),
        (b"\x00\x00\x00\x18ftypqt  ", None),
    ],
)
def test_the_first_bytes_tell_the_type(head: bytes, mime_type: str | None) -> None:
    assert sniffed(head) == mime_type


@given(st.binary(max_size=80))
def test_any_bytes_are_survived(data: bytes) -> None:
    for name in ("a.png", "b.mp3"):
        content = media_content(name, data)
        assert (content is None) == (wrong_content(name, data[:64]) is not None)


def test_only_below_extra_paths(tmp_path: Path) -> None:
    put(tmp_path / "ws" / "memory" / "inside.png", medium(heads.PNG, "inside"))
    put(tmp_path / "ws" / "top.png", medium(heads.PNG, "top"))
    put(tmp_path / "pics" / "sub" / "Mast.PNG", medium(heads.PNG, "mast"))
    put(tmp_path / "pics" / "talk.mp3", medium(heads.MP3, "talk"))
    put(tmp_path / "pics" / "film.mp4", b"film")
    put(tmp_path / "pics" / "note.md", b"# Note\n")
    found = scan(roots(tmp_path))
    assert [file.path for file in found.files] == [
        "../pics/note.md",
        "../pics/talk.mp3",
        "../pics/sub/Mast.PNG",
    ]
    assert (reasons(found), found.issues) == ({}, ())


def test_a_folder_of_the_memory_may_be_an_extra_path_too(tmp_path: Path) -> None:
    put(tmp_path / "ws" / "memory" / "pics" / "a.png", medium(heads.PNG, "a"))
    put(tmp_path / "ws" / "memory" / "pics" / "a.md", b"# A\n")
    found = scan(roots(tmp_path, "memory/pics"))
    assert [file.path for file in found.files] == ["memory/pics/a.md", "memory/pics/a.png"]


def test_one_file_may_be_named(tmp_path: Path) -> None:
    put(tmp_path / "a.png", medium(heads.PNG, "a"))
    put(tmp_path / "b.png", medium(heads.PNG, "b"))
    assert [file.path for file in scan(roots(tmp_path, "../a.png")).files] == ["../a.png"]


@pytest.mark.parametrize(
    ("media", "paths"),
    [
        (None, []),
        (MediaRules(("image",), 1000), ["../pics/a.png"]),
        (MediaRules(("audio",), 1000), ["../pics/b.mp3"]),
    ],
)
def test_only_wanted_kinds(tmp_path: Path, media: MediaRules | None, paths: list[str]) -> None:
    put(tmp_path / "pics" / "a.png", medium(heads.PNG, "a"))
    put(tmp_path / "pics" / "b.mp3", medium(heads.MP3, "b"))
    found = scan(roots(tmp_path, media=media))
    assert [file.path for file in found.files] == paths
    assert reasons(found) == {}


def test_what_is_left_out_says_why(tmp_path: Path) -> None:
    pics = tmp_path / "pics"
    put(pics / "big.png", heads.PNG + b"x" * 1000)
    put(pics / "page.png", b"<html>not found</html>")
    put(pics / "song.png", heads.MP3)
    put(pics / "empty.mp3", b"")
    put(tmp_path / "elsewhere.png", heads.PNG)
    (pics / "link.png").symlink_to(tmp_path / "elsewhere.png")
    said = reasons(scan(roots(tmp_path)))
    assert "files of more than" in said["../pics/big.png"]
    assert said["../pics/page.png"] == "It is named like an image, but holds something else."
    assert said["../pics/song.png"] == "It is named like an image, but holds audio/mpeg."
    assert said["../pics/empty.mp3"] == "It is named like sound, but holds something else."
    assert "Links are not followed" in said["../pics/link.png"]


def test_formats_that_the_service_documents_no_longer_are_doubted(tmp_path: Path) -> None:
    put(tmp_path / "pics" / "a.webp", medium(heads.WEBP, "a"))
    put(tmp_path / "pics" / "b.flac", medium(heads.FLAC, "b"))
    put(tmp_path / "pics" / "c.png", medium(heads.PNG, "c"))
    (issue,) = scan(roots(tmp_path)).issues
    assert issue.startswith("Media files in .flac, .webp may be refused")
    assert len(scan(roots(tmp_path)).files) == 3


def test_a_name_stands_for_the_file_and_the_hash_for_its_content(tmp_path: Path) -> None:
    data = medium(heads.JPEG, "mast")
    file = put(tmp_path / "pics" / "a.jpeg", data)
    (found,) = scan(roots(tmp_path)).files
    text, first = read_found(found)
    assert text == "Image file: ../pics/a.jpeg"
    told = {
        "path": "../pics/a.jpeg",
        "contentText": text,
        "mimeType": "image/jpeg",
        "dataHash": sha256(data).hexdigest(),
    }
    assert first == sha256(json.dumps(told, separators=(",", ":")).encode()).hexdigest()
    file.write_bytes(medium(heads.JPEG, "other"))
    assert read_found(found)[1] != first
    file.write_bytes(b"# no picture")
    with pytest.raises(PathError):
        read_found(found)


def test_memory_get_reads_none_of_them(tmp_path: Path) -> None:
    put(tmp_path / "pics" / "a.png", heads.PNG)
    with pytest.raises(PathError):
        read_range(roots(tmp_path), "../pics/a.png")


def test_the_card_says_what_it_is(tmp_path: Path) -> None:
    data = medium(heads.OPUS, "talk")
    put(tmp_path / "pics" / "talk.ogg", data)
    files = scan(roots(tmp_path)).files
    card = media_card(files, "../pics/talk.ogg")
    assert (card.modality, card.mime_type, card.size) == ("audio", "audio/opus", len(data))
    for path in ("../pics/other.ogg", "memory/a.md"):
        with pytest.raises(PathError):
            media_card(files, path)


def test_endings() -> None:
    assert len(SUFFIXES) == 15
    assert modality_of("x/y.PnG") == "image"
    assert {modality_of(path) for path in ("png", "a/.png", "a.png/b", "a.md", "")} == {None}


def test_a_change_of_a_wanted_medium_is_worth_a_look(tmp_path: Path) -> None:
    picture = put(tmp_path / "pics" / "a.png", medium(heads.PNG, "a"))
    sound = str(tmp_path / "pics" / "new.mp3")
    assert plan_watch(roots(tmp_path)).concerns(str(picture))
    only = MediaRules(("image",), 1000)
    assert not plan_watch(roots(tmp_path, media=only)).concerns(sound)
    assert not plan_watch(roots(tmp_path, media=None)).concerns(str(picture))
