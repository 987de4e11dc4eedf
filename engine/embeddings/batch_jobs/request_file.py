"""The file of requests that is uploaded: on disk, because it may be larger than the memory."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING

from engine.errors import CancelledError

if TYPE_CHECKING:
    from engine.embeddings.batch_jobs.dialect import Caps
    from engine.embeddings.batch_jobs.multipart import Multipart
    from engine.net.messages import Cancelled

_IN_MEMORY = 4 * 1024 * 1024
_PIECE = 256 * 1024


@contextmanager
def request_file(caps: Caps) -> Iterator[RequestFile]:
    """An empty file for requests. It has no name on disk and vanishes with the block."""
    with tempfile.SpooledTemporaryFile(_IN_MEMORY) as file:
        yield RequestFile(file, caps)


class RequestFile:
    """Collects lines up to the caps."""

    def __init__(self, file: IO[bytes], caps: Caps) -> None:
        self._file = file
        self._caps = caps
        self.lines = 0
        self.bytes = 0

    def add(self, line: bytes) -> bool:
        """Append a line; False, and nothing is appended, once it would be too much."""
        if self.lines >= self._caps.requests:
            return False
        if self.lines and self.bytes + len(line) > self._caps.bytes:
            return False
        self._file.write(line)
        self.lines += 1
        self.bytes += len(line)
        return True

    def pieces(self, around: Multipart, cancelled: Cancelled) -> Iterator[bytes]:
        """The body of an upload from its beginning. Raises CancelledError."""
        self._file.seek(0)
        yield around.head
        while piece := self._file.read(_PIECE):
            if cancelled():
                raise CancelledError("The upload")
            yield piece
        yield around.tail
