"""Which paths may be read: the rules of memory_get."""

from __future__ import annotations

import os.path
import stat
from dataclasses import dataclass
from pathlib import Path

from engine.errors import PathError
from engine.sources.extra import extra_location, extra_paths, link_to, stored_path
from engine.sources.found import SourceRoots
from engine.sources.links import describe, first_link, status_of
from engine.sources.names import MEMORY_FOLDER, VENDOR_FOLDERS, is_note, is_utf8
from engine.sources.scan import workspace_location


@dataclass(frozen=True, slots=True)
class AllowedPath:
    """A path that the rules allow; the file itself may be missing.

    ``path`` is how the index would store it. Below ``base`` no part is a link.
    """

    path: str
    base: Path
    parts: tuple[str, ...]

    @property
    def location(self) -> Path:
        """The absolute path."""
        return self.base.joinpath(*self.parts)


def allow(roots: SourceRoots, path: str) -> AllowedPath:
    """Apply the rules to a path, absolute or relative to the workspace.

    ``..`` is resolved in the text first, so that the result says where a path really
    leads. Raises PathError for an empty path, a NUL, a place that is not allowed, a
    name that does not end in ``.md``, any link on the way, and anything but a file.
    """
    asked = path.strip()
    if not asked:
        raise PathError("Path required", "No path was given.", _allowed(roots))
    if "\0" in asked or not is_utf8(asked):
        raise _refused(roots, asked, "it holds characters that no path can have")
    workspace = workspace_location(roots)
    location = Path(os.path.normpath(workspace / asked))
    base = _base_of(location, workspace, roots)
    if base is None:
        raise _refused(roots, asked, "it lies outside the memory")
    if not is_note(location.name):
        raise _refused(roots, asked, "its name does not end in .md")
    allowed = AllowedPath(stored_path(location, workspace), base, location.relative_to(base).parts)
    _refuse_all_but_files(roots, allowed)
    return allowed


def resolve_memory_path(roots: SourceRoots, path: str) -> Path:
    """Where an allowed path lies on disk, whether or not a file is there. Raises PathError."""
    return allow(roots, path).location


def _base_of(location: Path, workspace: Path, roots: SourceRoots) -> Path | None:
    """The folder that makes a place allowed, below which no link is followed."""
    if location != workspace and location.is_relative_to(workspace):
        inside = location.relative_to(workspace)
        plain = roots.plain_folder
        if _in_plain_folder(inside.parts) if plain else _in_memory(inside.parts, roots):
            return workspace
    for extra in extra_paths(roots):
        base = _extra_base(extra_location(extra, workspace), location, workspace)
        if base is not None:
            return base
    return None


def _in_memory(parts: tuple[str, ...], roots: SourceRoots) -> bool:
    # As the original does it: leading dots and slashes do not count, a backslash is a slash.
    bare = "/".join(parts).replace("\\", "/").lstrip("./")
    return bare in roots.root_files or bare.startswith(f"{MEMORY_FOLDER}/")


def _in_plain_folder(parts: tuple[str, ...]) -> bool:
    return VENDOR_FOLDERS.isdisjoint(parts[:-1])


def _extra_base(extra: Path, location: Path, workspace: Path) -> Path | None:
    status = status_of(extra)
    if status is None or link_to(extra, workspace) is not None:
        return None
    inside = location.is_relative_to(workspace)
    if stat.S_ISDIR(status.st_mode) and location != extra and location.is_relative_to(extra):
        return workspace if inside else extra
    if location == extra:
        return workspace if inside else extra.parent
    return None


def _refuse_all_but_files(roots: SourceRoots, allowed: AllowedPath) -> None:
    link = first_link(allowed.base, allowed.parts)
    if link is not None:
        name = link.relative_to(allowed.base).as_posix()
        reason = f"{name} is a link. {describe(link)}"
        raise PathError("Path not allowed", reason, _allowed(roots))
    status = status_of(allowed.location)
    if status is not None and not stat.S_ISREG(status.st_mode):
        raise _refused(roots, allowed.path, "it is not a file")


def _refused(roots: SourceRoots, path: str, reason: str) -> PathError:
    return PathError("Path not allowed", f"{path!r} is not read: {reason}.", _allowed(roots))


def _allowed(roots: SourceRoots) -> str:
    top = ", ".join(roots.root_files)
    return f"Allowed are {top}, .md files below memory/, and .md files of the extra paths."
