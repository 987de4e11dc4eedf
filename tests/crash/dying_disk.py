"""A file system layer under SQLite that kills the process, or fails, at the n-th write."""

from __future__ import annotations

import os
import signal
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import apsw
from typing_extensions import override

BASE = "unix"


@dataclass(frozen=True, slots=True)
class Fault:
    """At the ``at``-th write (from 1): kill after half of it, or fail from then on.

    ``full`` is a disk without room, ``broken`` one that reports errors. ``count`` never
    strikes and writes the number of writes into a file.
    """

    kind: Literal["kill", "full", "broken", "count"]
    at: int = 0
    count_file: str = ""


class _Disk:
    """Counts writes of all files together."""

    def __init__(self, fault: Fault) -> None:
        self.fault = fault
        self.writes = 0

    def strikes(self) -> bool:
        """Count a write; True when the fault is due (and stays so)."""
        self.writes += 1
        if self.fault.kind == "count":
            Path(self.fault.count_file).write_text(str(self.writes), "ascii")
            return False
        return self.writes >= self.fault.at


class _File(apsw.VFSFile):
    def __init__(self, disk: _Disk, name: str | apsw.URIFilename | None, flags: list[int]) -> None:
        self._disk = disk
        super().__init__(BASE, name, flags)

    @override
    def xWrite(self, data: bytes, offset: int) -> None:
        """Write, or half of it and no more."""
        if not self._disk.strikes():
            super().xWrite(data, offset)
            return
        kind = self._disk.fault.kind
        if kind == "full":
            raise apsw.FullError("no room")
        if kind == "broken":
            raise apsw.IOError("broken")
        super().xWrite(data[: len(data) // 2], offset)
        os.kill(os.getpid(), signal.SIGKILL)


class _Layer(apsw.VFS):
    def __init__(self, disk: _Disk) -> None:
        self._disk = disk
        super().__init__("dying-disk", BASE, makedefault=True)

    @override
    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> _File:
        """Open a file on the layer below."""
        return _File(self._disk, name, flags)


_installed: list[_Layer] = []


def install(fault: Fault) -> None:
    """All connections of this process are opened on the dying disk from now on."""
    _installed.append(_Layer(_Disk(fault)))
