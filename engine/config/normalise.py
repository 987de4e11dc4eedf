"""Rules that tie keys together, applied after all layers are merged."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from engine.config.layers import Setting, Settings, where
from engine.config.multimodal import MOST_BYTES, obstacles
from engine.config.places import absolute
from engine.config.resolved import ConfigProblem

DEFAULT_WEIGHTS = (0.7, 0.3)

_HOME_PATHS = ("local.modelPath", "local.modelCacheDir", "store.vector.extensionPath")
_VECTOR = "query.hybrid.vectorWeight"
_TEXT = "query.hybrid.textWeight"


def normalised(settings: Settings, home: Path) -> tuple[Settings, tuple[ConfigProblem, ...]]:
    """A complete set of memorySearch settings with every cross rule applied.

    Weights are divided by their sum, overlap stays below the chunk size, transcripts
    are a source only when session memory is on, extra paths are trimmed and unique,
    media files count only with a model that can embed them,
    ``~`` is the home in the paths of model and library files.
    """
    result, problems = dict(settings), []
    for rule in (_weights, _overlap, _sources, _extra_paths, _modalities, _multimodal):
        problems += rule(result)
    for key in _HOME_PATHS:
        if (result[key].value or "").startswith("~"):
            _put(result, key, str(absolute(result[key].value, home)))
    return result, tuple(problems)


def weights(vector: float, text: float) -> tuple[float, float]:
    """Two weights of 0..1 divided by their sum; 0.7 and 0.3 when both are 0."""
    total = vector + text
    return (vector / total, text / total) if total > 0 else DEFAULT_WEIGHTS


def _put(settings: Settings, key: str, value: Any) -> None:
    settings[key] = replace(settings[key], value=value)


def _weights(settings: Settings) -> list[ConfigProblem]:
    vector, text = weights(settings[_VECTOR].value, settings[_TEXT].value)
    _put(settings, _VECTOR, vector)
    _put(settings, _TEXT, text)
    return []


def _overlap(settings: Settings) -> list[ConfigProblem]:
    tokens, overlap = settings["chunking.tokens"].value, settings["chunking.overlap"]
    most = tokens - 1
    if overlap.value <= most:
        return []
    _put(settings, "chunking.overlap", most)
    written = overlap.source.layer != "default"
    what = f"chunking.overlap must stay below chunking.tokens ({tokens}); {most} is used."
    return [_problem(overlap, what)] if written else []


def _sources(settings: Settings) -> list[ConfigProblem]:
    sources = settings["sources"]
    wanted = tuple(dict.fromkeys(sources.value))
    allowed = settings["experimental.sessionMemory"].value
    taken = tuple(source for source in wanted if source != "sessions" or allowed)
    _put(settings, "sources", taken or ("memory",))
    if taken == wanted:
        return []
    what = 'sources names "sessions", but experimental.sessionMemory is off; it is left out.'
    return [
        _problem(sources, what, "Set experimental.sessionMemory to true to search transcripts.")
    ]


def _extra_paths(settings: Settings) -> list[ConfigProblem]:
    trimmed = (path.strip() for path in settings["extraPaths"].value)
    _put(settings, "extraPaths", tuple(dict.fromkeys(path for path in trimmed if path)))
    return []


def _modalities(settings: Settings) -> list[ConfigProblem]:
    named = settings["multimodal.modalities"].value
    if settings["multimodal.enabled"].value and (not named or "all" in named):
        _put(settings, "multimodal.modalities", ("image", "audio"))
    return []


def _multimodal(settings: Settings) -> list[ConfigProblem]:
    enabled, size = settings["multimodal.enabled"], settings["multimodal.maxFileBytes"]
    if not enabled.value:
        return []
    problems = [
        _problem(enabled, f"{what}; media files are left out.", hint)
        for what, hint in obstacles(settings)
    ]
    if problems:
        _put(settings, "multimodal.enabled", False)
    elif size.value > MOST_BYTES:
        _put(settings, "multimodal.maxFileBytes", MOST_BYTES)
        what = f"multimodal.maxFileBytes is more than a request holds; {MOST_BYTES} is used."
        problems.append(_problem(size, what))
    return problems


def _problem(setting: Setting, what: str, hint: str = "") -> ConfigProblem:
    file, line = setting.source.file, setting.source.line
    place = f"{where(file, line)}: " if file else ""
    return ConfigProblem(place + what, hint, file, line)
