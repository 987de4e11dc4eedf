"""Ranking settings from the configuration: whose keys move which profile."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from engine.config.declaring import as_written
from engine.ranking.overrides import TEXT_WEIGHT, VECTOR_WEIGHT, override
from engine.ranking.profiles import profile
from engine.ranking.settings import RankSettings

if TYPE_CHECKING:
    from engine.config.resolved import ResolvedConfig

_WEIGHTS = {VECTOR_WEIGHT, TEXT_WEIGHT}
OWN_PROFILE = "tuned"
"""The profile that listens only to our own settings, ``--set`` and the knobs."""


def rank_settings(config: ResolvedConfig, name: str | None = None) -> RankSettings:
    """The settings of a profile (the configured one without a name) as configured.

    The parity profiles take the ``memorySearch.query`` values that were set, the agent's
    keys and ours merged. Snippet and dated-name rule come from the era,
    unless set by hand. Raises ConfigError for an unknown profile or a wrong value.
    """
    chosen = profile(name or config.profile)
    era = config.era
    settings = replace(
        chosen, snippet=era.snippet, decay=replace(chosen.decay, paths=era.decay_paths)
    )
    ours = config.ranking_overrides
    if chosen.profile == OWN_PROFILE:
        return override(settings, ours)
    # The merged values hold our weights already, normalised with their counterpart.
    others = {key: value for key, value in ours.items() if key not in _WEIGHTS}
    return override(override(settings, _set_values(config)), others)


def _set_values(config: ResolvedConfig) -> dict[str, Any]:
    """The query keys that somebody set; a default gives way to what the profile has.

    The weights always come as a pair, because they were normalised as one.
    """
    unset = {value.key for value in config.values if value.source.layer == "default"}
    if not unset >= _WEIGHTS:
        unset -= _WEIGHTS
    values = flattened("query", as_written(config.memory_search.query))
    return {key: value for key, value in values.items() if key not in unset}


def flattened(prefix: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """Nested values under dotted keys: ``{"hybrid": {"enabled": True}}`` below ``query``."""
    flat: dict[str, Any] = {}
    for key, value in values.items():
        if isinstance(value, Mapping):
            flat |= flattened(f"{prefix}.{key}", value)
        else:
            flat[f"{prefix}.{key}"] = value
    return flat
