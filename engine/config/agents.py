"""The agents of a configuration: ids, the default one, and where each has its workspace."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.config.document import Document
from engine.config.key_path import KeyPath
from engine.config.layers import problem_at
from engine.config.places import Ground, absolute, is_folder
from engine.config.resolved import AgentInfo, ConfigProblem

MAIN = "main"

_VALID = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
_ID_LENGTH = 64
_LIST: KeyPath = ("agents", "list")
_ENTRIES: KeyPath = ("agents", "entries")
_COMMON_WORKSPACE: KeyPath = ("agents", "defaults", "workspace")


@dataclass(frozen=True, slots=True)
class AgentEntry:
    """An agent as the configuration lists it; ``base`` is its place in the file."""

    agent_id: str
    base: KeyPath
    default: bool
    workspace: str | None


def normal_agent_id(text: str) -> str:
    """Lower case, other characters than letters, digits, _ and - as "-"; empty is "main"."""
    lowered = text.strip().lower()
    if _VALID.fullmatch(lowered):
        return lowered
    return re.sub(r"[^a-z0-9_-]+", "-", lowered).strip("-")[:_ID_LENGTH] or MAIN


def agent_entries(document: Document) -> tuple[AgentEntry, ...]:
    """The listed agents, the first of each id: ``agents.list[]``, then ``agents.entries``."""
    found: dict[str, AgentEntry] = {}
    for base, name, entry in _listed(document):
        if name is not None and isinstance(entry, dict):
            agent_id = normal_agent_id(name)
            workspace = _path_text(entry.get("workspace"))
            is_default = entry.get("default") is True
            found.setdefault(agent_id, AgentEntry(agent_id, base, is_default, workspace))
    return tuple(found.values())


def agent_problems(document: Document) -> tuple[ConfigProblem, ...]:
    """What is wrong with the list of agents, one by one."""
    found = []
    if not isinstance(document.at(_LIST) or [], list):
        found.append(problem_at(document, _LIST, "expected a list of agents; it is not used"))
    seen: set[str] = set()
    for base, name, entry in _listed(document):
        if name is None or not isinstance(entry, dict):
            what = "expected an agent with an id; it is not used"
            found.append(problem_at(document, base, what))
            continue
        if normal_agent_id(name) in seen:
            found.append(problem_at(document, base, "this id is taken; the first agent counts"))
        seen.add(normal_agent_id(name))
        found += _workspace_problems(document, (*base, "workspace"))
    return (*found, *_workspace_problems(document, _COMMON_WORKSPACE))


def default_agent(entries: tuple[AgentEntry, ...]) -> str:
    """The first agent marked default, else the first one, else "main"."""
    marked = [entry.agent_id for entry in entries if entry.default]
    return (marked or [entry.agent_id for entry in entries] or [MAIN])[0]


def agent_infos(document: Document, ground: Ground) -> tuple[AgentInfo, ...]:
    """Every agent with its workspace; "main" alone when none is listed."""
    entries = agent_entries(document)
    default = default_agent(entries)
    listed = [(entry.agent_id, entry.workspace) for entry in entries] or [(MAIN, None)]
    return tuple(
        AgentInfo(name, _workspace(name == default, name, own, document, ground), name == default)
        for name, own in listed
    )


def unlisted_agent(agent_id: str, document: Document, ground: Ground) -> AgentInfo:
    """An agent that is asked for by name where the configuration lists none at all."""
    is_default = agent_id == MAIN
    return AgentInfo(agent_id, _workspace(is_default, agent_id, None, document, ground), is_default)


def _workspace(
    is_default: bool, agent_id: str, own: str | None, document: Document, ground: Ground
) -> Path:
    """Its own, the common one for the default agent, else by rule."""
    if own is None and not is_default:
        return ground.state_dir / f"workspace-{agent_id}"
    named = own or _path_text(document.at(_COMMON_WORKSPACE))
    if named:
        return absolute(named, ground.home)
    found = (path for path in ground.workspaces if is_folder(path))
    return next(found, ground.workspaces[0])


def _listed(document: Document) -> Iterator[tuple[KeyPath, str | None, Any]]:
    """Place, id and raw entry of each agent; the id is None where the entry has none."""
    entries, named = document.at(_LIST), document.at(_ENTRIES)
    for index, entry in enumerate(entries if isinstance(entries, list) else []):
        name = entry.get("id") if isinstance(entry, dict) else None
        yield (*_LIST, index), name if isinstance(name, str) else None, entry
    for key, entry in named.items() if isinstance(named, dict) else []:
        yield (*_ENTRIES, key), key, entry


def _workspace_problems(document: Document, path: KeyPath) -> list[ConfigProblem]:
    value = document.at(path)
    if value is None or _path_text(value):
        return []
    return [problem_at(document, path, "expected the path of a folder; it is not used")]


def _path_text(value: Any) -> str | None:
    usable = isinstance(value, str) and value.strip() and "\0" not in value
    return value.strip() if usable else None
