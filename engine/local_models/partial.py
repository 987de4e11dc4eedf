"""A download that is not complete: the bytes so far, and beside them what they are bytes of.

Both lie next to the place of the finished file, so that any later process goes on with them.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO

PART = ".memlens-part"
_RECORD = ".memlens-part.json"
_LOCK = ".memlens-lock"
_HASH_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class Record:
    """What is known of the whole file.

    ``address`` is the one it was asked under. ``etag`` is the hub's own (the SHA-256 of
    large files), ``validator`` what the server that sends the bytes understands in
    If-Range: its strong ETag or its Last-Modified. ``total`` counts bytes.
    """

    address: str = ""
    etag: str = ""
    validator: str = ""
    total: int | None = None


class PartialFile:
    """The part file of a target; used under the target's lock, reading needs none."""

    def __init__(self, target: Path) -> None:
        self.target = target
        self.path = target.with_name(target.name + PART)
        self._record_path = target.with_name(target.name + _RECORD)
        self.record = self._read()

    @property
    def size(self) -> int:
        """Bytes that are here."""
        try:
            return self.path.stat().st_size
        except OSError:
            return 0

    def begin(self, address: str) -> None:
        """Keep what is here if it belongs to this address and can be continued."""
        unfit = self.record.total is not None and self.size > self.record.total
        if self.record.address != address or unfit:
            self.discard()
        self.note(replace(self.record, address=address))

    def note(self, record: Record) -> None:
        """Remember what is known now; on disk before any byte that depends on it."""
        if record == self.record and self._record_path.exists():
            return
        self.record = record
        temporary = self._record_path.with_suffix(".new")
        temporary.write_text(json.dumps(asdict(record)), "utf-8")
        temporary.replace(self._record_path)

    def discard(self) -> None:
        """Start over: neither bytes nor knowledge, but the address."""
        self.path.unlink(missing_ok=True)
        self.note(Record(self.record.address))

    @contextmanager
    def appending(self) -> Iterator[BinaryIO]:
        """Open for more bytes at the end, which are on the disk when the block is left."""
        with self.path.open("ab") as stream:
            try:
                yield stream
            finally:
                stream.flush()
                os.fsync(stream.fileno())

    def digest(self, step: Callable[[int], None]) -> str:
        """SHA-256 in hex of what is here; ``step`` is told the bytes read so far."""
        sums = sha256()
        read = 0
        with self.path.open("rb") as stream:
            while block := stream.read(_HASH_BYTES):
                sums.update(block)
                read += len(block)
                step(read)
        return sums.hexdigest()

    def publish(self) -> Path:
        """Give the complete file its name, in one step that survives a power cut."""
        self.path.replace(self.target)
        handle = os.open(self.target.parent, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
        self._record_path.unlink(missing_ok=True)
        return self.target

    def _read(self) -> Record:
        try:
            data: Any = json.loads(self._record_path.read_text("utf-8"))
            record = Record(**data)
        except (OSError, ValueError, TypeError):
            return Record()
        texts = (record.address, record.etag, record.validator)
        usable = all(isinstance(text, str) for text in texts) and (
            record.total is None or isinstance(record.total, int)
        )
        return record if usable else Record()


def lock_path(target: Path) -> Path:
    """The file that is locked while somebody downloads this target."""
    return target.with_name(target.name + _LOCK)


def companions(target: Path) -> tuple[Path, Path, Path]:
    """The files that a download may leave beside its target."""
    partial = PartialFile(target)
    return partial.path, target.with_name(target.name + _RECORD), lock_path(target)
