"""Links are never followed: what a link is, and where a path goes through one."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Sequence
from pathlib import Path


def describe(link: Path) -> str:
    """Why a link is skipped, with where it leads, in one sentence."""
    return f"Links are not followed; this one leads {_destination(link)}."


def status_of(location: Path) -> os.stat_result | None:
    """What lies at a path, a link itself included; None when nothing can be found there."""
    try:
        return location.lstat()
    except (OSError, ValueError):
        return None


def first_link(base: Path, parts: Sequence[str]) -> Path | None:
    """The first of ``base/parts[0]``, ``base/parts[0]/parts[1]``, ... that is a link.

    None when there is none, as far as the path exists.
    """
    location = base
    for part in parts:
        location = location / part
        status = status_of(location)
        if status is None:
            return None
        if stat.S_ISLNK(status.st_mode):
            return location
    return None


def _destination(link: Path) -> str:
    try:
        mode = link.stat().st_mode
    except OSError as problem:
        return "in a circle" if problem.errno == errno.ELOOP else "nowhere"
    if not stat.S_ISDIR(mode):
        return "to a file"
    if Path(os.path.realpath(link.parent)).is_relative_to(os.path.realpath(link)):
        return "back to a folder that contains it"
    return "to a folder"
