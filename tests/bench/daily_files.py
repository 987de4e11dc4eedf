"""Generated daily notes: the same text on every machine, of the size that the targets name."""

from __future__ import annotations

import random
from datetime import date, timedelta
from pathlib import Path

_WORDS = """
router switch printer kitchen attic office garden server camera boiler
restarted replaced configured measured cleaned moved updated checked repaired ordered
cable firmware password schedule certificate backup filter battery sensor address
Anna Bertil Chidi Dagmar Emre Fumiko Gustav Hanne Igor Jana
"""
_PLACES, _ACTS, _THINGS, _PEOPLE = (line.split() for line in _WORDS.strip().split("\n"))
_LINES = 40
"""With these sentences a file has about 2.3 kB and gives two chunks of 400/80 tokens."""


def write_daily_files(memory: Path, count: int = 1000, seed: int = 7) -> int:
    """Write ``count`` daily notes into a folder; returns their size in bytes."""
    memory.mkdir(parents=True, exist_ok=True)
    choose = random.Random(seed)
    size = 0
    for number in range(count):
        day = date(2023, 1, 1) + timedelta(days=number)
        size += (memory / f"{day}.md").write_bytes(_note(choose, day).encode())
    return size


def _note(choose: random.Random, day: date) -> str:
    lines = [f"# {day}", ""]
    lines += [_sentence(choose) for _ in range(_LINES)]
    return "\n".join(lines) + "\n"


def _sentence(choose: random.Random) -> str:
    who, act = choose.choice(_PEOPLE), choose.choice(_ACTS)
    thing, place = choose.choice(_THINGS), choose.choice(_PLACES)
    return f"- {who} {act} the {thing} of the {place}, ticket {choose.randrange(10_000):04d}."
