"""Pictures and sound below extra paths: which files count, what they hold, what stands for them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Literal

Modality = Literal["image", "audio"]

SUFFIXES: Mapping[str, Modality] = {
    **dict.fromkeys((".jpg", ".jpeg", ".png", ".webp", ".gif", ".heic", ".heif"), "image"),
    **dict.fromkeys((".mp3", ".wav", ".ogg", ".opus", ".m4a", ".aac", ".flac", ".m2a"), "audio"),
}
DOCUMENTED = frozenset({".jpg", ".jpeg", ".png", ".mp3", ".wav"})
"""What the service still says that it takes; it may refuse the others."""
HEAD_BYTES = 64
"""So much of a file tells its type."""
LABELS: Mapping[Modality, str] = {"image": "Image file: ", "audio": "Audio file: "}

_FTYP: Mapping[bytes, str] = {
    **dict.fromkeys((b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx"), "image/heic"),
    **dict.fromkeys((b"mif1", b"msf1"), "image/heif"),
    **dict.fromkeys((b"M4A ", b"M4B ", b"mp41", b"mp42", b"isom", b"iso2", b"dash"), "audio/mp4"),
}
_STARTS: tuple[tuple[bytes, str], ...] = (
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"fLaC", "audio/flac"),
    (b"ID3", "audio/mpeg"),
    (b"ADIF", "audio/aac"),
)


@dataclass(frozen=True, slots=True)
class MediaRules:
    """Which media files below extra paths are memory; bytes of the largest one."""

    modalities: tuple[Modality, ...]
    max_file_bytes: int

    def takes(self, name: str) -> bool:
        """True for a name whose ending is one of the wanted kinds."""
        return modality_of(name) in self.modalities


@dataclass(frozen=True, slots=True)
class MediaContent:
    """A media file as it is embedded: the text that stands for it, its type and its bytes.

    ``hash`` covers path, text, type and content; it is never the hash of the text alone.
    """

    text: str
    mime_type: str
    data: bytes
    hash: str


def modality_of(path: str) -> Modality | None:
    """The kind that the ending of a name stands for; None for everything else."""
    return SUFFIXES.get(ending_of(path))


def ending_of(path: str) -> str:
    """The ending of a name with its dot, in small letters."""
    name = path.rpartition("/")[2]
    stem, dot, ending = name.rpartition(".")
    return f".{ending.lower()}" if dot and stem else ""


def label_of(path: str, modality: Modality) -> str:
    """The text that stands for a media file in the index."""
    return f"{LABELS[modality]}{path}"


def sniffed(head: bytes) -> str | None:
    """The MIME type that the first ``HEAD_BYTES`` bytes show; None for no known medium."""
    for start, mime_type in _STARTS:
        if head.startswith(start):
            return mime_type
    if head[4:8] == b"ftyp":
        return _FTYP.get(head[8:12])
    if head.startswith(b"RIFF"):
        return {b"WEBP": "image/webp", b"WAVE": "audio/wav"}.get(head[8:12])
    if head.startswith(b"OggS"):
        return "audio/opus" if b"OpusHead" in head else "audio/ogg"
    return _by_frame(head)


def wrong_content(path: str, head: bytes) -> str | None:
    """Why a file is not what its name says, in one sentence; None when it is."""
    modality, mime_type = modality_of(path), sniffed(head)
    if modality is None or (mime_type or "").startswith(f"{modality}/"):
        return None
    kind = "an image" if modality == "image" else "sound"
    return f"It is named like {kind}, but holds {mime_type or 'something else'}."


def media_content(path: str, data: bytes) -> MediaContent | None:
    """The content of a media file; None when it is not what its name says."""
    modality, mime_type = modality_of(path), sniffed(data[:HEAD_BYTES])
    if modality is None or mime_type is None or not mime_type.startswith(f"{modality}/"):
        return None
    text = label_of(path, modality)
    told = {
        "path": path,
        "contentText": text,
        "mimeType": mime_type,
        "dataHash": sha256(data).hexdigest(),
    }
    compact = json.dumps(told, ensure_ascii=False, separators=(",", ":"))
    return MediaContent(text, mime_type, data, sha256(compact.encode()).hexdigest())


def _by_frame(head: bytes) -> str | None:
    """MPEG sound without a tag: eleven set bits; the layer bits are 00 for AAC only."""
    if len(head) < 2 or head[0] != 0xFF or head[1] & 0xE0 != 0xE0:
        return None
    return "audio/aac" if head[1] & 0x06 == 0 else "audio/mpeg"
