"""Where each release of the agent keeps its logins; all of these places are only ever read.

Until 2026.3 that is ``auth-profiles.json`` in the agent's folder. From 2026.7 on that
file counts no longer, and the agent's own database holds them; from 2026.9 on those of the
main agent lie in the database of the state folder.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from engine.net.auth_profiles import AuthProfiles, merged

FILE_NAME = "auth-profiles.json"
AGENT_DATABASE = "openclaw-agent.sqlite"
STATE_DATABASE = Path("state", "openclaw.sqlite")

_IN_FILES = frozenset({"2026.2", "2026.3", "memlens"})
_IN_DATABASES = frozenset({"2026.7", "2026.9", "memlens"})
_IN_STATE_DATABASE = frozenset({"2026.9", "memlens"})
_MOST_BYTES = 4 * 1024 * 1024

Stored = Mapping[str, Any]


def read_auth_profiles(
    folders: Sequence[Path],
    config_order: Mapping[str, Sequence[str]] | None = None,
    *,
    era: str = "2026.3",
    state_dir: Path | None = None,
) -> AuthProfiles:
    """The logins of several agent folders, the agent's own first, by the rules of an era.

    Missing places are normal; a broken one is listed in ``unreadable``, by its name only.
    """
    stores: list[Stored] = []
    unreadable: list[str] = []
    for place in _places(folders, era, state_dir):
        try:
            stores.append(_read(place))
        except FileNotFoundError:
            continue
        except (OSError, ValueError, RecursionError):
            unreadable.append(place.name)
    found = merged(stores, config_order or {})
    return replace(
        found,
        unreadable=tuple(unreadable),
        superseded=() if era in _IN_FILES else _superseded(folders),
    )


def _places(folders: Sequence[Path], era: str, state_dir: Path | None) -> Iterator[Path]:
    """The agent's own database, that of the state folder, the databases of others, files."""
    if era in _IN_DATABASES:
        yield from (folder / AGENT_DATABASE for folder in folders[:1])
        if state_dir is not None and era in _IN_STATE_DATABASE:
            yield state_dir / STATE_DATABASE
        yield from (folder / AGENT_DATABASE for folder in folders[1:])
    if era in _IN_FILES:
        yield from (folder / FILE_NAME for folder in folders)


def _read(place: Path) -> Stored:
    """What a place holds. Raises FileNotFoundError, OSError, ValueError, RecursionError."""
    if place.name == FILE_NAME:
        return _from_file(place)
    if not place.is_file():
        raise FileNotFoundError(place.name)
    from engine.net.auth_databases import agent_logins, state_logins

    return agent_logins(place) if place.name == AGENT_DATABASE else state_logins(place)


def _from_file(path: Path) -> Stored:
    with path.open("rb") as file:
        data = file.read(_MOST_BYTES + 1)
    if len(data) > _MOST_BYTES:
        raise ValueError("too large")
    stored = json.loads(data)
    if not isinstance(stored, dict):
        raise ValueError("no JSON object")
    return stored


def _superseded(folders: Sequence[Path]) -> tuple[str, ...]:
    return (FILE_NAME,) if any((folder / FILE_NAME).is_file() for folder in folders) else ()
