"""Eras: which release of the original memlens is faithful to, outside ranking, as one table."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

NAMED_PROFILES = ("documented", "2026.3", "2026.7", "2026.9", "tuned")
"""Profiles that may be asked for by name."""

STAMPLESS = "2026.3"
"""The era of a configuration without a version stamp."""


@dataclass(frozen=True, slots=True)
class QmdLimits:
    """Default limits of the QMD side-car: results, characters a snippet, characters in all."""

    max_results: int
    max_snippet_chars: int
    max_injected_chars: int


@dataclass(frozen=True, slots=True)
class Era:
    """The rules of one release outside ranking.

    ``chunking`` names the chunker's dialect. ``get_lines`` and ``get_chars`` bound a
    ``memory_get`` without a range; None is the whole file. ``failing_provider`` says
    what a search answers when the provider fails: keyword results, or unavailable.
    ``root_files`` are the files at the top of a workspace that are memory.
    ``session_path`` is ``sessions/<file>`` or ``sessions/<agent>/<file>``.
    """

    name: str
    chunking: str
    root_files: tuple[str, ...]
    both_root_spellings: bool
    decay_paths: Literal["strict", "wide"]
    snippet: Literal["head", "window"]
    get_lines: int | None
    get_chars: int | None
    failing_provider: Literal["keyword", "unavailable"]
    session_path: Literal["file", "agent"]
    session_visibility: Literal["tree", "all"]
    qmd_limits: QmdLimits
    profile: str


_EARLY = QmdLimits(6, 700, 4000)
_LATER = QmdLimits(4, 450, 2200)
_MEMORY = ("MEMORY.md", "memory.md")
_MEMORY_AND_USER = (*_MEMORY, "USER.md")


def _table(*eras: Era) -> dict[str, Era]:
    return {era.name: era for era in eras}


ERAS = _table(
    Era(
        name="2026.2",
        chunking="2026.3",
        root_files=_MEMORY,
        both_root_spellings=True,
        decay_paths="strict",
        snippet="head",
        get_lines=None,
        get_chars=None,
        failing_provider="keyword",
        session_path="file",
        session_visibility="tree",
        qmd_limits=_EARLY,
        profile="documented",
    ),
    Era(
        name="2026.3",
        chunking="2026.3",
        root_files=_MEMORY,
        both_root_spellings=True,
        decay_paths="strict",
        snippet="head",
        get_lines=None,
        get_chars=None,
        failing_provider="keyword",
        session_path="file",
        session_visibility="tree",
        qmd_limits=_EARLY,
        profile="2026.3",
    ),
    Era(
        name="2026.7",
        chunking="2026.7",
        root_files=_MEMORY,
        both_root_spellings=False,
        decay_paths="strict",
        snippet="head",
        get_lines=120,
        get_chars=12_000,
        failing_provider="unavailable",
        session_path="agent",
        session_visibility="tree",
        qmd_limits=_LATER,
        profile="2026.7",
    ),
    Era(
        name="2026.9",
        chunking="2026.9",
        root_files=_MEMORY_AND_USER,
        both_root_spellings=False,
        decay_paths="wide",
        snippet="head",
        get_lines=120,
        get_chars=12_000,
        failing_provider="unavailable",
        session_path="agent",
        session_visibility="all",
        qmd_limits=_LATER,
        profile="2026.9",
    ),
    Era(
        name="memlens",
        chunking="memlens",
        root_files=_MEMORY_AND_USER,
        both_root_spellings=False,
        decay_paths="wide",
        snippet="window",
        get_lines=120,
        get_chars=12_000,
        failing_provider="keyword",
        session_path="agent",
        session_visibility="all",
        qmd_limits=_LATER,
        profile="tuned",
    ),
)

_STAMP = re.compile(r"\s*v?(\d{4})\.(\d{1,2})(?![\d])")


def era_of_stamp(stamp: str) -> str | None:
    """The era of a version stamp such as ``2026.3.13``; None when it is no such stamp.

    It is the latest era not after the stamp, except that 2026.8 counts as 2026.9,
    whose surface it introduced; anything older than 2026.2 counts as 2026.2.
    """
    match = _STAMP.match(stamp)
    if match is None:
        return None
    year, month = int(match[1]), int(match[2])
    release = (year, 9 if (year, month) == (2026, 8) else month)
    reached = [name for name, since in _SINCE if since <= release]
    return reached[-1] if reached else _SINCE[0][0]


_SINCE = (
    ("2026.2", (2026, 2)),
    ("2026.3", (2026, 3)),
    ("2026.7", (2026, 7)),
    ("2026.9", (2026, 9)),
)
