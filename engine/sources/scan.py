"""Discovery: which files are memory, in the documented order."""

from __future__ import annotations

import os
from pathlib import Path

from engine.sources.collect import Collector, Folder
from engine.sources.extra import collect_extra_path, extra_paths
from engine.sources.found import ScanResult, SourceRoots
from engine.sources.top import collect_memory_folder, collect_root_files


def scan(roots: SourceRoots) -> ScanResult:
    """Look at the disk: MEMORY.md and its like, ``memory/``, then the extra paths.

    In a plain folder every note below it counts instead of ``memory/``. Never raises
    for anything that lies or happens on disk: what cannot be read is listed as skipped,
    what is wrong as a whole is an issue. No link is followed below the workspace or an
    extra path, which may themselves lie behind links.
    """
    collector = Collector(roots.max_file_bytes, roots.media)
    workspace = workspace_location(roots)
    top = Folder.at(workspace, "", workspace, plain=roots.plain_folder)
    names = _names(workspace, collector)
    if names is not None:
        collect_root_files(top, names, collector, roots)
        if roots.plain_folder:
            collector.walk(top)
        else:
            collect_memory_folder(top, names, collector)
    for extra in extra_paths(roots):
        collect_extra_path(extra, workspace, collector)
    return collector.result()


def workspace_location(roots: SourceRoots) -> Path:
    """The absolute path of the workspace, which stored paths are relative to."""
    return Path(os.path.normpath(roots.workspace.absolute()))


def _names(workspace: Path, collector: Collector) -> set[str] | None:
    try:
        return {entry.name for entry in workspace.iterdir()}
    except FileNotFoundError:
        collector.issue("The workspace folder does not exist.")
    except NotADirectoryError:
        collector.issue("The workspace is a file, not a folder.")
    except OSError as problem:
        reason = problem.strerror or "unknown error"
        collector.issue(f"The workspace folder cannot be read: {reason}.")
    return None
