"""Reading memory files: decoded text, its hash, and ranges as memory_get returns them."""

from __future__ import annotations

import os
from dataclasses import dataclass
from hashlib import sha256

from engine.chunking.utf16 import well_formed
from engine.errors import PathError
from engine.sources.access import AllowedPath, allow
from engine.sources.found import MAX_FILE_BYTES, FoundFile, SourceRoots
from engine.sources.media import MediaContent, media_content, modality_of
from engine.sources.opening import read_below
from engine.sources.ranges import RangeStyle, take_range


@dataclass(frozen=True, slots=True)
class MemoryText:
    """The text of a range. ``from_`` is the 1-based first line, ``lines`` how many came.

    ``truncated`` and ``next_from`` are set when the era's limits cut the text.
    """

    path: str
    text: str
    from_: int
    lines: int
    truncated: bool = False
    next_from: int | None = None

    @property
    def citation(self) -> str:
        """``path#L3`` or ``path#L3-L9``."""
        last = self.from_ + max(self.lines, 1) - 1
        return f"{self.path}#L{self.from_}" + (f"-L{last}" if last > self.from_ else "")


def decode(data: bytes) -> str:
    """The text of a file: UTF-8, each undecodable sequence as one U+FFFD.

    Nothing else is touched: a byte order mark stays as U+FEFF at the start of line 1,
    carriage returns stay at the ends of their lines, a head between ``---`` lines is
    text like any other. So lines, hashes and searches agree with what an editor shows.
    """
    return data.decode("utf-8", "replace")


def undecodable(text: str) -> str | None:
    """A sentence on characters of a text that came from bytes outside UTF-8; None without any.

    U+FFFD stands for them, and is rare enough otherwise to be worth a word.
    """
    count = text.count("\ufffd")
    if not count:
        return None
    characters = "1 character is" if count == 1 else f"{count:,} characters are"
    return f"{characters} not UTF-8 and read as U+FFFD; the words around are found."


def file_hash(text: str) -> str:
    """SHA-256 hex digest of a decoded text in UTF-8; surrogate halves count as U+FFFD."""
    return sha256(well_formed(text).encode()).hexdigest()


def read_found(found: FoundFile, most: int = MAX_FILE_BYTES) -> tuple[str, str]:
    """The text and the hash of a file that a scan found, read through no link.

    Of a media file that is the text that stands for it, and a hash of its content.
    Raises PathError when it has vanished since, became a link, has grown to more than
    ``most`` bytes, or cannot be read.
    """
    if modality_of(found.path) is not None:
        content = read_media(found, most)
        return content.text, content.hash
    text = decode(_read_found(found, most))
    return text, file_hash(text)


def read_media(found: FoundFile, most: int = MAX_FILE_BYTES) -> MediaContent:
    """The content of a media file. Raises PathError as ``read_found``, and for other content."""
    content = media_content(found.path, _read_found(found, most))
    if content is None:
        raise PathError(
            "Not a media file",
            f"{found.path} does not hold what its name says.",
            "Rename it, or leave it out of extraPaths.",
        )
    return content


def _read_found(found: FoundFile, most: int) -> bytes:
    base = found.base or str(found.absolute.parent)
    parts = found.location[len(base) :].replace(os.sep, "/").strip("/").split("/")
    try:
        return read_below(base, parts, found.path, most)
    except FileNotFoundError:
        raise _vanished(found.path) from None


def read_memory(roots: SourceRoots, path: str) -> str:
    """The whole decoded text of an allowed file. Raises PathError, also when it is missing."""
    text = _text_of(allow(roots, path), roots.max_file_bytes)
    if text is None:
        raise _vanished(path)
    return text


def read_range(
    roots: SourceRoots,
    path: str,
    from_: int | None = None,
    lines: int | None = None,
    *,
    default_lines: int | None = None,
    max_chars: int | None = None,
    style: RangeStyle = "memlens",
) -> MemoryText:
    """A range of an allowed file; the empty text when the file is missing.

    ``from_`` is 1-based. The limits and the style are the era's, see ``take_range``.
    Raises PathError for a path or range that is not allowed.
    """
    allowed = allow(roots, path)
    # The originals answer with forward slashes even where a backslash is part of a name.
    shown = allowed.path.replace("\\", "/") if style == "original" else allowed.path
    text = _text_of(allowed, roots.max_file_bytes)
    taken = take_range(
        text or "", from_, lines, default_lines=default_lines, max_chars=max_chars, style=style
    )
    count = len(taken.lines) if text else 0
    body = "\n".join(taken.lines)
    return MemoryText(shown, body, taken.first, count, taken.truncated, taken.next_from)


def _text_of(allowed: AllowedPath, most: int) -> str | None:
    try:
        return decode(read_below(str(allowed.base), allowed.parts, allowed.path, most))
    except FileNotFoundError:
        return None


def _vanished(path: str) -> PathError:
    return PathError("File not found", f"{path} is not there (any more).", "Sync the index.")
