"""Large models lie in several files, NAME-00001-of-0000N.gguf, which count as one."""

from __future__ import annotations

import re

_SPLIT = re.compile(r"-(\d{5})-of-(\d{5})(?=\.gguf$)", re.IGNORECASE)
_MOST_PARTS = 512


def split_names(name: str) -> tuple[str, ...]:
    """The names of all parts in order; of a file that is whole just its own."""
    found = _SPLIT.search(name)
    if found is None or not 1 <= int(found[2]) <= _MOST_PARTS:
        return (name,)
    before, after = name[: found.start()], name[found.end() :]
    return tuple(
        f"{before}-{part:05d}-of-{found[2]}{after}" for part in range(1, int(found[2]) + 1)
    )


def without_split(name: str) -> str:
    """The name that all parts share."""
    return _SPLIT.sub("", name)


def is_later_part(name: str) -> bool:
    """True for every part but the first."""
    found = _SPLIT.search(name)
    return found is not None and int(found[1]) != 1


def split_suffix(name: str) -> str:
    """What tells a part from the others, as ``-00001-of-00003``; empty for a whole file."""
    found = _SPLIT.search(name)
    return found[0] if found else ""
