"""Temporal decay: which files grow old, by which date, and how much that costs."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from math import exp, log
from typing import Literal

from engine.ranking.settings import DecayPaths, DecaySettings

DAY_MS = 86_400_000
Basis = Literal["dated by its name", "dated by file time", "evergreen", "pinned", "no file time"]

_STRICT = re.compile(r"(?:^|/)memory/(\d{4})-(\d{2})-(\d{2})\.md\Z", re.ASCII)
_WIDE = re.compile(r"(?:^|/)memory/(?:[^/]+/)*(\d{4})-(\d{2})-(\d{2})(?:-[^/]+)?\.md\Z", re.ASCII)
_ROOT_NOTES = {
    "strict": frozenset({"MEMORY.md", "memory.md"}),
    "wide": frozenset({"MEMORY.md", "memory.md", "USER.md"}),
}
"""The evergreen files at the top of a workspace, by the rule for dates that came with them."""


@dataclass(frozen=True, slots=True)
class Age:
    """How old a chunk counts as. ``days`` >= 0, None where nothing ages; ``factor`` 0..1."""

    by: Basis
    date: str | None
    days: float | None
    factor: float


def path_date(path: str, rule: DecayPaths) -> str | None:
    """The ISO date that the rule reads from a path; None when there is none that exists."""
    day = _day_of(_match(path, rule))
    return day.date().isoformat() if day else None


def age_of(
    path: str, source: str, mtime_ms: float | None, settings: DecaySettings, now_ms: float
) -> Age:
    """The age and factor of a file; a date in the future does not decay.

    A name that has the form of a date which does not exist falls back to the file's
    time, as upstream does; other files of the memory folder are evergreen.
    """
    if path in settings.evergreen:
        return Age("pinned", None, None, 1.0)
    match = _match(path, settings.paths)
    day = _day_of(match)
    if day is not None:
        return _aged("dated by its name", day.timestamp() * 1000, settings, now_ms)
    if match is None and source == "memory" and _in_memory(path, settings.paths):
        return Age("evergreen", None, None, 1.0)
    if mtime_ms is None:
        return Age("no file time", None, None, 1.0)
    return _aged("dated by file time", mtime_ms, settings, now_ms)


def _match(path: str, rule: DecayPaths) -> re.Match[str] | None:
    return (_STRICT if rule == "strict" else _WIDE).search(path)


def _day_of(match: re.Match[str] | None) -> datetime | None:
    if match is None:
        return None
    try:
        return datetime(int(match[1]), int(match[2]), int(match[3]), tzinfo=UTC)
    except ValueError:
        return None


def _in_memory(path: str, rule: DecayPaths) -> bool:
    return path in _ROOT_NOTES[rule] or path.startswith("memory/")


def _aged(by: Basis, then_ms: float, settings: DecaySettings, now_ms: float) -> Age:
    days = max(0.0, now_ms - then_ms) / DAY_MS
    return Age(by, _iso_date(then_ms), days, decay_factor(days, settings.half_life_days))


def decay_factor(days: float, half_life_days: float) -> float:
    """``exp(-ln 2 / half life * age)``: 1 today, 1/2 after one half-life."""
    return exp(-log(2) / half_life_days * days)


def _iso_date(epoch_ms: float) -> str:
    try:
        return datetime.fromtimestamp(epoch_ms / 1000, UTC).date().isoformat()
    except (ValueError, OverflowError, OSError):
        return "out of range"
