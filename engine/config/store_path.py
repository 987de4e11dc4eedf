"""Which index file is ours: never the agent's own, whatever its configuration names."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from engine.config.layers import Setting
from engine.config.places import Ground, absolute
from engine.config.request import EngineOptions, Places
from engine.config.subject import Subject

SUFFIX = ".memlens.sqlite"

_NAME_LENGTH = 40


def store_path(
    options: EngineOptions, setting: Setting, subject: Subject, ground: Ground, places: Places
) -> Path:
    """The index file: as given by ``--store``, ``--set`` or our own file, else by rule.

    A path in the agent's configuration names the agent's file, and ours lies beside it.
    The user's file speaks of agents only: plain folders and the demo would share it.
    The demo's lies beside its workspace, so that resetting the demo resets it, too.
    """
    if options.store is not None:
        return absolute(options.store, ground.home)
    agent_id, layer = subject.agent.agent_id, setting.source.layer
    if setting.value:
        named = absolute(setting.value.replace("{agentId}", agent_id), ground.home)
        if layer == "--set" or (layer == "user settings" and subject.mode == "agent"):
            return named
        if layer.startswith("agent ") and named.name:
            return named.with_name(named.stem + SUFFIX)
    if subject.mode == "agent":
        return ground.state_dir / "memory" / f"{agent_id}{SUFFIX}"
    if subject.mode == "demo":
        return subject.agent.workspace.parent / f"index{SUFFIX}"
    return places.data_dir / "folders" / folder_name(subject.agent.workspace) / f"index{SUFFIX}"


def folder_name(workspace: Path) -> str:
    """A readable name that no other folder has: its own name and a short hash of its path."""
    digest = hashlib.sha256(str(workspace).encode("utf-8", "surrogateescape")).hexdigest()
    readable = re.sub(r"[^\w.-]+", "-", workspace.name).strip("-.")[:_NAME_LENGTH]
    return f"{readable or 'folder'}-{digest[:10]}"
