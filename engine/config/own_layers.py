"""Our own settings: the user's file, the workspace's file, and what each may set."""

from __future__ import annotations

from pathlib import Path

from engine.config.document import Document, read_document
from engine.config.key_table import OWN_FILE
from engine.config.layers import Layer, Place, Settings, read_layer
from engine.config.places import is_file
from engine.config.resolved import LookedFor

USER_FILE = "settings.json5"
WORKSPACE_FILE = ".memlens.json5"

_RANKING = ("query.", "decay.", "mmr.", "cut.")
_RANKING_KEYS = {
    "join", "textScore", "fusion", "completion", "singleLeg", "snippet", "boost", "shortWords",
    "fileNames", "annotations", "activeProjects", "pool",
}  # fmt: skip
_SCREEN_KEYS = {"profile", "theme", "glyphs"}
_REFUSAL = "a workspace, where an agent can write, sets ranking and screen keys only; not used"


def is_ranking(key: str) -> bool:
    """True for a key that moves the ranking."""
    return key in _RANKING_KEYS or key.startswith(_RANKING)


def is_harmless(key: str) -> bool:
    """True for a key that a workspace may set: ranking, decay and screen, nothing that sends."""
    return key in _SCREEN_KEYS or is_ranking(key)


def read_user_file(settings_dir: Path) -> tuple[Layer, LookedFor]:
    """The user's settings for all workspaces."""
    return _read(settings_dir / USER_FILE, "user settings", restricted=False)


def read_workspace_file(workspace: Path) -> tuple[Layer, LookedFor]:
    """The settings that lie in a workspace; other than harmless keys are refused."""
    return _read(workspace / WORKSPACE_FILE, "workspace settings", restricted=True)


def ranking_overrides(*layers: Settings) -> dict[str, object]:
    """The ranking keys of our own layers, the last one winning."""
    return {
        key: setting.value for layer in layers for key, setting in layer.items() if is_ranking(key)
    }


def _read(file: Path, layer: str, *, restricted: bool) -> tuple[Layer, LookedFor]:
    looked = LookedFor(layer, file, is_file(file))
    if not looked.found:
        return Layer(), looked
    document, problems = read_document(file)
    found = read_layer(_place(document, layer, restricted))
    return Layer(found.settings, [*problems, *found.problems]), looked


def _place(document: Document, layer: str, restricted: bool) -> Place:
    allows = is_harmless if restricted else None
    return Place(layer, document, OWN_FILE, (), allows, _REFUSAL, dotted=True)
