"""What has to be watched: folders, never files, and none behind a link."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from engine.sources.extra import extra_location, extra_paths
from engine.sources.found import ScanResult, SourceRoots
from engine.sources.links import status_of
from engine.sources.media import MediaRules
from engine.sources.names import MEMORY_FOLDER, is_note, why_not_a_note
from engine.sources.scan import scan, workspace_location

Identity = tuple[int, int] | None
"""Device and inode of a folder; (0, 0) for anything else, None for nothing."""

_NO_FOLDER = (0, 0)


@dataclass(frozen=True, slots=True)
class Place:
    """A root or a folder, and what lay there. ``chosen`` ones may be or lie behind links."""

    location: str
    identity: Identity
    chosen: bool

    @classmethod
    def at(cls, location: str, *, chosen: bool = False) -> Place:
        """What lies at a location now."""
        return cls(location, _identity(location, chosen), chosen)

    @property
    def is_folder(self) -> bool:
        """True for a folder that can be watched."""
        return self.identity is not None and self.identity != _NO_FOLDER

    def changed(self) -> bool:
        """True when something else lies there now."""
        return _identity(self.location, self.chosen) != self.identity


@dataclass(frozen=True, slots=True)
class WatchPlan:
    """The folders to watch, each without what is below it, and what of them matters.

    Watching a folder with all below it would follow links; so a folder that comes or
    goes makes a new plan. ``places`` are the folders and all roots, also those that
    were missing. In ``note_folders`` every note matters, elsewhere only ``named`` paths.
    """

    seen: ScanResult
    places: dict[str, Place]
    note_folders: frozenset[str]
    named: frozenset[str]
    media: MediaRules | None = None

    @property
    def folders(self) -> list[str]:
        """All folders to watch; what may not be listed cannot be watched either."""
        found = [place.location for place in self.places.values() if place.is_folder]
        return [location for location in found if os.access(location, os.R_OK)]

    def concerns(self, path: str) -> bool:
        """True when a change at a path can change what discovery finds."""
        if path in self.named or path in self.places:
            return True
        folder, name = os.path.split(path)
        if folder not in self.note_folders:
            return False
        if is_note(name) or why_not_a_note(name) is not None or self._is_medium(name):
            return True
        status = status_of(Path(path))
        return status is not None and not stat.S_ISREG(status.st_mode)

    def _is_medium(self, name: str) -> bool:
        return self.media is not None and self.media.takes(name)

    def outdated(self) -> bool:
        """True when a watched folder or a root was replaced, went away or came back."""
        return any(place.changed() for place in self.places.values())


def plan_watch(roots: SourceRoots) -> WatchPlan:
    """Look at the disk and say what to watch; never raises for what lies there."""
    seen = scan(roots)
    workspace = workspace_location(roots)
    extra = [extra_location(path, workspace) for path in extra_paths(roots)]
    memory = workspace / MEMORY_FOLDER
    chosen = [workspace, *(path.parent for path in extra if is_note(path.name))]
    return WatchPlan(
        seen,
        _places(map(str, chosen), [str(memory), *map(str, extra), *seen.folders]),
        frozenset(seen.folders),
        frozenset(map(str, [*(workspace / name for name in roots.root_files), memory, *extra])),
        roots.media,
    )


def _places(chosen: Iterable[str], others: Iterable[str]) -> dict[str, Place]:
    places = {location: Place.at(location, chosen=True) for location in chosen}
    for location in others:
        if location not in places:
            places[location] = Place.at(location)
    return places


def _identity(location: str, follow: bool) -> Identity:
    try:
        status = Path(location).stat() if follow else Path(location).lstat()
    except (OSError, ValueError):
        return None
    return (status.st_dev, status.st_ino) if stat.S_ISDIR(status.st_mode) else _NO_FOLDER
