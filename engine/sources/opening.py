"""Opening files so that no link is followed, not even one put there at the last moment."""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from pathlib import Path

from engine.errors import PathError
from engine.sources.links import first_link

_BY_FOLDER = os.open in os.supports_dir_fd and hasattr(os, "O_NOFOLLOW")


def read_below(base: str, parts: Sequence[str], shown: str, most: int) -> bytes:
    """The bytes of a regular file at ``base/parts[0]/parts[1]/...``; ``shown`` names it.

    ``base`` itself may lie behind links. Raises FileNotFoundError when a part is
    missing, PathError when one is a link, the file is no regular one, holds more than
    ``most`` bytes, or cannot be read.
    """
    try:
        return _read(base, parts, most)
    except FileNotFoundError:
        raise
    except OSError as problem:
        raise PathError(
            "File not readable",
            f"{shown} cannot be read: {problem.strerror or 'unknown error'}.",
            "Check its permissions, and that no part of its path is a link.",
        ) from problem


def read_head(location: str, most: int) -> bytes:
    """The first bytes of a regular file that is no link. Raises OSError."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    file = os.open(location, flags | getattr(os, "O_BINARY", 0))
    try:
        return os.read(file, most)
    finally:
        os.close(file)


def _read(base: str, parts: Sequence[str], most: int) -> bytes:
    if not _BY_FOLDER:
        return _read_by_path(base, parts, most)
    folder = os.open(base, os.O_RDONLY | os.O_DIRECTORY)
    try:
        for part in parts[:-1]:
            inner = os.open(part, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=folder)
            os.close(folder)
            folder = inner
        # Without O_NONBLOCK, opening a pipe would wait for somebody to write into it.
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK
        file = os.open(parts[-1], flags, dir_fd=folder)
    finally:
        os.close(folder)
    return _read_regular(file, most)


def _read_by_path(base: str, parts: Sequence[str], most: int) -> bytes:
    if first_link(Path(base), parts) is not None:
        raise OSError(0, "A part of its path is a link")
    flags = os.O_RDONLY | getattr(os, "O_BINARY", 0)
    return _read_regular(os.open(Path(base, *parts), flags), most)


def _read_regular(file: int, most: int) -> bytes:
    try:
        status = os.fstat(file)
        if not stat.S_ISREG(status.st_mode):
            raise OSError(0, "It is not a regular file")
        pieces, room = [], most + 1
        # One byte more than it has, so that most files come in one go.
        while piece := os.read(file, min(status.st_size + 1, room)):
            pieces.append(piece)
            room -= len(piece)
            if room <= 0:
                raise OSError(0, f"It holds more than {most:,} bytes")
        return b"".join(pieces)
    finally:
        os.close(file)
