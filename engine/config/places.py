"""Where an agent's files may lie: home, state folder, configuration; and what was looked at."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from engine.config.legible import legible_path
from engine.config.request import EngineOptions, Places
from engine.config.resolved import ConfigProblem, LookedFor
from engine.errors import ConfigError

STATE_FOLDERS = (".openclaw", ".clawdbot", ".moldbot", ".moltbot")
CONFIG_NAMES = ("openclaw.json", "clawdbot.json", "moldbot.json", "moltbot.json")


@dataclass(frozen=True, slots=True)
class Ground:
    """The folders of this run; ``state_given`` when the state folder was named, not found.

    ``workspaces`` is where the default agent keeps its workspace when no file says so.
    """

    home: Path
    state_dir: Path
    state_given: bool
    config_path: Path | None
    workspaces: tuple[Path, ...]
    looked_for: tuple[LookedFor, ...]
    problems: tuple[ConfigProblem, ...] = ()


def survey(options: EngineOptions, environ: Mapping[str, str], places: Places) -> Ground:
    """Look for the state folder and the configuration; records every place looked at.

    Raises ConfigError when ``--config`` names a file that is not there.
    """
    home = find_home(environ, places)
    state_dir, given, looked = _state_dir(options, environ, home)
    config_path, looked_files, problems = _config_path(options, environ, home, state_dir)
    return Ground(
        home=home,
        state_dir=state_dir,
        state_given=given,
        config_path=config_path,
        workspaces=_workspaces(options, environ, home, state_dir),
        looked_for=(*looked, *looked_files),
        problems=problems,
    )


def find_home(environ: Mapping[str, str], places: Places) -> Path:
    """OPENCLAW_HOME, else HOME, else USERPROFILE, else the machine's own answer."""
    for name in ("OPENCLAW_HOME", "HOME", "USERPROFILE"):
        text = environ.get(name, "").strip()
        if text:
            return absolute(text, places.home)
    return places.home


def absolute(path: str | Path, home: Path) -> Path:
    """A path with ``~`` as the home and ``..`` resolved by name; links are not followed."""
    text = str(path)
    full = home / text[2:] if text == "~" or text.startswith("~/") else Path(text)
    try:
        return Path(os.path.normpath(full.absolute()))
    except OSError:  # the current folder is gone, so a relative path has no meaning
        return home / full


def is_folder(path: Path) -> bool:
    """True for a folder that can be looked at; never raises."""
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def is_file(path: Path) -> bool:
    """True for a file that can be looked at; never raises."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _state_dir(
    options: EngineOptions, environ: Mapping[str, str], home: Path
) -> tuple[Path, bool, tuple[LookedFor, ...]]:
    named = options.state_dir or _first(environ, "OPENCLAW_STATE_DIR", "CLAWDBOT_STATE_DIR")
    if named:
        path = absolute(named, home)
        return path, True, (LookedFor("state folder", path, is_folder(path)),)
    candidates = [home / name for name in STATE_FOLDERS]
    looked = []
    for path in candidates:
        looked.append(LookedFor("state folder", path, is_folder(path)))
        if looked[-1].found:
            return path, False, tuple(looked)
    return candidates[0], False, tuple(looked)


def _config_path(
    options: EngineOptions, environ: Mapping[str, str], home: Path, state_dir: Path
) -> tuple[Path | None, tuple[LookedFor, ...], tuple[ConfigProblem, ...]]:
    if options.config_file is not None:
        path = absolute(options.config_file, home)
        if not is_file(path):
            raise ConfigError(
                "No configuration", f"There is no file {legible_path(path)}.", "Check --config."
            )
        return path, (LookedFor("configuration", path, True),), ()
    named = _first(environ, "OPENCLAW_CONFIG_PATH")
    if named:
        path = absolute(named, home)
        looked = (LookedFor("configuration", path, is_file(path)),)
        return (path, looked, ()) if looked[0].found else (None, looked, (_missing(path),))
    found: list[LookedFor] = []
    for name in CONFIG_NAMES:
        path = state_dir / name
        found.append(LookedFor("configuration", path, is_file(path)))
        if found[-1].found:
            return path, tuple(found), ()
    return None, tuple(found), ()


def _workspaces(
    options: EngineOptions, environ: Mapping[str, str], home: Path, state_dir: Path
) -> tuple[Path, ...]:
    """The agent's own rule first; a folder named by ``--state-dir`` brings its workspace along."""
    profile = _first(environ, "OPENCLAW_PROFILE")
    name = "workspace" if profile.lower() in ("", "default") else f"workspace-{profile}"
    usual, beside = home / ".openclaw" / name, state_dir / name
    ordered = (usual, beside) if options.state_dir is None else (beside, usual)
    return tuple(dict.fromkeys(ordered))


def _missing(path: Path) -> ConfigProblem:
    message = (
        f"OPENCLAW_CONFIG_PATH names {legible_path(path)}, which is not there; defaults apply."
    )
    return ConfigProblem(message, "Correct the variable, or unset it.", path)


def _first(environ: Mapping[str, str], *names: str) -> str:
    values = (environ.get(name, "").strip() for name in names)
    return next((value for value in values if value), "")
