"""Ranking settings from the configuration: whose keys move which profile."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from engine.config.declaring import as_written
from engine.ranking.overrides import override
from engine.ranking.profiles import profile
from engine.ranking.settings import RankSettings

if TYPE_CHECKING:
    from engine.config.resolved import ResolvedConfig

OWN_PROFILE = "tuned"
"""The profile that listens only to our own settings, ``--set`` and the knobs."""


def rank_settings(config: ResolvedConfig, name: str | None = None) -> RankSettings:
    """The settings of a profile (the configured one without a name) as configured.

    The parity profiles take the effective ``memorySearch.query`` values, in which the
    agent's keys and ours are merged. Snippet and dated-name rule come from the era,
    unless set by hand. Raises ConfigError for an unknown profile or a wrong value.
    """
    chosen = profile(name or config.profile)
    era = config.era
    settings = replace(
        chosen, snippet=era.snippet, decay=replace(chosen.decay, paths=era.decay_paths)
    )
    if chosen.profile != OWN_PROFILE:
        query = as_written(config.memory_search.query)
        settings = override(settings, flattened("query", query))
    return override(settings, config.ranking_overrides)


def flattened(prefix: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """Nested values under dotted keys: ``{"hybrid": {"enabled": True}}`` below ``query``."""
    flat: dict[str, Any] = {}
    for key, value in values.items():
        if isinstance(value, Mapping):
            flat |= flattened(f"{prefix}.{key}", value)
        else:
            flat[f"{prefix}.{key}"] = value
    return flat
