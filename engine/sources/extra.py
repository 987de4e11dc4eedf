"""Extra paths: further folders and files that the configuration counts as memory."""

from __future__ import annotations

import os.path
import stat
from pathlib import Path, PurePath

from engine.sources.collect import Collector, Folder
from engine.sources.found import SourceRoots
from engine.sources.links import describe, first_link, status_of
from engine.sources.names import is_utf8, why_not_a_note


def extra_paths(roots: SourceRoots) -> list[str]:
    """The configured extra paths, trimmed, without empty and repeated ones."""
    trimmed = (extra.strip() for extra in roots.extra_paths)
    return list(dict.fromkeys(extra for extra in trimmed if extra))


def extra_location(extra: str, workspace: Path) -> Path:
    """Where an extra path lies: absolute, or relative to the workspace; ``~`` is a name."""
    return Path(os.path.normpath(workspace / extra))


def stored_path(location: Path, workspace: Path) -> str:
    """A path as the index stores it: relative to the workspace, with forward slashes."""
    try:
        return PurePath(os.path.relpath(location, workspace)).as_posix()
    except ValueError:  # another drive
        return location.as_posix()


def link_to(location: Path, workspace: Path) -> Path | None:
    """The link that an extra path is or, inside the workspace, lies behind; else None.

    Outside the workspace the folders above it are the person's own choice.
    """
    shown = stored_path(location, workspace)
    if shown == ".":
        return None
    if location.is_relative_to(workspace):
        return first_link(workspace, shown.split("/"))
    return first_link(location.parent, [location.name])


def collect_extra_path(extra: str, workspace: Path, collector: Collector) -> None:
    """All notes and wanted media of an extra folder, or the one that an extra path names."""
    location = extra_location(extra, workspace)
    status = status_of(location) if is_utf8(extra) else None
    if status is None:
        collector.issue(f"The extra path {extra!r} does not exist.")
        return
    shown = stored_path(location, workspace)
    link = link_to(location, workspace)
    if link is not None:
        collector.skip(shown, describe(link))
    elif stat.S_ISDIR(status.st_mode):
        prefix = "" if shown == "." else f"{shown}/"
        base, media = _base(location, workspace), collector.media_wanted
        collector.walk(Folder.at(location, prefix, base, media=media))
    elif collector.takes(location.name):
        parent = location.parent
        prefix = shown.removesuffix(location.name)
        folder = Folder.at(parent, prefix, _base(parent, workspace))
        collector.file(folder, location.name, status)
    else:
        collector.skip(shown, why_not_a_note(location.name) or "Its name does not end in .md.")


def _base(folder: Path, workspace: Path) -> Path:
    return workspace if folder.is_relative_to(workspace) else folder
