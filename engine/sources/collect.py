"""Walking folders: what is in them, what is left out, and why."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path

from engine.events import SkippedFile
from engine.sources.found import FoundFile, ScanResult
from engine.sources.links import describe
from engine.sources.media import (
    DOCUMENTED,
    HEAD_BYTES,
    SUFFIXES,
    MediaRules,
    ending_of,
    wrong_content,
)
from engine.sources.names import VENDOR_FOLDERS, is_note, is_utf8, printable, why_not_a_note
from engine.sources.opening import read_head

_by_name = attrgetter("name")


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder to look into.

    ``location`` is its absolute path, ``real`` the same with all links resolved,
    ``prefix`` what stored paths of its files begin with ("" or ending in a slash),
    ``base`` the folder below which no link is followed. ``plain`` leaves out vendor folders
    and does not mention text files. ``media`` takes pictures and sound too, where wanted.
    """

    location: str
    real: str
    prefix: str
    base: str
    plain: bool = False
    media: bool = False

    @classmethod
    def at(
        cls, location: Path, prefix: str, base: Path, *, plain: bool = False, media: bool = False
    ) -> Folder:
        """A folder where walking begins."""
        return cls(str(location), os.path.realpath(location), prefix, str(base), plain, media)

    def inner(self, name: str) -> Folder:
        """A folder in this folder."""
        return Folder(
            f"{self.location}{os.sep}{name}",
            f"{self.real}{os.sep}{name}",
            f"{self.prefix}{name}/",
            self.base,
            self.plain,
            self.media,
        )


class Collector:
    """Gathers files, each real file and folder once, under its first spelling."""

    def __init__(self, max_file_bytes: int, media: MediaRules | None = None) -> None:
        self._max_file_bytes = max_file_bytes
        self._media = media
        self._files: dict[str, FoundFile] = {}
        self._skipped: dict[str, str] = {}
        self._issues: list[str] = []
        self._folders: dict[str, str] = {}
        self._excluded: set[str] = set()
        self._media_folders: set[str] = set()

    def result(self) -> ScanResult:
        """Everything gathered so far."""
        return ScanResult(
            tuple(self._files.values()),
            tuple(SkippedFile(path, reason) for path, reason in self._skipped.items()),
            (*self._issues, *self._doubts()),
            tuple(self._folders.values()),
        )

    def issue(self, sentence: str) -> None:
        """Remember a remark about the whole, once."""
        if sentence not in self._issues:
            self._issues.append(sentence)

    def skip(self, path: str, reason: str) -> None:
        """Remember that something is left out, under its first reason."""
        self._skipped.setdefault(printable(path), reason)

    def exclude(self, folder: Folder, name: str, reason: str) -> None:
        """Leave out a file for good, also where another root leads to it."""
        self._excluded.add(f"{folder.real}{os.sep}{name}")
        self.skip(folder.prefix + name, reason)

    def walk(self, top: Folder) -> None:
        """All files below a folder: those of a folder by name, then its folders by name."""
        pending = [top]
        while pending:
            folder = pending.pop()
            if folder.real not in (self._media_folders if folder.media else self._folders):
                pending.extend(reversed(self._look_into(folder)))

    @property
    def media_wanted(self) -> bool:
        """True when pictures or sound below extra paths count."""
        return self._media is not None

    def takes(self, name: str) -> bool:
        """True for the name of a note, and for that of a medium where media are wanted."""
        return is_note(name) or self._wants(name)

    def file(self, folder: Folder, name: str, found: os.stat_result) -> None:
        """One file that counts by its name, unless it is no regular file or too large."""
        real = f"{folder.real}{os.sep}{name}"
        if real in self._files or real in self._excluded:
            return
        path = folder.prefix + name
        if not stat.S_ISREG(found.st_mode):
            self.skip(path, "It is not a regular file.")
        elif found.st_size > self._limit(name):
            self.skip(path, _too_large(found.st_size, self._limit(name)))
        elif problem := self._not_what_it_says(folder, name):
            self.skip(path, problem)
        else:
            self._files[real] = FoundFile(
                path,
                f"{folder.location}{os.sep}{name}",
                "memory",
                found.st_size,
                found.st_mtime_ns / 1e6,
                folder.base,
            )

    def _look_into(self, folder: Folder) -> list[Folder]:
        try:
            with os.scandir(folder.location) as listing:
                entries = sorted(listing, key=_by_name)
        except FileNotFoundError:
            return []
        except OSError as problem:
            self.skip(folder.prefix or "./", unreadable(problem))
            return []
        self._folders[folder.real] = folder.location
        if folder.media:
            self._media_folders.add(folder.real)
        return [folder.inner(entry.name) for entry in entries if self._take(entry, folder)]

    def _take(self, entry: os.DirEntry[str], folder: Folder) -> bool:
        """Deal with an entry; True when it is a folder to look into."""
        name = entry.name
        try:
            if name.isascii() and is_note(name) and entry.is_file(follow_symlinks=False):
                self.file(folder, name, entry.stat(follow_symlinks=False))
            elif entry.is_symlink():
                self._link(entry, folder)
            elif entry.is_dir(follow_symlinks=False):
                return self._enters(name, folder)
            elif not is_note(name) and not (folder.media and self._wants(name)):
                self._almost(name, folder)
            elif is_utf8(name):
                self.file(folder, name, entry.stat(follow_symlinks=False))
            else:
                self.skip(folder.prefix + name, "Its name is not valid UTF-8.")
        except FileNotFoundError:
            return False
        except OSError as problem:
            self.skip(folder.prefix + name, unreadable(problem))
        return False

    def _enters(self, name: str, folder: Folder) -> bool:
        if folder.plain and name in VENDOR_FOLDERS:
            self.skip(f"{folder.prefix}{name}/", "A folder of tools or copies, not of notes.")
            return False
        if not is_utf8(name):
            self.skip(f"{folder.prefix}{name}/", "Its name is not valid UTF-8.")
            return False
        return True

    def _almost(self, name: str, folder: Folder) -> None:
        reason = why_not_a_note(name)
        if reason and not (folder.plain and name.endswith(".txt")):
            self.skip(folder.prefix + name, reason)

    def _link(self, entry: os.DirEntry[str], folder: Folder) -> None:
        named = is_note(entry.name) or why_not_a_note(entry.name)
        if named or (folder.media and self._wants(entry.name)) or not entry.is_file():
            self.skip(folder.prefix + entry.name, describe(Path(entry.path)))

    def _wants(self, name: str) -> bool:
        return self._media is not None and self._media.takes(name)

    def _limit(self, name: str) -> int:
        media = None if is_note(name) else self._media
        return self._max_file_bytes if media is None else media.max_file_bytes

    def _not_what_it_says(self, folder: Folder, name: str) -> str | None:
        """Why a medium is none, by its first bytes."""
        if is_note(name):
            return None
        try:
            head = read_head(f"{folder.location}{os.sep}{name}", HEAD_BYTES)
        except OSError as problem:
            return unreadable(problem)
        return wrong_content(name, head)

    def _doubts(self) -> list[str]:
        """A remark about media that the service may refuse."""
        endings = {ending_of(file.path) for file in self._files.values()}
        odd = sorted(ending for ending in endings & SUFFIXES.keys() if ending not in DOCUMENTED)
        if not odd:
            return []
        known = ", ".join(sorted(DOCUMENTED))
        return [
            f"Media files in {', '.join(odd)} may be refused: the service documents {known} only."
        ]


def unreadable(problem: OSError) -> str:
    """Why something cannot be read, in one sentence, without its path."""
    return f"It cannot be read: {problem.strerror or 'unknown error'}."


def _too_large(size: int, limit: int) -> str:
    mib = 1024 * 1024
    return f"It has {size / mib:,.1f} MiB; files of more than {limit / mib:,.1f} MiB are left out."
