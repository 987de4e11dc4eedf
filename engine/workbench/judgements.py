"""Judged queries: what a person wants to find, as lines of files."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.errors import ConfigError


@dataclass(frozen=True, slots=True)
class RelevantLines:
    """Lines (1-based, inclusive) that answer a query. ``ref`` names the fact they hold:
    entries with one ref are copies of one piece of evidence. ``grade`` > 0.
    """

    path: str
    start_line: int
    end_line: int
    grade: float
    ref: str


@dataclass(frozen=True, slots=True)
class JudgedQuery:
    """A query with everything in the memory that answers it."""

    query: str
    category: str
    relevant: tuple[RelevantLines, ...]

    @property
    def facts(self) -> frozenset[str]:
        """The pieces of evidence that are wanted."""
        return frozenset(lines.ref for lines in self.relevant)


def read_judgements(file: Path) -> list[JudgedQuery]:
    """Read a judgement file (JSON lines). Raises ConfigError naming file and line."""
    try:
        text = file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError("Judgements cannot be read", f"{file}: {error}.") from error
    return [
        _parse(line, file, number)
        for number, line in enumerate(text.split("\n"), 1)
        if line.strip()
    ]


def _parse(line: str, file: Path, number: int) -> JudgedQuery:
    try:
        entry = json.loads(line)
        query, lines = str(entry["query"]), entry.get("relevant", [])
        category = str(entry.get("category") or "all")
        return JudgedQuery(query, category, tuple(_relevant(lines)))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ConfigError(
            "Judgements cannot be read",
            f"{file.name}, line {number}: expected one query with its relevant lines ({error}).",
            'A line looks like {"query": "...", "relevant": [{"path": "...", "start_line": 1}]}.',
        ) from error


def _relevant(entries: Iterable[dict[str, Any]]) -> Iterable[RelevantLines]:
    for index, entry in enumerate(entries):
        start = int(entry["start_line"])
        yield RelevantLines(
            path=str(entry["path"]),
            start_line=start,
            end_line=int(entry.get("end_line", start)),
            grade=float(entry.get("grade", 1)),
            ref=str(entry.get("ref", f"#{index}")),
        )
