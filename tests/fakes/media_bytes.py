"""Made-up media files: the head of a real one, and behind it words for what it holds."""

from __future__ import annotations

PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"
JPEG = b"\xff\xd8\xff\xe0\x00\x10JFIF\x00"
GIF = b"GIF89a"
WEBP = b"RIFF\x24\x00\x00\x00WEBPVP8 "
HEIC = b"\x00\x00\x00\x18ftypheic"
MP3 = b"ID3\x04\x00"
BARE_MP3 = b"\xff\xfb\x90\x64"
WAV = b"RIFF\x24\x00\x00\x00WAVEfmt "
OGG = b"OggS\x00\x02" + b"\x00" * 22 + b"\x01vorbis"
OPUS = b"OggS\x00\x02" + b"\x00" * 22 + b"OpusHead"
M4A = b"\x00\x00\x00\x18ftypM4A "
AAC = b"\xff\xf1\x50\x80"
FLAC = b"fLaC\x00\x00\x00\x22"


def medium(head: bytes, words: str) -> bytes:
    """A file with that head that holds these words."""
    return head + b"\x00\xff\x00" + words.encode() + b"\x00\xfe"
