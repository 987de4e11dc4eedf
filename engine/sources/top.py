"""The top of a workspace: MEMORY.md and its like, and the folder memory/."""

from __future__ import annotations

import os.path
import stat
from collections.abc import Iterable, Mapping
from pathlib import Path

from engine.sources.collect import Collector, Folder
from engine.sources.found import SourceRoots
from engine.sources.links import describe, status_of
from engine.sources.names import MEMORY_FOLDER, ROOT_FILES, listed


def collect_root_files(
    top: Folder, names: Iterable[str], collector: Collector, roots: SourceRoots
) -> None:
    """The era's files at the top; where MEMORY.md and memory.md both exist, by its rule."""
    known = roots.root_files
    found = {name: status_of(Path(top.location, name)) for name in known}
    present = {name: status for name, status in found.items() if status is not None}
    _choose_spelling(top, present, collector, both=roots.both_root_spellings)
    for name, status in present.items():
        _root_file(top, name, status, collector)
    if not top.plain:
        for wanted in sorted({name.lower() for name in known}):
            for name in _other_spellings(top, names, present, wanted, known):
                collector.skip(name, f"At the top, only {listed(known)} are memory.")


def collect_memory_folder(top: Folder, names: Iterable[str], collector: Collector) -> None:
    """All notes in ``memory/``; a word on ``Memory/``, which is not looked into."""
    location = Path(top.location, MEMORY_FOLDER)
    found = status_of(location)
    known = {} if found is None else {MEMORY_FOLDER: found}
    for name in _other_spellings(top, names, known, MEMORY_FOLDER, ()):
        collector.issue(f"{name}/ is not used: the memory folder must be called memory/.")
    if found is None:
        return
    if stat.S_ISLNK(found.st_mode):
        collector.skip(MEMORY_FOLDER, describe(location))
    elif stat.S_ISDIR(found.st_mode):
        collector.walk(top.inner(MEMORY_FOLDER))
    else:
        collector.skip(MEMORY_FOLDER, "It is a file; memory/ must be a folder.")


def _choose_spelling(
    top: Folder, present: dict[str, os.stat_result], collector: Collector, *, both: bool
) -> None:
    spellings = [present[name] for name in ROOT_FILES if name in present]
    if len(spellings) == 2 and os.path.samestat(*spellings):
        del present["memory.md"]  # two spellings of one file
    elif sum(stat.S_ISREG(status.st_mode) for status in spellings) == 2:
        _say_which(top, collector, both=both)


def _say_which(top: Folder, collector: Collector, *, both: bool) -> None:
    if both:
        collector.issue("MEMORY.md and memory.md both exist, and both are indexed.")
    else:
        collector.issue("MEMORY.md and memory.md both exist; only MEMORY.md is used.")
        collector.exclude(top, "memory.md", "MEMORY.md exists as well and is used instead.")


def _root_file(top: Folder, name: str, status: os.stat_result, collector: Collector) -> None:
    if stat.S_ISLNK(status.st_mode):
        collector.skip(name, describe(Path(top.location, name)))
    else:
        collector.file(top, name, status)


def _other_spellings(
    top: Folder,
    names: Iterable[str],
    present: Mapping[str, os.stat_result],
    wanted: str,
    known: Iterable[str],
) -> list[str]:
    """Names that differ from the wanted one in case only and are something else on disk."""
    others = []
    for name in sorted(names):
        if name.lower() == wanted and name not in present and name not in known:
            status = status_of(Path(top.location, name))
            if status and not any(os.path.samestat(status, other) for other in present.values()):
                others.append(name)
    return others
