"""What a scan finds on disk."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from engine.events import SkippedFile
from engine.sources.media import MediaRules
from engine.sources.names import ROOT_FILES

MAX_FILE_BYTES = 32 * 1024 * 1024
"""The stated size above which a file is skipped and listed, unless configured."""


@dataclass(frozen=True, slots=True)
class SourceRoots:
    """Where memory lives: the workspace and the extra paths as configured.

    ``root_files`` are the era's names at the top of the workspace, in order;
    ``both_root_spellings`` its rule for a workspace that holds both MEMORY.md and
    memory.md; ``max_file_bytes`` the stated size above which a file is skipped and listed.
    """

    workspace: Path
    extra_paths: tuple[str, ...] = ()
    both_root_spellings: bool = False
    plain_folder: bool = False
    """A folder that is no agent workspace: every ``*.md`` below it counts as memory."""
    max_file_bytes: int = MAX_FILE_BYTES
    root_files: tuple[str, ...] = ROOT_FILES
    media: MediaRules | None = None
    """Which pictures and sound below the extra paths count; None is none."""


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A memory file. ``path`` is the stored one: relative to the workspace with
    forward slashes, ``../x`` outside it. ``mtime_ms`` keeps its fraction.

    ``location`` is the absolute path as text, because a Path costs more than the rest
    of the scan. ``base`` is the folder below which no link is followed: the workspace,
    or the extra path where that lies outside it ("" means the file's own folder).
    """

    path: str
    location: str
    source: str
    size: int
    mtime_ms: float
    base: str = ""

    @property
    def absolute(self) -> Path:
        """Where the file lies."""
        return Path(self.location)


@dataclass(frozen=True, slots=True)
class ScanResult:
    """All memory files in discovery order, what was skipped and why, and remarks.

    ``folders`` are the absolute paths of all folders that were looked into.
    """

    files: tuple[FoundFile, ...]
    skipped: tuple[SkippedFile, ...]
    issues: tuple[str, ...]
    folders: tuple[str, ...] = ()
